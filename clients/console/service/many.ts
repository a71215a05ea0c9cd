import { linksPerRequest } from '../../../lambdas/core/limits.ts';
import { type Say, untilAnswered, type Wait, waitFor } from './patience.ts';

// Changes many links, or undoes that, in requests as large as the API allows, or with one request each.

type Failed<Item> = { readonly item: Item; readonly code: string; readonly message: string };

export type Outcome<Item> = {
  readonly done: readonly Item[];
  readonly failed: readonly Failed<Item>[];
  /** Why it ended early; undefined if it did not, or if somebody stopped it. */
  readonly error: unknown;
};

type Answer = { readonly failed: readonly { readonly id: string; readonly code: string; readonly message: string }[] };

/** Sends one request for its links. It must be safe to repeat. */
export type Send<Item = unknown> = (ids: string[], items: readonly Item[]) => Promise<{ readonly data: Answer }>;

type Watch = {
  /** Called with the number of links that were tried. */
  readonly onProgress: (tried: number) => void;
  /** Called with what it waits for. */
  readonly say: Say;
  /** Checked before each request: the rest is then left. */
  readonly isStopped?: () => boolean;
  /** Whether a link that failed with this code is nevertheless as wanted. */
  readonly isDone?: ((code: string) => boolean) | undefined;
  /** For changes without a bulk request: sends one for each link, this many at a time. */
  readonly oneEach?: { readonly atATime: number };
  readonly wait?: Wait;
};

/**
 * Changes links. It waits for the limit on such requests as long as necessary, because half a change helps nobody.
 * After an error, no further request begins; the outcome has what was done before.
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
