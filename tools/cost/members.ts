import { randomBytes } from 'node:crypto';
import { handler as authorize } from '../../lambdas/authorizer/authorize.ts';
import type { Role } from '../../lambdas/core/member/roles.ts';
import { createSignInKey } from '../../lambdas/store/api-keys/sign-in-keys.ts';
import { inviteMember } from '../../lambdas/store/member-changes/invitations.ts';
import { acceptInvitation } from '../../lambdas/store/members/joining.ts';
import { rememberPerson } from '../../lambdas/store/people/people.ts';
import { signInKey } from '../../lambdas/store/table/keys.ts';
import { putItem } from '../../lambdas/store/table/writes.ts';
import { invocation, newWorkspace } from '../bench/support/fixtures.ts';
import type { Workspace } from './arrangements.ts';

let made = 0;

/** A member of the workspace who has signed in, and a key of that sign-in. */
export async function oneMember({ workspaceId }: Workspace, role: Role = 'editor') {
  const number = ++made;
  const said = { email: `p${number}@example.com`, name: 'Ada Lovelace', emailVerified: true };
  const identity = { issuer: 'https://accounts.example', subject: randomBytes(8).toString('hex'), ...said };
  const person = await rememberPerson(identity, Date.now());
  const { member, secret } = await inviteMember(workspaceId, { email: person.email, role });
  await acceptInvitation(person, secret, Date.now());
  const signInId = `sgn_${person.id.slice(4)}${randomBytes(32).toString('base64url')}`;
  const signInEndsAt = new Date(Date.now() + 3_600_000).toISOString();
  await putItem({ ...signInKey(signInId), id: signInId, personId: person.id, endsAt: signInEndsAt });
  const newKey = () => createSignInKey({ personId: person.id, signInId, signInEndsAt, workspaceId, receivedAt: Date.now() });
  return { id: member.id, newKey };
}

/** A request by the workspace's plain key about a member. */
export const aboutMember = async (workspace: Workspace) => {
  const { id } = await oneMember(workspace);
  return { id, keyId: workspace.keyId };
};

/** A request by a member who has signed in. The workspace has another owner. */
export const byMember = async (workspace: Workspace) => {
  await oneMember(workspace, 'owner');
  const { newKey } = await oneMember(workspace, 'owner');
  return { keyId: (await newKey()).id };
};

/** The authorizer's look-up of a key of a sign-in. */
export const signInKeyLookUp = async () => {
  const { key } = await (await oneMember(await newWorkspace())).newKey();
  const methodArn = 'arn:aws:execute-api:local:000000000000:api/local/GET/api/v1/tags';
  return async () => {
    await authorize({ type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn }, invocation);
    return 1;
  };
};
