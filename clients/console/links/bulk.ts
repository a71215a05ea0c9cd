import { linksPerRequest } from '../../../lambdas/core/limits.ts';
import { type Say, untilAnswered, type Wait, waitFor } from '../service/patience.ts';
import type { Selected } from './selection.ts';

// Changes of many links: in requests of as many as the API takes, and back again.

export type Failed = { readonly link: Selected; readonly message: string };

export type Outcome = {
  readonly done: readonly Selected[];
  readonly failed: readonly Failed[];
  /** Why it ended before all links were tried; undefined if it did not. */
  readonly error: unknown;
};

type Answer = { readonly failed: readonly { readonly id: string; readonly message: string }[] };

/** What one request does to all of its links. It may be carried out twice. */
export type Send = (ids: string[]) => Promise<Answer>;

/** What changes, as the API names it. */
export type Change =
  | { readonly addTagIds: readonly string[] }
  | { readonly removeTagIds: readonly string[] }
  | { readonly isActive: boolean };

/**
 * Changes links. It waits for the limit on such requests for as long as it takes, because half a change helps nobody. What
 * was done before an error is in the outcome.
 *
 * @param onProgress called with how many were tried.
 * @param say called with what it waits for.
 */
export async function inParts(
  links: readonly Selected[],
  send: Send,
  onProgress: (tried: number) => void,
  say: Say = () => {},
  wait: Wait = waitFor,
): Promise<Outcome> {
  const done: Selected[] = [];
  const failed: Failed[] = [];
  for (let from = 0; from < links.length; from += linksPerRequest) {
    const part = links.slice(from, from + linksPerRequest);
    try {
      const ids = part.map(({ id }) => id);
      const answer = await untilAnswered(() => send(ids), say, { wait, most: Number.POSITIVE_INFINITY, isBulk: true });
      const messages = new Map(answer.failed.map(({ id, message }) => [id, message]));
      for (const link of part) {
        const message = messages.get(link.id);
        if (message === undefined) done.push(link);
        else failed.push({ link, message });
      }
    } catch (error) {
      return { done, failed, error };
    }
    onProgress(from + part.length);
  }
  return { done, failed, error: undefined };
}

/** A link after a change. */
export function after(link: Selected, change: Change): Selected {
  if ('isActive' in change) return { ...link, isActive: change.isActive };
  const tagIds =
    'addTagIds' in change
      ? [...new Set([...link.tagIds, ...change.addTagIds])]
      : link.tagIds.filter((id) => !change.removeTagIds.includes(id));
  return { ...link, tagIds };
}

/** What takes back a change of one link; undefined if it changed nothing. */
function reverse(link: Selected, change: Change): Change | undefined {
  if ('isActive' in change) return link.isActive === change.isActive ? undefined : { isActive: link.isActive };
  if ('addTagIds' in change) {
    const removeTagIds = change.addTagIds.filter((id) => !link.tagIds.includes(id));
    return removeTagIds.length > 0 ? { removeTagIds } : undefined;
  }
  const addTagIds = change.removeTagIds.filter((id) => link.tagIds.includes(id));
  return addTagIds.length > 0 ? { addTagIds } : undefined;
}

/**
 * The changes that take back one of many links, with the links of each: who had a tag before keeps it.
 *
 * @param links as they were before.
 */
export function undoOf(links: readonly Selected[], change: Change): readonly { change: Change; links: readonly Selected[] }[] {
  const groups = new Map<string, { change: Change; links: Selected[] }>();
  for (const link of links) {
    const back = reverse(link, change);
    if (!back) continue;
    const name = JSON.stringify(back);
    const group = groups.get(name) ?? { change: back, links: [] };
    group.links.push(link);
    groups.set(name, group);
  }
  return [...groups.values()];
}
