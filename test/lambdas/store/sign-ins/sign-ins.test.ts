import { beforeAll, describe, expect, test } from 'vitest';
import { newPersonId } from '../../../../lambdas/core/ids.ts';
import { signInsPerPerson } from '../../../../lambdas/core/limits.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const hour = 3_600_000;
const start = Date.parse('2030-01-01T00:00:00Z');

test("A session is found only by its secret, for twelve hours by the gateway's time.", async () => {
  const personId = newPersonId();
  const { secret, session } = await store.createSession(personId, start);
  expect(session).toMatchObject({ personId, createdAt: '2030-01-01T00:00:00.000Z', endsAt: '2030-01-01T12:00:00.000Z' });
  expect(await store.findSession(secret, start + 12 * hour - 1)).toEqual(session);
  for (const [text, at] of [
    [secret, start + 12 * hour],
    [session.id, start],
    [session.id.slice(4), start],
    [`${secret}x`, start],
    [secret.toLowerCase(), start],
    [secret.replace(/^.{16}/, newPersonId().slice(4)), start],
    [undefined, start],
  ] as const)
    expect(await store.findSession(text, at)).toBeUndefined();
});

test('A session lasts as many hours as the stage sets.', async () => {
  const { secret } = await store.createSession(newPersonId(), start, { hours: 168 });
  expect(await store.findSession(secret, start + 168 * hour - 1)).toMatchObject({ endsAt: '2030-01-08T00:00:00.000Z' });
  expect(await store.findSession(secret, start + 168 * hour)).toBeUndefined();
});

test('The table does not have the secret of a cookie, and forgets a session with all its data after its end.', async () => {
  const [now, personId] = [Date.now(), newPersonId()];
  const { secret } = await store.createSession(personId, now);
  const items = await Array.fromAsync(store.query({ pk: `SIGNIN#${personId}`, between: ['0', '~'] }));
  expect(items).toHaveLength(2);
  expect(JSON.stringify(items)).not.toContain(secret.slice(16));
  for (const { ttl } of items) expect(ttl).toBe(Math.ceil((now + 12 * hour) / 1_000));
});

test('An ended session stays ended, however often it is ended, and another one of the same person continues.', async () => {
  const [now, personId] = [Date.now(), newPersonId()];
  const [one, other] = await Promise.all([store.createSession(personId, now), store.createSession(personId, now)]);
  await Promise.all([store.endSession(one.session.id), store.endSession(one.session.id)]);
  expect(await store.findSession(one.secret, now)).toBeUndefined();
  expect(await store.findSession(other.secret, now)).toEqual(other.session);
});

describe('The sessions of a person', () => {
  /** The ids of the sessions, newest first. */
  const idsOf = async (personId: string, at = start) => (await store.listSessions(personId, at)).map(({ id }) => id);

  test('are listed newest first, without ended ones and those of others.', async () => {
    const personId = newPersonId();
    await store.createSession(newPersonId(), start);
    const first = await store.createSession(personId, start);
    const second = await store.createSession(personId, start + hour);
    const third = await store.createSession(personId, start + 2 * hour);
    await store.endSession(second.session.id);
    expect(await store.listSessions(personId, start + 2 * hour)).toEqual([third.session, first.session]);
    expect(await idsOf(personId, start + 12 * hour)).toEqual([third.session.id]);
  });

  test('are ended one by one by their ids, only by the person themselves, and only once.', async () => {
    const [ada, eve] = [newPersonId(), newPersonId()];
    const { session } = await store.createSession(ada, start);
    expect(await store.endSessionOf(eve, session.id, start)).toBe(false);
    for (const id of ['', 'sgn_', 'current', `sgn_${'a'.repeat(59)}`, session.id.slice(0, -1)])
      expect(await store.endSessionOf(ada, id, start)).toBe(false);
    expect(await idsOf(ada)).toEqual([session.id]);
    expect(await store.endSessionOf(ada, session.id, start + 12 * hour)).toBe(false);
    expect(await store.endSessionOf(ada, session.id, start)).toBe(true);
    expect(await store.endSessionOf(ada, session.id, start)).toBe(false);
  });

  test('are ended all at once.', async () => {
    const [ada, eve] = [newPersonId(), newPersonId()];
    await store.endSessions(ada, start);
    for (const personId of [ada, ada, ada, eve]) await store.createSession(personId, start);
    await store.endSessions(ada, start);
    expect([(await idsOf(ada)).length, (await idsOf(eve)).length]).toEqual([0, 1]);
  });

  test('end if another one replaces them, even one of somebody else in the same browser; all others continue.', async () => {
    const [ada, eve] = [newPersonId(), newPersonId()];
    const [mine, others, kept] = [
      await store.createSession(ada, start),
      await store.createSession(eve, start),
      await store.createSession(ada, start),
    ];
    const replaces = [mine.session.id, others.session.id, mine.session.id, `sgn_${'a'.repeat(59)}`];
    const { session } = await store.createSession(ada, start + 1, { replaces });
    expect(await idsOf(ada)).toEqual([session.id, kept.session.id]);
    expect(await idsOf(eve)).toEqual([]);
  });

  /** A person with the most sessions allowed, oldest first. The last one has expired, and does not count. */
  const withMost = async () => {
    const personId = newPersonId();
    await store.createSession(personId, start - 12 * hour);
    const made: string[] = [];
    for (let at = start; at < start + signInsPerPerson; at++) made.push((await store.createSession(personId, at)).session.id);
    return { personId, made };
  };

  test('are at most 50: the oldest ends when another begins, unless that replaces one.', async () => {
    const { personId, made } = await withMost();
    expect(await idsOf(personId)).toEqual(made.toReversed());
    const { session } = await store.createSession(personId, start + 100);
    expect(await idsOf(personId)).toEqual([session.id, ...made.slice(1).toReversed()]);
    const next = await store.createSession(personId, start + 101, { replaces: [made[20] as string] });
    const left = made.slice(1).filter((id) => id !== made[20]);
    expect(await idsOf(personId)).toEqual([next.session.id, session.id, ...left.toReversed()]);
  });

  test('are at most 50, however many begin at once, and each that begins ends another one.', async () => {
    const { personId, made } = await withMost();
    const begun = await Promise.all(
      Array.from({ length: 8 }, async (_, tab) => (await store.createSession(personId, start + 100 + tab)).session.id),
    );
    expect((await idsOf(personId)).sort()).toEqual([...made.slice(8), ...begun].sort());
  });

  test('have all ended after ending all of them, except one that began meanwhile.', async () => {
    const personId = newPersonId();
    await store.createSession(personId, start);
    let begun = '';
    await overtaken(
      async () => {
        begun = (await store.createSession(personId, start)).session.id;
      },
      () => store.endSessions(personId, start),
    );
    expect(await idsOf(personId)).toEqual([begun]);
  });
});

test('Of any number of attempts of an address within a minute, 30 pass, and the count is deleted later.', async () => {
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
