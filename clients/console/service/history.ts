import { queries } from './queries.ts';

/**
 * The pauses before the history is read after a change, which usually appears within two seconds. The later ones are
 * used only if it is still missing.
 */
const pausesMs: readonly number[] = [2_500, 4_000, 6_000];
const names = ['history', 'last change'];
let timer: ReturnType<typeof setTimeout> | undefined;

const shown = () => names.flatMap((name) => queries.getQueriesData({ queryKey: [name], type: 'active' }));

/** Shows the page's change in the history as soon as it appears there. @param isOfMany links */
export function lookAtHistory(isOfMany = false, [pause, ...later] = pausesMs): void {
  clearTimeout(timer);
  if (pause === undefined) return;
  timer = setTimeout(async () => {
    const before = shown();
    await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
    // Unchanged data is the same object. The first of many changes may appear before the others.
    const isNew = shown().some(([, data], index) => data !== before[index]?.[1]);
    if (before.length > 0 && (isOfMany || !isNew)) lookAtHistory(isOfMany, later);
  }, pause);
}
