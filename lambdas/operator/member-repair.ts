import { isOwning, type Member } from '../core/member/member.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { hasLeft, isMembershipAsRead, joining, noting } from '../store/members/memberships.ts';
import { everyMember } from '../store/members/roster.ts';
import { everybody, keepingIdentity, releasingIdentity, returningIdentity } from '../store/people/people.ts';
import type { Item } from '../store/table/client.ts';
import { commit, type Writes } from '../store/table/commit.ts';
import { any, is, isAbsent, lacks, set } from '../store/table/expressions.ts';
import { maybeNumber, text } from '../store/table/fields.ts';
import { identityKey, memberKey, membershipKey, membershipsIn, personKey, rosterKey, workspaceKey } from '../store/table/keys.ts';
import { getItem, getItems, query } from '../store/table/reads.ts';
import { checking, deleting, updating } from '../store/table/writes.ts';
import { listWorkspaces } from '../store/workspaces/workspaces.ts';

/**
 * Compares items that are written together, and that a restoration may have brought back in part: members, memberships,
 * identities and rosters. The members are authoritative: memberships and rosters are changed to match them, and
 * identities lead to the people who are members.
 *
 * Everything is read twice, and only problems found both times are reported, because people join and leave meanwhile.
 * Each repair is a transaction that fails if anything it depends on has changed since.
 */

/**
 * - `membership_missing`: a member whose person does not find the workspace
 * - `removal_missing`: a member was removed, and a rule could let the person in again
 * - `member_missing`: a membership whose member is gone, so that the person can neither enter nor join
 * - `workspace_missing`: a membership of a workspace that is gone
 * - `identity_missing`: the person's identity at the provider does not lead to the member, so that they cannot enter
 * - `identity_taken`: it leads to somebody else, because the person has signed in since
 * - `person_unknown`: a member's identity at the provider is unknown
 * - `identity_expires`, `identity_kept`: the identity of a member expires, or that of somebody who never joined does
 *   not
 * - `two_members`: a person is two members of a workspace
 * - `owners_miscounted`: the roster has a wrong number of owners
 * - `no_owner`: nobody manages the members
 */
export type MemberProblem =
  | 'membership_missing'
  | 'removal_missing'
  | 'member_missing'
  | 'workspace_missing'
  | 'identity_missing'
  | 'identity_taken'
  | 'person_unknown'
  | 'identity_expires'
  | 'identity_kept'
  | 'two_members'
  | 'owners_miscounted'
  | 'no_owner';

/** A problem that was found. @property repaired whether this run has repaired it */
export type MemberFinding = {
  readonly problem: MemberProblem;
  readonly workspace?: string;
  readonly person?: string;
  readonly member?: string;
  readonly repaired: boolean;
};

/** @property repair the writes that repair it; undefined if only a human can */
type Found = Omit<MemberFinding, 'repaired'> & { readonly repair?: Writes | undefined };

export type CheckedMembers = { readonly workspaces: number; readonly findings: readonly MemberFinding[] };

/**
 * Finds problems, as above.
 *
 * @param options.workspaceId only this workspace, and its people; by default all.
 * @param options.repair whether to repair those that can be repaired.
 */
export async function checkMembers(options: {
  readonly workspaceId?: string | undefined;
  readonly repair: boolean;
}): Promise<CheckedMembers> {
  const { workspaces, found } = await examine(options.workspaceId);
  const again = found.length > 0 ? (await examine(options.workspaceId)).found : [];
  const before = new Set(found.map(nameOf));
  const findings: MemberFinding[] = [];
  for (const { repair, ...finding } of again.filter((one) => before.has(nameOf(one)))) {
    const repaired = options.repair && repair !== undefined && !(await commit(repair)).failed;
    findings.push({ ...finding, repaired });
  }
  return { workspaces, findings };
}

const nameOf = ({ problem, workspace, person, member }: Found): string => [problem, workspace, person, member].join();

/** How many workspaces or people are read at a time. */
const concurrency = 25;

/** Reads everything once, and compares it. */
async function examine(workspaceId?: string): Promise<{ readonly workspaces: number; readonly found: readonly Found[] }> {
  const known = await everybody();
  const all = await listWorkspaces();
  // The deletion of a workspace has its own order.
  const settled = all.filter(({ id, deletingSince }) => deletingSince === undefined && (workspaceId ?? id) === id);
  const teams = await inParallel(settled, concurrency, async ({ id }) => {
    // Read before the members: a later change of the number of owners changes the roster, so that the repair fails.
    const roster = await getItem(rosterKey(id));
    return { id, roster, members: await everyMember(id) };
  });
  const members = teams.flatMap((team) => team.members);
  const ids = [...new Set([...known.keys(), ...members.flatMap(({ personId }) => personId ?? [])])];
  const memberships = await inParallel(ids, concurrency, (id) => Array.fromAsync(query(membershipsIn(id))));
  const persons = await getItems(ids.map(personKey));
  const hashes = ids.map((id, index) => known.get(id) ?? (persons[index] && text(persons[index], 'identity')));
  const identities = await getItems(hashes.map((hash) => identityKey(hash ?? '-')));
  const joined = Map.groupBy(members, ({ personId }) => personId);
  const people = ids.map((id, index) => ({
    id,
    hash: hashes[index],
    identity: identities[index],
    memberships: memberships[index] ?? [],
    members: joined.get(id) ?? [],
  }));

  const isThere = new Set(all.map(({ id }) => id));
  const isSettled = new Set(settled.map(({ id }) => id));
  const hasMemberships = new Set(people.filter((one) => one.memberships.length > 0).map(({ id }) => id));
  const found = people.flatMap((person) => {
    const places = new Set([...person.memberships, ...person.members].map(({ workspaceId }) => String(workspaceId)));
    // If only one workspace is checked, others' people are left out.
    if (workspaceId !== undefined && !places.has(workspaceId)) return [];
    return [
      ...identityProblems(person, hasMemberships),
      ...[...places].flatMap((place) => {
        if (isSettled.has(place)) return membershipProblems(person, place);
        return isThere.has(place) ? [] : strayMembership(person, place);
      }),
    ];
  });
  return { workspaces: settled.length, found: [...found, ...teams.flatMap(rosterProblems)] };
}

/** What was read of a person. */
type Read = {
  readonly id: string;
  readonly hash: string | undefined;
  readonly identity: Item | undefined;
  readonly memberships: readonly Item[];
  readonly members: readonly Member[];
};

const isHere = ({ state }: Member): boolean => state === 'active' || state === 'pending';

function identityProblems({ id, hash, identity, memberships, members }: Read, hasMemberships: ReadonlySet<string>): Found[] {
  const finding = (problem: MemberProblem, repair?: Writes): Found[] => [{ problem, person: id, repair }];
  const isMember = members.some(isHere);
  if (hash === undefined) return isMember ? finding('person_unknown') : [];
  const other = identity && text(identity, 'personId');
  if (identity && other === id) {
    const mayExpire = memberships.length === 0 && members.length === 0;
    if (mayExpire === (identity.ttl !== undefined)) return [];
    return mayExpire
      ? finding('identity_kept', { identity: releasingIdentity(identity, false, Date.now()) })
      : finding('identity_expires', { identity: keepingIdentity({ id, identity: hash }) });
  }
  if (!isMember) return [];
  const identityWrite = returningIdentity(id, hash, identity);
  if (other === undefined) return finding('identity_missing', { identity: identityWrite });
  // If the person has become a member under the other id, a human decides.
  const repair = { identity: identityWrite, other: deleting(personKey(other)) };
  return finding('identity_taken', hasMemberships.has(other) ? undefined : repair);
}

function membershipProblems(person: Read, workspaceId: string): Found[] {
  const { id, hash, memberships, members } = person;
  const isOf = (one: { readonly workspaceId?: unknown }) => one.workspaceId === workspaceId;
  const [membership, theirs] = [memberships.find(isOf), members.filter(isOf)];
  const [here, ...more] = theirs.filter(isHere);
  const finding = (problem: MemberProblem, member: string, repair?: Writes): Found[] => [
    { problem, workspace: workspaceId, person: id, member, repair },
  ];
  const isAsRead = isMembershipAsRead(membership);
  const isUnchanged = ({ id: memberId, revision }: Member) =>
    checking(memberKey(workspaceId, memberId), is('revision', revision));
  if (here && more.length > 0) return finding('two_members', here.id);
  if (here) {
    if (membership && !hasLeft(membership) && membership.memberId === here.id) return [];
    // Without an identity, nobody could enter.
    const repair =
      hash === undefined ? undefined : { member: isUnchanged(here), ...joining(here, { id, identity: hash }, isAsRead) };
    return finding('membership_missing', here.id, repair);
  }
  const removed = theirs.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))[0];
  if (removed) {
    if (membership && hasLeft(membership)) return [];
    const now = new Date().toISOString();
    return finding('removal_missing', removed.id, {
      member: isUnchanged(removed),
      membership: noting(removed, id, isAsRead, now),
    });
  }
  if (!membership || hasLeft(membership)) return [];
  const memberId = text(membership, 'memberId');
  return finding('member_missing', memberId, {
    // It may be an invitation that can be accepted again.
    member: checking(memberKey(workspaceId, memberId), any(isAbsent, lacks('personId'))),
    membership: deleting(membershipKey(id, workspaceId), isAsRead),
    identity: withoutMembership(person),
  });
}

/** The write of the identity of a person who loses a membership; undefined if they have others, or no identity. */
const withoutMembership = ({ id, identity, memberships }: Read) =>
  identity?.personId === id && memberships.length === 1 ? releasingIdentity(identity, false, Date.now()) : undefined;

/** A membership of a workspace that the index does not have. The index may lag, so the repair checks the item. */
const strayMembership = (person: Read, workspaceId: string): Found[] => [
  {
    problem: 'workspace_missing',
    workspace: workspaceId,
    person: person.id,
    repair: {
      workspace: checking(workspaceKey(workspaceId), isAbsent),
      membership: deleting(membershipKey(person.id, workspaceId)),
      identity: withoutMembership(person),
    },
  },
];

type Team = { readonly id: string; readonly roster: Item | undefined; readonly members: readonly Member[] };

function rosterProblems({ id, roster, members }: Team): Found[] {
  const owners = members.filter(isOwning).length;
  const counted = roster && maybeNumber(roster, 'owners');
  const isAsRead = counted === undefined ? lacks('owners') : is('owners', counted);
  const repair = { roster: updating(rosterKey(id), set({ owners }), isAsRead) };
  return [
    ...((counted ?? 0) === owners ? [] : [{ problem: 'owners_miscounted', workspace: id, repair } as const]),
    ...(owners === 0 && members.some(isHere) ? [{ problem: 'no_owner', workspace: id } as const] : []),
  ];
}
