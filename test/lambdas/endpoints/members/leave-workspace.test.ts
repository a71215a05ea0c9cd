import { beforeAll, describe, expect, test } from 'vitest';
import { permissions } from '../../../../lambdas/core/key/permissions.ts';
import { roles } from '../../../../lambdas/core/member/roles.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newOwner, newPerson } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

describe('DELETE /members/me', () => {
  test.for(roles)('Somebody with the role %s who has signed in can leave.', async (role) => {
    const { join, as, there } = await newOwner(store);
    const ada = await join(role);
    expect((await as(ada).leave({})).status).toBe(204);
    expect([...(await there()).keys()]).not.toContain(ada.id);
    expectProblem(await as(ada).leave({}), 401, 'unauthorized');
  });

  test('A plain key, even one that a member has made, cannot leave, and the response says why.', async () => {
    const { newKey, as, createKey, there } = await newOwner(store);
    const { body } = await createKey({ body: { permissions: [...permissions] } });
    for (const key of [await newKey(permissions), { keyId: body.id as string }]) {
      const answer = await as(key).leave({});
      expectProblem(answer, 403, 'forbidden');
      expect(answer.body.detail).toContain('Only a member who has signed in can leave');
    }
    expect((await there()).size).toBe(1);
  });

  test('The parameter `keys` must be revoke or keep.', async () => {
    const { leave, remove, owner } = await newOwner(store);
    for (const answer of [await leave({ query: { keys: 'delete' } }), await remove({ id: owner.id, query: { keys: '' } })]) {
      expectProblem(answer, 422, 'validation_failed');
    }
  });
});

describe('The last active owner', () => {
  test('The last active owner can neither leave nor be demoted nor removed, even if another one is invited or pending.', async () => {
    const { invite, update, remove, leave, owner, memberOf, owners, plain, workspaceId } = await newOwner(store);
    const other = await newPerson({ emailVerified: undefined });
    const { body } = await invite({ body: { email: other.email, role: 'owner' } });
    await store.acceptInvitation(other, body.invitationUrl.split('=')[1], Date.now());
    await invite({ body: { email: 'third@example.com', role: 'owner' } });
    for (const refused of [
      await leave({}),
      await update({ id: owner.id, body: { role: 'editor' } }),
      await remove({ id: owner.id }),
      await plain.update({ id: owner.id, body: { role: 'viewer' } }),
      await plain.remove({ id: owner.id }),
    ]) {
      expectProblem(refused, 409, 'last_owner');
    }
    await expect(store.removeMember(workspaceId, owner.id, { keys: 'keep', keptDays: 1 })).rejects.toMatchObject({
      code: 'last_owner',
    });
    expect([(await memberOf(owner.id))?.role, await owners()]).toEqual(['owner', 1]);
    expect((await update({ id: body.id, body: { state: 'active' } })).status).toBe(200);
    expect([(await leave({})).status, await owners()]).toEqual([204, 1]);
  });
});
