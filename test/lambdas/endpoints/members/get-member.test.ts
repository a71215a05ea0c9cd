import { beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newOwner } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('An invited or joined member is found by their id, as the list shows them.', async () => {
  const { invite, list, get, owner } = await newOwner(store);
  const { body: invited } = await invite({ body: { email: 'ada@example.com', role: 'viewer' } });
  const { members } = (await list({})).body;
  expect(members).toHaveLength(2);
  for (const member of members) expect((await get({ id: member.id })).body).toEqual(member);
  expect(members).toMatchObject([{ id: invited.id, state: 'invited' }, { id: owner.id }]);
});

test("A removed member, another workspace's and a malformed id are all not found.", async () => {
  const { join, remove, get } = await newOwner(store);
  const { id: removed } = await join('viewer');
  await remove({ id: removed });
  const { owner: theirs } = await newOwner(store);
  for (const id of ['mbr_0123456789abcdef', removed, theirs.id, 'me', 'nonsense', '']) {
    expectProblem(await get({ id }), 404, 'not_found');
  }
});
