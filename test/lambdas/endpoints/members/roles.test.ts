import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Role, rolePermissions, roles } from '../../../../lambdas/core/member/roles.ts';
import { permissionsOf, routes, waysTo } from '../../../../lib/endpoints.ts';
import { expectProblem, type Service, useService } from '../../../support/service/service.ts';
import { newPerson } from '../../../support/things/members.ts';

// Signed-in members of each role send a request to each endpoint, through the gateway and its authorizer.

let service: Service;
let workspaceId: string;
const keys = new Map<Role, string>();
beforeAll(async () => {
  service = await useService();
  workspaceId = (await service.newWorkspace()).id;
  for (const role of roles) keys.set(role, (await newMember(role)).key);
});

/** A member who has signed in: their id, and the key of that sign-in. */
async function newMember(role: Role) {
  const { inviteMember } = await import('../../../../lambdas/store/member-changes/invitations.ts');
  const { acceptInvitation } = await import('../../../../lambdas/store/members/joining.ts');
  const { createSignInKey } = await import('../../../../lambdas/store/api-keys/sign-in-keys.ts');
  const { putItem } = await import('../../../../lambdas/store/table/writes.ts');
  const { signInKey } = await import('../../../../lambdas/store/table/keys.ts');
  const random = randomBytes(32).toString('base64url');
  const person = await newPerson();
  const { member, secret } = await inviteMember(workspaceId, { email: person.email, role });
  await acceptInvitation(person, secret, Date.now());
  const [signInId, endsAt] = [`sgn_${person.id.slice(4)}${random}`, new Date(Date.now() + 3_600_000).toISOString()];
  await putItem({ ...signInKey(signInId), id: signInId, personId: person.id, endsAt });
  const request = { personId: person.id, signInId, signInEndsAt: endsAt, workspaceId, receivedAt: Date.now() };
  return { id: member.id, key: (await createSignInKey(request)).key };
}

// Leaving is last, because it ends all rights.
const isLast = ({ name }: { readonly name: string }) => name === 'leave-workspace';
const ways = [...routes.filter((route) => !isLast(route)), ...routes.filter(isLast)].flatMap((route) =>
  waysTo(route).map((way) => ({ needed: permissionsOf(route), ...way })),
);

describe.for(roles)('A member with the role %s', (role) => {
  test('can use exactly the endpoints whose permissions the role has.', async () => {
    const key = keys.get(role) as string;
    for (const { method, path, needed } of ways) {
      const missing = needed.find((one) => !rolePermissions[role].includes(one));
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
      const answer = await service.send(method, path.replace(/\{\w+\}/g, 'unknown'), { key, ...body });
      if (missing === undefined) expect([method, path, [401, 403].includes(answer.status)]).toEqual([method, path, false]);
      else expectProblem(answer, 403, 'forbidden');
    }
  });
});

test('A key that a member makes names them as its creator.', async () => {
  const { id, key } = await newMember('owner');
  const made = await service.send('POST', '/api/v1/keys', { key, body: { permissions: ['links:read'] } });
  expect(made.body.createdBy).toEqual({ type: 'member', id, name: null });
});
