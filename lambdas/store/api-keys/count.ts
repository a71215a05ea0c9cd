import { RequestError, workspaceGone } from '../../core/errors.ts';
import type { ApiKey } from '../../core/key/api-key.ts';
import { keysPerWorkspace } from '../../core/limits.ts';
import type { Item } from '../table/client.ts';
import { all, failedCondition, has, is, isLiveWorkspace, isPresent, lacks } from '../table/conditions.ts';
import { maybeNumber, number } from '../table/fields.ts';
import { workspaceKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { plus, set } from '../table/updates.ts';
import { checking, updateItem, updating, type Write } from '../table/writes.ts';
import { everyKey } from './list.ts';

/**
 * A workspace's item counts its keys that are neither revoked nor replaced. A key is created and revoked in one
 * transaction with the count, so the count is exact, however many requests come at once. A rotation leaves the count as
 * it is, because the new key takes the place of the old one, whose revocation no longer changes the count. Expired keys
 * count until they are revoked: time passes without a write.
 *
 * A workspace from before keys were counted has no count. Whoever creates, rotates or revokes a key there counts
 * them first. Until then no key comes or goes, so of several counts at once the first is right:
 *
 *     one       counts 5 keys
 *     another   counts 5 keys, starts the count with 5, and revokes one: 4
 *     one       cannot start the count, because there is one, and goes on with that
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

/** The write that lets a key take the place of one that counts, unless the workspace is being deleted. */
export const countingReplacement = (workspaceId: string): Write =>
  checking(workspaceKey(workspaceId), all(isLiveWorkspace, has('keyCount')));

/** The write that counts one key less. */
export const countingRevocation = (workspaceId: string): Write =>
  updating(workspaceKey(workspaceId), set({ keyCount: plus(-1) }), has('keyCount'));

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

/** How many of a workspace's keys count, by the index. */
const countIndexed = async (workspaceId: string): Promise<number> => (await everyKey(workspaceId)).filter(counts).length;

/** Counts a workspace's keys, unless somebody has done so. */
export async function startCount(workspaceId: string): Promise<void> {
  const update = set({ keyCount: await countIndexed(workspaceId) });
  await failedCondition(updateItem(workspaceKey(workspaceId), update, all(isPresent, lacks('keyCount'))));
}

/** How many keys of a workspace are neither revoked nor replaced, by its item and by the index. */
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
  const found = await countIndexed(workspaceId);
  const counted = maybeNumber(item, 'keyCount') ?? null;
  if (repair && counted !== found) {
    const isAsRead = counted === null ? lacks('keyCount') : is('keyCount', number(item, 'keyCount'));
    const update = set({ keyCount: found });
    // If it has changed since, the next run corrects it.
    await failedCondition(updateItem(workspaceKey(workspaceId), update, all(isPresent, isAsRead)));
  }
  return { counted, found };
}
