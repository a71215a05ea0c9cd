import { workspaceGone } from '../../core/errors.ts';
import { newRequestToken } from '../../core/ids.ts';
import { type ApiKey, fingerprintInId } from '../../core/key/api-key.ts';
import { endOfOverlap, expiryOfReplacement, hasExpired } from '../../core/key/key-expiry.ts';
import { signed } from '../table/authorship.ts';
import { all, type Expression, failedCondition, is, isLiveWorkspace, isPresent, lacks } from '../table/conditions.ts';
import { apiKeyKeyOf, workspaceKey } from '../table/keys.ts';
import { checking, putting, transact, updating } from '../table/writes.ts';
import { findApiKey, type MadeApiKey, newApiKeyItem, toApiKey } from './api-keys.ts';

export type RotationOptions = {
  /** How long the old key stays valid, in milliseconds; 0 ends it at once. */
  readonly overlapMs: number;
  /** When the new key expires: null for never. If absent, its lifetime is that of the old key. */
  readonly expiresAt?: string | null;
};

/** Why a key cannot be rotated. `replaced` includes the key that already replaces it. */
export type RotationRefusal =
  | { readonly refused: 'unknown' | 'revoked' | 'expired' }
  | { readonly refused: 'replaced'; readonly replacedBy: string };

/**
 * Creates an API key that replaces another, with the same workspace, name and permissions, and lets the old one expire
 * after the overlap, both or neither. Of concurrent rotations of a key, only one creates a key.
 *
 * @throws RequestError `unauthorized` if the workspace is being deleted, or gone
 */
export async function rotateApiKey(
  id: string,
  { overlapMs, expiresAt }: RotationOptions,
  now = Date.now(),
): Promise<MadeApiKey | RotationRefusal> {
  const fingerprint = fingerprintInId(id);
  let old = fingerprint === undefined ? undefined : await findApiKey(fingerprint);
  for (;;) {
    const refusal = refusalOf(old, now);
    if (!old || refusal) return refusal ?? { refused: 'unknown' };
    const expiry = expiresAt === undefined ? expiryOfReplacement(old, now) : (expiresAt ?? undefined);
    const { name, permissions } = old;
    const { made, item } = newApiKeyItem(
      old,
      { name, permissions, replaces: id, ...(expiry !== undefined && { expiresAt: expiry }) },
      now,
    );
    const replace = signed({
      text: 'SET #replacedBy = :new, #expiresAt = :end',
      values: { ':new': made.id, ':end': endOfOverlap(old, overlapMs, now) },
    });
    const isLive = checking(workspaceKey(old.workspaceId), isLiveWorkspace);
    const writes = [putting(item), updating(apiKeyKeyOf(id), replace, isAsRead(old)), isLive];
    const failed = await failedCondition(transact(writes, newRequestToken()));
    if (!failed) return made;
    if (failed.items[2]) throw workspaceGone();
    // It has changed since it was read.
    const there = failed.held(1);
    old = 'id' in there ? toApiKey(there) : undefined;
  }
}

function refusalOf(key: ApiKey | undefined, now: number): RotationRefusal | undefined {
  if (!key) return { refused: 'unknown' };
  if (key.revokedAt) return { refused: 'revoked' };
  if (key.replacedBy) return { refused: 'replaced', replacedBy: key.replacedBy };
  return hasExpired(key.expiresAt, now) ? { refused: 'expired' } : undefined;
}

/** The condition that the key is neither revoked nor replaced, and that what was copied from it is up to date. */
const isAsRead = ({ revision }: ApiKey): Expression =>
  all(isPresent, lacks('revokedAt'), lacks('replacedBy'), revision === undefined ? lacks('revision') : is('revision', revision));
