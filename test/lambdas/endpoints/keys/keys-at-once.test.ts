import { beforeAll, describe, expect, test } from 'vitest';
import { type Permission, permissions } from '../../../../lambdas/core/key/permissions.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { type Keyring, newKeyring } from '../../../support/things/keys.ts';

// For a minute, the gateway uses a key's former permissions. Whatever happens to the caller or the other key meanwhile,
// the result is that of some order of the requests.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const hour = 3_600_000;

/** A workspace with a key with all permissions, a manager of keys, and a key that the manager may change. */
async function newTrio() {
  const ring = await newKeyring(store);
  const own: Permission[] = ['keys:write', 'links:read', 'links:write'];
  const [owner, manager, other] = [await ring.newKey(permissions), await ring.newKey(own), await ring.newKey(['links:read'])];
  return { ...ring, owner, manager, other };
}
type Trio = Awaited<ReturnType<typeof newTrio>>;

/** Requests of a manager of keys. */
const requests: Readonly<Record<string, (trio: Trio) => ReturnType<ReturnType<Keyring['as']>['create']>>> = {
  'POST /keys': ({ as, manager }) => as(manager.id).create({ body: { permissions: ['links:write'] } }),
  'PATCH /keys/{id}': ({ as, manager, other }) =>
    as(manager.id).update({ id: other.id, body: { permissions: ['links:read', 'links:write'] } }),
  'POST /keys/{id}/rotate': ({ as, manager, other }) => as(manager.id).rotate({ id: other.id, body: {} }),
  'DELETE /keys/{id}': ({ as, manager, other }) => as(manager.id).revoke({ id: other.id }),
};
const names = Object.keys(requests);
const send = (name: string, trio: Trio) => (requests[name] as (typeof requests)[string])(trio);

/** Events that end the manager's right, and its refusal afterwards. */
const ends: readonly (readonly [what: string, end: (trio: Trio) => Promise<unknown>, status: number, code: string])[] = [
  ['is revoked', ({ as, owner, manager }) => as(owner.id).revoke({ id: manager.id }), 401, 'unauthorized'],
  [
    'is revoked, and removed from the table',
    async ({ manager }) => store.deleteItem({ pk: `KEY#${manager.id.slice(4)}`, sk: 'KEY' }),
    401,
    'unauthorized',
  ],
  [
    'gets an expiry in the past',
    ({ manager }) => store.updateApiKey(manager.id, { expiresAt: new Date(Date.now() - hour).toISOString() }),
    401,
    'unauthorized',
  ],
  [
    'is replaced without an overlap',
    ({ manager }) => store.rotateApiKey(manager.id, { overlapMs: 0 }, Date.now() - hour),
    401,
    'unauthorized',
  ],
  [
    'loses keys:write',
    ({ as, owner, manager }) => as(owner.id).update({ id: manager.id, body: { permissions: ['links:read', 'links:write'] } }),
    403,
    'forbidden',
  ],
];

describe.for(ends)('If the caller %s', ([what, end, status, code]) => {
  test.for(names)('%s is refused from then on, even while the gateway still lets it pass, and changes nothing.', async (name) => {
    const trio = await newTrio();
    await end(trio);
    const before = await trio.all();
    expectProblem(await send(name, trio), status, code);
    expect(await trio.all()).toEqual(before);
  });

  test.for(names)('%s is refused if that happens after it has read the keys, and changes nothing.', async (name) => {
    const trio = await newTrio();
    let before: unknown;
    const answer = await overtaken(
      async () => {
        await end(trio);
        before = await trio.all();
      },
      () => send(name, trio),
    );
    expectProblem(answer, status, code);
    expect([what, await trio.all()]).toEqual([what, before]);
  });
});

describe('If the caller loses a permission that it gives', () => {
  const reduce = ({ as, owner, manager }: Trio) =>
    as(owner.id).update({ id: manager.id, body: { permissions: ['keys:write', 'links:read'] } });

  test.for(['POST /keys', 'PATCH /keys/{id}'])('%s is refused, also if it has read the keys before.', async (name) => {
    for (const isOvertaken of [false, true]) {
      const trio = await newTrio();
      if (!isOvertaken) await reduce(trio);
      const answer = await (isOvertaken
        ? overtaken(
            () => reduce(trio),
            () => send(name, trio),
          )
        : send(name, trio));
      expectProblem(answer, 403, 'forbidden');
      expect(answer.body.detail).toContain('links:write');
      for (const { id, permissions: some } of (await trio.all()).values()) {
        if (id !== trio.owner.id) expect(some).not.toContain('links:write');
      }
    }
  });

  test.for(['POST /keys', 'PATCH /keys/{id}'])(
    'If %s is sent at the same time, the permission is given before, or not at all.',
    async (name) => {
      const trio = await newTrio();
      const [given, reduced] = await Promise.all([send(name, trio), reduce(trio)]);
      expect(reduced.status).toBe(200);
      const keys = await trio.all();
      const others = [...keys.values()].filter(({ id }) => id !== trio.owner.id && id !== trio.manager.id);
      const holders = others.filter(({ permissions: some }) => some.includes('links:write'));
      expect(keys.get(trio.manager.id)?.permissions).toEqual(['keys:write', 'links:read']);
      expect([given.status < 300, holders.length]).toEqual(given.status === 403 ? [false, 0] : [true, 1]);
    },
  );
});

test.for(names)(
  'If the other key gets more permissions than the caller has after %s has read it, it is not changed.',
  async (name) => {
    const trio = await newTrio();
    const widen = () => store.updateApiKey(trio.other.id, { permissions: ['stats:read'] });
    const answer = await overtaken(widen, () => send(name, trio));
    if (name === 'POST /keys') expect(answer.status).toBe(201);
    else expectProblem(answer, 403, 'forbidden');
    expect((await trio.all()).get(trio.other.id)).toMatchObject({ permissions: ['stats:read'] });
    expect((await trio.all()).get(trio.other.id)).not.toHaveProperty('revokedAt');
  },
);

test('If two keys revoke each other, one succeeds and stays, and the other is refused.', async () => {
  for (let round = 0; round < 5; round++) {
    const ring = await newKeyring(store);
    const [one, other] = [await ring.newKey(permissions), await ring.newKey(permissions)];
    const answers = await Promise.all([ring.as(one.id).revoke({ id: other.id }), ring.as(other.id).revoke({ id: one.id })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    const keys = await ring.all();
    const revoked = [one, other].filter(({ id }) => keys.get(id)?.revokedAt);
    expect(revoked.map(({ id }) => id)).toEqual([answers[0].status === 204 ? other.id : one.id]);
    expect(await ring.counted()).toBe(1);
  }
});

test('If ten keys revoke the next one in a circle, only keys that are not revoked yet succeed, and the count agrees.', async () => {
  const ring = await newKeyring(store);
  const keys = await Promise.all(Array.from({ length: 10 }, () => ring.newKey(permissions)));
  const answers = await Promise.all(
    keys.map(({ id }, index) => ring.as(id).revoke({ id: keys[(index + 1) % keys.length]?.id ?? '' })),
  );
  const after = await ring.all();
  for (const [index, { status }] of answers.entries()) {
    const next = after.get(keys[(index + 1) % keys.length]?.id ?? '');
    expect([status, next?.revokedAt !== undefined]).toEqual(status === 204 ? [204, true] : [401, false]);
    if (status === 401) expect(after.get(keys[index]?.id ?? '')?.revokedAt).toBeDefined();
  }
  expect(await ring.counted()).toBe([...after.values()].filter(({ revokedAt }) => !revokedAt).length);
});

test('If a key is revoked while it creates 20 keys, each request succeeds or gets 401, and the count agrees.', async () => {
  const { as, owner, manager, all, counted } = await newTrio();
  const create = () => as(manager.id).create({ body: { permissions: ['links:read'] } });
  const [revoked, ...answers] = await Promise.all([
    as(owner.id).revoke({ id: manager.id }),
    ...Array.from({ length: 20 }, create),
  ]);
  expect(revoked.status).toBe(204);
  expect(answers.filter(({ status }) => status !== 201 && status !== 401)).toEqual([]);
  const keys = [...(await all()).values()];
  expect(keys).toHaveLength(3 + answers.filter(({ status }) => status === 201).length);
  expect(await counted()).toBe(keys.length - 1);
});
