import * as z from 'zod/mini';
import { none, unknown } from '../core/click/click.ts';
import { RuleError } from '../core/errors.ts';
import {
  mostWeight,
  parameterLength,
  parametersPerRule,
  rulesPerLink,
  valuesPerCondition,
  variantIdLength,
  variantsPerLink,
} from '../core/limits.ts';
import { parseDestination } from '../core/link/destination.ts';
import { parseTimestamp } from '../core/timestamp.ts';
import { parseCountry } from '../core/visitor/country.ts';
import { devices, systems } from '../core/visitor/user-agent.ts';
import { optionalSetting } from '../runtime/settings.ts';
import { ruled } from './validation.ts';

/** The fields `rules` and `variants` of requests. */

type Issues = { readonly issues: z.core.$ZodRawIssue[] };

const refuse = ({ issues }: Issues, input: unknown, { code, message }: RuleError, path: readonly PropertyKey[] = []) =>
  issues.push({ code: 'custom', input, message, params: { code }, path: [...path] });

/** At least one value. Duplicates are dropped, the order is kept. */
const anyOf = <T>(value: z.ZodMiniType<T>) =>
  z.pipe(
    z.array(value).check(z.minLength(1), z.maxLength(valuesPerCondition)),
    z.transform((values: T[]) => [...new Set(values)]),
  );

const country = ruled((text) => {
  const code = parseCountry(text);
  if (code === undefined) throw new RuleError('unknown_country', 'must be an ISO 3166-1 code of two letters, such as DE');
  return code;
});

/** A language range (RFC 4647, section 2.1), except `*`, which any language would match. */
const language = ruled((text) => {
  if (!/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i.test(text) || text.length > 35) {
    throw new RuleError('unknown_language', 'must be a language such as de or de-AT');
  }
  return text.toLowerCase();
});

const parameter = ruled((text) => {
  if (text.length > parameterLength) throw new RuleError('too_long', `must have at most ${parameterLength} characters`);
  return text.toWellFormed();
});

const parameters = z.record(z.string(), parameter).check((context) => {
  const names = Object.keys(context.value);
  if (names.length === 0) refuse(context, context.value, new RuleError('too_few', 'must have at least one parameter'));
  for (const name of names) {
    if (name === '' || name.length > parameterLength || name !== name.toWellFormed()) {
      const message = `must be the name of a parameter, of 1 to ${parameterLength} characters`;
      refuse(context, context.value, new RuleError('invalid_parameter', message), [name]);
    }
  }
});

/**
 * First does two checks that zod's records lack. They accept any number of parameters, and they drop `__proto__`, so
 * that the rule would match more visits than its sender wants.
 */
const query = z.pipe(
  z.transform((sent: unknown, context) => {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
    if (Object.keys(sent).length > parametersPerRule) {
      refuse(context, sent, new RuleError('too_many', `must have at most ${parametersPerRule} parameters`));
    }
    if (Object.hasOwn(sent, '__proto__')) {
      refuse(context, sent, new RuleError('invalid_parameter', 'must not be __proto__'), ['__proto__']);
    }
    return sent;
  }),
  parameters,
);

const conditions = z
  .strictObject({
    country: z.optional(anyOf(country)),
    device: z.optional(anyOf(z.enum(devices))),
    os: z.optional(anyOf(z.enum(systems))),
    language: z.optional(anyOf(language)),
    after: z.optional(ruled(parseTimestamp)),
    before: z.optional(ruled(parseTimestamp)),
    query: z.optional(query),
  })
  .check((context) => {
    const { country, after, before } = context.value;
    if (Object.values(context.value).every((wanted) => wanted === undefined)) {
      refuse(context, context.value, new RuleError('too_few', 'must have at least one condition'));
    }
    // Read for each request, because modules load without settings.
    if (country?.length && optionalSetting('COUNTRIES') === undefined) {
      const message = "cannot be met, because this service does not know its visitors' countries (setting countryFrom)";
      refuse(context, country, new RuleError('countries_unknown', message), ['country']);
    }
    if (after !== undefined && before !== undefined && after >= before) {
      refuse(context, before, new RuleError('out_of_range', 'must be after "after"'), ['before']);
    }
  });

export const rules = z
  .array(z.strictObject({ if: conditions, url: ruled((text) => parseDestination(text)) }))
  .check(z.maxLength(rulesPerLink));

/** These have another meaning in statistics, or where they are shown. */
const reserved: readonly string[] = [none, unknown, 'other'];

/** The shape of a variant's id, for openapi.json too. */
export const variantIdPattern = `^[a-z0-9-]{1,${variantIdLength}}$`;
const variantIdShape = new RegExp(variantIdPattern);

const variantId = ruled((text) => {
  if (!variantIdShape.test(text)) {
    throw new RuleError('invalid_format', `must be 1 to ${variantIdLength} lower-case letters, digits and hyphens`);
  }
  if (reserved.includes(text)) throw new RuleError('reserved', `must not be one of ${reserved.join(', ')}`);
  return text;
});

const weight = z.int().check(z.minimum(0), z.maximum(mostWeight));

export const variants = z
  .array(z.strictObject({ id: variantId, url: ruled((text) => parseDestination(text)), weight }))
  .check(z.maxLength(variantsPerLink.most), (context) => {
    const { value } = context;
    const { least } = variantsPerLink;
    if (value.length === 0) return;
    if (value.length < least) refuse(context, value, new RuleError('too_few', `must have at least ${least} entries, or none`));
    const seen = new Set<string>();
    for (const [index, { id }] of value.entries()) {
      if (seen.has(id)) refuse(context, id, new RuleError('duplicate', 'must be unique in the list'), [index, 'id']);
      seen.add(id);
    }
    if (value.every(({ weight }) => weight === 0)) {
      refuse(context, value, new RuleError('no_weight', 'must have at least one weight above 0'));
    }
  });
