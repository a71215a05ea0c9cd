import { type ApiKey, type GatewayKeys, memberOf } from '../../core/key/api-key.ts';
import { checkChanges, checkReach, newKeySettings, type WantedSettings } from '../../core/key/authority.ts';
import { timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { commit, type Outcome, type Writes } from '../table/commit.ts';
import { all, any, ifConditionFails, isPresent, lacks, set } from '../table/expressions.ts';
import { defined } from '../table/fields.ts';
import { apiKeyKey, apiKeyKeyOf, type Key, madeKeyKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleting, putting, updateItemOnce, updating, type Write } from '../table/writes.ts';
import { checkingCaller, isUnchanged, type KeyCaller, readCaller, readKeys } from './callers.ts';
import { countingNewKey, countingRevocation, counts, notCounted } from './count.ts';
import { type MadeApiKey, type NewApiKey, newApiKeyItem, toApiKey, ttlOfRevoked } from './items.ts';

/** The interval at which uses of a key are recorded, in milliseconds. */
const useInterval = 60_000;

/**
 * Puts a new key that is counted, or one that replaces another.
 *
 * @param count the write that counts it.
 * @param others writes that belong to it.
 * @returns the outcome: which conditions of the others failed, if any.
 * @throws RequestError `unauthorized` if the workspace is being deleted, or gone; `key_limit_reached`
 */
export async function putCounted(item: Key & Item, count: Write, others: Writes): Promise<Outcome> {
  const outcome = await commit({ ...others, count, key: putting(item) });
  if (outcome.items.count) throw notCounted(outcome.items.count);
  return outcome;
}

/**
 * Creates an API key for a workspace, as the operator. Only this returns the key itself.
 *
 * @throws RequestError `unauthorized` if the workspace is being deleted, or gone; `key_limit_reached`
 */
export async function createApiKey(
  workspace: GatewayKeys & { readonly id: string },
  wanted: NewApiKey,
  now = Date.now(),
): Promise<MadeApiKey> {
  const { made, item } = newApiKeyItem({ ...workspace, workspaceId: workspace.id }, wanted, now);
  await putCounted(item, countingNewKey(workspace.id), {});
  return made;
}

/**
 * Creates an API key in the workspace of another key, within that key's own permissions.
 *
 * @param recording the write that records the request, as `executeInTransaction` gives it; undefined if nothing is
 *   recorded.
 * @throws RequestError `unauthorized`, `forbidden`, `validation_failed`, `key_limit_reached`; ConditionFailed if the
 *   request is recorded already
 */
export async function createKeyAs(
  by: KeyCaller,
  wanted: WantedSettings,
  recording?: (made: MadeApiKey) => Write,
): Promise<MadeApiKey> {
  return retrying(async () => {
    const caller = await readCaller(by, 'keys:write');
    const { made, item } = newApiKeyItem(caller, { ...newKeySettings(caller, wanted), ...madeBy(caller) }, by.receivedAt);
    const others = { ...checkingCaller(caller), madeKey: notingMadeKey(made), record: recording?.(made) };
    const { failed, items } = await putCounted(item, countingNewKey(by.workspaceId), others);
    if (!failed) return made;
    if (items.record) throw failed;
    // The caller has changed since it was read.
    return overtaken;
  });
}

/** Who made a key that a caller makes: the caller's member, or the one who made the caller. */
export function madeBy(caller: ApiKey | undefined): Pick<ApiKey, 'madeBy'> {
  const memberId = caller && memberOf(caller);
  return memberId === undefined ? {} : { madeBy: memberId };
}

/** The write that notes a key for the member who made it; undefined if nobody did. */
export const notingMadeKey = ({ madeBy: memberId, id, workspaceId }: ApiKey): Write | undefined =>
  memberId === undefined ? undefined : putting({ ...madeKeyKey(memberId, id), workspaceId });

/** The API key with that fingerprint, whether or not it is valid. One strongly consistent read. */
export async function findApiKey(fingerprint: string): Promise<ApiKey | undefined> {
  const item = await getItem(apiKeyKey(fingerprint));
  return item && toApiKey(item);
}

/**
 * Records that a key was used, unless that was done less than a minute ago. Of concurrent uses, one is recorded. It
 * isn't worth a long wait: there is one attempt, and failures are only logged.
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
    console.warn({ message: 'the use of an API key was not recorded', name: (error as Error).name });
  }
}

/**
 * Changes an API key unless it is revoked. Callers notice the next time the authorizer looks it up, within 60 seconds.
 * An expiry that the operator sets is no longer bounded by that of the key that created it.
 *
 * The write is a transaction with a condition on what was read: retried after a lost response, it does not restore a
 * permission that was removed since.
 *
 * @param changes a null `expiresAt` removes the expiry, a null `name` the name.
 * @param by the key that asks for it; undefined for the operator.
 * @param check checks the key as it was read, and throws to refuse the change.
 * @returns the changed key; 'revoked' if it is revoked; undefined if there is no such key.
 * @throws RequestError `unauthorized`, `forbidden`, `validation_failed`, `key_replaced`
 */
export async function updateApiKey(
  id: string,
  changes: WantedSettings,
  by?: KeyCaller,
  check: (key: ApiKey) => Promise<unknown> = async () => {},
): Promise<ApiKey | 'revoked' | undefined> {
  return retrying(async () => {
    const { key, caller } = await readKeys(id, by);
    if (!key) return undefined;
    if (caller) checkChanges(caller, key, changes);
    if (key.revokedAt !== undefined) return 'revoked';
    await check(key);
    const wanted = defined(changes);
    if (Object.keys(wanted).length === 0) return key;
    const isFreed = !caller && changes.expiresAt !== undefined;
    const next = { ...wanted, revision: (key.revision ?? 0) + 1, ...(isFreed && { endsBy: null }) };
    const { failed } = await commit({
      key: updating(apiKeyKeyOf(key.id), signed(set(next)), isUnchanged(key)),
      ...checkingCaller(caller, key.id),
    });
    // A null is read like a field that is absent.
    if (!failed) return toApiKey({ ...key, ...next });
    // One of the keys has changed since it was read.
    return overtaken;
  });
}

/**
 * Revokes an API key. It is refused the next time the authorizer looks it up, within 60 seconds. Revoking it again
 * keeps the first time.
 *
 * @param by the key that asks for it; undefined for the operator.
 * @returns when it was revoked; undefined if there is no such key.
 * @throws RequestError `unauthorized`, `forbidden`
 */
export async function revokeApiKey(id: string, by?: KeyCaller): Promise<string | undefined> {
  let isCounted = true;
  return retrying(async () => {
    const { key, caller } = await readKeys(id, by);
    if (!key) return undefined;
    if (caller) checkReach(caller, key);
    if (key.revokedAt !== undefined) return key.revokedAt;
    const revokedAt = new Date(by?.receivedAt ?? Date.now()).toISOString();
    const update = set({ revokedAt, ttl: ttlOfRevoked(revokedAt) });
    const { failed, items } = await commit({
      key: updating(apiKeyKeyOf(key.id), signed(update), isUnchanged(key)),
      ...checkingCaller(caller, key.id),
      madeKey: key.madeBy === undefined ? undefined : deleting(madeKeyKey(key.madeBy, key.id)),
      count: isCounted && counts(key) ? countingRevocation(key.workspaceId) : undefined,
    });
    if (!failed) return revokedAt;
    // If the workspace is gone, nothing is counted, and the key ends anyway.
    if (items.count) isCounted = false;
    // Otherwise, one of the keys has changed since it was read.
    return overtaken;
  });
}
