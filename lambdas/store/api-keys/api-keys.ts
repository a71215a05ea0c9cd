import { workspaceGone } from '../../core/errors.ts';
import { newRequestToken } from '../../core/ids.ts';
import { type ApiKey, apiKeyId, fingerprintInId, fingerprintOf, newApiKey } from '../../core/key/api-key.ts';
import { type Permission, permissions } from '../../core/key/permissions.ts';
import { timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { created, signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { all, any, failedCondition, ifConditionFails, isLiveWorkspace, isPresent, lacks } from '../table/conditions.ts';
import { defined, knownOf, maybeNumber, maybeText, text } from '../table/fields.ts';
import { apiKeyKey, apiKeyKeyOf, apiKeysIndex, indexed, type Key, toKey, workspaceKey } from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { checking, putting, transact, updateItem, updateItemOnce, updating } from '../table/writes.ts';
import type { Workspace } from '../workspaces/workspaces.ts';

/** How many characters of a key its list shows: enough to recognise it, while 155 random bits stay hidden. */
const prefixLength = 7;

/** The interval at which uses of a key are recorded, in milliseconds. */
const useInterval = 60_000;

/** A new key. This is the only time that the key itself is visible. */
export type MadeApiKey = ApiKey & { readonly key: string };

export type NewApiKey = Pick<ApiKey, 'name' | 'permissions' | 'expiresAt' | 'replaces'>;

export function toApiKey(item: Item): ApiKey {
  const maybes = defined({
    expiresAt: maybeText(item, 'expiresAt'),
    lastUsedAt: maybeText(item, 'lastUsedAt'),
    revokedAt: maybeText(item, 'revokedAt'),
    replaces: maybeText(item, 'replaces'),
    replacedBy: maybeText(item, 'replacedBy'),
    revision: maybeNumber(item, 'revision'),
  });
  return {
    id: text(item, 'id'),
    prefix: text(item, 'prefix'),
    name: maybeText(item, 'name') ?? null,
    workspaceId: text(item, 'workspaceId'),
    permissions: knownOf(item, 'permissions', permissions),
    createdAt: text(item, 'createdAt'),
    gatewayKey: text(item, 'gatewayKey'),
    ...maybes,
  };
}

const apiKeyItem = (apiKey: ApiKey): Key & Item => ({
  ...apiKeyKeyOf(apiKey.id),
  ...indexed(apiKeysIndex(apiKey.workspaceId), `${apiKey.createdAt}#${apiKey.id}`),
  ...apiKey,
  ...created(),
});

/** Generates an API key and its item, without writing it. */
export function newApiKeyItem(
  owner: { workspaceId: string; gatewayKey: string },
  wanted: NewApiKey,
  now: number,
): { made: MadeApiKey; item: Key & Item } {
  const key = newApiKey();
  const fingerprint = fingerprintOf(key);
  const apiKey: ApiKey = {
    id: apiKeyId(fingerprint),
    prefix: key.slice(0, prefixLength),
    workspaceId: owner.workspaceId,
    gatewayKey: owner.gatewayKey,
    createdAt: new Date(now).toISOString(),
    ...wanted,
  };
  return { made: { ...apiKey, key }, item: apiKeyItem(apiKey) };
}

/**
 * Creates an API key for a workspace. Only this returns the key itself.
 *
 * @throws RequestError `unauthorized` if the workspace is being deleted, or gone
 */
export async function createApiKey(workspace: Workspace, wanted: NewApiKey, now = Date.now()): Promise<MadeApiKey> {
  const { made, item } = newApiKeyItem({ workspaceId: workspace.id, gatewayKey: workspace.gatewayKey }, wanted, now);
  const writes = [putting(item), checking(workspaceKey(workspace.id), isLiveWorkspace)];
  if (await failedCondition(transact(writes, newRequestToken()))) throw workspaceGone();
  return made;
}

/** The API key with that fingerprint, whether or not it is valid. One strongly consistent read. */
export async function findApiKey(fingerprint: string): Promise<ApiKey | undefined> {
  const item = await getItem(apiKeyKey(fingerprint));
  return item && toApiKey(item);
}

/**
 * The workspace's API keys, oldest first. A key that was created a moment ago may be missing, because the index lags.
 */
export async function listApiKeys(workspaceId: string): Promise<ApiKey[]> {
  const keys = (await Array.fromAsync(query({ gsi1pk: apiKeysIndex(workspaceId) }))).map(toKey);
  return (await getItems(keys)).filter((item) => item !== undefined).map(toApiKey);
}

/**
 * Records that a key was used, unless that was done less than a minute ago. Of concurrent uses, one is recorded. It
 * isn't worth much waiting: there is one attempt, and failures are only logged.
 *
 * The condition names no attribute but the item's key and the one to write, because the caller's role may write each
 * attribute that it may name.
 *
 * @param budget the most time it may take, in milliseconds.
 */
export async function recordUse({ id, lastUsedAt }: ApiKey, now: number, budget: number): Promise<void> {
  const minuteAgo = new Date(now - useInterval).toISOString();
  if (lastUsedAt !== undefined && lastUsedAt > minuteAgo) return;
  const update = { text: 'SET #lastUsedAt = :now', values: { ':now': new Date(now).toISOString() } };
  const isLongAgo = { text: '#lastUsedAt <= :minuteAgo', values: { ':minuteAgo': minuteAgo } };
  const isDue = all(isPresent, any(lacks('lastUsedAt'), isLongAgo));
  try {
    await withDeadline(Math.min(timeLeft(), budget), () =>
      // Another request may have recorded its use first.
      ifConditionFails(updateItemOnce(apiKeyKeyOf(id), update, isDue), () => undefined),
    );
  } catch (error) {
    console.warn({ message: 'the use of an API key was not written down', name: (error as Error).name });
  }
}

/** The fields of a key that can change. A null `expiresAt` removes the expiry. */
export type ApiKeyChanges = {
  readonly name?: string;
  readonly permissions?: readonly Permission[];
  readonly expiresAt?: string | null;
};

/**
 * Changes an API key unless it is revoked. Callers notice the next time the authorizer looks it up, within 60 seconds.
 * It is a transaction so that its token makes it idempotent: retried after a lost response, it does not restore a
 * permission that was removed since.
 *
 * @returns the key as it then is; 'revoked' if it is revoked; undefined if there is no such key.
 */
export async function updateApiKey(id: string, changes: ApiKeyChanges): Promise<ApiKey | 'revoked' | undefined> {
  const fingerprint = fingerprintInId(id);
  if (!fingerprint) return undefined;
  const set = Object.entries(changes).filter(([, value]) => value !== undefined && value !== null);
  const text = [
    `SET ${[...set.map(([field]) => `#${field} = :${field}`), '#revision = if_not_exists(#revision, :none) + :one'].join(', ')}`,
    ...(changes.expiresAt === null ? ['REMOVE #expiresAt'] : []),
  ].join(' ');
  const values = { ...Object.fromEntries(set.map(([field, value]) => [`:${field}`, value])), ':none': 0, ':one': 1 };
  const isGood = all(isPresent, lacks('revokedAt'));
  const write = transact([updating(apiKeyKey(fingerprint), signed({ text, values }), isGood)], newRequestToken());
  const failed = await failedCondition(write);
  if (failed) return failed.items[0]?.revokedAt ? 'revoked' : undefined;
  return findApiKey(fingerprint);
}

/**
 * Revokes an API key. It is refused the next time the authorizer looks it up, within 60 seconds. Revoking it again
 * keeps the first time.
 *
 * @returns when it was revoked; undefined if there is no such key.
 */
export async function revokeApiKey(id: string): Promise<string | undefined> {
  const fingerprint = fingerprintInId(id);
  if (!fingerprint) return undefined;
  const write = updateItem(
    apiKeyKey(fingerprint),
    signed({ text: 'SET #revokedAt = if_not_exists(#revokedAt, :now)', values: { ':now': new Date().toISOString() } }),
    isPresent,
  );
  const item = await ifConditionFails(write, () => undefined);
  return item && text(item, 'revokedAt');
}
