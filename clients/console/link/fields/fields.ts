import { trimmed } from '../../../../lambdas/core/invisible.ts';
import { webhooksPerLink } from '../../../../lambdas/core/limits.ts';
import { localValue, timeOfLocal } from '../../parts/time.ts';
import { completed } from '../../service/destination.ts';
import type { Link } from '../../service/types.ts';
import { type RuleValue, rulesOf, ruleValues, type VariantValue, variantsOf, variantValues } from './routing.ts';

// The form of a link: its fields, what they show of a link, and which fields of the API they change. Other fields are
// never sent, so that those of a newer API stay as they are.

/** For a password, '' leaves it as it is, and null removes it. */
export type Value = string | boolean | readonly string[] | readonly RuleValue[] | readonly VariantValue[] | null;
export type Values = Readonly<Record<string, Value>>;

type Kind =
  | 'url'
  | 'slug'
  | 'text'
  | 'area'
  /** Values that the API separates by commas, one a line. */
  | 'lines'
  | 'tags'
  | 'time'
  | 'number'
  | 'password'
  | 'switch'
  | 'redirect'
  | 'rules'
  | 'variants';

/** A setting of a link. */
export type Setting = {
  /** The API's name for it. */
  readonly name: string;
  readonly label: string;
  readonly kind: Kind;
  readonly hint?: string;
  /** The meaning of an empty value, such as "never". */
  readonly empty?: string;
};

export type Group = { readonly title: string; readonly fields: readonly Setting[] };

/** How visitors are redirected, and what that means. */
export const redirects = [
  ['TEMPORARY_302', 'Can change later (302, recommended)'],
  ['PERMANENT_301', 'Permanent (301, browsers remember it)'],
] as const;

/** Titles of the groups that show more than their settings. */
export const campaignTitle = 'Campaign';
export const previewTitle = 'Social preview and pixels';

export const groups: readonly Group[] = [
  {
    title: 'Link',
    fields: [
      { name: 'url', label: 'Destination', kind: 'url' },
      { name: 'customSlug', label: 'Slug', kind: 'slug' },
      { name: 'title', label: 'Title', kind: 'text' },
      { name: 'tagIds', label: 'Tags', kind: 'tags' },
      { name: 'notes', label: 'Note', kind: 'area', hint: 'Only your workspace sees it.' },
    ],
  },
  // The parameters are part of the destination: `UtmFields` shows them.
  { title: campaignTitle, fields: [] },
  {
    title: 'Schedule and limit',
    fields: [
      { name: 'isActive', label: 'On: visitors are redirected', kind: 'switch' },
      { name: 'startsAt', label: 'Starts', kind: 'time', hint: 'Leave it empty to start at once.', empty: 'at once' },
      { name: 'expiresAt', label: 'Expires', kind: 'time', hint: 'Leave it empty for never.', empty: 'never' },
      { name: 'maxClicks', label: 'Click limit', kind: 'number', hint: 'Leave it empty for no limit.', empty: 'no limit' },
      {
        name: 'expiredUrl',
        label: 'After it ends, send visitors to',
        kind: 'url',
        hint: 'Once it has expired or reached its click limit. Leave it empty for the domain’s default.',
        empty: 'the domain’s default',
      },
    ],
  },
  {
    title: 'Access',
    fields: [
      { name: 'password', label: 'Password', kind: 'password' },
      { name: 'confirmVisit', label: 'Ask before redirecting', kind: 'switch' },
      { name: 'blockBots', label: 'Block bots', kind: 'switch' },
    ],
  },
  {
    title: 'Targeting and A/B test',
    fields: [
      { name: 'rules', label: 'Rules', kind: 'rules' },
      { name: 'variants', label: 'A/B test', kind: 'variants' },
      { name: 'forwardParameters', label: 'Forward URL parameters', kind: 'switch' },
      { name: 'forwardPath', label: 'Forward the extra path', kind: 'switch', hint: 'What follows the slug in the address.' },
      { name: 'hideReferrer', label: 'Hide the referrer', kind: 'switch' },
    ],
  },
  {
    title: previewTitle,
    fields: [
      { name: 'description', label: 'Description', kind: 'area', hint: 'Chats show it with the title.' },
      { name: 'image', label: 'Picture', kind: 'url' },
      {
        name: 'cloaked',
        label: 'Keep the short address (cloaking)',
        kind: 'switch',
        hint: 'Browsers show it in the address bar instead of the destination.',
      },
      { name: 'metaPixelId', label: 'Meta Pixel ID', kind: 'text' },
      { name: 'googleTagId', label: 'Google tag ID', kind: 'text' },
    ],
  },
  {
    title: 'Advanced',
    fields: [
      { name: 'redirectType', label: 'Redirect', kind: 'redirect' },
      { name: 'externalId', label: 'ID in your system', kind: 'text' },
      {
        name: 'webhookUrls',
        label: 'Webhooks of this link',
        kind: 'lines',
        hint: `Up to ${webhooksPerLink} https addresses, one per line. They are told about its clicks, and when it reaches its click limit.`,
      },
      {
        name: 'managedBy',
        label: 'Managed by',
        kind: 'text',
        hint: 'The program that manages the link, such as a manifest: owner@domain. Leave it empty if people manage it.',
      },
    ],
  },
];

export const fields: readonly Setting[] = groups.flatMap((group) => group.fields);
const fieldOf = new Map(fields.map((field) => [field.name, field]));

export const labelOf = (name: string): string => fieldOf.get(name)?.label ?? name;

/** The meaning of a setting's empty value, such as "never". */
export const emptyOf = (name: string): string | undefined => fieldOf.get(name)?.empty;

/** The title of the group that has a field. */
export const groupOf = (name: string): string | undefined =>
  groups.find((group) => group.fields.some((field) => field.name === name))?.title;

function fieldValue(link: Link, { name, kind }: Setting): Value {
  if (name === 'customSlug') return link.shortCode;
  if (name === 'tagIds') return link.tags.map(({ id }) => id);
  if (kind === 'password') return '';
  const value = (link as Readonly<Record<string, unknown>>)[name];
  if (kind === 'time') return localValue((value as string | null) ?? null);
  if (kind === 'switch') return value === true;
  if (kind === 'rules') return ruleValues(link.rules);
  if (kind === 'variants') return variantValues(link.variants);
  if (kind === 'lines') return linesOf(value);
  return value === null || value === undefined ? '' : String(value);
}

const linesOf = (value: unknown): string => (typeof value === 'string' ? value.split(',').join('\n') : '');

/** What the form shows of a link. */
export const valuesOf = (link: Link): Values => Object.fromEntries(fields.map((field) => [field.name, fieldValue(link, field)]));

/** Kinds whose values are lists. */
const isList = (kind: Kind): boolean => kind === 'tags' || kind === 'rules' || kind === 'variants';

/** What the form shows of a link that does not exist yet. */
export const newValues = (url: string): Values => ({
  ...Object.fromEntries(fields.map(({ name, kind }) => [name, kind === 'switch' ? false : isList(kind) ? [] : ''])),
  url,
  isActive: true,
  redirectType: 'TEMPORARY_302',
});

/** Fields that must be unique, that the API never shows, or that would put the copy under a program's management. */
export const notCopied: readonly string[] = ['customSlug', 'externalId', 'password', 'managedBy'];

/** The initial values of a new link that copies another one. */
export const copiedValues = (link: Link): Values => ({
  ...valuesOf(link),
  ...Object.fromEntries(notCopied.map((name) => [name, ''])),
});

const isSame = (one: Value | undefined, other: Value | undefined): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The names of the fields that differ, in the order of the form. */
export const changedFields = (values: Values, before: Values): string[] =>
  fields.map(({ name }) => name).filter((name) => !isSame(values[name], before[name]));

/** A value as the API takes it. */
function sent({ kind }: Setting, value: Value): unknown {
  if (kind === 'rules') return rulesOf(value as readonly RuleValue[]);
  if (kind === 'variants') return variantsOf(value as readonly VariantValue[]);
  if (typeof value !== 'string') return value;
  const text = trimmed(value);
  switch (kind) {
    case 'time':
      return timeOfLocal(text);
    case 'number':
      return text === '' ? null : Number(text);
    case 'password':
      return value;
    case 'lines':
      return text === ''
        ? null
        : text
            .split(/[\s,]+/)
            .map(trimmed)
            .join(',');
    case 'url':
      return text === '' ? null : completed(text);
    case 'text':
    case 'area':
      return text === '' ? null : text;
    default:
      return text;
  }
}

/** The body of a request that makes these changes. */
export const bodyOf = (values: Values, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const field = fieldOf.get(name);
      return field ? [[name, sent(field, values[name] ?? null)]] : [];
    }),
  );

/** The same text for values that the service treats as equal: it writes addresses as browsers do. */
function comparable(name: string, value: Value): string {
  const field = fieldOf.get(name);
  const written = (_key: string, it: unknown) =>
    typeof it === 'string' && /^https?:/i.test(it) && URL.canParse(it) ? new URL(it).href : it;
  return JSON.stringify(field ? sent(field, value) : value, written);
}

/** A field that two people have changed since it was loaded: its former value, and both new ones. */
export type Clash = { readonly name: string; readonly before: Value; readonly mine: Value; readonly theirs: Value };

/**
 * Puts one person's changes on top of what another has saved meanwhile.
 *
 * @param before the version from which both started.
 * @returns the values, with the other's in fields that only they have changed, and the fields that both have changed.
 */
export function merge(
  mine: Values,
  before: Values,
  theirs: Values,
): { readonly values: Values; readonly clashes: readonly Clash[] } {
  const own = changedFields(mine, before);
  const clashes = changedFields(theirs, before)
    .filter((name) => own.includes(name) && comparable(name, mine[name] ?? null) !== comparable(name, theirs[name] ?? null))
    .map((name) => ({ name, before: before[name] ?? null, mine: mine[name] ?? null, theirs: theirs[name] ?? null }));
  return { values: { ...theirs, ...Object.fromEntries(own.map((name) => [name, mine[name] ?? null])) }, clashes };
}
