import { newRequestToken } from '../../core/ids.ts';
import type { Item } from './client.ts';
import { type Outcome, outcomeOf, type Writes } from './commit.ts';
import { DeleteItem, PutItem, send, UpdateItem } from './dynamodb.ts';
import { transact, type Write, write } from './writes.ts';

/**
 * Makes the writes, all or none: one alone without a transaction, which costs half as much. Its condition must fail once it
 * was made, and the item must show whether it was: see `updateItem`. All others need `commit`.
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
