import { beforeAll, expect, test } from 'vitest';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const hour = 3_600_000;

test('A session is found by its secret for twelve hours, by the time of the gateway, and by nothing else.', async () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  const { secret, session } = await store.createSession('per_ada', now);
  expect(session).toMatchObject({
    personId: 'per_ada',
    createdAt: '2030-01-01T00:00:00.000Z',
    endsAt: '2030-01-01T12:00:00.000Z',
  });
  expect(await store.findSession(secret, now + 12 * hour - 1)).toEqual(session);
  for (const [text, at] of [
    [secret, now + 12 * hour],
    [session.id, now],
    [session.id.slice(4), now],
    [`${secret}x`, now],
    [secret.toLowerCase(), now],
    [undefined, now],
  ] as const)
    expect(await store.findSession(text, at)).toBeUndefined();
});

test('A session lasts as many hours as the stage sets.', async () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  const { secret } = await store.createSession('per_ada', now, 168);
  expect(await store.findSession(secret, now + 168 * hour - 1)).toMatchObject({ endsAt: '2030-01-08T00:00:00.000Z' });
  expect(await store.findSession(secret, now + 168 * hour)).toBeUndefined();
});

test('The table does not hold what a cookie holds, and forgets a session after its end.', async () => {
  const now = Date.now();
  const { secret, session } = await store.createSession('per_ada', now);
  const item = await store.getItem({ pk: `SIGNIN#${session.id.slice(4)}`, sk: 'SIGNIN' });
  expect(JSON.stringify(item)).not.toContain(secret);
  expect(item?.ttl).toBe(Math.ceil((now + 12 * hour) / 1_000));
});

test('A session that was ended is over, however often it is ended; another one of the same person goes on.', async () => {
  const now = Date.now();
  const [one, other] = await Promise.all([store.createSession('per_ada', now), store.createSession('per_ada', now)]);
  await Promise.all([store.endSession(one.session.id), store.endSession(one.session.id)]);
  expect(await store.findSession(one.secret, now)).toBeUndefined();
  expect(await store.findSession(other.secret, now)).toEqual(other.session);
});

test('Of any number of attempts of an address within a minute, 30 pass, and the count is thrown away later.', async () => {
  const key = { pk: 'ADDRESS#abcdef', sk: 'LIMIT#begin' };
  const now = Date.now();
  const limit = { quota: 30, windowSeconds: 60 };
  const slots = await Promise.all(
    Array.from({ length: 50 }, (_, index) => store.takeSlotAt(key, `request-${index}`, now, limit, false)),
  );
  expect(slots.filter(({ passed }) => passed)).toHaveLength(30);
  expect((await store.takeSlotAt(key, 'later', now + 60_000, limit, false)).passed).toBe(true);
  expect((await store.getItem(key))?.ttl).toBe(Math.ceil((now + 60_000) / 1_000) + 600);
});
