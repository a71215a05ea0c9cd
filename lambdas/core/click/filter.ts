import { RuleError, tooMuchToRead } from '../errors.ts';
import { readsPerRequest, valuesPerFilter, variantIdLength } from '../limits.ts';
import { parseCountry } from '../visitor/country.ts';
import { browsers, devices, systems } from '../visitor/user-agent.ts';
import { type Dimension, sources, unknown } from './click.ts';
import { type Day, dayMs, other, quarterMs } from './day.ts';

/** The values that a click may have, for each dimension that is filtered. */
export type ClickFilter = Readonly<Partial<Record<Dimension, readonly string[]>>>;

/** A value as clicks record it, or undefined if no click can have it; what a value must be; and the error's code. */
type ValueRule = { readonly parse: (text: string) => string | undefined; readonly must: string; readonly code?: string };

const oneOf = (values: readonly string[]): ValueRule => ({
  parse: (text) => (values.includes(text) ? text : undefined),
  must: `be ${values.join(', ')} or ${unknown}`,
});

const shaped = (pattern: RegExp, must: string): ValueRule => ({
  parse: (text) => (pattern.test(text) ? text.toLowerCase() : undefined),
  must,
});

const rules: Readonly<Record<Dimension, ValueRule>> = {
  country: {
    parse: parseCountry,
    must: `be an ISO 3166-1 code of two letters, such as DE, or ${unknown}`,
    code: 'unknown_country',
  },
  referrer: shaped(/^[A-Za-z0-9._-]{1,253}$/, `be a host such as news.example.com, direct or ${unknown}`),
  device: oneOf(devices),
  browser: oneOf(browsers),
  os: oneOf(systems),
  language: shaped(/^[A-Za-z]{2,3}$/, `be a language without a region, such as de, or ${unknown}`),
  source: oneOf(sources),
  variant: shaped(new RegExp(`^[a-z0-9-]{1,${variantIdLength}}$`), `be the id of a variant, none or ${unknown}`),
};

/**
 * Some values of a dimension, separated by commas. Duplicates are dropped.
 *
 * @throws RuleError `too_many`; `unknown_country` or `invalid_value` if no click can have a value; `reserved` for `other`
 */
export function parseFilter(dimension: Dimension, text: string): readonly string[] {
  const sent = text.split(',');
  if (sent.length > valuesPerFilter) throw new RuleError('too_many', `must have at most ${valuesPerFilter} values`);
  if (sent.includes(other)) {
    throw new RuleError('reserved', `must not be ${other}, which stands for values without a name: name the values`);
  }
  const { parse, must, code = 'invalid_value' } = rules[dimension];
  const values = sent.map((value) => (value === unknown ? unknown : parse(value)));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) throw new RuleError(code, `must ${must}; several are separated by commas`);
  return [...new Set(known)];
}

/** Whether a click has one of the values of each filtered dimension. */
export const passes = (click: Readonly<Record<Dimension, string>>, filter: ClickFilter): boolean =>
  Object.entries(filter).every(([dimension, values]) => values.includes(click[dimension as Dimension]));

// A filter needs the records of clicks, because days don't say which values came together.

/** Records are read for this long at most, in milliseconds. What may expire meanwhile counts as expired. */
const readingMs = 60_000;

/**
 * The first quarter of an hour of which all records are kept.
 *
 * @param now in milliseconds since 1970, and so is the result.
 * @param clickDays how many days the stage keeps them.
 */
export const oldestRecords = (now: number, clickDays: number): number =>
  quarterMs * Math.ceil((now + readingMs) / quarterMs) - clickDays * dayMs;

/**
 * Whether records of these days may have expired: a stage that kept them for fewer days then.
 *
 * @param from where the range starts.
 */
export const mayHaveExpired = (days: readonly Day[], from: number, now: number): boolean =>
  days.some(({ day, keptDays = Number.POSITIVE_INFINITY }) => {
    const first = Math.max(Date.parse(day), from);
    return first + keptDays * dayMs <= now + readingMs;
  });

/** The error for a range of a link with more clicks than a request may read. */
export const tooManyClicks = () => tooMuchToRead(`${readsPerRequest.clicks.toLocaleString('en-US')} clicks`, ['from']);
