/**
 * Does work for each item, several at a time, and gives the results in the order of the items. The first error ends it: nothing further is
 * begun, and it is thrown once what is under way has ended.
 *
 * @param atOnce how many at most are under way.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (const [place, item] of queue) {
      if (failure) return;
      try {
        results[place] = await work(item, place);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failure) throw failure.error;
  return results;
}
