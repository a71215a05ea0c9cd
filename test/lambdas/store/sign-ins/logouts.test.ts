import { beforeAll, expect, test } from 'vitest';
import type { LoggedOut } from '../../../../lambdas/core/sign-in/logout.ts';
import { proofIn } from '../../../../lambdas/core/sign-in/proof.ts';
import { refusalOf } from '../../../support/faults/scenario.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newIdentity } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const now = Date.parse('2030-01-01T00:00:00Z');
const second = now / 1_000;
let made = 0;

/** A person who can sign in with sessions of the provider, and the provider's logouts. */
async function newPerson() {
  const identity = newIdentity();
  const { issuer, subject } = identity;
  const { id } = await store.rememberPerson(identity, now);
  // Sessions of the provider have unique names.
  const own = (sid: string) => `${id}/${sid}`;
  /** @param at the time of the ID token, in seconds since 1970 */
  const begin = (sid?: string, at = second) =>
    store.createSession(id, now, { proof: proofIn({ iss: issuer, iat: at, ...(sid !== undefined && { sid: own(sid) }) }) });
  const token = (of: Partial<LoggedOut>): LoggedOut => ({
    issuer,
    subject: undefined,
    jti: `jti-${++made}`,
    issuedAt: second + 1,
    endsAt: second + 120,
    ...of,
    sid: of.sid === undefined ? undefined : own(of.sid),
  });
  const sessions = async () => new Set((await store.listSessions(id, now)).map((session) => session.id));
  return { id, subject, begin, token, sessions, out: (of: Partial<LoggedOut>) => store.logOut(token(of), now) };
}

test('A logout of a session ends exactly those that began with it, whether or not it names the person.', async () => {
  for (const names of [true, false]) {
    const ada = await newPerson();
    const [, , other, without] = [await ada.begin('one'), await ada.begin('one'), await ada.begin('two'), await ada.begin()];
    const ended = await ada.out({ sid: 'one', ...(names && { subject: ada.subject }) });
    expect(ended).toHaveLength(2);
    expect(await ada.sessions()).toEqual(new Set([other.session.id, without.session.id]));
  }
});

test('A session of another provider with the same name continues.', async () => {
  const ada = await newPerson();
  const { session } = await ada.begin('one');
  expect(await store.logOut({ ...ada.token({ sid: 'one' }), issuer: 'https://other.example' }, now)).toEqual([]);
  expect(await ada.sessions()).toEqual(new Set([session.id]));
});

test('A logout of a person ends all of their sessions, and nobody else’s.', async () => {
  const [ada, eve] = [await newPerson(), await newPerson()];
  for (const sid of ['one', 'two', undefined]) await ada.begin(sid);
  const { session } = await eve.begin('three');
  expect(await ada.out({ subject: ada.subject })).toHaveLength(3);
  expect([await ada.sessions(), await eve.sessions()]).toEqual([new Set(), new Set([session.id])]);
});

test('A logout of an unknown person, or of one without a session, succeeds.', async () => {
  const ada = await newPerson();
  expect(await ada.out({ subject: 'nobody' })).toEqual([]);
  expect(await ada.out({ sid: 'unknown' })).toEqual([]);
  expect(await ada.out({ subject: ada.subject })).toEqual([]);
});

test('A token is valid once, even if it is sent many times at once, and is remembered until it expires.', async () => {
  const ada = await newPerson();
  await ada.begin('one');
  const token = ada.token({ subject: ada.subject });
  const answers = await Promise.all(Array.from({ length: 5 }, () => store.logOut(token, now)));
  expect(answers.filter((ended) => ended !== undefined)).toEqual([[expect.objectContaining({ personId: ada.id })]]);
  const { session } = await ada.begin('two', second + 2);
  expect(await store.logOut(token, now)).toBeUndefined();
  expect(await ada.sessions()).toEqual(new Set([session.id]));
  const { logoutKey } = await import('../../../../lambdas/store/table/keys.ts');
  const { logoutHash } = await import('../../../../lambdas/core/sign-in/identity-hash.ts');
  // By the clock of a provider that is a minute late.
  expect((await store.getItem(logoutKey(logoutHash(token.issuer, token.jti))))?.ttl).toBe(second + 180);
});

test('A sign-in that the provider has confirmed before the logout begins no session; a later one does.', async () => {
  const ada = await newPerson();
  await ada.out({ sid: 'one' });
  expect(await refusalOf(ada.begin('one'))).toBe('unauthorized');
  const { session } = await ada.begin('two');
  await ada.out({ subject: ada.subject });
  expect(await refusalOf(ada.begin('three', second + 1))).toBe('unauthorized');
  const later = await ada.begin('three', second + 2);
  expect(session.id).not.toBe(later.session.id);
  expect(await ada.sessions()).toEqual(new Set([later.session.id]));
  // A late token that is older than another one changes nothing.
  await ada.out({ subject: ada.subject, issuedAt: second - 5 });
  expect(await refusalOf(ada.begin('three', second + 1))).toBe('unauthorized');
});

test('A person who signs in and is signed out by the provider at the same time is signed out.', async () => {
  for (const of of [{ sid: 'one' }, undefined]) {
    const ada = await newPerson();
    await Promise.allSettled([
      ada.begin('one'),
      ada.begin('one'),
      ada.out(of ?? { subject: ada.subject }),
      ada.begin('one'),
      ada.begin('one'),
    ]);
    expect(await ada.sessions()).toEqual(new Set());
  }
});
