import { RequestError, workspaceGone } from '../../core/errors.ts';
import type { ApiKey } from '../../core/key/api-key.ts';
import { keysPerWorkspace } from '../../core/limits.ts';
import type { Item } from '../table/client.ts';
import { all, failedCondition, is, isLiveWorkspace, isPresent, plus, set } from '../table/expressions.ts';
import { number } from '../table/fields.ts';
import { workspaceKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { checking, updateItem, updating, type Write } from '../table/writes.ts';
import { everyKey } from './list.ts';

/**
 * A workspace's item counts its keys that are neither revoked nor replaced. A key is created and revoked in one
 * transaction with the count, so the count is exact, however many requests arrive at once. A rotation leaves the count
 * as it is, because the new key takes the place of the old one, whose revocation no longer changes the count. Expired
 * keys count until they are revoked, because they expire without a write.
 */

/** Whether a key counts. */
export const counts = ({ revokedAt, replacedBy }: ApiKey): boolean => revokedAt === undefined && replacedBy === undefined;

/** The write that counts another key, unless there are too many, or the workspace is being deleted. */
export const countingNewKey = (workspaceId: string): Write =>
  updating(
    workspaceKey(workspaceId),
    set({ keyCount: plus(1) }),
    all(isLiveWorkspace, { text: '#keyCount < :most', values: { ':most': keysPerWorkspace } }),
  );

/** The write for a key that replaces a counted one. It fails if the workspace is being deleted. */
export const countingReplacement = (workspaceId: string): Write => checking(workspaceKey(workspaceId), isLiveWorkspace);

/** The write that counts one key less. */
export const countingRevocation = (workspaceId: string): Write =>
  updating(workspaceKey(workspaceId), set({ keyCount: plus(-1) }), isPresent);

/**
 * Why a key was not counted: the workspace is being deleted, or gone, or has too many.
 *
 * @param workspace the item for which the condition failed.
 */
export const notCounted = (workspace: Item): RequestError =>
  workspace.pk === undefined || workspace.deletingSince !== undefined
    ? workspaceGone()
    : new RequestError(
        'key_limit_reached',
        `A workspace may have at most ${keysPerWorkspace} API keys: revoke one first. Expired keys count until they are revoked.`,
      );

/** How many of a workspace's keys count, by the index. */
const countIndexed = async (workspaceId: string): Promise<number> => (await everyKey(workspaceId)).filter(counts).length;

/** How many keys of a workspace are neither revoked nor replaced, by its item and by the index. */
export type KeyCounts = { readonly counted: number; readonly found: number };

/**
 * Compares the count of a workspace's keys with the index, and corrects it if it is wrong. A key that was created a
 * moment ago may be missing in the index.
 *
 * @returns what was there; undefined if there is no such workspace.
 */
export async function checkKeyCount(workspaceId: string, repair: boolean): Promise<KeyCounts | undefined> {
  const item = await getItem(workspaceKey(workspaceId));
  if (!item) return undefined;
  const found = await countIndexed(workspaceId);
  const counted = number(item, 'keyCount');
  if (repair && counted !== found) {
    // If it has changed since, the next run corrects it.
    await failedCondition(updateItem(workspaceKey(workspaceId), set({ keyCount: found }), is('keyCount', counted)));
  }
  return { counted, found };
}
