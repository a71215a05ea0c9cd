import { RequestError, workspaceGone } from '../../core/errors.ts';
import { keysPerWorkspace } from '../../core/limits.ts';
import type { Item } from '../table/client.ts';
import { all, failedCondition, has, is, isLiveWorkspace, isPresent, lacks } from '../table/conditions.ts';
import { maybeNumber, number } from '../table/fields.ts';
import { workspaceKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { updateItem, updating, type Write } from '../table/writes.ts';
import { keysInIndex } from './list.ts';

/**
 * A workspace's item counts its keys that are not revoked. A key is created and revoked in one transaction with the
 * count, so the count is exact, however many requests come at once. Expired keys count until they are revoked: time
 * passes without a write.
 *
 * A workspace from before keys were counted has no count. Whoever creates or revokes a key there counts them first. Until
 * then no key comes or goes, so of several counts at once the first is right:
 *
 *     one       counts 5 keys
 *     another   counts 5 keys, starts the count with 5, and revokes one: 4
 *     one       cannot start the count, because there is one, and goes on with that
 */

/** The write that counts another key, unless there are too many, or the workspace is being deleted. */
export const countingNewKey = (workspaceId: string): Write =>
  updating(
    workspaceKey(workspaceId),
    { text: 'ADD #keyCount :one', values: { ':one': 1 } },
    all(isLiveWorkspace, { text: '#keyCount < :most', values: { ':most': keysPerWorkspace } }),
  );

/** The write that counts one key less. */
export const countingRevocation = (workspaceId: string): Write =>
  updating(workspaceKey(workspaceId), { text: 'ADD #keyCount :less', values: { ':less': -1 } }, has('keyCount'));

/**
 * Says why a key was not counted, or makes sure that the next attempt can count it.
 *
 * @param workspace the item for which the condition failed.
 * @throws RequestError `unauthorized` if the workspace is being deleted, or gone; `key_limit_reached`
 */
export async function settleNewKey(workspaceId: string, workspace: Item): Promise<void> {
  if (workspace.pk === undefined || workspace.deletingSince !== undefined) throw workspaceGone();
  if (workspace.keyCount === undefined) return startCount(workspaceId);
  throw new RequestError(
    'key_limit_reached',
    `A workspace may have at most ${keysPerWorkspace} API keys: revoke one first. Expired keys count until they are revoked.`,
  );
}

/** Counts a workspace's keys, unless somebody has done so. */
export async function startCount(workspaceId: string): Promise<void> {
  const update = { text: 'SET #keyCount = :count', values: { ':count': await keysInIndex(workspaceId) } };
  await failedCondition(updateItem(workspaceKey(workspaceId), update, all(isPresent, lacks('keyCount'))));
}

/** How many keys of a workspace are not revoked, by its item and by the index. */
export type KeyCounts = { readonly counted: number | null; readonly found: number };

/**
 * Compares the count of a workspace's keys with the index, and corrects it if it is wrong. A key that was created a
 * moment ago may be missing in the index.
 *
 * @returns what was there; undefined if there is no such workspace.
 */
export async function verifyKeyCount(workspaceId: string, repair: boolean): Promise<KeyCounts | undefined> {
  const item = await getItem(workspaceKey(workspaceId));
  if (!item) return undefined;
  const found = await keysInIndex(workspaceId);
  const counted = maybeNumber(item, 'keyCount') ?? null;
  if (repair && counted !== found) {
    const isAsRead = counted === null ? lacks('keyCount') : is('keyCount', number(item, 'keyCount'));
    const update = { text: 'SET #keyCount = :count', values: { ':count': found } };
    // If it has changed since, the next run corrects it.
    await failedCondition(updateItem(workspaceKey(workspaceId), update, all(isPresent, isAsRead)));
  }
  return { counted, found };
}
