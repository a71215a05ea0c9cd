import { fieldRefused, RequestError, RuleError } from '../errors.ts';
import type { ApiKey } from './api-key.ts';
import { earlierEnd, endsWithin, expiryOfReplacement, hasExpired } from './key-expiry.ts';
import { defaultPermissions, type Permission } from './permissions.ts';

/**
 * What a key may do to keys, including itself. Nobody can give what they lack:
 *
 * - The caller is neither revoked nor expired, and has `keys:write`.
 * - It has every permission that the other key has, before and after.
 * - An expiry that it sets is within its own, and within `endsBy` of the other key, or brings the other key's expiry
 *   forward.
 * - The expiry of a replaced key can only be brought forward. Otherwise, a leaked key that was replaced without an
 *   overlap could be revived.
 *
 * A key of a sign-in can set any expiry, because it acts for a member, who can fetch another one.
 *
 * So everything that another key creates, directly or through other keys, has at most the permissions and the expiry
 * that the key had at that moment. Later changes of the key don't affect it: a rotation shortens the key's life, and
 * must not end the keys that it has created.
 *
 * All of this refers to keys as they are in the table. The store makes each write on the condition that the caller and
 * the other key have not changed since the decision.
 */

/** The settings of a new key. Without `expiresAt`, it does not expire. */
export type KeySettings = {
  readonly name: string | null;
  readonly permissions: readonly Permission[];
  readonly expiresAt?: string;
  readonly endsBy?: string;
};

/** The requested settings. Absent ones get defaults, or stay unchanged. A null `expiresAt` means no expiry. */
export type WantedSettings = {
  readonly name?: string | null | undefined;
  readonly permissions?: readonly Permission[] | undefined;
  readonly expiresAt?: string | null | undefined;
};

/** The permissions that let a key change what others may do. */
export type Managing = 'keys:write' | 'members:write';

/**
 * The caller, if it may do what it asks for.
 *
 * @param receivedAt when the gateway received the request, in milliseconds since 1970.
 * @param needed the permission that this takes; undefined if none.
 * @throws RequestError `unauthorized` if it is gone, revoked or expired, `forbidden` if it lacks the permission
 */
export function standing(caller: ApiKey | undefined, receivedAt: number, needed?: Managing): ApiKey {
  if (!caller || caller.revokedAt !== undefined) throw new RequestError('unauthorized', 'The API key is revoked.');
  if (hasExpired(caller.expiresAt, receivedAt)) throw new RequestError('unauthorized', 'The API key has expired.');
  if (needed) checkHolds(caller, [needed], `so it cannot manage ${needed === 'keys:write' ? 'keys' : 'members'}`);
  return caller;
}

/** Refuses a caller that lacks a permission of the key. @throws RequestError `forbidden` */
export const checkReach = (caller: ApiKey, key: ApiKey): void =>
  checkHolds(caller, key.permissions, 'so it cannot change a key that has it');

/** @throws RequestError `forbidden` if the caller lacks one of the permissions */
export function checkHolds({ permissions }: ApiKey, needed: readonly Permission[], consequence: string): void {
  const missing = needed.find((permission) => !permissions.includes(permission));
  if (missing !== undefined) throw new RequestError('forbidden', `The API key lacks the permission ${missing}, ${consequence}.`);
}

const checkGift = (caller: ApiKey, permissions: readonly Permission[]): void =>
  checkHolds(caller, permissions, 'so it cannot give it to another key');

/** Refuses an expiry that is later than its bound. @throws RequestError `validation_failed` */
function checkEnd(end: string | undefined, bound: string | undefined, whose: string): void {
  if (endsWithin(end, bound)) return;
  throw fieldRefused('/expiresAt', new RuleError('too_late', `must not be later than ${bound}, ${whose}`));
}

/** The latest expiry of keys that the caller makes; undefined if nothing bounds it. */
const boundOf = (caller: ApiKey | undefined): string | undefined => (caller?.signIn ? undefined : caller?.expiresAt);

const ofCaller = 'when the API key of this request ends';

/**
 * The settings of a key that the caller creates. By default, it has those default permissions that the caller has too,
 * and ends with the caller.
 *
 * @throws RequestError `forbidden`, `validation_failed`
 */
export function newKeySettings(caller: ApiKey, { name, permissions, expiresAt }: WantedSettings): KeySettings {
  const given = permissions ?? defaultPermissions.filter((permission) => caller.permissions.includes(permission));
  if (given.length === 0) {
    const message = 'is required, because the API key of this request has none of the permissions that new keys get';
    throw fieldRefused('/permissions', new RuleError('required', message));
  }
  checkGift(caller, given);
  const bound = boundOf(caller);
  const end = expiresAt === undefined ? bound : (expiresAt ?? undefined);
  checkEnd(end, bound, ofCaller);
  return { name: name ?? null, permissions: given, ...ending(end, bound) };
}

/**
 * Refuses changes that the caller may not make to a key.
 *
 * @throws RequestError `forbidden`, `validation_failed`, `key_replaced`
 */
export function checkChanges(caller: ApiKey, key: ApiKey, { permissions = [], expiresAt }: WantedSettings): void {
  checkReach(caller, key);
  checkGift(caller, permissions);
  const end = expiresAt ?? undefined;
  if (expiresAt === undefined || endsWithin(end, key.expiresAt)) return;
  if (key.replacedBy !== undefined) {
    const message = `The API key has been replaced by ${key.replacedBy}, so its expiry can only be brought forward: use that key.`;
    throw new RequestError('key_replaced', message);
  }
  checkEnd(end, boundOf(caller), ofCaller);
  checkEnd(end, key.endsBy, 'when the key that created it ended: rotate it for a later one');
}

/**
 * The settings of a key that replaces another.
 *
 * @param caller undefined for the operator, who has no bounds.
 * @param expiresAt null for no expiry. By default, it lives as long as the old key did, but not longer than the caller.
 * @throws RequestError `forbidden`, `validation_failed`
 */
export function replacementSettings(
  caller: ApiKey | undefined,
  old: ApiKey,
  expiresAt: string | null | undefined,
  now: number,
): KeySettings {
  if (caller) checkReach(caller, old);
  const bound = boundOf(caller);
  const sameLife = earlierEnd(expiryOfReplacement(old, now), bound);
  const end = expiresAt === undefined ? sameLife : (expiresAt ?? undefined);
  checkEnd(end, bound, ofCaller);
  return { name: old.name, permissions: old.permissions, ...ending(end, bound) };
}

const ending = (expiresAt: string | undefined, endsBy: string | undefined): Pick<KeySettings, 'expiresAt' | 'endsBy'> => ({
  ...(expiresAt !== undefined && { expiresAt }),
  ...(endsBy !== undefined && { endsBy }),
});
