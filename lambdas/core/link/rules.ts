import { acceptedLanguages } from '../visitor/language.ts';
import { type Agent, type Device, deviceOf, type Os, osOf } from '../visitor/user-agent.ts';

/** The conditions of a rule. All of them must hold. In a list, one matching value suffices. */
export type Conditions = {
  /** ISO 3166-1 alpha-2, in upper case. */
  readonly country?: readonly string[] | undefined;
  readonly device?: readonly Device[] | undefined;
  readonly os?: readonly Os[] | undefined;
  /** Language ranges (RFC 4647, section 2.1) in lower case, such as `de` or `de-at`. */
  readonly language?: readonly string[] | undefined;
  /** From this instant on, in ISO 8601 in UTC. */
  readonly after?: string | undefined;
  /** Until this instant, which is not included. */
  readonly before?: string | undefined;
  /** Parameters and their values, decoded. */
  readonly query?: Readonly<Record<string, string>> | undefined;
};

/** Sends matching visits to a URL of its own. */
export type Rule = { readonly if: Conditions; readonly url: string };

/** What rules read from a visit. */
export type RuledVisit = {
  readonly agent: Agent;
  /** `Accept-Language` */
  readonly languages: string;
  /** Without the `?`, as sent. */
  readonly query: string;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** The visitor's country, ISO 3166-1 alpha-2. Called only if a rule asks for it. */
  readonly country: () => string | undefined;
};

/** Whether each condition holds. What is unknown about a visitor never matches. */
const tests: {
  readonly [Name in keyof Conditions]-?: (wanted: NonNullable<Conditions[Name]>, visit: RuledVisit) => boolean;
} = {
  country: (codes, { country }) => isAmong(codes, country()),
  device: (devices, { agent }) => isAmong(devices, deviceOf(agent)),
  os: (systems, { agent }) => isAmong(systems, osOf(agent)),
  language: (ranges, { languages }) => {
    const [tag] = acceptedLanguages(languages);
    return tag !== undefined && ranges.some((range) => isInRange(tag, range));
  },
  after: (instant, { now }) => now >= Date.parse(instant),
  before: (instant, { now }) => now < Date.parse(instant),
  query: (wanted, { query }) => {
    const sent = new URLSearchParams(query);
    return Object.entries(wanted).every(([name, value]) => sent.has(name, value));
  },
};

/** The names of the conditions, in the order in which they are shown. */
export const conditionNames = Object.keys(tests) as readonly (keyof Conditions)[];

/** The first rule whose conditions all hold for a visit; undefined if there is none. */
export const ruleFor = (rules: readonly Rule[], visit: RuledVisit): Rule | undefined =>
  rules.find((rule) => Object.entries(rule.if).every(([name, wanted]) => holds(name, wanted, visit)));

/** A condition that this version does not know never holds. */
function holds(name: string, wanted: unknown, visit: RuledVisit): boolean {
  const test = Object.hasOwn(tests, name) ? tests[name as keyof Conditions] : undefined;
  return test !== undefined && (test as (wanted: unknown, visit: RuledVisit) => boolean)(wanted, visit);
}

const isAmong = (wanted: readonly string[], value: string | undefined): boolean => value !== undefined && wanted.includes(value);

/** Basic filtering (RFC 4647, section 3.3.1). Both in lower case. */
const isInRange = (tag: string, range: string): boolean => tag === range || tag.startsWith(`${range}-`);
