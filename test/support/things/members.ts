import { randomBytes } from 'node:crypto';
import { type Permission, permissions } from '../../../lambdas/core/key/permissions.ts';
import type { Person } from '../../../lambdas/core/member/person.ts';
import type { Role } from '../../../lambdas/core/member/roles.ts';
import type { Identity } from '../../../lambdas/core/sign-in/claims.ts';
import { signInKey } from '../../../lambdas/store/table/keys.ts';
import { callEndpoint, type EndpointCall } from '../http/invoke.ts';
import type { Store } from '../store/store.ts';

let made = 0;

/** Somebody who can sign in at a provider that has verified their email address. */
export function newIdentity(more: Partial<Identity> = {}): Identity {
  const number = ++made;
  const said = { email: `p${number}@example.com`, name: `Person ${number}`, emailVerified: true };
  return { issuer: 'https://accounts.example', subject: `subject-${randomBytes(8).toString('hex')}`, ...said, ...more };
}

/** The same, once they have signed in. */
export async function newPerson(more: Partial<Identity> = {}): Promise<Person> {
  const { rememberPerson } = await import('../../../lambdas/store/people/people.ts');
  return rememberPerson(newIdentity(more), Date.now());
}

/** Members of a workspace, by default of a new one. Their sign-ins are there until they are ended. */
export async function newTeam(store: Store, given?: Awaited<ReturnType<Store['newWorkspace']>>) {
  const workspace = given ?? (await store.newWorkspace());
  const { workspaceId } = workspace;

  /** A sign-in of a person, which exists until it is ended. */
  const signIn = async (person: Person) => {
    const id = `sgn_${person.id.slice(4)}${randomBytes(32).toString('base64url')}`;
    const item = signInKey(id);
    const endsAt = new Date(Date.now() + 12 * 3_600_000).toISOString();
    await store.putItem({ ...item, id, personId: person.id, endsAt });
    const newKey = (receivedAt = Date.now(), signInEndsAt = new Date(receivedAt + 12 * 3_600_000).toISOString()) =>
      store.createSignInKey({ personId: person.id, signInId: id, signInEndsAt, workspaceId, receivedAt });
    return { id, newKey, end: () => store.deleteItem(item) };
  };
  /** The invitation of somebody, as the operator. */
  const invite = (email: string, role: Role, now?: number) => store.inviteMember(workspaceId, { email, role }, now);
  /** Somebody who has accepted an invitation, with a key of a sign-in. */
  const join = async (role: Role, more: Partial<Identity> = {}) => {
    const identity = newIdentity(more);
    const person = await newPerson(identity);
    const { member, secret } = await invite(person.email, role);
    await store.acceptInvitation(person, secret, Date.now());
    const session = await signIn(person);
    const key = await session.newKey();
    return { id: member.id, identity, person, session, key, keyId: key.id };
  };
  /** The endpoints, called with a person's key. */
  const as = ({ keyId, id: memberId }: { readonly keyId: string; readonly id?: string }) => {
    const call = (name: string) => (more: Omit<EndpointCall, 'workspaceId' | 'keyId' | 'memberId'>) =>
      callEndpoint(name, { workspaceId, keyId, memberId, ...more });
    return {
      invite: call('create-member'),
      list: call('list-members'),
      get: call('get-member'),
      update: call('update-member'),
      remove: call('delete-member'),
      leave: call('leave-workspace'),
      createKey: call('create-key'),
      updateKey: call('update-key'),
      rotateKey: call('rotate-key'),
      revokeKey: call('delete-key'),
    };
  };
  /** A key that the operator makes. */
  const newKey = async (permissions: readonly Permission[]) => {
    const { id } = await store.createApiKey(workspace, { name: 'Plain', permissions });
    return { keyId: id };
  };
  /** The sweeps of the keys that members made, as the stream triggers them. */
  const sweep = async (memberId: string) => {
    while (await store.getItem({ pk: `MADE#${memberId}`, sk: 'SWEEP' })) await store.revokeMadeKeys(memberId);
  };
  /** The members that exist, by their ids. */
  const there = async () => new Map((await store.listMembers(workspaceId, Date.now())).map((member) => [member.id, member]));
  /** A member as the table has it. */
  const memberOf = async (id: string) => (await store.everyMember(workspaceId)).find((member) => member.id === id);
  /** How many owners the roster counts. */
  const owners = async () => (await store.getItem({ pk: `MEMBERS#${workspaceId}`, sk: 'ROSTER' }))?.owners ?? 0;
  return { workspace, workspaceId, signIn, invite, join, as, newKey, sweep, there, memberOf, owners };
}

export type Team = Awaited<ReturnType<typeof newTeam>>;

export type Joined = Awaited<ReturnType<Team['join']>>;

/** A workspace with an owner, and a key that may do everything and never ends. */
export async function newOwner(store: Store) {
  const team = await newTeam(store);
  const owner = await team.join('owner');
  return { ...team, owner, ...team.as(owner), plain: team.as(await team.newKey(permissions)) };
}
