import { type ApiKey, fingerprintInId } from '../../core/key/api-key.ts';
import { standing } from '../../core/key/authority.ts';
import { all, type Expression, is, isPresent, lacks } from '../table/conditions.ts';
import { apiKeyKeyOf } from '../table/keys.ts';
import { getItem, getItems } from '../table/reads.ts';
import { checking, type Write } from '../table/writes.ts';
import { isShown, toApiKey } from './items.ts';

/**
 * The API key that asks for something about keys, and when the gateway received its request, in milliseconds since 1970.
 * The gateway remembers for a minute what a key may do, so the table decides that again.
 */
export type KeyCaller = { readonly workspaceId: string; readonly keyId: string; readonly receivedAt: number };

/** Reads a caller. @throws RequestError `unauthorized`, `forbidden` if it may not manage keys */
export async function readCaller({ keyId, receivedAt }: KeyCaller): Promise<ApiKey> {
  const item = await getItem(apiKeyKeyOf(keyId));
  return standing(item && toApiKey(item), receivedAt);
}

/** An API key, and the one that wants to change it; undefined if there is none, or if it is the operator who wants to. */
export type KeyAndCaller = { readonly key: ApiKey | undefined; readonly caller: ApiKey | undefined };

/**
 * Reads an API key and its caller, with one strongly consistent call. To a caller, a key of another workspace or one that
 * was revoked long ago is like none.
 *
 * @param by undefined for the operator.
 * @throws RequestError `unauthorized`, `forbidden` if the caller may not manage keys
 */
export async function readKeys(id: string, by: KeyCaller | undefined): Promise<KeyAndCaller> {
  // Texts that aren't ids are not looked up.
  const wanted = fingerprintInId(id) === undefined ? undefined : apiKeyKeyOf(id);
  const calling = by && apiKeyKeyOf(by.keyId);
  const [item, callersItem] = await getItems([wanted, calling].filter((key) => key !== undefined));
  const found = wanted && item && toApiKey(item);
  const ofCaller = wanted ? callersItem : item;
  const caller = by && standing(ofCaller && toApiKey(ofCaller), by.receivedAt);
  const isTheirs = !by || (found?.workspaceId === by.workspaceId && isShown(found, by.receivedAt));
  return { key: isTheirs ? found : undefined, caller };
}

/** The condition that what decides what a key may do, and what may be done to it, has not changed since it was read. */
export const isUnchanged = (key: ApiKey): Expression =>
  all(
    isPresent,
    ...deciding.map((name) => {
      const value = key[name];
      return value === undefined ? lacks(name) : is(name, value);
    }),
  );

/** Other fields that matter change only with the revision. */
const deciding = ['revision', 'expiresAt', 'revokedAt', 'replacedBy'] as const satisfies readonly (keyof ApiKey)[];

/**
 * The write that checks the caller as part of a transaction; undefined for the operator, or if the caller is the changed
 * key.
 */
export const checkingCaller = (caller: ApiKey | undefined, key?: ApiKey): Write | undefined =>
  caller === undefined || caller.id === key?.id ? undefined : checking(apiKeyKeyOf(caller.id), isUnchanged(caller));
