import { newRequestToken } from '../../core/ids.ts';
import type { Item } from './client.ts';
import { DeleteItem, PutItem, send, UpdateItem } from './dynamodb.ts';
import { ConditionFailed } from './expressions.ts';
import { transact, type Write, write } from './writes.ts';

/** Writes by their names. One that is undefined is left out. */
export type Writes = Readonly<Record<string, Write | undefined>>;

/** The outcome of writes. */
export type Outcome = {
  /** Undefined if all is written. Otherwise nothing is. */
  readonly failed: ConditionFailed | undefined;
  /**
   * The item for which a condition failed, by the name of its write: `{}` if there is none. After a plain update, the
   * updated item.
   */
  readonly items: Readonly<Record<string, Item | undefined>>;
};

/**
 * Makes the writes in the order in which they are given, all or none. It is a transaction, even of one write, with its
 * own token, so that a retry after a lost response does no harm.
 */
export const commit = (writes: Writes): Promise<Outcome> =>
  outcomeOf(writes, async (list) => {
    if (list.length > 0) await transact(list, newRequestToken());
    return [];
  });

/**
 * Makes the writes, all or none. A single one is made without a transaction, which costs half as much. Its condition
 * must fail once it was made, and the item must show whether it was: see `updateItem`. All others need `commit`.
 */
export const commitPlain = (writes: Writes): Promise<Outcome> =>
  outcomeOf(writes, async (list) => {
    const [only, ...others] = list;
    if (only && others.length === 0) return [await writeAlone(only)];
    await transact(list, newRequestToken());
    return [];
  });

/** Makes one write, and returns the item as an update leaves it. @throws ConditionFailed */
async function writeAlone({ Put, Update, Delete }: Write): Promise<Item | undefined> {
  if (Put) await write((options) => send(PutItem, Put, options));
  else if (Delete) await write((options) => send(DeleteItem, Delete, options));
  else if (Update) {
    const input = { ...Update, ReturnValues: 'ALL_NEW' as const };
    return (await write((options) => send(UpdateItem, input, options))).Attributes;
  } else throw new Error('a condition is checked only as part of a transaction');
  return undefined;
}

/** Makes writes, and names their results. @param make returns the items in the order of the writes */
async function outcomeOf(
  writes: Writes,
  make: (list: readonly Write[]) => Promise<readonly (Item | undefined)[]>,
): Promise<Outcome> {
  const named = Object.entries(writes).flatMap(([name, write]) => (write ? [{ name, write }] : []));
  const byName = (items: readonly (Item | undefined)[]) =>
    Object.fromEntries(named.map(({ name }, index) => [name, items[index]]));
  try {
    return { failed: undefined, items: byName(await make(named.map(({ write }) => write))) };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return { failed: error, items: byName(named.length > 1 ? error.items : [error.items[0] ?? {}]) };
  }
}
