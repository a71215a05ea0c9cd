import { membershipInconsistent, orNotFound, signInEnded, workspaceGone } from '../../core/errors.ts';
import type { GatewayKeys } from '../../core/key/api-key.ts';
import { earlierEnd, hasExpired } from '../../core/key/key-expiry.ts';
import { signInKeySeconds } from '../../core/limits.ts';
import type { Member } from '../../core/member/member.ts';
import { rolePermissions } from '../../core/member/roles.ts';
import { checkingBelonging } from '../members/belonging.ts';
import { toMember } from '../members/items.ts';
import { hasLeft } from '../members/memberships.ts';
import { commit } from '../table/commit.ts';
import { isLiveWorkspace } from '../table/expressions.ts';
import { text } from '../table/fields.ts';
import { indexed, memberKey, membershipKey, signInKeysIndex, workspaceKey } from '../table/keys.ts';
import { getItem, getItems } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { checking, putting } from '../table/writes.ts';
import { gatewayKeysIn } from './gateway-keys.ts';
import { newApiKeyItem, signInAttributes } from './items.ts';

/** A sign-in of a person that wants a key for a workspace. */
export type SignInKeyRequest = {
  readonly personId: string;
  readonly signInId: string;
  /** When the sign-in ends, in ISO 8601. */
  readonly signInEndsAt: string;
  readonly workspaceId: string;
  /** When the gateway received the request, in milliseconds since 1970. */
  readonly receivedAt: number;
};

/**
 * Creates an API key for a sign-in. It has the permissions of the member's role, and lives for 15 minutes, but not
 * longer than the sign-in. It is valid only while the member is active with the same role, and the sign-in exists: the
 * authorizer checks both. It is neither listed nor counted, and cannot be changed.
 *
 * @throws RequestError `not_found` unless the person is an active member of the workspace, `unauthorized` if the
 *   sign-in has ended, `membership_inconsistent` if the member is missing
 */
export async function createSignInKey({ personId, signInId, signInEndsAt, workspaceId, receivedAt }: SignInKeyRequest) {
  const lifeEnds = new Date(receivedAt + signInKeySeconds * 1_000).toISOString();
  const expiresAt = earlierEnd(lifeEnds, signInEndsAt) as string;
  if (hasExpired(expiresAt, receivedAt)) throw signInEnded();
  return retrying(async () => {
    const { member, gatewayKeys } = orNotFound(await readMember(personId, workspaceId), 'workspace of yours');
    const { id: memberId, role } = member;
    const permissions = rolePermissions[role];
    const { made, item } = newApiKeyItem({ workspaceId, ...gatewayKeys }, { name: null, permissions, expiresAt }, receivedAt);
    const signIn = { id: signInId, memberId, role };
    const position = indexed(signInKeysIndex(workspaceId), `${made.createdAt}#${made.id}`);
    const { failed, items } = await commit({
      key: putting({ ...item, ...position, ...signInAttributes(signIn), ttl: Math.ceil(Date.parse(expiresAt) / 1_000) }),
      workspace: checking(workspaceKey(workspaceId), isLiveWorkspace),
      ...checkingBelonging({ ...made, signIn }),
    });
    if (!failed) return { key: made.key, id: made.id, expiresAt, permissions, memberId, role };
    if (items.keysSignIn) throw signInEnded();
    if (items.workspace) throw workspaceGone();
    // The member has changed since it was read.
    return overtaken;
  });
}

/** The active member that a person is in a workspace, and the workspace's gateway keys. */
async function readMember(
  personId: string,
  workspaceId: string,
): Promise<{ member: Member; gatewayKeys: GatewayKeys } | undefined> {
  const [membership, workspace] = await getItems([membershipKey(personId, workspaceId), workspaceKey(workspaceId)]);
  if (!membership || hasLeft(membership) || !workspace) return undefined;
  const item = await getItem(memberKey(workspaceId, text(membership, 'memberId')));
  if (!item) throw membershipInconsistent();
  const member = toMember(item);
  return member.state === 'active' ? { member, gatewayKeys: gatewayKeysIn(workspace) } : undefined;
}
