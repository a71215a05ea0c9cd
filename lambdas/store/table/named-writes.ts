import { newRequestToken } from '../../core/ids.ts';
import type { Item } from './client.ts';
import { type ConditionFailed, failedCondition } from './conditions.ts';
import { transact, type Write } from './writes.ts';

/** Writes of one transaction, by their names. One that is undefined is left out. */
export type NamedWrites = Readonly<Record<string, Write | undefined>>;

/** The conditions of a transaction that failed: the item for which each did, by the name of its write. */
export type Failures = { readonly failed: ConditionFailed; readonly items: Readonly<Record<string, Item | undefined>> };

/**
 * Makes the writes in one transaction, in the order in which they are given.
 *
 * @returns the failed conditions; undefined if all is written.
 */
export async function transactNamed(writes: NamedWrites): Promise<Failures | undefined> {
  const named = Object.entries(writes).flatMap(([name, write]) => (write ? [[name, write] as const] : []));
  const failed = await failedCondition(
    transact(
      named.map(([, write]) => write),
      newRequestToken(),
    ),
  );
  return failed && { failed, items: Object.fromEntries(named.map(([name], index) => [name, failed.items[index]])) };
}
