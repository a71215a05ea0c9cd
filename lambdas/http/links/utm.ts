import * as z from 'zod/mini';
import { fieldRefused, RuleError } from '../../core/errors.ts';
import { parameterLength } from '../../core/limits.ts';
import { type Utm, type utmParameters, withUtm } from '../../core/link/utm.ts';
import { checkText } from '../../core/text.ts';
import { ruled } from '../validation.ts';

const parameter = () =>
  ruled((text) => {
    if (text === '') throw new RuleError('too_short', 'must not be empty; null removes the parameter');
    return checkText(text, parameterLength);
  });

const all = () =>
  ({
    utmSource: parameter(),
    utmMedium: parameter(),
    utmCampaign: parameter(),
    utmTerm: parameter(),
    utmContent: parameter(),
  }) satisfies Record<keyof typeof utmParameters, unknown>;

/** The destination's parameters that a request or a template sets, each with its rule. */
export const utm = all();
export const templateUtm = /* @__PURE__ */ all();

const orNull = <S extends z.core.$ZodType>(schema: S) => z.optional(z.nullable(schema));
const fieldsOf = (parameters: typeof utm) => ({
  utmSource: orNull(parameters.utmSource),
  utmMedium: orNull(parameters.utmMedium),
  utmCampaign: orNull(parameters.utmCampaign),
  utmTerm: orNull(parameters.utmTerm),
  utmContent: orNull(parameters.utmContent),
});

/** The fields are merged into `url`, and not stored. */
export const utmFields = fieldsOf(utm);
export const templateUtmFields = /* @__PURE__ */ fieldsOf(templateUtm);

/**
 * Moves these parameters into the settings' destination.
 *
 * @param path of the settings in the request.
 * @throws RequestError `validation_failed` if there is no destination, or it gets too long
 */
export function mergeUtm<S extends Utm & { readonly url?: string | undefined }>(sent: S, path = ''): Omit<S, keyof Utm> {
  const { utmSource, utmMedium, utmCampaign, utmTerm, utmContent, ...settings } = sent;
  const given = { utmSource, utmMedium, utmCampaign, utmTerm, utmContent };
  const [first] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (first === undefined) return settings;
  if (sent.url === undefined)
    throw fieldRefused(`${path}/${first}`, new RuleError('url_required', 'needs "url" in the same request'));
  try {
    return { ...settings, url: withUtm(sent.url, given) };
  } catch (error) {
    throw error instanceof RuleError ? fieldRefused(`${path}/url`, error) : error;
  }
}
