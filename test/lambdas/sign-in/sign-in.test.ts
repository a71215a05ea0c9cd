import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseAtProvider, type Jar, newJar, signInAs, signOutAtProvider, targetOf } from '../../support/http/sign-in-flow.ts';
import { useSignInService } from '../../support/service/sign-in-service.ts';

// Signing in with a provider over HTTP, as a browser does. `test/clients/console/sign-in.test.ts` tests the pages.

const people = [
  { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: true },
  { id: 'grace', name: 'Grace', email: 'grace@example.com', emailVerified: true },
  { id: 'edsger', name: 'Edsger', email: 'edsger@example.com', emailVerified: false },
  { id: 'barbara', name: 'Barbara', email: 'barbara@example.com' },
  { id: 'nobody', name: 'Nobody', email: '' },
] as const;

let service: Awaited<ReturnType<typeof useSignInService>>;
let base: string;
/** Ada, signed in. From this machine's address, only 30 attempts begin in a minute, so most tests share this one. */
let ada: Jar;
beforeAll(async () => {
  service = await useSignInService(people);
  base = service.baseUrl;
  ada = await signedIn('ada');
});
afterAll(() => service?.stop());

const ownPage = { 'Sec-Fetch-Site': 'same-origin' };
const current = (path = '') => `${base}/sign-ins/current${path}`;
const begin = (jar: Jar, returnTo = '/console') => jar.send(`${base}/sign-in?return=${encodeURIComponent(returnTo)}`);
const post = (jar: Jar, path: string, body: object, headers: Record<string, string> = ownPage) =>
  jar.send(current(path), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
const signedIn = async (subject: string) => {
  const jar = newJar();
  await signInAs(jar, base, subject);
  return jar;
};
const who = async (jar: Jar) => {
  const response = await jar.send(current());
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  return { status: response.status, body: (await response.json()) as any };
};
/** The attempts of a browser, as names and values of cookies. */
const attemptsIn = ({ cookies }: Jar) =>
  [...(cookies.get('127.0.0.1') ?? [])].filter(([name]) => name.startsWith('__Host-links-sign-in-'));
/** The person who is signed in with a kept cookie. */
const withCookie = (session = '') => fetch(current(), { headers: { Cookie: `__Host-links-session=${session}` } });
const sessionIn = ({ cookies }: Jar) => cookies.get('127.0.0.1')?.get('__Host-links-session');

test('A person signs in, sees their data, gets a key of their workspace, uses it, and signs out.', async () => {
  const workspace = await service.newWorkspace();
  const { secret } = await service.store.inviteMember(workspace.id, { email: 'ada@example.com', role: 'editor' });
  const jar = newJar();
  const done = await signInAs(jar, base, 'ada', `/console/${workspace.id}/links?state=active`);
  expect([done.status, done.headers.get('location')]).toEqual([302, `/console/${workspace.id}/links?state=active`]);
  expect(done.headers.getSetCookie().sort()).toEqual([
    expect.stringMatching(/^__Host-links-session=\w{59}; Max-Age=43200; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
    expect.stringMatching(/^__Host-links-sign-in-[\w-]{43}=[\w-]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
  ]);
  expect(await who(jar)).toMatchObject({
    status: 200,
    body: { person: { email: 'ada@example.com', emailVerified: true, name: 'Ada' }, workspaces: [] },
  });
  expect((await post(jar, '/keys', { workspaceId: workspace.id })).status).toBe(404);

  const accepted = await post(jar, '/invitations', { secret });
  expect([accepted.status, await accepted.json()]).toEqual([200, { workspaceId: workspace.id, role: 'editor', state: 'active' }]);
  const { body } = await who(jar);
  expect(body.workspaces).toEqual([
    { id: workspace.id, name: workspace.name, memberId: expect.stringMatching(/^mbr_/), role: 'editor', state: 'active' },
  ]);

  const made = await post(jar, '/keys', { workspaceId: workspace.id });
  const { key, expiresAt } = (await made.json()) as { key: string; expiresAt: string };
  expect(made.status).toBe(201);
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
  expect((await service.send('GET', '/api/v1/links', { key })).status).toBe(200);
  expect((await service.send('POST', '/api/v1/webhooks', { key, body: {} })).status).toBe(403);

  const out = await jar.send(current(), { method: 'DELETE', headers: ownPage });
  expect([out.status, out.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('__Host-links-session=; Max-Age=0')]);
  expect((await who(jar)).status).toBe(401);
});

test('A session that was signed out stays ended even with its kept cookie, and signing out twice is not an error.', async () => {
  const jar = await signedIn('ada');
  const kept = sessionIn(jar) ?? '';
  const out = () => jar.send(current(), { method: 'DELETE', headers: ownPage });
  const answers = [await (await out()).json(), await (await out()).json()];
  expect(answers[0]).toMatchObject({ continueAt: expect.any(String) });
  expect(answers[1]).toEqual(answers[0]);
  const thief = (path: string, method: string) =>
    fetch(current(path), {
      method,
      headers: { ...ownPage, Cookie: `__Host-links-session=${kept}`, 'Content-Type': 'application/json' },
    });
  expect((await thief('', 'GET')).status).toBe(401);
});

test("A person who signs out is sent to the provider's logout, and from there back to the console.", async () => {
  const jar = await signedIn('ada');
  const out = await jar.send(current(), { method: 'DELETE', headers: ownPage });
  const { continueAt } = (await out.json()) as { continueAt: string };
  const url = new URL(continueAt);
  expect(url.href.startsWith(`${service.issuer}/session/end?`)).toBe(true);
  expect(Object.fromEntries(url.searchParams)).toEqual({ client_id: 'links', post_logout_redirect_uri: `${base}/console` });
  expect(targetOf(await signOutAtProvider(jar, continueAt))).toBe(`${base}/console`);
});

test('A person who wants another account is asked by the provider for it, and no other prompt can be requested.', async () => {
  const promptOf = async (query: string) =>
    new URL(targetOf(await newJar().send(`${base}/sign-in?${query}`))).searchParams.get('prompt');
  expect(await promptOf('prompt=login&return=/console')).toBe('login');
  expect(await promptOf('prompt=none')).toBeNull();
});

test('Without a session, each request gets 401, whatever its cookie, and does not reveal who exists.', async () => {
  for (const cookie of ['', '__Host-links-session=', `__Host-links-session=${'a'.repeat(59)}`, '__Host-links-session=%00; x']) {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/..', undefined],
      ['DELETE', '/..', undefined],
      ['DELETE', `/../sgn_${'a'.repeat(59)}`, undefined],
      ['POST', '/keys', { workspaceId: 'ws_a' }],
      ['POST', '/invitations', { secret: `inv_${'a'.repeat(64)}` }],
    ] as const) {
      const headers = { ...ownPage, 'Content-Type': 'application/json', ...(cookie && { Cookie: cookie }) };
      const response = await fetch(current(path), { method, headers, ...(body && { body: JSON.stringify(body) }) });
      expect([method, path, response.status]).toEqual([method, path, 401]);
      expect(await response.json()).toMatchObject({ code: 'unauthorized' });
    }
  }
});

test('Invalid input is refused by name, and unknown methods get 404.', async () => {
  const jar = ada;
  for (const [path, body] of [
    ['/keys', {}],
    ['/keys', { workspaceId: 7 }],
    ['/keys', { workspaceId: 'ws_a', more: 1 }],
    ['/invitations', { secret: null }],
  ] as const)
    expect(await (await post(jar, path, body)).json()).toMatchObject({ status: 422, code: 'validation_failed' });
  for (const workspaceId of ['', 'x', '#', 'ws_unknown', 'ws_\u0000', 'x'.repeat(5_000)])
    expect([workspaceId, (await post(jar, '/keys', { workspaceId })).status]).toEqual([workspaceId, 404]);
  for (const secret of ['', 'inv_', 'x'.repeat(5_000), `inv_${'a'.repeat(64)}`])
    expect((await post(jar, '/invitations', { secret })).status).toBe(404);
  expect((await jar.send(current('/keys'), { method: 'PUT', headers: ownPage })).status).toBe(404);
});

// A page of another site cannot read answers, but browsers send the cookie with requests from a short domain under the
// same registrable domain.
test.for([undefined, 'cross-site', 'same-site', 'none', 'same-origin, cross-site'])(
  'A page that is %s to this origin makes no key, accepts no invitation and signs nobody out.',
  async (site) => {
    const jar = ada;
    const headers: Record<string, string> = site === undefined ? {} : { 'Sec-Fetch-Site': site };
    expect((await post(jar, '/keys', { workspaceId: 'ws_a' }, headers)).status).toBe(403);
    expect((await post(jar, '/invitations', { secret: 'inv_a' }, headers)).status).toBe(403);
    expect((await jar.send(current(), { method: 'DELETE', headers })).status).toBe(403);
    expect((await who(jar)).status).toBe(200);
  },
);

test('No response about a session can be read by another origin, cached, or shown as a page.', async () => {
  const { headers } = await ada.send(current(), { headers: { Origin: 'https://evil.example' } });
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
});

/** A signed-in browser, without using up an attempt. */
const newSession = async (personId: string) => {
  const { secret, session } = await service.store.createSession(personId, Date.now());
  const send = (method: string, path: string, headers: Record<string, string> = ownPage) =>
    fetch(`${base}/sign-ins${path}`, { method, headers: { ...headers, Cookie: `__Host-links-session=${secret}` } });
  const isOver = async () => (await send('GET', '/current')).status === 401;
  return { ...session, send, isOver };
};

test('A person can list their sessions, and end another one, their own and all of them, but nobody else’s.', async () => {
  const { id: adaId } = (await who(ada)).body.person;
  const [eve, one, two] = [await newSession('per_0123456789abcdef'), await newSession(adaId), await newSession(adaId)];
  const { signIns } = (await (await one.send('GET', '')).json()) as { signIns: { id: string }[] };
  expect(signIns).toContainEqual({ id: one.id, createdAt: one.createdAt, endsAt: one.endsAt, isCurrent: true });
  expect(signIns).toContainEqual({ id: two.id, createdAt: two.createdAt, endsAt: two.endsAt, isCurrent: false });
  expect(signIns.map(({ id }) => id)).not.toContain(eve.id);

  for (const id of [eve.id, 'unknown', `sgn_${'a'.repeat(59)}`, '%00'])
    expect([id, (await one.send('DELETE', `/${id}`)).status]).toEqual([id, 404]);
  const other = await one.send('DELETE', `/${two.id}`);
  expect([other.status, other.headers.get('set-cookie'), await two.isOver(), await one.isOver()]).toEqual([
    204,
    null,
    true,
    false,
  ]);
  expect((await one.send('DELETE', `/${two.id}`)).status).toBe(404);
  const own = await one.send('DELETE', `/${one.id}`);
  expect([own.status, own.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('__Host-links-session=; Max-Age=0')]);
  expect(await one.isOver()).toBe(true);

  const person = await service.store.rememberPerson(
    { issuer: 'https://accounts.example', subject: 'x', email: 'x@example.com', emailVerified: true, name: null },
    Date.now(),
  );
  const [here, there] = [await newSession(person.id), await newSession(person.id)];
  const all = await here.send('DELETE', '');
  expect([all.status, await all.json()]).toEqual([200, { continueAt: expect.stringContaining('/session/end?') }]);
  expect(all.headers.get('set-cookie')).toContain('__Host-links-session=; Max-Age=0');
  expect([await here.isOver(), await there.isOver(), (await who(ada)).status]).toEqual([true, true, 200]);
  expect((await here.send('DELETE', '')).status).toBe(401);
});

test.for([undefined, 'cross-site', 'same-site'])('A page that is %s to this origin ends no session.', async (site) => {
  const { id } = (await who(ada)).body.person;
  const one = await newSession(id);
  const headers: Record<string, string> = site === undefined ? {} : { 'Sec-Fetch-Site': site };
  for (const path of ['', `/${one.id}`]) expect((await one.send('DELETE', path, headers)).status).toBe(403);
  expect(await one.isOver()).toBe(false);
});

const logout = (init: RequestInit) => fetch(`${base}/sign-in/back-channel-logout`, { method: 'POST', ...init });

test("A logout by the provider ends the sessions that began with the provider's session.", async () => {
  const jar = await signedIn('grace');
  const session = sessionIn(jar);
  await signOutAtProvider(jar, `${service.issuer}/session/end?client_id=links`);
  expect((await withCookie(session)).status).toBe(401);
  expect((await who(ada)).status).toBe(200);
});

test.for<[string, RequestInit]>([
  ['no body', {}],
  ['a form without a token', { body: new URLSearchParams({ token: 'x' }) }],
  ['two tokens', { body: new URLSearchParams('logout_token=a&logout_token=b') }],
  ["a text that isn't a token", { body: new URLSearchParams({ logout_token: 'x' }) }],
  ['a token in JSON', { body: '{"logout_token":"x"}', headers: { 'Content-Type': 'application/json' } }],
  ['a token without a signature', { body: new URLSearchParams({ logout_token: 'e30.e30.' }) }],
  ['a long body', { body: new URLSearchParams({ logout_token: 'x'.repeat(20_000) }) }],
  [
    'a body that is not UTF-8',
    { body: Buffer.from('logout_token=\xff', 'latin1'), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  ],
])('A logout of the provider with %s gets 400, which is not cached.', async ([_, init]) => {
  const response = await logout(init);
  expect([response.status, response.headers.get('cache-control')]).toEqual([400, 'no-store']);
  expect(await response.json()).toMatchObject({ code: 'bad_request' });
});

/** The page about a failed sign-in. */
async function expectRefused(response: Response, status: number, says: string): Promise<void> {
  expect(response.status).toBe(status);
  const text = await response.text();
  expect(text).toContain(says);
  expect(text).not.toMatch(/<script|Ada|ada@/);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
  for (const cookie of response.headers.getSetCookie()) expect(cookie).not.toMatch(/^__Host-links-session=\w/);
}

test('A callback in another browser signs nobody in, without a request to the provider.', async () => {
  const jar = newJar();
  const back = await chooseAtProvider(jar, targetOf(await begin(jar)), 'ada');
  const other = newJar();
  await expectRefused(await other.send(back), 400, 'started in another browser');
  // The code was not used up, so it still works in its own browser.
  expect((await jar.send(back)).status).toBe(302);
});

test("A person who is lured to somebody else's callback is not signed in as them, with or without their own attempt.", async () => {
  const mallory = newJar();
  const trap = await chooseAtProvider(mallory, targetOf(await begin(mallory)), 'grace');
  const victim = newJar();
  await expectRefused(await victim.send(trap), 400, 'Try again');
  await begin(victim);
  await expectRefused(await victim.send(trap), 400, 'Try again');
  // A state that was stolen from the victim belongs to another code.
  const state = new URL(targetOf(await begin(victim))).searchParams.get('state') ?? '';
  const url = new URL(trap);
  url.searchParams.set('state', state);
  await expectRefused(await victim.send(url.href), 403, 'could not be confirmed');
  expect(sessionIn(victim)).toBeUndefined();
});

test('A used code signs nobody in again, even with the cookie of its attempt.', async () => {
  const jar = newJar();
  const back = await chooseAtProvider(jar, targetOf(await begin(jar)), 'ada');
  const [cookie] = attemptsIn(jar);
  expect((await jar.send(back)).status).toBe(302);
  const again = await fetch(back, { redirect: 'manual', headers: { Cookie: cookie?.join('=') ?? '' } });
  await expectRefused(again, 403, 'could not be confirmed');
});

test('Two tabs that sign in at once both reach their own address, in any order, in one session.', async () => {
  const jar = newJar();
  const wanted = ['/console/ws_a/links', '/console/ws_a/tags'];
  const tabs: string[] = [];
  for (const path of wanted) tabs.unshift(targetOf(await begin(jar, path)));
  const ends: unknown[] = [];
  const sessions: string[] = [];
  for (const tab of tabs) {
    ends.unshift((await jar.send(await chooseAtProvider(jar, tab, 'ada'))).headers.get('location'));
    sessions.push(sessionIn(jar) ?? '');
  }
  expect(ends).toEqual(wanted);
  expect((await withCookie(sessions[0])).status).toBe(401);
  expect((await who(jar)).status).toBe(200);
});

test('A callback of another attempt does not affect those of this browser.', async () => {
  const jar = newJar();
  const back = await chooseAtProvider(jar, targetOf(await begin(jar)), 'ada');
  for (const state of ['', 'another', '%C2%A0', 'a;b']) {
    const refused = await jar.send(`${base}/sign-in/callback?code=x&state=${state}`);
    expect([refused.status, refused.headers.getSetCookie().filter((cookie) => cookie !== '')]).toEqual([400, []]);
  }
  expect((await jar.send(back)).status).toBe(302);
});

test('Somebody who reloads the callback that has signed them in is redirected again, without another request to the provider.', async () => {
  const jar = newJar();
  const back = await chooseAtProvider(jar, targetOf(await begin(jar, '/console/ws_a/tags')), 'ada');
  await jar.send(back);
  const session = sessionIn(jar);
  const again = await jar.send(back);
  expect([again.status, again.headers.get('location')]).toEqual([302, '/console/ws_a/tags']);
  expect(sessionIn(jar)).toBe(session);
  expect((await who(jar)).status).toBe(200);
});

test('A subresource of another page neither begins, ends nor uses up an attempt.', async () => {
  const jar = newJar();
  const back = await chooseAtProvider(jar, targetOf(await begin(jar)), 'ada');
  for (const destination of ['image', 'empty', 'iframe']) {
    const headers = { 'Sec-Fetch-Dest': destination };
    for (let visits = 0; visits < 35; visits++)
      await expectRefused(await newJar().send(`${base}/sign-in`, { headers }), 403, 'a tab of its own');
    await expectRefused(await newJar().send(`${base}/sign-in/callback?code=x`, { headers }), 400, 'Try again');
  }
  expect((await jar.send(back, { headers: { 'Sec-Fetch-Dest': 'document' } })).status).toBe(302);
});

test('Somebody who cancels at the provider, or has no address there, is told so, and can start again.', async () => {
  for (const [subject, status, says] of [
    [null, 403, 'You were not signed in.'],
    ['nobody', 403, 'no email address'],
  ] as const) {
    const jar = newJar();
    const back = await chooseAtProvider(jar, targetOf(await begin(jar)), subject);
    await expectRefused(await jar.send(back), status, says);
    expect(jar.cookies.get('127.0.0.1')?.size).toBe(0);
  }
});

test.for(['https://evil.example/', '//evil.example'])(
  'A person who signs in with the return address %s ends at the console.',
  async (returnTo) => {
    const done = await signInAs(newJar(), base, 'ada', returnTo);
    expect([done.status, done.headers.get('location')]).toEqual([302, '/console']);
  },
);

test("A person whose address is not verified does not join, and one whose provider doesn't say waits for an owner.", async () => {
  const workspace = await service.newWorkspace();
  const invitationOf = async (email: string) =>
    (await service.store.inviteMember(workspace.id, { email, role: 'viewer' })).secret;
  const edsger = await signedIn('edsger');
  expect((await post(edsger, '/invitations', { secret: await invitationOf('edsger@example.com') })).status).toBe(403);
  const barbara = await signedIn('barbara');
  const verified = [edsger, barbara].map(async (jar) => (await who(jar)).body.person.emailVerified);
  expect(await Promise.all(verified)).toEqual([false, null]);
  const secret = await invitationOf('barbara@example.com');
  expect(await (await post(barbara, '/invitations', { secret })).json()).toMatchObject({ state: 'pending' });
  expect((await who(barbara)).body.workspaces).toMatchObject([{ state: 'pending' }]);
  expect((await post(barbara, '/keys', { workspaceId: workspace.id })).status).toBe(404);
  // Somebody else's invitation.
  expect((await post(ada, '/invitations', { secret: await invitationOf('grace@example.com') })).status).toBe(403);
});

test('A person stays the same from one sign-in to the next, and is a new one after an erasure.', async () => {
  const jar = await signedIn('grace');
  const first = (await who(jar)).body.person.id;
  const session = sessionIn(jar);
  await signInAs(jar, base, 'grace');
  expect((await who(jar)).body.person.id).toBe(first);
  // The new session has ended the one that it replaces.
  expect((await withCookie(session)).status).toBe(401);
  await service.store.erasePerson(first, { keys: 'revoke', keptDays: 0 });
  expect((await who(jar)).status).toBe(401);
  expect((await post(jar, '/invitations', { secret: 'inv_a' })).status).toBe(401);
  expect((await who(await signedIn('grace'))).body.person.id).not.toBe(first);
});

test('A sign-in, a failure and an acceptance of an invitation are one log line each, with ids, and without a name or an address.', async () => {
  const workspace = await service.newWorkspace();
  const { secret, member } = await service.store.inviteMember(workspace.id, { email: 'ada@example.com', role: 'viewer' });
  const { id } = (await who(ada)).body.person;
  await post(ada, '/invitations', { secret });
  const refused = await (await newJar().send(`${base}/sign-in/callback?code=x`)).text();
  const [, requestId = '-'] = /Request ([\w-]+)/.exec(refused) ?? [];
  // On a laptop, a record is printed on several lines.
  const records = () => service.logged().join('\n').split('message: ');
  const those = (...parts: readonly string[]) => records().filter((one) => parts.every((part) => one.includes(part)));
  await expect.poll(() => those("'somebody was not signed in'", requestId)).toHaveLength(1);
  expect(those("'somebody signed in'", id).length).toBeGreaterThan(0);
  expect(those("'somebody accepted an invitation'", id, workspace.id, member.id, 'active')).toHaveLength(1);
  expect(records().join()).not.toMatch(/ada@|'Ada'|inv_/);
});

test('Neither a secret of a session, a code nor a token is ever logged.', async () => {
  const jar = newJar();
  const back = await chooseAtProvider(jar, targetOf(await begin(jar)), 'ada');
  await jar.send(back);
  await jar.send(back);
  const log = service.logged().join('\n');
  for (const secret of [sessionIn(jar) ?? '-', new URL(back).searchParams.get('code') ?? '-', 'eyJ'])
    expect(log).not.toContain(secret);
});

// The last test: the address of this machine has no attempts left after it.
test('At most 30 attempts of an address begin in a minute, however many are made at once, and the provider gets no more requests.', async () => {
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await begin(newJar())).status));
  expect(statuses.filter((status) => status === 302).length).toBeLessThanOrEqual(30);
  const refused = await begin(newJar());
  expect(refused.headers.get('retry-after')).toBe('60');
  await expectRefused(refused, 429, 'Try again in a minute');
});
