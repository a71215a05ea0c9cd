import { type ApiKey, fingerprintInId } from '../../core/key/api-key.ts';
import { apiKeyKeyOf, apiKeysIndex, toKey } from '../table/keys.ts';
import { type PageRange, pageOf } from '../table/list-pages.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { isShown, toApiKey } from './items.ts';

/** All API keys of a workspace, oldest first, including those that were revoked long ago. */
export async function everyKey(workspaceId: string): Promise<ApiKey[]> {
  const keys = (await Array.fromAsync(query({ gsi1pk: apiKeysIndex(workspaceId) }))).map(toKey);
  return (await getItems(keys)).filter((item) => item !== undefined).map(toApiKey);
}

/** The workspace's API key with that id; undefined if it has none. Texts that aren't ids are not looked up. */
export async function getApiKey(workspaceId: string, id: string, now: number): Promise<ApiKey | undefined> {
  const item = fingerprintInId(id) === undefined ? undefined : await getItem(apiKeyKeyOf(id));
  const key = item && toApiKey(item);
  return key && key.workspaceId === workspaceId && !key.signIn && isShown(key, now) ? key : undefined;
}

/**
 * The workspace's API keys, oldest first. A key that was created a moment ago may be missing, because the index lags.
 */
export const listApiKeys = async (workspaceId: string, now = Date.now()): Promise<ApiKey[]> =>
  (await everyKey(workspaceId)).filter((key) => isShown(key, now));

/**
 * A page of the workspace's API keys, newest first.
 *
 * @param now in milliseconds since 1970.
 * @returns the keys, and where the next page begins; undefined on the last page.
 */
export async function keyPage(
  workspaceId: string,
  { limit, after: before }: PageRange,
  now: number,
): Promise<{ readonly keys: readonly ApiKey[]; readonly next: string | undefined }> {
  const entries = query({ gsi1pk: apiKeysIndex(workspaceId), before }, { backwards: true, pageSize: limit + 1 });
  const { shown, next } = await pageOf(entries, limit, async (some) => {
    const keys = (await getItems(some.map(toKey))).map((item) => item && toApiKey(item));
    return keys.map((key) => (key && isShown(key, now) ? key : undefined));
  });
  return { keys: shown, next };
}
