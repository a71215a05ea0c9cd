import type { ApiKey } from '../../core/key/api-key.ts';
import { replacementSettings } from '../../core/key/authority.ts';
import { endOfOverlap, hasExpired } from '../../core/key/key-expiry.ts';
import { signed } from '../table/authorship.ts';
import { set } from '../table/expressions.ts';
import { apiKeyKeyOf } from '../table/keys.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { updating } from '../table/writes.ts';
import { madeBy, notingMadeKey, putCounted } from './api-keys.ts';
import { checkingCaller, isUnchanged, type KeyCaller, readKeys } from './callers.ts';
import { countingReplacement } from './count.ts';
import { type MadeApiKey, newApiKeyItem } from './items.ts';

export type RotationOptions = {
  /** How long the old key stays valid, in milliseconds; 0 ends it at once. */
  readonly overlapMs: number;
  /** When the new key expires: null for never. If absent, its lifetime is that of the old key. */
  readonly expiresAt?: string | null | undefined;
};

/** Why a key cannot be rotated. `replaced` includes the key that already replaces it. */
export type RotationRefusal =
  | { readonly refused: 'unknown' | 'revoked' | 'expired' }
  | { readonly refused: 'replaced'; readonly replacedBy: string };

/**
 * Creates an API key that replaces another, with the same workspace, name and permissions, and lets the old one expire
 * after the overlap, both or neither. Of concurrent rotations of a key, only one creates a key.
 *
 * @param by the key that asks for it; undefined for the operator.
 * @param now in milliseconds since 1970.
 * @throws RequestError `unauthorized` if the workspace is being deleted, or gone, or the caller may not do it;
 *   `forbidden`, `validation_failed`
 */
export async function rotateApiKey(
  id: string,
  { overlapMs, expiresAt }: RotationOptions,
  now = Date.now(),
  by?: KeyCaller,
): Promise<MadeApiKey | RotationRefusal> {
  return retrying(async () => {
    const { key: old, caller } = await readKeys(id, by);
    if (!old) return { refused: 'unknown' };
    const settings = replacementSettings(caller, old, expiresAt, now);
    const refusal = refusalOf(old, now);
    if (refusal) return refusal;
    const { made, item } = newApiKeyItem(old, { ...settings, replaces: old.id, ...madeBy(caller) }, now);
    const replace = signed(set({ replacedBy: made.id, expiresAt: endOfOverlap(old, overlapMs, now) }));
    const others = {
      old: updating(apiKeyKeyOf(old.id), replace, isUnchanged(old)),
      ...checkingCaller(caller, old.id),
      madeKey: notingMadeKey(made),
    };
    if (!(await putCounted(item, countingReplacement(old.workspaceId), others)).failed) return made;
    // One of the keys has changed since it was read.
    return overtaken;
  });
}

function refusalOf(key: ApiKey, now: number): RotationRefusal | undefined {
  if (key.revokedAt) return { refused: 'revoked' };
  if (key.replacedBy) return { refused: 'replaced', replacedBy: key.replacedBy };
  return hasExpired(key.expiresAt, now) ? { refused: 'expired' } : undefined;
}
