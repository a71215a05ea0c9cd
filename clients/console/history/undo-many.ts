import { ProblemError } from '../../typescript/problem.ts';
import { api } from '../service/client.ts';
import { failureOf } from '../service/failures.ts';
import { fewAtATime, type Say, untilAnswered } from '../service/patience.ts';
import { type Back, backsOf } from './backs.ts';
import { refusalsIn } from './undo.ts';
import type { OnUndone } from './undone.ts';
import { deedOf, type Entry } from './words.ts';

// Undoing what one request did to several links: with as few requests, if the values of a field tell how, so that it is one
// row of the history again. Otherwise one link after the other.

const atATime = 4;

export type Undone = { readonly done: number /** Each with its link. */; readonly refused: readonly string[] };

type Watch = {
  /** Called with how many were tried. */
  readonly onProgress: (tried: number) => void;
  readonly onUndone: OnUndone;
  readonly say: Say;
  readonly isStopped: () => boolean;
};

const refusal = (entry: Entry, text: string): string => `${deedOf(entry).subject}: ${text}`;
const goneText = 'The link was deleted since.';

/** Undoes entries of different links, as far as it can. What is undone already counts as done. */
export async function undoMany(entries: readonly Entry[], watch: Watch): Promise<Undone> {
  const backs = backsOf(entries);
  try {
    if (backs) return await changeBack(backs, watch);
  } catch (error) {
    // Such as a tag that no longer exists. One by one, the service says which links that concerns.
    if (!(error instanceof ProblemError && error.status === 422)) throw error;
  }
  return revertEach(entries, watch);
}

async function changeBack(
  backs: readonly { readonly back: Back; readonly entries: readonly Entry[] }[],
  { onProgress, onUndone, say, isStopped }: Watch,
): Promise<Undone> {
  let done = 0;
  const refused: string[] = [];
  for (const { back, entries } of backs) {
    if (isStopped()) break;
    const body = { ids: entries.map(({ subject }) => subject.id), fields: back as object };
    const { data } = await untilAnswered(() => api.PATCH('/api/v1/links/bulk', { body }), say, {
      most: Number.POSITIVE_INFINITY,
      isBulk: true,
    });
    const failed = new Map(data.failed.map((one) => [one.id, one]));
    for (const entry of entries) {
      const why = failed.get(entry.subject.id);
      if (!why) done++;
      else refused.push(refusal(entry, why.code === 'not_found' ? goneText : why.message));
    }
    onUndone(entries.filter(({ subject }) => !failed.has(subject.id)));
    onProgress(done + refused.length);
  }
  return { done, refused };
}

async function revertEach(entries: readonly Entry[], { onProgress, onUndone, say, isStopped }: Watch): Promise<Undone> {
  let done = 0;
  const refused: string[] = [];
  const each = async (entry: Entry) => {
    const params = { path: { id: entry.subject.id, entryId: entry.id } };
    try {
      // Undone already is what was wanted, so it may be sent again.
      const { data } = await untilAnswered(() => api.POST('/api/v1/links/{id}/history/{entryId}/revert', { params }), say);
      done++;
      onUndone([entry], data.link);
    } catch (error) {
      const isGone = error instanceof ProblemError && error.status === 404;
      const [reason = failureOf(error, navigator.onLine, 'links:write').text] = isGone ? [goneText] : refusalsIn(error);
      refused.push(refusal(entry, reason));
    }
    onProgress(done + refused.length);
  };
  await fewAtATime(entries, atATime, each, isStopped);
  return { done, refused };
}
