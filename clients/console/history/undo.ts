import type { Permission } from '../../../lambdas/core/key/permissions.ts';
import { ProblemError } from '../../typescript/problem.ts';
import { sinceTime } from '../parts/time.ts';
import { lackText } from '../service/permissions.ts';
import type { Link } from '../service/types.ts';
import { type Difference, deedOf, difference, type Entry, fieldName, type Names, valueText } from './words.ts';

// What Undo would do to an entry, or why it cannot be undone. The service decides; this says it beforehand.

/** What undoing an entry needs. */
export const needOf = ({ subject }: Entry): Permission => (subject.type === 'template' ? 'tags:write' : 'links:write');

/**
 * Why an entry cannot be undone; undefined if it can be.
 *
 * @param may whether the key has the permission
 * @param deletedAt when its link was deleted; undefined if it was not, or that is unknown
 */
export function whyNot(entry: Entry, may: boolean, deletedAt?: string): string | undefined {
  const { action, changes, subject } = entry;
  if (deletedAt !== undefined && (action === 'link.created' || action === 'link.updated')) {
    const time = sinceTime(deletedAt);
    return `The link was deleted ${time.includes(',') ? 'on' : 'at'} ${time}.`;
  }
  if (action === 'link.created') return 'Delete the link instead.';
  if (action === 'link.clicks_erased') return 'Erased clicks cannot be brought back.';
  if (subject.type !== 'link' && action !== 'template.deleted') {
    const kinds = { tag: 'tags', template: 'templates', domain: 'domains', key: 'API keys', member: 'members' } as const;
    return `Changes to ${kinds[subject.type] ?? 'this'} cannot be undone.`;
  }
  if (action === 'link.updated' && Object.keys(changes).every((field) => field === 'password' || field === 'aliases'))
    return 'password' in changes ? 'Former passwords are not kept.' : 'Removed addresses cannot be brought back.';
  return may ? undefined : lackText(needOf(entry));
}

export type Plan = {
  /** The changes from the link's current values. */
  readonly changes: readonly Difference[];
  /** What prevents undoing: fields that have been changed again, with their current values. */
  readonly clashes: readonly string[];
  /** What stays, although the entry changed it. */
  readonly notes: readonly string[];
};

/** Whether two values of a field are the same. The order of tags does not matter. */
export const isSame = (field: string, one: unknown, other: unknown): boolean => {
  const text = (value: unknown) =>
    JSON.stringify(field === 'tagIds' && Array.isArray(value) ? value.toSorted() : (value ?? null));
  return text(one) === text(other);
};

const valueNow = (link: Link, field: string): unknown => {
  if (field === 'customSlug') return link.shortCode;
  if (field === 'tagIds') return link.tags.map(({ id }) => id);
  return (link as Readonly<Record<string, unknown>>)[field] ?? null;
};

/** What undoing a change would do to the link as it is now. */
export function planOf({ changes }: Entry, link: Link, names: Names): Plan {
  const plan = { changes: [] as Difference[], clashes: [] as string[], notes: [] as string[] };
  for (const [field, { from = null, to = null }] of Object.entries(changes)) {
    if (field === 'password') plan.notes.push('The password stays, because former ones are not kept.');
    if (field === 'password' || field === 'aliases') continue;
    const now = valueNow(link, field);
    if (isSame(field, now, from)) plan.notes.push(`${fieldName(field)} already has its earlier value.`);
    // A cleared list may be an empty list or null.
    else if (isSame(field, now, to) || (to === null && Array.isArray(now) && now.length === 0))
      plan.changes.push(difference(field, { from: now, to: from }, names));
    else plan.clashes.push(`${fieldName(field)} has been changed again since, and is now ${valueText(field, now, names)}.`);
  }
  return plan;
}

const reasons: Readonly<Record<string, string>> = {
  changed_since: 'has been changed again since',
  tag_not_found: 'has a tag that no longer exists',
  slug_taken: 'now belongs to another link',
  alias_taken: 'now belongs to another link',
  external_id_taken: 'now belongs to another link',
  template_name_taken: 'now belongs to another template',
  alias_limit_reached: 'cannot change: the link already has the most former addresses that it may have',
};

/** The reasons of a refusal, field by field; empty for other errors. */
export function refusalsIn(error: unknown): string[] {
  if (!(error instanceof ProblemError) || error.status !== 409) return [];
  const said = error.errors.map(({ path, code, message }) => {
    const reason = Object.hasOwn(reasons, code) ? reasons[code] : message;
    return `Not undone: ${fieldName(path.split('/')[1] ?? '')} ${reason}.`;
  });
  return said.length > 0 ? [...new Set(said)] : [`Not undone: ${error.detail}`];
}

/** How old a link that was just recreated may look if the clock is wrong. */
const justNowMs = 5 * 60_000;

/** Says what was undone, or that a deletion had already been undone. */
export function doneText(entry: Entry, { createdAt }: Pick<Link, 'createdAt'>, now = Date.now()): string {
  const { subject } = deedOf(entry);
  if (entry.action !== 'link.deleted') return `The change to ${subject} is undone.`;
  return now - Date.parse(createdAt) > justNowMs
    ? `${subject} has already been brought back.`
    : `${subject} is back, with 0 clicks.`;
}
