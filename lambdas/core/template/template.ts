import { RuleError } from '../errors.ts';
import { templateNameLength } from '../limits.ts';
import { type LinkFlag, linkDefaults, linkFlags, type RedirectType } from '../link/link.ts';
import type { utmParameters } from '../link/utm.ts';
import { fitsIntoKey } from '../tag/tag.ts';
import { checkText } from '../text.ts';

/** What a template adds to new links. */
export type TemplateSettings = {
  readonly domain: string | null;
  readonly tagIds: readonly string[];
  readonly redirectType: RedirectType;
  /** How long after its creation a link expires. */
  readonly expiresAfterDays: number | null;
} & { readonly [Field in keyof typeof utmParameters]: string | null } & { readonly [Flag in LinkFlag]: boolean };

/** A template as stored in the table. It may have deleted tags. */
export type Template = TemplateSettings & {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** How often it was changed, to detect concurrent changes. */
  readonly revision: number;
};

/** Default values. The table omits them. */
export const templateDefaults: TemplateSettings = {
  domain: null,
  tagIds: [],
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  redirectType: linkDefaults.redirectType,
  expiresAfterDays: null,
  ...(Object.fromEntries(linkFlags.map((flag) => [flag, linkDefaults[flag]])) as Pick<typeof linkDefaults, LinkFlag>),
};

/** The names of its settings, in the order in which responses show them. */
export const templateFields = Object.keys(templateDefaults) as (keyof TemplateSettings)[];

/**
 * Validates a template's name and returns it trimmed and in NFC. Names are compared like those of tags.
 *
 * @throws RuleError `too_short`, `too_long`, `invalid_text`
 */
export function parseTemplateName(text: string): string {
  const name = checkText(text, templateNameLength).normalize('NFC').trim();
  if (name === '') throw new RuleError('too_short', 'must not be empty');
  if (!fitsIntoKey(name)) throw new RuleError('too_long', `must have at most ${templateNameLength} characters`);
  // In NFC, a name may have more characters than before.
  return checkText(name, templateNameLength);
}
