import { type ApiKey, apiKeyId, fingerprintInId, fingerprintOf, newApiKey } from '../domain/api-key.ts';
import type { Permission } from '../domain/permissions.ts';
import type { Item } from './client.ts';
import { apiKeyKey, apiKeysIndex, indexed, type Key } from './keys.ts';
import { getItem, getItems, query } from './reads.ts';
import type { Workspace } from './workspaces.ts';
import { ConditionFailed, putItem, updateItem } from './writes.ts';

/** How much of a key its list shows: enough to recognise it, and 155 random bits short of it. */
const prefixLength = 7;

const toApiKey = ({ id, prefix, name, workspaceId, permissions, createdAt, revokedAt, gatewayKey }: Item) =>
  ({ id, prefix, name, workspaceId, permissions, createdAt, revokedAt, gatewayKey }) as ApiKey;

/** Makes an API key for a workspace. The key itself is given here and nowhere else. */
export async function createApiKey(
  workspace: Workspace,
  { name, permissions }: { name: string | null; permissions: readonly Permission[] },
): Promise<ApiKey & { readonly key: string }> {
  const key = newApiKey();
  const fingerprint = fingerprintOf(key);
  const apiKey: ApiKey = {
    id: apiKeyId(fingerprint),
    prefix: key.slice(0, prefixLength),
    name,
    workspaceId: workspace.id,
    permissions,
    createdAt: new Date().toISOString(),
    gatewayKey: workspace.gatewayKey,
  };
  const index = indexed(apiKeysIndex(workspace.id), `${apiKey.createdAt}#${apiKey.id}`);
  await putItem({ ...apiKeyKey(fingerprint), ...index, ...apiKey });
  return { ...apiKey, key };
}

/** The API key with that fingerprint, revoked or not. One consistent read. */
export async function findApiKey(fingerprint: string): Promise<ApiKey | undefined> {
  const item = await getItem(apiKeyKey(fingerprint));
  return item && toApiKey(item);
}

/** The workspace's API keys, oldest first; one made a moment ago may be missing, since the index follows the table. */
export async function listApiKeys(workspaceId: string): Promise<ApiKey[]> {
  const keys = (await Array.fromAsync(query({ gsi1pk: apiKeysIndex(workspaceId) }))) as (Item & Key)[];
  return (await getItems(keys)).filter((item) => item !== undefined).map(toApiKey);
}

/**
 * Revokes an API key: from the authorizer's next look at it, 60 seconds later at most, it is refused. Doing so again
 * leaves the time of the first.
 *
 * @returns when it was revoked; undefined where there is no such key.
 */
export async function revokeApiKey(id: string): Promise<string | undefined> {
  const fingerprint = fingerprintInId(id);
  if (!fingerprint) return undefined;
  try {
    const item = await updateItem(
      apiKeyKey(fingerprint),
      { text: 'SET #revokedAt = if_not_exists(#revokedAt, :now)', values: { ':now': new Date().toISOString() } },
      { text: 'attribute_exists(pk)' },
    );
    return String(item.revokedAt);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}
