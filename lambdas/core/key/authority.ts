import { fieldRefused, RequestError, RuleError } from '../errors.ts';
import type { ApiKey } from './api-key.ts';
import { earlierEnd, endsWithin, expiryOfReplacement, hasExpired } from './key-expiry.ts';
import { defaultPermissions, type Permission } from './permissions.ts';

/**
 * What a key may do to keys, the caller's own included. Nobody gives what they lack:
 *
 * - The caller is neither revoked nor expired, and has `keys:write`.
 * - It has every permission that the other key has, before and after.
 * - An end that it sets is within its own, and within `endsBy` of the other key, or brings the other key's end forward.
 * - The end of a key that has been replaced is only brought forward. Otherwise, whoever replaced a leaked key without an
 *   overlap could see it revived.
 *
 * A key of a sign-in gives any end: it stands for a member, who can fetch another one.
 *
 * So whatever another key creates, and whatever that creates, has no permission that it lacked at that moment, and ends by when
 * it then ended. What becomes of it later changes nothing of that: a rotation shortens it, and must not end the keys that
 * it has created.
 *
 * All of this is about keys as they are in the table. The store makes each write on the condition that the caller and the
 * other key are still as they were when this was decided.
 */

/** What a new key gets, or a changed one. A null `expiresAt` is no expiry. */
export type KeySettings = {
  readonly name: string | null;
  readonly permissions: readonly Permission[];
  readonly expiresAt?: string;
  readonly endsBy?: string;
};

/** What somebody asks for. Whatever is absent has a default, or stays as it is. */
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
 * @param needed the permission for that; undefined if there is none.
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

/** Refuses an end that is later than what bounds it. @throws RequestError `validation_failed` */
function checkEnd(end: string | undefined, bound: string | undefined, whose: string): void {
  if (endsWithin(end, bound)) return;
  throw fieldRefused('/expiresAt', new RuleError('too_late', `must not be later than ${bound}, ${whose}`));
}

/** When whatever the caller makes must end; undefined if nothing bounds it. */
const boundOf = (caller: ApiKey | undefined): string | undefined => (caller?.signIn ? undefined : caller?.expiresAt);

const ofCaller = 'when the API key of this request ends';

/**
 * The settings of a key that the caller creates. By default, it has no more permissions than the caller, nor more than new
 * keys have, and ends with the caller.
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

/** Refuses changes that the caller may not make to a key. @throws RequestError `forbidden`, `validation_failed`, `key_replaced` */
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
 * @param caller undefined for the operator, whom nothing bounds.
 * @param expiresAt null for no expiry. By default, its lifetime is that of the old key, as far as the caller's end allows.
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
