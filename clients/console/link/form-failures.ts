import { type Failure, isAt } from '../service/failures.ts';
import { groupOf, type Value } from './fields/fields.ts';

/**
 * A failure without the errors of a field that somebody has changed since; for a list, without those of the changed
 * items.
 *
 * @returns undefined if no other error is left.
 */
export function withoutChanged(failure: Failure, name: string, before: Value, now: Value): Failure | undefined {
  const isItems = Array.isArray(before) && Array.isArray(now) && before.length === now.length;
  const isSettled = (path: string): boolean => {
    if (!isAt(path, name)) return false;
    if (!isItems || path === name) return true;
    const index = Number(path.split('/')[1]);
    return JSON.stringify(before[index]) !== JSON.stringify(now[index]);
  };
  const paths = Object.fromEntries(Object.entries(failure.paths).filter(([path]) => !isSettled(path)));
  const fields = Object.fromEntries(
    Object.entries(failure.fields).filter(([field]) => field !== name || Object.keys(paths).some((path) => isAt(path, name))),
  );
  const isSolved = Object.keys(failure.fields).length > 0 && Object.keys(fields).length === 0;
  return isSolved ? undefined : { ...failure, fields, paths };
}

/** The text of a failure, unless the fields of the form show all of it. */
export const aboveForm = (failure: Failure | undefined, placed: readonly string[] = []): string | undefined => {
  if (failure === undefined) return undefined;
  const names = Object.keys(failure.fields);
  const areAllPlaced = names.length > 0 && names.every((name) => placed.includes(name) || groupOf(name) !== undefined);
  return areAllPlaced ? undefined : failure.text;
};
