import { RuleError, tooMuchToRead } from '../errors.ts';
import { readsPerRequest, valuesPerFilter, variantIdLength } from '../limits.ts';
import { parseCountry } from '../visitor/country.ts';
import { browsers, devices, systems } from '../visitor/user-agent.ts';
import { type Dimension, sources, unknown } from './click.ts';
import { other } from './day.ts';
import { foldReferrer } from './referrers.ts';

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

const host = shaped(/^[A-Za-z0-9._-]{1,253}$/, `be a host such as news.example.com, direct or ${unknown}`);

/** A host stands for the site that clicks name. */
const referrerRule: ValueRule = {
  ...host,
  parse: (text) => {
    const value = host.parse(text);
    return value === undefined ? undefined : foldReferrer(value);
  },
};

const rules: Readonly<Record<Dimension, ValueRule>> = {
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

/** The error for a range of a link with more clicks than a request may read. */
export const tooManyClicks = () => tooMuchToRead(`${readsPerRequest.clicks.toLocaleString('en-US')} clicks`, ['from']);
