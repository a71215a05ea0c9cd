import { type LinkFlag, linkFlags } from '../../../lambdas/core/link/link.ts';
import { labelOf } from '../link/fields/fields.ts';
import { counted } from '../parts/time.ts';
import type { Template } from '../service/types.ts';

/** The fields of a template's form, with the labels of the same fields in a link's form. */
export const labels = {
  name: 'Name',
  domain: 'Domain',
  tagIds: labelOf('tagIds'),
  utmSource: 'UTM source',
  utmMedium: 'UTM medium',
  utmCampaign: 'UTM campaign',
  utmTerm: 'UTM term',
  utmContent: 'UTM content',
  redirectType: labelOf('redirectType'),
  expiresAfterDays: 'Expires after days',
  isActive: labelOf('isActive'),
  isArchived: 'Starts in the archive',
  confirmVisit: labelOf('confirmVisit'),
  blockBots: labelOf('blockBots'),
  forwardParameters: labelOf('forwardParameters'),
  forwardPath: labelOf('forwardPath'),
  hideReferrer: labelOf('hideReferrer'),
  cloaked: labelOf('cloaked'),
} as const;

export const utmFields = ['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'] as const;
type Text = 'name' | 'domain' | 'expiresAfterDays' | (typeof utmFields)[number];
export type Values = { readonly [Name in Text]: string } & { readonly [Flag in LinkFlag]: boolean } & {
  readonly tagIds: readonly string[];
  readonly redirectType: Template['redirectType'];
};
const names = Object.keys(labels) as (keyof Values)[];

/** What the form shows of a template. */
export const valuesOf = (template: Template): Values => ({
  ...template,
  domain: template.domain ?? '',
  ...(Object.fromEntries(utmFields.map((name) => [name, template[name] ?? ''])) as Record<(typeof utmFields)[number], string>),
  expiresAfterDays: String(template.expiresAfterDays ?? ''),
});

/** A value as the API takes it: null if it is empty. */
function sent(name: keyof Values, value: Values[keyof Values]): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (name === 'name') return text;
  if (text === '') return null;
  return name === 'expiresAfterDays' ? Number(text) : text;
}

/** The fields that differ from those of a template, as the API takes them. */
export const changesOf = (values: Values, template: Template): Record<string, unknown> =>
  Object.fromEntries(
    names
      .map((name) => [name, sent(name, values[name])] as const)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(template[name])),
  );

/** What a template sets, in a few words. */
export const summaryOf = (template: Template): string =>
  [
    template.domain ?? '',
    template.tagIds.length > 0 ? counted(template.tagIds.length, 'tag') : '',
    ...utmFields.map((name) => (template[name] === null ? '' : `utm_${name.slice(3).toLowerCase()}=${template[name]}`)),
    template.redirectType === 'PERMANENT_301' ? 'Permanent (301)' : '',
    template.expiresAfterDays === null ? '' : `Expires after ${counted(template.expiresAfterDays, 'day')}`,
    template.isActive ? '' : 'Off',
    ...linkFlags.filter((name) => name !== 'isActive' && template[name]).map((name) => labels[name]),
  ]
    .filter((text) => text !== '')
    .join(' · ');
