import { linksPerRequest } from '../../../lambdas/core/limits.ts';
import { type Say, untilAnswered, type Wait, waitFor } from './patience.ts';

// Changes of many links, and their undoing: in requests of as many as the API takes, or of one each.

type Failed<Item> = { readonly item: Item; readonly code: string; readonly message: string };

export type Outcome<Item> = {
  readonly done: readonly Item[];
  readonly failed: readonly Failed<Item>[];
  /** Why it ended before all were tried; undefined if it did not, or if somebody has stopped it. */
  readonly error: unknown;
};

type Answer = { readonly failed: readonly { readonly id: string; readonly code: string; readonly message: string }[] };

/** What one request does to all of its links. It may be carried out twice. */
export type Send<Item = unknown> = (ids: string[], items: readonly Item[]) => Promise<{ readonly data: Answer }>;

type Watch = {
  /** Called with how many were tried. */
  readonly onProgress: (tried: number) => void;
  /** Called with what it waits for. */
  readonly say: Say;
  /** Asked before each request: what has not begun by then is left. */
  readonly isStopped?: () => boolean;
  /** Whether a link that failed with a code is as it was to be. */
  readonly isDone?: ((code: string) => boolean) | undefined;
  /** For what has no request for many: one for each link, and how many of these at a time. */
  readonly oneEach?: { readonly atATime: number };
  readonly wait?: Wait;
};

/**
 * Changes links. It waits for the limit on such requests for as long as it takes, because half a change helps nobody. What
 * was done before an error is in the outcome; after one, no further request begins.
 */
export async function inParts<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  send: Send<Item>,
  { onProgress, say, isStopped = () => false, isDone = () => false, oneEach, wait = waitFor }: Watch,
): Promise<Outcome<Item>> {
  const done: Item[] = [];
  const failed: Failed<Item>[] = [];
  const errors: unknown[] = [];
  let next = 0;
  const size = oneEach ? 1 : linksPerRequest;
  const work = async () => {
    while (next < items.length && errors.length === 0 && !isStopped()) {
      const part = items.slice(next, next + size);
      next += size;
      try {
        const { data } = await untilAnswered(() => send(part.map(idOf), part), say, {
          wait,
          most: Number.POSITIVE_INFINITY,
        });
        const failures = new Map(data.failed.filter(({ code }) => !isDone(code)).map((one) => [one.id, one]));
        for (const item of part) {
          const failure = failures.get(idOf(item));
          if (failure) failed.push({ item, code: failure.code, message: failure.message });
          else done.push(item);
        }
        onProgress(done.length + failed.length);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: oneEach?.atATime ?? 1 }, work));
  return { done, failed, error: errors[0] };
}
