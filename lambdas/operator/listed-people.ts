import { isSameEmail } from '../core/member/email.ts';
import { isThere, type Member } from '../core/member/member.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { peopleWithMembership } from '../store/members/memberships.ts';
import { everyMember } from '../store/members/roster.ts';
import { everybody } from '../store/people/people.ts';
import type { Item } from '../store/table/client.ts';
import { isKept } from '../store/table/expiry.ts';
import { maybeFlag, maybeText } from '../store/table/fields.ts';
import { personKey } from '../store/table/keys.ts';
import { getItems } from '../store/table/reads.ts';
import { listWorkspaces } from '../store/workspaces/workspaces.ts';

/** A person as the operator sees them. What the provider said is null once it has expired. */
export type ListedPerson = {
  readonly id: string;
  /** As of the last sign-in, or if that has expired, as a workspace knows it. */
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly lastSignedInAt: string | null;
  /** The members that they are, or recently were. */
  readonly members: readonly Member[];
};

/** People, and invitations that can still be accepted. */
export type ListedPeople = { readonly people: readonly ListedPerson[]; readonly invitations: readonly Member[] };

/** How many workspaces are looked through at a time. */
const concurrency = 25;

/**
 * The people of the stage, with or without a membership, for the operator: it reads all of them, and the members of all
 * workspaces.
 *
 * @param wanted.email only those who have this address, or had it when they last were seen as a member.
 * @param wanted.workspaceId only those who are or were members of the workspace, even if the member has expired since.
 * @param now in milliseconds since 1970.
 */
export async function listPeople(
  { email, workspaceId }: { readonly email?: string | undefined; readonly workspaceId?: string | undefined },
  now: number,
): Promise<ListedPeople> {
  const known = await everybody();
  const workspaces = await listWorkspaces();
  const members = (await inParallel(workspaces, concurrency, ({ id }) => everyMember(id))).flat();
  const joined = Map.groupBy(members, ({ personId }) => personId);
  const ids = [...new Set([...known.keys(), ...[...joined.keys()].filter((id) => id !== undefined)])];
  const items = await getItems(ids.map(personKey));
  const people = ids.map((id, index) => {
    const item = items[index];
    return listed(id, item && isKept(item) ? item : undefined, joined.get(id) ?? []);
  });

  const belonging = workspaceId === undefined ? undefined : new Set(await peopleWithMembership(workspaceId, ids));
  const isOfWorkspace = (member: Member) => workspaceId === undefined || member.workspaceId === workspaceId;
  const isOfAddress = (address: string | null) => email === undefined || (address !== null && isSameEmail(address, email));
  return {
    people: people
      .filter(({ id, members }) => !belonging || belonging.has(id) || members.some(isOfWorkspace))
      .filter((person) => [person, ...person.members].some((one) => isOfAddress(one.email))),
    invitations: members.filter(
      (one) => one.state === 'invited' && isThere(one, now) && isOfWorkspace(one) && isOfAddress(one.email),
    ),
  };
}

/** @param item what the provider said; undefined if that has expired, or is missing */
function listed(id: string, item: Item = {}, members: readonly Member[]): ListedPerson {
  const latest = members.toSorted((one, other) => ((one.lastSignedInAt ?? '') < (other.lastSignedInAt ?? '') ? 1 : -1))[0];
  return {
    id,
    email: maybeText(item, 'email') ?? latest?.email ?? null,
    emailVerified: (maybeText(item, 'email') === undefined ? latest?.emailVerified : maybeFlag(item, 'emailVerified')) ?? null,
    name: maybeText(item, 'name') ?? latest?.name ?? null,
    lastSignedInAt: maybeText(item, 'lastSignedInAt') ?? latest?.lastSignedInAt ?? null,
    members,
  };
}
