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
 * since 1970. The gateway remembers for a minute what a key may do, so the table decides that again.
 */
export type KeyCaller = { readonly workspaceId: string; readonly keyId: string; readonly receivedAt: number };

/** The caller's key, if it stands by itself and by its member. @throws RequestError `unauthorized`, `forbidden` */
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

/** An API key, and the one that wants to change it; undefined if there is none, or if it is the operator who wants to. */
export type KeyAndCaller = { readonly key: ApiKey | undefined; readonly caller: ApiKey | undefined };

/**
 * Reads an API key and its caller, with one strongly consistent call, and a second one if the caller has a member. To a
 * caller, a key of another workspace or one that was revoked long ago is like none. A key of a sign-in is like none to
 * everybody.
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
 * The writes that check the caller as part of a transaction, by their names: its key, unless that is the changed one, and
 * its member, unless that is the changed one, and its sign-in, if it has any. None for the operator.
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
