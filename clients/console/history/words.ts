import type { Schemas } from '../../typescript/client.ts';
import { emptyOf, labelOf } from '../link/fields/fields.ts';
import type { OwnDays } from '../parts/days.ts';
import { shortAddress } from '../parts/short-address.ts';
import { count, counted } from '../parts/time.ts';
import { permissionText } from '../service/permissions.ts';
import { type HistoryView, spans } from './view.ts';

// Entries of the history in words: names instead of ids, times in the reader's zone, and words for empty values.

export type Entry = Schemas['HistoryEntry'];

/** The names of ids, if they are known. */
export type Names = { readonly tag: (id: string) => string };

const verbs: Readonly<Record<string, string>> = {
  created: 'created',
  updated: 'changed',
  deleted: 'deleted',
  clicks_erased: 'erased the clicks of',
  revoked: 'revoked',
  invited: 'invited',
  joined: 'joined',
  removed: 'removed',
};

/** What was done, such as "changed", and to what, such as a short address. */
export function deedOf({ action, subject, shortUrl, changes }: Entry): { readonly verb: string; readonly subject: string } {
  const [, what = ''] = action.split('.');
  const verb = verbs[what] ?? 'changed';
  if (subject.type === 'link') return { verb, subject: shortUrl === null ? 'a link' : shortAddress(shortUrl) };
  if (subject.type === 'domain') return { verb, subject: subject.id };
  if (action === 'member.joined') return { verb, subject: 'the workspace' };
  const { from, to } = changes.name ?? changes.email ?? {};
  const name = subject.name ?? [to, from].find((one) => typeof one === 'string');
  return { verb, subject: name === undefined ? `a ${subject.type}` : `the ${subject.type} “${name}”` };
}

/** Fields that the form of a link does not have. */
const labels: Readonly<Record<string, string>> = {
  accentColor: 'Button colour',
  aliases: 'Former addresses',
  allowIndexing: 'Search engines can list its links',
  appleAppSiteAssociation: 'Apple apps',
  assetLinks: 'Android apps',
  color: 'Colour',
  domain: 'Domain',
  email: 'Email',
  isActive: 'Switched on',
  isArchived: 'Archived',
  logoUrl: 'Logo',
  name: 'Name',
  notFoundUrl: 'Mistyped links go to',
  permissions: 'Permissions',
  publicQr: 'Public QR codes',
  replacedBy: 'Replaced by',
  replaces: 'Replaces',
  restoredFrom: 'Recreated from',
  revokedAt: 'Revoked',
  role: 'Role',
  rootUrl: 'Home page redirects to',
  shortCode: 'Slug',
  state: 'State',
  status: 'Status',
};

/** The label of a field; the API's name for an unknown one. */
export const fieldName = (field: string): string => (Object.hasOwn(labels, field) ? (labels[field] ?? field) : labelOf(field));

const time = (at: string): string => new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const isTime = (field: string, value: unknown): value is string => /At$/.test(field) && typeof value === 'string';

function conditionText([name, value]: [string, unknown]): string {
  if (Array.isArray(value))
    return `${name} ${value.map((one) => (typeof one === 'object' ? Object.values(one ?? {}).join(' ') : one)).join(' or ')}`;
  return typeof value === 'object' && value !== null ? `${name} ${Object.values(value).join(' ')}` : `${name} ${value}`;
}

/** A value in words. Texts by people are quoted. */
export function valueText(field: string, value: unknown, names: Names): string {
  if (value === null || value === undefined) return emptyOf(field) ?? (field === 'revokedAt' ? 'no' : 'none');
  if (field === 'password') return 'set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return count(value);
  if (isTime(field, value)) return time(value);
  if (field === 'replaces' || field === 'replacedBy') return 'another key';
  if (field === 'restoredFrom') return 'a deleted link';
  if (field === 'redirectType') return value === 'PERMANENT_301' ? 'permanent' : 'temporary';
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? shortAddress(value) : `“${value}”`;
  if (!Array.isArray(value)) return 'set';
  if (value.length === 0) return 'none';
  if (field === 'tagIds') return value.map((id) => names.tag(String(id))).join(', ');
  if (field === 'permissions') return value.map((one) => permissionText(String(one))).join(', ');
  if (field === 'rules') {
    return value
      .map(
        ({ if: conditions = {}, url }) =>
          `${Object.entries(conditions).map(conditionText).join(' and ')}: ${shortAddress(String(url))}`,
      )
      .join('; ');
  }
  if (field === 'variants')
    return value.map(({ id, weight, url }) => `${id} (${weight}): ${shortAddress(String(url))}`).join('; ');
  return value.every((one) => typeof one === 'string') ? value.join(', ') : counted(value.length, 'entry', 'entries');
}

/** A difference in words. */
export type Difference = { readonly field: string; readonly name: string; readonly text: string };

/** @param change the values before and after. */
export function difference(field: string, change: { readonly from?: unknown; readonly to?: unknown }, names: Names): Difference {
  const name = fieldName(field);
  const { from = null, to = null } = change;
  if (field === 'password') return { field, name, text: to === null ? 'removed' : from === null ? 'set' : 'changed' };
  if (field === 'tagIds') {
    const [before, after] = [from, to].map((ids) => (Array.isArray(ids) ? ids.map(String) : []));
    const added = (after ?? []).filter((id) => !before?.includes(id)).map((id) => `+ ${names.tag(id)}`);
    const removed = (before ?? []).filter((id) => !after?.includes(id)).map((id) => `− ${names.tag(id)}`);
    return { field, name, text: [...added, ...removed].join(', ') || 'in another order' };
  }
  return { field, name, text: `${valueText(field, from, names)} → ${valueText(field, to, names)}` };
}

/** What an entry changed. Creations and deletions have only one value for each field. */
export function differencesOf({ action, changes }: Pick<Entry, 'action' | 'changes'>, names: Names): Difference[] {
  const isEnd = action.endsWith('.deleted') || action.endsWith('.removed');
  const isBeginning = /\.(created|invited)$/.test(action);
  return Object.entries(changes)
    .filter(([field]) => !(isEnd && (field === 'domain' || field === 'shortCode')))
    .map(([field, change]) => {
      if (!isEnd && !isBeginning) return difference(field, change, names);
      return { field, name: fieldName(field), text: valueText(field, isEnd ? change.from : change.to, names) };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The differences that all entries share. */
export function sharedDifferences(entries: readonly Entry[], names: Names): Difference[] {
  const [first, ...others] = entries.map((entry) => differencesOf(entry, names));
  return (first ?? []).filter(({ field, text }) =>
    others.every((all) => all.some((one) => one.field === field && one.text === text)),
  );
}

/** The difference that undoing makes to a field that all entries have changed alike. */
export const undoneDifference = ([entry]: readonly Entry[], field: string, names: Names): Difference => {
  const { from, to } = entry?.changes[field] ?? {};
  return difference(field, { from: to, to: from }, names);
};

/** How many links of a group are named while it is closed. */
const mostNamed = 3;

/**
 * The addresses of a group's first links, and how many more there are. @param mayGoOn whether it may have further ones
 */
export function subjectsText(entries: readonly Entry[], mayGoOn: boolean): string {
  const named = entries.slice(0, mostNamed).map((entry) => deedOf(entry).subject);
  const left = entries.length - named.length;
  if (left === 0 && !mayGoOn) return `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  return `${named.join(', ')} and ${mayGoOn ? 'more' : `${left} more`}`;
}

/** Groups of entries by the days of the reader's zone, in their order. */
export function byDay<Group extends readonly [Entry, ...Entry[]]>(
  groups: readonly Group[],
  now = Date.now(),
): { readonly day: string; readonly groups: readonly Group[] }[] {
  const name = (at: string): string =>
    new Date(at).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const today = name(new Date(now).toISOString());
  return [...Map.groupBy(groups, ([{ at }]) => name(at))].map(([day, some]) => ({
    day: day === today ? `Today, ${day}` : day,
    groups: some,
  }));
}

/** Own days, such as `26 Oct – 24 Nov 2026`. */
export function spanText({ from, to }: OwnDays): string {
  const text = (day: string, options: Intl.DateTimeFormatOptions = {}) =>
    new Date(`${day}T00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC', ...options });
  const year = { year: 'numeric' } as const;
  if (from === to) return text(to, year);
  return `${text(from, from.slice(0, 4) === to.slice(0, 4) ? {} : year)} – ${text(to, year)}`;
}

/** The text for a history without matching changes. */
export function emptyText({ actor, span }: HistoryView): string {
  const by = actor === undefined ? '' : ' by them';
  if (span === 'all') return `No changes${by} yet.`;
  return typeof span === 'string' ? `No changes${by} in the last ${spans[span]} days.` : `No changes${by}: ${spanText(span)}.`;
}
