import { beforeAll, expect, test } from 'vitest';
import { callEndpoint, startEndpoint } from '../../support/invoke.ts';
import { expectProblem } from '../../support/problem.ts';
import { type Store, useStore } from '../../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.DOMAIN_TARGET = 'links.localhost';
});

/** A workspace with a domain, and short forms of the calls. */
async function arrange() {
  const { workspaceId, domain } = await store.newWorkspace();
  const update = (body: unknown, host = domain.host, headers = {}) =>
    callEndpoint('update-domain', { workspaceId, domain: host, body, headers });
  const get = async () => (await callEndpoint('get-domain', { workspaceId, domain: domain.host })).body;
  return { workspaceId, domain, host: domain.host, update, get };
}

const url = (path: string) => `https://www.acme.example.com/${path}`;

test('What is sent changes, the rest stays, and null clears.', async () => {
  const { update, get } = await arrange();
  const expected = await get();
  expect(expected).toMatchObject({ rootUrl: null, notFoundUrl: null, expiredUrl: null, publicQr: false });
  for (const body of [
    {},
    { rootUrl: url('root') },
    { notFoundUrl: url('none'), expiredUrl: url('over') },
    { publicQr: true },
    { rootUrl: null, publicQr: false },
  ]) {
    Object.assign(expected, body);
    expect(await update(body)).toMatchObject({ status: 200, body: expected });
    expect(await get()).toEqual(expected);
  }
});

test('An address is stored as a browser would normalise it.', async () => {
  const { update } = await arrange();
  expect((await update({ rootUrl: 'HTTPS://WWW.Acme.example.com/a b'.replace(' ', '%20') })).body.rootUrl).toBe(url('a%20b'));
});

test('Of ten changes of different settings at once, none is lost.', async () => {
  const { update, get, host } = await arrange();
  const changes = [{ rootUrl: url('root') }, { notFoundUrl: url('none') }, { expiredUrl: url('over') }, { publicQr: true }];
  const all = [...changes, ...changes].map((change) => update(change));
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await get()).toMatchObject(Object.assign({}, ...changes));
  expect((await store.getDomain(host))?.revision).toBe(8);
});

test('A domain whose status has changed since it was read is not changed under If-Match.', async () => {
  const { workspaceId, host, update, get } = await arrange();
  const { headers } = await callEndpoint('get-domain', { workspaceId, domain: host });
  await store.addDomain(workspaceId, host, 'PENDING_DNS');
  expectProblem(await update({ publicQr: true }, host, { 'If-Match': headers.ETag }), 412, 'precondition_failed');
  expect(await get()).toMatchObject({ status: 'PENDING_DNS', publicQr: false });
});

test('Settings survive a change of status by the operator, and end with the domain.', async () => {
  const { workspaceId, host, update, get } = await arrange();
  await update({ rootUrl: url('root') });
  await store.addDomain(workspaceId, host, 'PENDING_DNS');
  expect(await get()).toMatchObject({ status: 'PENDING_DNS', rootUrl: url('root') });
  await store.deleteDomain(workspaceId, host);
  await store.addDomain(workspaceId, host, 'ACTIVE');
  expect(await get()).toMatchObject({ status: 'ACTIVE', rootUrl: null });
});

test('A claim has no settings to change until it is proven.', async () => {
  const { workspaceId, update } = await arrange();
  const host = 'only-claimed.acme.example';
  await store.claimDomain(workspaceId, host);
  expectProblem(await update({ rootUrl: url('root') }, host), 422, 'domain_not_verified');
});

test("An unknown domain, another workspace's domain or claim, and what can't be a name are all not found.", async () => {
  const [own, other] = [await arrange(), await arrange()];
  await store.claimDomain(other.workspaceId, 'theirs.acme.example');
  for (const host of ['unknown.example.com', other.host, 'theirs.acme.example', 'nonsense', '\0', '127.0.0.1']) {
    expectProblem(await own.update({ publicQr: true }, host), 404, 'not_found');
  }
  expect(await other.get()).toMatchObject({ publicQr: false });
});

test.for(['rootUrl', 'notFoundUrl', 'expiredUrl'])('The field %s passes all checks of a destination.', async (field) => {
  const { workspaceId, host, get } = await arrange();
  await store.blockHost(`${field.toLowerCase()}.blocked.example.com`);
  // The function knows the blocked hosts for a while, so it starts after that.
  const update = startEndpoint('update-domain');
  for (const [value, code] of [
    [1, 'invalid_type'],
    ['', 'destination_invalid'],
    ['ftp://example.com/', 'destination_scheme'],
    ['https://me:secret@example.com/', 'destination_credentials'],
    ['https://intranet/', 'destination_private'],
    ['http://169.254.169.254/latest/meta-data', 'destination_private'],
    [`https://example.com/${'x'.repeat(2_048)}`, 'destination_too_long'],
    [`https://${host}/`, 'destination_short_domain'],
    [`https://www.${field.toLowerCase()}.blocked.example.com/`, 'destination_blocked'],
  ] as const) {
    const answer = await update({ workspaceId, domain: host, body: { [field]: value, publicQr: true } });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path: `/${field}`, code }]);
  }
  expect(await get()).toMatchObject({ [field]: null, publicQr: false });
});

test.for([
  [{ publicQr: null }, '/publicQr', 'null_not_allowed'],
  [{ publicQr: 'yes' }, '/publicQr', 'invalid_type'],
  [{ status: 'ACTIVE' }, '/status', 'unknown_field'],
  [{ domain: 'go.example.com' }, '/domain', 'unknown_field'],
] as const)('The update %j is refused at %s as %s.', async ([body, path, code]) => {
  const answer = await (await arrange()).update(body);
  expectProblem(answer, 422, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ path, code }]);
});
