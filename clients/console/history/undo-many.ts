import { ProblemError } from '../../typescript/problem.ts';
import { shortAddress } from '../parts/short-address.ts';
import type { Made } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { entriesOf, revertOnce } from '../service/made.ts';
import { inParts, type Outcome } from '../service/many.ts';
import { type Say, untilAnswered } from '../service/patience.ts';
import { type Back, backsOf, isChangedAgain } from './backs.ts';
import { refusalsIn } from './undo.ts';
import type { OnUndone } from './undone.ts';
import { deedOf, type Entry } from './words.ts';

// Undoes what one change did to several links: with bulk requests if the field and later changes allow it, so that the
// history shows one row again; otherwise link by link.

const atATime = 4;

/** The outcome. @property refused reasons, each with its link @property error why it ended early, if it did */
export type Undone = { readonly done: number; readonly refused: readonly string[]; readonly error?: unknown };

type Watch = {
  /** Called with the number of links that were tried. */
  readonly onProgress: (tried: number) => void;
  readonly onUndone: OnUndone;
  readonly say: Say;
  readonly isStopped: () => boolean;
};

const refusal = (entry: Entry, text: string): string => `${deedOf(entry).subject}: ${text}`;
const goneText = 'The link has been deleted since.';
const doneBefore = 'Somebody else has already done the same.';

/** Undoes as many entries of different links as it can. Entries that are already undone count as done. */
export async function undoMany(entries: readonly Entry[], watch: Watch): Promise<Undone> {
  const later = backsOf(entries) && (await laterThan(entries, watch.say));
  if (!later) return revertEach(entries, watch);
  const [changed, left] = [true, false].map((is) => entries.filter((entry) => isChangedAgain(entry, later) === is));
  const refused = (changed ?? []).map((entry) => refusal(entry, 'Not undone: it has been changed again since.'));
  const undone = await changeBack(backsOf(left ?? []) ?? [], watch);
  // For example, a tag no longer exists. One by one, the service says which links are concerned.
  if (undone.error instanceof ProblemError && undone.error.status === 422) return revertEach(entries, watch);
  return { ...undone, refused: [...refused, ...undone.refused] };
}

/**
 * Undoes what a change of the page did to links, by its entries.
 *
 * @param links the links that it should have changed.
 */
export async function undoChange(
  made: Made,
  links: readonly { readonly id: string; readonly shortUrl: string }[],
  watch: Watch,
): Promise<Undone> {
  const entries = await entriesOf(
    made,
    links.map(({ id }) => id),
    watch.say,
  );
  const { refused, ...undone } = await undoMany(entries, watch);
  const changed = new Set(entries.map(({ subject }) => subject.id));
  const others = links.filter(({ id }) => !changed.has(id)).map(({ shortUrl }) => `${shortAddress(shortUrl)}: ${doneBefore}`);
  return { ...undone, refused: [...refused, ...others] };
}

/** The most entries that are read to find out what was changed again. */
const mostLater = 3_000;

/** The workspace's changes since then, newest first; undefined if there are too many. */
async function laterThan(entries: readonly Entry[], say: Say): Promise<readonly Entry[] | undefined> {
  const from = entries.map(({ at }) => at).sort()[0];
  const found: Entry[] = [];
  let cursor: string | null | undefined;
  do {
    const params = { query: { ...(from !== undefined && { from }), limit: 100, ...(cursor && { cursor }) } };
    const { data } = await untilAnswered(() => api.GET('/api/v1/history', { params }), say);
    found.push(...(data.entries as Entry[]));
    cursor = data.nextCursor;
    if (found.length > mostLater + entries.length) return undefined;
  } while (cursor);
  return found;
}

async function changeBack(
  backs: readonly { readonly back: Back; readonly entries: readonly Entry[] }[],
  { onProgress, onUndone, ...watch }: Watch,
): Promise<Undone> {
  let all: Undone = { done: 0, refused: [] };
  for (const { back, entries } of backs) {
    const tried = all.done + all.refused.length;
    const outcome = await inParts(
      entries,
      linkOf,
      (ids) => api.PATCH('/api/v1/links/bulk', { body: { ids, fields: back as object } }),
      {
        ...watch,
        onProgress: (now) => onProgress(tried + now),
      },
    );
    onUndone(outcome.done);
    const { done, refused, error } = undoneBy(outcome);
    all = { done: all.done + done, refused: [...all.refused, ...refused], error };
    if (error !== undefined) break;
  }
  return all;
}

/** The service has no request that reverts several entries, so each link needs one. */
async function revertEach(entries: readonly Entry[], { onUndone, ...watch }: Watch): Promise<Undone> {
  const send = async ([id = '']: string[], [entry]: readonly Entry[]) => {
    try {
      const link = entry && (await revertOnce(entry));
      if (entry && link) onUndone([entry], link);
      return { data: { failed: [] } };
    } catch (error) {
      const isGone = error instanceof ProblemError && error.status === 404;
      const [message] = isGone ? [goneText] : refusalsIn(error);
      if (message === undefined) throw error;
      return { data: { failed: [{ id, code: '', message }] } };
    }
  };
  return undoneBy(await inParts(entries, linkOf, send, { ...watch, oneEach: { atATime } }));
}

const linkOf = ({ subject }: Entry): string => subject.id;

const undoneBy = ({ done, failed, error }: Outcome<Entry>): Undone => ({
  done: done.length,
  refused: failed.map(({ item, code, message }) => refusal(item, code === 'not_found' ? goneText : message)),
  error,
});
