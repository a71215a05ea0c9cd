import { beforeAll, expect, test } from 'vitest';
import type { Identity } from '../../../../lambdas/core/sign-in/claims.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

let made = 0;
const somebody = (more: Partial<Identity> = {}): Identity => ({
  issuer: 'https://accounts.example',
  subject: `subject-${++made}`,
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada',
  ...more,
});

test('A person stays the same if their address, their name and what the provider says of it change.', async () => {
  const ada = somebody();
  const first = await store.rememberPerson(ada, Date.now());
  expect(first).toEqual({ id: expect.stringMatching(/^per_\w{16}$/), email: ada.email, name: 'Ada', emailVerified: true });
  for (const change of [
    { email: 'new@example.org', name: null, emailVerified: false },
    { email: 'other@example.org', name: 'Countess', emailVerified: undefined },
  ]) {
    expect(await store.rememberPerson({ ...ada, ...change }, Date.now())).toEqual({ id: first.id, ...change });
    expect(await store.getPerson(first.id)).toEqual({ id: first.id, ...change });
  }
});

test('Two people are never taken for one, whatever address they have: at another provider, the same subject is somebody else.', async () => {
  const ada = somebody();
  const others = [somebody(), { ...ada, issuer: 'https://accounts.example/ada' }, { ...ada, subject: `${ada.subject}x` }];
  const ids = await Promise.all([ada, ...others].map(async (one) => (await store.rememberPerson(one, Date.now())).id));
  expect(new Set(ids).size).toBe(4);
});

test('Somebody who signs in for the first time in many tabs at once is one person.', async () => {
  const ada = somebody();
  const found = await Promise.all(Array.from({ length: 20 }, () => store.rememberPerson(ada, Date.now())));
  expect(new Set(found.map(({ id }) => id)).size).toBe(1);
});

test('An erased person leaves nothing, and is somebody else when they sign in again.', async () => {
  const ada = somebody();
  const { id } = await store.rememberPerson(ada, Date.now());
  await Promise.all([store.erasePerson(id), store.erasePerson(id)]);
  expect(await store.getPerson(id)).toBeUndefined();
  await store.erasePerson(id);
  const again = await store.rememberPerson(ada, Date.now());
  expect(again.id).not.toBe(id);
  // A late repetition of the first erasure must not take the new person with it.
  await store.erasePerson(id);
  expect(await store.getPerson(again.id)).toEqual(again);
});

test('Whether a person is erased before, during or after a sign-in, they are whole or gone.', async () => {
  for (let round = 0; round < 10; round++) {
    const ada = somebody();
    const { id } = await store.rememberPerson(ada, Date.now());
    const [, seen] = await Promise.all([store.erasePerson(id), store.rememberPerson({ ...ada, name: 'Late' }, Date.now())]);
    const left = await store.getPerson(id);
    expect(left).toBeUndefined();
    const now = await store.rememberPerson(ada, Date.now());
    expect(now.id === seen.id || seen.id === id).toBe(true);
    expect(now.id).not.toBe(id);
  }
});
