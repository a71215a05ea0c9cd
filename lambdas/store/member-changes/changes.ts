import { membershipInconsistent, RequestError } from '../../core/errors.ts';
import { type ApiKey, memberOf } from '../../core/key/api-key.ts';
import { changedMember, checkMadeKey, checkRole, type MemberChanges } from '../../core/member/authority.ts';
import { isOwning, type Member } from '../../core/member/member.ts';
import type { RemovalOptions } from '../../core/member/removal.ts';
import { checkingCaller, type KeyCaller, readCaller } from '../api-keys/callers.ts';
import { madeKeys, startingRevocation } from '../api-keys/made-keys.ts';
import { isOfKey } from '../members/belonging.ts';
import { leaving } from '../members/memberships.ts';
import { countingOwners, everyMember, getMember } from '../members/roster.ts';
import { signed } from '../table/authorship.ts';
import { commit, type Writes } from '../table/commit.ts';
import { all, type Expression, is, isPresent, set } from '../table/expressions.ts';
import { memberKey, rosterKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { updating } from '../table/writes.ts';

/**
 * The condition that a member is as it was read. If it is the caller's own, it must also match the caller's key: it may
 * have been demoted between the two reads, and must not promote itself with the key of its former role.
 */
const isAsRead = ({ id, revision }: Member, caller?: ApiKey): Expression =>
  all(isPresent, is('revision', revision), ...(caller && memberOf(caller) === id ? [isOfKey(caller)] : []));

/**
 * Makes the writes that change a member.
 *
 * @returns whether they were made. Otherwise the member or the caller has changed since it was read.
 * @throws RequestError `last_owner` if only the number of owners forbids it; `membership_inconsistent` if that number
 *   is wrong, or if only the membership's condition failed
 */
export async function changed(workspaceId: string, writes: Writes): Promise<boolean> {
  const { failed, items } = await commit(writes);
  if (!failed) return true;
  const [one, ...others] = Object.entries(items).flatMap(([name, item]) => (item ? [{ name, item }] : []));
  if (!one || others.length > 0) return false;
  if (one.name === 'membership') throw membershipInconsistent();
  if (one.name !== 'roster') return false;
  if ((await everyMember(workspaceId)).filter(isOwning).length <= 1) throw lastOwner();
  const roster = await getItem(rosterKey(workspaceId));
  // Otherwise, somebody has become an owner since.
  if (roster?.owners === one.item.owners) throw membershipInconsistent();
  return false;
}

const lastOwner = () =>
  new RequestError('last_owner', 'The member is the last active owner of the workspace: make another one first.');

/**
 * Approves a member, or changes the role.
 *
 * @param check checks the member as it was read, and throws to refuse the change.
 * @returns the changed member.
 * @throws RequestError `unauthorized`, `forbidden`, `not_found`, `invitation_not_accepted`, `last_owner`,
 *   `membership_inconsistent`
 */
export async function updateMember(
  id: string,
  changes: MemberChanges,
  by: KeyCaller,
  check: (member: Member) => Promise<unknown>,
): Promise<Member> {
  return retrying(async () => {
    const caller = await readCaller(by, 'members:write');
    const member = await getMember(by.workspaceId, id, by.receivedAt);
    const next = changedMember(caller, member, changes);
    await check(member);
    return saveChange(member, next, caller);
  });
}

/**
 * Approves a member, as the operator. No-op if the member is active.
 *
 * @param now in milliseconds since 1970.
 * @throws RequestError `not_found`, `invitation_not_accepted`, `membership_inconsistent`
 */
export async function approveMember(workspaceId: string, id: string, now = Date.now()): Promise<Member> {
  return retrying(async () => {
    const member = await getMember(workspaceId, id, now);
    return saveChange(member, changedMember(undefined, member, { state: 'active' }));
  });
}

/** @returns the saved member; `overtaken` if the member or the caller has changed since it was read. */
async function saveChange(member: Member, next: Member, caller?: ApiKey): Promise<Member | typeof overtaken> {
  const { id, workspaceId } = member;
  const { role, state } = next;
  if (role === member.role && state === member.state) return member;
  const revision = member.revision + 1;
  const update = set({ role, state, revision, origin: 'owner' });
  const writes = {
    member: updating(memberKey(workspaceId, id), signed(update), isAsRead(member, caller)),
    roster: countingOwners(workspaceId, member, next),
    ...checkingCaller(caller, id),
  };
  if (await changed(workspaceId, writes)) return { ...next, revision, origin: 'owner' };
  return overtaken;
}

/**
 * Removes a member, or takes an invitation back. Keys of sign-ins end, and the keys that the member made are revoked by
 * a sweep, unless they are to be kept.
 *
 * @throws RequestError `unauthorized`, `forbidden`, `not_found`, `last_owner`, `membership_inconsistent`
 */
export async function removeMemberAs(id: string, options: RemovalOptions, by: KeyCaller): Promise<void> {
  return retrying(async () => {
    const caller = await readCaller(by, 'members:write');
    const member = await getMember(by.workspaceId, id, by.receivedAt);
    checkRole(caller, member.role);
    if (options.keys === 'revoke') for (const key of await madeKeys(id)) checkMadeKey(caller, key);
    if (await changed(by.workspaceId, { ...removing(member, options, by.receivedAt, { caller }), ...checkingCaller(caller, id) }))
      return undefined;
    return overtaken;
  });
}

/**
 * Removes the member whose sign-in the caller's key belongs to.
 *
 * @throws RequestError `unauthorized`, `forbidden` if it belongs to none, `last_owner`, `membership_inconsistent`
 */
export async function leaveWorkspace(options: RemovalOptions, by: KeyCaller): Promise<void> {
  return retrying(async () => {
    const caller = await readCaller(by);
    const id = memberOfSignIn(caller);
    const member = await getMember(by.workspaceId, id, by.receivedAt);
    if (await changed(by.workspaceId, { ...removing(member, options, by.receivedAt, { caller }), ...checkingCaller(caller, id) }))
      return undefined;
    return overtaken;
  });
}

function memberOfSignIn({ signIn }: ApiKey): string {
  if (signIn) return signIn.memberId;
  throw new RequestError('forbidden', 'Only a member who has signed in can leave. This is an API key.');
}

/**
 * Removes a member, as the operator.
 *
 * @param now in milliseconds since 1970.
 * @throws RequestError `not_found`, `last_owner`, `membership_inconsistent`
 */
export async function removeMember(workspaceId: string, id: string, options: RemovalOptions, now = Date.now()): Promise<void> {
  return retrying(async () => {
    if (await changed(workspaceId, removing(await getMember(workspaceId, id, now), options, now))) return undefined;
    return overtaken;
  });
}

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * The writes that remove a member. The item stays for a while, because the history names the member by it.
 *
 * @param more.caller the key that asks for it; undefined for the operator.
 * @param more.isByRule whether a rule of the stage removes the member, and may let the person in again.
 * @param more.isForced whether the last owner is removed, too, and the membership is left to the caller.
 */
export function removing(
  member: Member,
  { keys, keptDays }: RemovalOptions,
  now: number,
  {
    caller,
    isByRule = false,
    isForced = false,
  }: { readonly caller?: ApiKey; readonly isByRule?: boolean; readonly isForced?: boolean } = {},
): Writes {
  const { id, workspaceId, personId } = member;
  const removedAt = new Date(now).toISOString();
  const revokes = keys === 'revoke';
  // At least a day, so that it outlasts the sweep.
  const ttl = Math.ceil((now + Math.max(keptDays, 1) * dayMs) / 1_000);
  const state = { state: 'removed', revision: member.revision + 1, removedAt, revokesKeys: revokes || undefined };
  const update = set({ ...state, ttl, invitedUntil: null });
  return {
    member: updating(memberKey(workspaceId, id), signed(update), isAsRead(member, caller)),
    membership: personId === undefined || isForced ? undefined : leaving(member, personId, removedAt, isByRule),
    roster: countingOwners(workspaceId, member, undefined, isForced),
    sweep: revokes ? startingRevocation(id, workspaceId, removedAt) : undefined,
  };
}
