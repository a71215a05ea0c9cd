/**
 * Runs `work` for each item, several at a time. Returns the results in the order of the items. After the first error no
 * further item is started, and the error is thrown once the running ones have ended.
 *
 * @param concurrency the most items to run at a time.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (const [index, item] of queue) {
      if (failure) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (failure) throw failure.error;
  return results;
}

/**
 * Runs `work` for each item, several at a time, even if it fails for some.
 *
 * @param concurrency the most items to run at a time.
 * @throws the first error, once all have been tried.
 */
export async function tryAll<T>(items: readonly T[], concurrency: number, work: (item: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  await inParallel(items, concurrency, (item) => work(item).catch((error: unknown) => errors.push(error)));
  if (errors.length > 0) throw errors[0];
}
