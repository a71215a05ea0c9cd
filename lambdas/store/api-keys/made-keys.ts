import { authorIn, authorText } from '../../core/history/author.ts';
import type { ApiKey } from '../../core/key/api-key.ts';
import { asAuthor, currentAuthor } from '../../runtime/author.ts';
import { continueSweep, newSweep } from '../sweeps/sweeps.ts';
import { text } from '../table/fields.ts';
import { apiKeyKeyOf, madeKeyId, madeKeysOf, madeKeysSweepKey, toKey } from '../table/keys.ts';
import { getItems, query } from '../table/reads.ts';
import { deleteItem, putting, type Write } from '../table/writes.ts';
import { revokeApiKey } from './api-keys.ts';
import { toApiKey } from './items.ts';

/**
 * The keys that a member made. Each has an entry under the member, which is written in the transaction that creates the
 * key, and deleted in the one that revokes it. When the member is removed with the keys, a sweep revokes them:
 *
 *     owner    removes the member: in one transaction, the member's item says so, and the sweep starts
 *     member   makes a key with a key that they made before: refused, by the member's item
 *     sweep    revokes the keys of a page, and dies
 *     sweep    its page is delivered again, and finds only the entries that are left
 *
 * The entries are read consistently, and none is added after the removal, so no key is missed.
 */

/** The write that starts the sweep that revokes the keys that a member made, in the name of the author of this work. */
export const startingRevocation = (memberId: string, workspaceId: string, now: string): Write => {
  const revokedBy = authorText(currentAuthor());
  return putting(newSweep(madeKeysSweepKey(memberId), memberId, { memberId, workspaceId, revokedBy }, now));
};

/** Keys per page: each takes two calls, one after the other, because all of them change one count. */
const pageSize = 25;

/** Revokes the next keys that a removed member made, in their sweep. @param most how many keys a page has */
export const revokeMadeKeys = (memberId: string, most = pageSize): Promise<void> =>
  continueSweep(madeKeysSweepKey(memberId), async (sweep) => {
    const entries = (await Array.fromAsync(query(madeKeysOf(memberId), { limit: most }))).map(toKey);
    await asAuthor(authorIn(text(sweep, 'revokedBy')), async () => {
      for (const entry of entries) {
        await revokeApiKey(madeKeyId(entry));
        // The revocation has removed it, unless the key was revoked or gone before.
        await deleteItem(entry);
      }
    });
    return entries.length < most ? undefined : entries.at(-1);
  });

/** The keys that a member made and that are not revoked. Strongly consistent. */
export async function madeKeys(memberId: string): Promise<ApiKey[]> {
  const entries = (await Array.fromAsync(query(madeKeysOf(memberId)))).map(toKey);
  const items = await getItems(entries.map((entry) => apiKeyKeyOf(madeKeyId(entry))));
  return items.flatMap((item) => (item ? toApiKey(item) : [])).filter(({ revokedAt }) => revokedAt === undefined);
}
