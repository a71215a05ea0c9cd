import { type ApiKey, fingerprintInId } from '../../core/key/api-key.ts';
import { type Managing, standing } from '../../core/key/authority.ts';
import { belongsToNobody } from '../../core/member/standing.ts';
import { checkingBelonging, standsByMember } from '../members/belonging.ts';
import type { Item } from '../table/client.ts';
import type { Writes } from '../table/commit.ts';
import { all, type Expression, is, isPresent, lacks } from '../table/expressions.ts';
import { apiKeyKeyOf } from '../table/keys.ts';
import { getItem, getItems } from '../table/reads.ts';
import { checking } from '../table/writes.ts';
import { isShown, toApiKey } from './items.ts';

/**
 * The API key that asks for something about keys or members, and when the gateway received its request, in milliseconds
 * since 1970. The gateway caches for a minute what a key may do, so the table is asked again.
 */
export type KeyCaller = { readonly workspaceId: string; readonly keyId: string; readonly receivedAt: number };

/**
 * The caller's key, if the key itself and its member still allow it.
 *
 * @throws RequestError `unauthorized`, `forbidden`
 */
async function standingKey(item: Item | undefined, receivedAt: number, needed?: Managing): Promise<ApiKey> {
  const caller = standing(item && toApiKey(item), receivedAt, needed);
  if (!(await standsByMember(caller))) throw belongsToNobody(caller);
  return caller;
}

/**
 * Reads a caller.
 *
 * @param needed the permission that it must have, if any.
 * @throws RequestError `unauthorized`, `forbidden` if it lacks the permission
 */
export const readCaller = async ({ keyId, receivedAt }: KeyCaller, needed?: Managing): Promise<ApiKey> =>
  standingKey(await getItem(apiKeyKeyOf(keyId)), receivedAt, needed);

/** An API key, and the key that asks to change it: undefined if there is no such key, or if the operator asks. */
export type KeyAndCaller = { readonly key: ApiKey | undefined; readonly caller: ApiKey | undefined };

/**
 * Reads an API key and its caller, with one strongly consistent call, and a second one if the caller has a member.
 * Callers don't find keys of other workspaces, or keys that were revoked long ago. Nobody finds keys of sign-ins.
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
  const caller = by && (await standingKey(ofCaller, by.receivedAt, 'keys:write'));
  const isTheirs = !by || (found?.workspaceId === by.workspaceId && isShown(found, by.receivedAt));
  return { key: isTheirs && !found?.signIn ? found : undefined, caller };
}

/** The condition that nothing that decides about a key has changed since it was read. */
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
 * The writes that check the caller as part of a transaction, by their names: its key and its member, unless the
 * transaction changes them, and its sign-in, if it has one. None for the operator.
 *
 * @param changed the id of the key that the transaction changes, on the condition that it is as it was read, or of the
 *   member, whose condition must have `isOfKey`.
 */
export const checkingCaller = (caller: ApiKey | undefined, changed?: string): Writes =>
  caller === undefined
    ? {}
    : {
        caller: caller.id === changed ? undefined : checking(apiKeyKeyOf(caller.id), isUnchanged(caller)),
        ...checkingBelonging(caller, changed),
      };
