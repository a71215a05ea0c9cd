import { ProblemError } from '../../typescript/problem.ts';
import type { Made } from './changes.ts';
import { api } from './client.ts';
import { SaidError } from './failures.ts';
import { linkAt, reloadLinks, showLink, showNewLink } from './links.ts';
import { type Say, untilAnswered, waitFor } from './patience.ts';
import { all } from './queries.ts';
import { templateAt } from './resources.ts';
import { saveSettings } from './settings.ts';
import type { HistoryEntry, Link, Template } from './types.ts';

// Changes that the page makes, and their undoing by their entries in the history, which usually appear after two
// seconds.

const tries = 40;
const pauseMs = 750;
/** After this many consecutive reads without new entries, missing ones are taken for changes that changed nothing. */
const mostIdle = 8;

const notThere = new SaidError('The history does not have the change yet. You can undo it there in a moment.');

/**
 * Finds the entries of a change that the page made.
 *
 * @param expected the ids of what it should have changed. Things that already had the values have no entry.
 * @param say called with what it waits for.
 * @throws SaidError if the history has none of them in time; UnsureError
 */
export async function entriesOf(made: Made, expected: readonly string[], say: Say): Promise<readonly HistoryEntry[]> {
  const params = { query: { from: made.after } };
  let found: readonly HistoryEntry[] = [];
  for (let n = 0, idle = 0; n < tries && idle < mostIdle; n++, idle++) {
    const entries = (await untilAnswered(() => all(api.pages('/api/v1/history', { params })), say)) as HistoryEntry[];
    const ofThis = entries.filter(({ requestId }) => requestId !== null && made.requests.has(requestId));
    // The oldest of each: a retry makes another entry only if somebody changed the same in between, and that change
    // stays.
    const before = found.length;
    found = [...new Map(ofThis.map((entry) => [entry.subject.id, entry])).values()];
    if (found.length > before) idle = 0;
    const subjects = new Set(found.map(({ subject }) => subject.id));
    if (expected.every((id) => subjects.has(id))) return found;
    // If there is no entry at all, the history is only late.
    if (found.length === 0) idle = 0;
    await waitFor(pauseMs);
  }
  if (found.length === 0) throw notThere;
  return found;
}

/** Somebody has changed the same again since. */
export const overtaken = new SaidError('Not undone: it has been changed again since.');

/** The fields of a link that one press changes. */
type Flag = { readonly isActive: boolean } | { readonly isArchived: boolean };

/**
 * Switches a link off or on, or moves it in or out of the archive.
 *
 * @returns undefined if it already had that value
 * @throws ProblemError; UnsureError
 */
export async function switchTo(id: string, flag: Flag, say: Say): Promise<Made | undefined> {
  const now = await untilAnswered(() => linkAt(id).get(), say);
  if (Object.entries(flag).every(([name, value]) => now.value[name as keyof Link] === value)) {
    showLink(now.value, now.etag);
    return undefined;
  }
  const saved = await saveSettings(flag, now, linkAt(id), say);
  return saved.kind === 'saved' ? saved.made : undefined;
}

type Undoable = Pick<HistoryEntry, 'id' | 'subject' | 'action'>;

/** Undoes an entry of a link. Safe to retry: an entry that is already undone is fine. @throws ProblemError */
export async function revertOnce({ id, subject, action }: Undoable): Promise<Link> {
  const params = { path: { id: subject.id, entryId: id } };
  const { data, response } = await api.POST('/api/v1/links/{id}/history/{entryId}/revert', { params });
  if (action === 'link.deleted') showNewLink(data.link);
  else showLink(data.link, response.headers.get('ETag') ?? '');
  return data.link;
}

/** Undoes an entry of a link. @throws ProblemError; UnsureError */
export const revert = (entry: Undoable, say: Say): Promise<Link> => untilAnswered(() => revertOnce(entry), say);

/** Undoes the deletion of a template. @throws ProblemError; UnsureError */
export async function restoreTemplate({ id, subject }: Undoable, say: Say): Promise<Template> {
  const params = { path: { id: subject.id, entryId: id } };
  const send = () => api.POST('/api/v1/templates/{id}/history/{entryId}/revert', { params });
  const { data } = await untilAnswered(send, say);
  templateAt(data.id).refresh();
  return data;
}

/**
 * The entry of a change that the page made of one thing. @throws SaidError if the history does not have it; UnsureError
 */
async function entryOf(made: Made, id: string, say: Say): Promise<HistoryEntry> {
  const entry = (await entriesOf(made, [id], say)).find(({ subject }) => subject.id === id);
  if (!entry) throw notThere;
  return entry;
}

/** Turns a conflict into what to say; rethrows other errors. */
function notUndone(error: unknown): never {
  if (!(error instanceof ProblemError) || error.status !== 409) throw error;
  const isOvertaken = error.errors.some(({ code }) => code === 'changed_since');
  throw isOvertaken ? overtaken : new SaidError(`Not undone: ${error.detail}`);
}

/** Undoes the deletion of a template that the page made. @throws SaidError; UnsureError */
export async function undoTemplate(made: Made, templateId: string, say: Say): Promise<Template> {
  const entry = await entryOf(made, templateId, say);
  return restoreTemplate(entry, say).catch(notUndone);
}

/**
 * Undoes a change or the deletion of one link.
 *
 * @param name the name of the link
 * @returns what to say about it
 * @throws SaidError if somebody has changed the same again since, or if the history does not have it in time;
 * UnsureError
 */
export async function undoMade(made: Made, linkId: string, name: string, say: Say): Promise<string> {
  const entry = await entryOf(made, linkId, say);
  await revert(entry, say).catch(notUndone);
  if ('isArchived' in entry.changes) reloadLinks();
  const isDeletion = entry.action === 'link.deleted';
  const hasPassword = 'password' in entry.changes;
  if (!isDeletion) return `The change is undone${hasPassword ? ', except for the password: former ones are not kept' : ''}.`;
  return `${name} is back, with 0 clicks.${hasPassword ? ' It had a password and is switched off until you set one.' : ''}`;
}
