import { RuleError } from '../../lambdas/core/errors.ts';
import { rulesPerLink } from '../../lambdas/core/limits.ts';
import { parseDestination } from '../../lambdas/core/link/destination.ts';
import type { Conditions, Rule } from '../../lambdas/core/link/rules.ts';
import { parseCountry } from '../../lambdas/core/visitor/country.ts';
import { devices, systems } from '../../lambdas/core/visitor/user-agent.ts';
import { textOf } from './text.ts';

/** A rule of another service: its conditions here, or else why they cannot be expressed. */
type Wanted = { readonly name: string; readonly url: unknown; readonly if: Conditions | string };

/**
 * The rules of a row in their order. Rules that cannot be expressed here are left out.
 *
 * @param wanted the rules of the other service.
 * @param notes gets an entry for each rule that is left out.
 */
export function rulesOf(wanted: readonly Wanted[], notes: string[]): Rule[] {
  const rules = wanted.flatMap(({ name, url, if: conditions }): Rule[] => {
    const leftOut = (reason: string) => {
      notes.push(`${name} is not imported: ${reason}`);
      return [];
    };
    if (typeof conditions === 'string') return leftOut(conditions);
    try {
      return [{ if: conditions, url: parseDestination(textOf(url)) }];
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return leftOut(`its URL ${error.message}`);
    }
  });
  if (rules.length > rulesPerLink) notes.push(`of ${rules.length} rules, only the first ${rulesPerLink} are imported`);
  return rules.slice(0, rulesPerLink);
}

/** A value of a JSON document, or of JSON in a CSV cell; undefined if it is malformed. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/**
 * Dub's targets, by `ios`, `android` and `geo`, in the order in which Dub checks them: https://github.com/dubinc/dub
 * (apps/web/lib/middleware/link.ts). `geo` has a URL for each country.
 */
export function dubRules(cell: (name: string) => unknown): Wanted[] {
  const systems = (['ios', 'android'] as const).flatMap((os): Wanted[] =>
    cell(os) === undefined ? [] : [{ name: `"${os}"`, url: cell(os), if: { os: [os] } }],
  );
  const geo = cell('geo') === undefined ? {} : parsed(cell('geo'));
  if (typeof geo !== 'object' || geo === null) return [...systems, { name: '"geo"', url: '', if: 'it is malformed' }];
  const byUrl = Object.groupBy(Object.entries(geo), ([, url]) => textOf(url));
  const countries = Object.entries(byUrl).map(([url, all = []]): Wanted => {
    const codes = all.map(([code]) => code);
    const known = codes.flatMap((code) => parseCountry(code) ?? []);
    const name = `"geo" of ${codes.join(', ')}`;
    return { name, url, if: known.length === codes.length ? { country: known } : 'it has an unknown country' };
  });
  return [...systems, ...countries];
}

type Json = Readonly<Record<string, unknown>>;

/** An object of a JSON document; an empty one instead of anything else. */
const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/** Converts a condition of Shlink: https://shlink.io/documentation/advanced/dynamic-rule-based-redirects-system/ */
function shlinkCondition({ type, matchKey, matchValue }: Json): Conditions | undefined {
  const [key, value] = [textOf(matchKey), textOf(matchValue)];
  switch (type) {
    case 'device': {
      const [device, os] = [devices.find((one) => one === value), systems.find((one) => one === value)];
      return device ? { device: [device] } : os && { os: [os] };
    }
    case 'language':
      return /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i.test(value) ? { language: [value.toLowerCase()] } : undefined;
    case 'query-param':
      return key === '' ? undefined : { query: { [key]: value } };
    case 'valueless-query-param':
      return key === '' ? undefined : { query: { [key]: '' } };
    case 'geolocation-country-code': {
      const country = parseCountry(value);
      return country === undefined ? undefined : { country: [country] };
    }
    case 'before-date':
    case 'after-date': {
      const instant = Date.parse(value);
      return Number.isNaN(instant)
        ? undefined
        : { [type === 'after-date' ? 'after' : 'before']: new Date(instant).toISOString() };
    }
    default:
      return undefined;
  }
}

/** Shlink's rules, by `redirectRules`: the response of its endpoint for them, or the list in it. */
export function shlinkRules(cell: (name: string) => unknown): Wanted[] {
  const said = parsed(cell('redirectRules'));
  const list = Array.isArray(said) ? said : asObject(said).redirectRules;
  if (!Array.isArray(list)) {
    const isMissing = cell('hasRedirectRules') === true || said !== undefined;
    return isMissing ? [{ name: '"redirectRules"', url: '', if: 'the file does not contain the rules' }] : [];
  }
  const priority = (rule: Json) => Number(textOf(rule.priority));
  return list
    .map(asObject)
    .toSorted((one, other) => priority(one) - priority(other))
    .map(
      (rule): Wanted => ({
        name: `the rule to ${textOf(rule.longUrl)}`,
        url: rule.longUrl,
        if: shlinkConditions(rule.conditions),
      }),
    );
}

/** All conditions of a rule together, or why they cannot be expressed. */
function shlinkConditions(list: unknown): Conditions | string {
  if (!Array.isArray(list) || list.length === 0) return 'it has no conditions';
  let all: Conditions = {};
  for (const one of list.map(asObject)) {
    const condition = shlinkCondition(one);
    if (!condition) return `conditions of the type "${textOf(one.type)}" are not supported`;
    const { query, ...rest } = condition;
    // There, two values of the same condition must both match. Here, one would be enough.
    if (Object.keys(rest).some((name) => name in all)) return `it has several conditions of the type "${textOf(one.type)}"`;
    all = { ...all, ...rest, ...(query && { query: { ...all.query, ...query } }) };
  }
  return all;
}
