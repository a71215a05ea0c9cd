import { type ApiKey, apiKeyId, fingerprintOf, type GatewayKeys, newApiKey, type SignInOfKey } from '../../core/key/api-key.ts';
import type { KeySettings } from '../../core/key/authority.ts';
import { permissions } from '../../core/key/permissions.ts';
import { revokedKeyDays } from '../../core/limits.ts';
import { changed, created } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { defined, knownOf, maybeNumber, maybeText, text } from '../table/fields.ts';
import { apiKeyKeyOf, apiKeysIndex, indexed, type Key } from '../table/keys.ts';
import { gatewayKeyAttributes, gatewayKeysIn } from './gateway-keys.ts';

/** How many characters of a key are shown in lists: enough to recognise it, while 155 random bits stay hidden. */
const prefixLength = 7;

/** A new key. This is the only time that the key itself is visible. */
export type MadeApiKey = ApiKey & { readonly key: string };

export type NewApiKey = KeySettings & Pick<ApiKey, 'replaces' | 'madeBy'>;

export function toApiKey(item: Item): ApiKey {
  const maybes = defined({
    expiresAt: maybeText(item, 'expiresAt'),
    endsBy: maybeText(item, 'endsBy'),
    lastUsedAt: maybeText(item, 'lastUsedAt'),
    revokedAt: maybeText(item, 'revokedAt'),
    replaces: maybeText(item, 'replaces'),
    replacedBy: maybeText(item, 'replacedBy'),
    revision: maybeNumber(item, 'revision'),
    madeBy: maybeText(item, 'madeBy'),
    signIn: signInIn(item),
  });
  return {
    id: text(item, 'id'),
    prefix: text(item, 'prefix'),
    name: maybeText(item, 'name') ?? null,
    workspaceId: text(item, 'workspaceId'),
    permissions: knownOf(item, 'permissions', permissions),
    createdAt: text(item, 'createdAt'),
    createdBy: text(item, 'createdBy'),
    ...gatewayKeysIn(item),
    ...maybes,
  };
}

/** The sign-in of a key. Its attributes are flat, which takes less code to read in the authorizer. */
function signInIn(item: Item): SignInOfKey | undefined {
  const id = maybeText(item, 'signInId');
  return id ? { id, memberId: text(item, 'memberId'), role: text(item, 'role') } : undefined;
}

/** The attributes of a sign-in in the item of its key. */
export const signInAttributes = ({ id, memberId, role }: SignInOfKey): Item => ({ signInId: id, memberId, role });

/** Generates an API key and its item, without writing it. The item says who creates it, and with which request. */
export function newApiKeyItem(
  owner: GatewayKeys & { readonly workspaceId: string },
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
    ...(owner.lifted && { lifted: owner.lifted }),
    createdAt: new Date(now).toISOString(),
    ...created(),
    ...wanted,
  };
  const position = indexed(apiKeysIndex(apiKey.workspaceId), `${apiKey.createdAt}#${apiKey.id}`);
  const { lifted: _, ...flat } = apiKey;
  const item = { ...apiKeyKeyOf(apiKey.id), ...position, ...flat, ...gatewayKeyAttributes(owner), ...changed() };
  return { made: { ...apiKey, key }, item };
}

const keptMs = revokedKeyDays * 24 * 60 * 60 * 1_000;

/** The `ttl` of a key that is revoked at that time, in seconds. */
export const ttlOfRevoked = (revokedAt: string): number => Math.ceil((Date.parse(revokedAt) + keptMs) / 1_000);

/** Whether a key is still shown: until `revokedKeyDays` after its revocation, when the table may remove it. */
export const isShown = ({ revokedAt }: ApiKey, now: number): boolean =>
  revokedAt === undefined || now < Date.parse(revokedAt) + keptMs;
