import { queries } from './queries.ts';

/** When the history is asked after a change, which it has after two seconds; again only if it did not have it by then. */
const pausesMs: readonly number[] = [2_500, 4_000, 6_000];
const names = ['history', 'last change'];
let timer: ReturnType<typeof setTimeout> | undefined;

const shown = () => names.flatMap((name) => queries.getQueriesData({ queryKey: [name], type: 'active' }));

/** Shows a change that the page has made in the history, once the history has it. @param isOfMany links */
export function lookAtHistory(isOfMany = false, [pause, ...later] = pausesMs): void {
  clearTimeout(timer);
  if (pause === undefined) return;
  timer = setTimeout(async () => {
    const before = shown();
    await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
    // What is the same by its values is the same object. Of many changes, the first may come alone.
    const isNew = shown().some(([, data], index) => data !== before[index]?.[1]);
    if (before.length > 0 && (isOfMany || !isNew)) lookAtHistory(isOfMany, later);
  }, pause);
}
