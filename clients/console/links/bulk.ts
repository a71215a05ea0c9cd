import { linksPerRequest } from '../../../lambdas/core/limits.ts';
import { type Say, untilAnswered, type Wait, waitFor } from '../service/patience.ts';
import type { Selected } from './selection.ts';

// Changes of many links: in requests of as many as the API takes.

type Failed = { readonly link: Selected; readonly message: string };

export type Outcome = {
  readonly done: readonly Selected[];
  readonly failed: readonly Failed[];
  /** Why it ended before all links were tried; undefined if it did not. */
  readonly error: unknown;
};

type Answer = { readonly failed: readonly { readonly id: string; readonly code: string; readonly message: string }[] };

/** What one request does to all of its links. It may be carried out twice. */
export type Send = (ids: string[]) => Promise<{ readonly data: Answer }>;

type Watch = {
  /** Called with how many were tried. */
  readonly onProgress: (tried: number) => void;
  /** Called with what it waits for. */
  readonly say: Say;
  /** Whether a link that failed with a code is as it was to be. */
  readonly isDone?: ((code: string) => boolean) | undefined;
  readonly wait?: Wait;
};

/** What changes, as the API names it. */
export type Change =
  | { readonly addTagIds: readonly string[] }
  | { readonly removeTagIds: readonly string[] }
  | { readonly isActive: boolean };

/**
 * Changes links. It waits for the limit on such requests for as long as it takes, because half a change helps nobody. What
 * was done before an error is in the outcome.
 */
export async function inParts(
  links: readonly Selected[],
  send: Send,
  { onProgress, say, isDone = () => false, wait = waitFor }: Watch,
): Promise<Outcome> {
  const done: Selected[] = [];
  const failed: Failed[] = [];
  for (let from = 0; from < links.length; from += linksPerRequest) {
    const part = links.slice(from, from + linksPerRequest);
    try {
      const ids = part.map(({ id }) => id);
      const { data } = await untilAnswered(() => send(ids), say, { wait, most: Number.POSITIVE_INFINITY, isBulk: true });
      const failures = data.failed.filter(({ code }) => !isDone(code));
      const messages = new Map(failures.map(({ id, message }) => [id, message]));
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

/** Whether a change made a difference to a link, as far as the page knows. */
export const isChangedBy = (link: Selected, change: Change): boolean =>
  JSON.stringify(after(link, change)) !== JSON.stringify(link);
