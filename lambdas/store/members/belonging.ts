import { type ApiKey, memberOf } from '../../core/key/api-key.ts';
import { belongs } from '../../core/member/standing.ts';
import type { Writes } from '../table/commit.ts';
import { all, type Expression, is, isPresent, lacks } from '../table/expressions.ts';
import { memberKey, signInKey } from '../table/keys.ts';
import { getItems } from '../table/reads.ts';
import { checking } from '../table/writes.ts';

/**
 * Whether a key's member and sign-in still allow it: see `belongs`. One call; none for a key that belongs to nobody.
 */
export async function standsByMember(key: ApiKey): Promise<boolean> {
  const memberId = memberOf(key);
  if (!memberId) return true;
  const { workspaceId, signIn } = key;
  const [member, found] = await getItems([memberKey(workspaceId, memberId), ...(signIn ? [signInKey(signIn.id)] : [])]);
  return belongs(key, member, Boolean(found));
}

/** The condition on a key's member that the key still belongs to it: see `belongs`. */
export const isOfKey = ({ signIn }: ApiKey): Expression =>
  signIn ? all(is('state', 'active'), is('role', signIn.role)) : lacks('revokesKeys');

/**
 * The parts of a transaction that check that a key still belongs to its member and sign-in: see `belongs`.
 *
 * @param changed the id of the member that the transaction changes: `isOfKey` must be part of its condition.
 */
export function checkingBelonging(key: ApiKey, changed?: string) {
  const { workspaceId, signIn } = key;
  const memberId = memberOf(key);
  return {
    // A transaction writes or checks an item only once.
    keysMember:
      memberId === undefined || memberId === changed ? undefined : checking(memberKey(workspaceId, memberId), isOfKey(key)),
    keysSignIn: signIn && checking(signInKey(signIn.id), isPresent),
  } satisfies Writes;
}
