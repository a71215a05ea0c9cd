import { RuleError } from '../errors.ts';
import { slugLength, valuesPerFilter, variantIdLength } from '../limits.ts';
import { parseCountry } from '../visitor/country.ts';
import { browsers, devices, systems } from '../visitor/user-agent.ts';
import { recordedPath, recordedUtm } from './address.ts';
import { type RowDimension, sources, unknown } from './click.ts';
import { valuesIn } from './listed-values.ts';
import { foldReferrer } from './referrers.ts';

/** The values that a click may have, for each dimension that is filtered. */
export type ClickFilter = Readonly<Partial<Record<RowDimension, readonly string[]>>>;

/**
 * A rule for the values of a filter.
 *
 * @property parse the value as clicks record it; undefined if no click can have it
 * @property must the rule in words
 */
type ValueRule = { readonly parse: (text: string) => string | undefined; readonly must: string; readonly code?: string };

const oneOf = (values: readonly string[]): ValueRule => ({
  parse: (text) => (values.includes(text) ? text : undefined),
  must: `be ${values.join(', ')} or ${unknown}`,
});

const shaped = (pattern: RegExp, must: string): ValueRule => ({
  parse: (text) => (pattern.test(text) ? text.toLowerCase() : undefined),
  must,
});

const host = shaped(/^[A-Za-z0-9._-]{1,253}$/, `be a host such as news.example.com, direct or ${unknown}`);

/** A host is replaced by the name of its site, as in clicks. */
const referrerRule: ValueRule = {
  ...host,
  parse: (text) => {
    const value = host.parse(text);
    return value === undefined ? undefined : foldReferrer(value);
  },
};

/** Any text that a visitor may send, as clicks record it. */
const written = (recorded: (text: string) => string, must: string): ValueRule => ({
  parse: (text) => (text.trim() === '' ? undefined : recorded(text)),
  must,
});

const utm = written(recordedUtm, 'not be empty');

const rules: Readonly<Record<RowDimension, ValueRule>> = {
  country: {
    parse: parseCountry,
    must: `be an ISO 3166-1 code of two letters, such as DE, or ${unknown}`,
    code: 'unknown_country',
  },
  referrer: referrerRule,
  device: oneOf(devices),
  browser: oneOf(browsers),
  os: oneOf(systems),
  language: shaped(/^[A-Za-z]{2,3}$/, `be a language without a region, such as de, or ${unknown}`),
  source: oneOf(sources),
  variant: shaped(new RegExp(`^[a-z0-9-]{1,${variantIdLength}}$`), `be the id of a variant, none or ${unknown}`),
  slug: {
    parse: (text) => (text !== '' && text.length <= slugLength ? text : undefined),
    must: `have 1 to ${slugLength} characters`,
  },
  path: written(recordedPath, 'not be empty'),
  utmSource: utm,
  utmMedium: utm,
  utmCampaign: utm,
};

/**
 * Parses values of a dimension, separated by commas. Within a value, `\,` is a comma and `\\` a backslash. Duplicates
 * are dropped.
 *
 * @throws RuleError `too_many`; `unknown_country` or `invalid_value` if no click can have a value
 */
export function parseFilter(dimension: RowDimension, text: string): readonly string[] {
  const sent = valuesIn(text);
  if (sent.length > valuesPerFilter) throw new RuleError('too_many', `must have at most ${valuesPerFilter} values`);
  const { parse, must, code = 'invalid_value' } = rules[dimension];
  const values = sent.map((value) => (value === unknown ? unknown : parse(value)));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) throw new RuleError(code, `must ${must}; separate several values by commas`);
  return [...new Set(known)];
}
