import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aliasesPerLink } from '../../../../lambdas/core/limits.ts';
import { visitorLimit } from '../../../../lambdas/core/visit/password-guesses.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

const url = 'https://example.org/';
let made = 0;
const newId = () => `page:${++made}`;
type Headers = Record<string, string>;
const put = (externalId: string, body: object = {}, headers: Headers = {}) =>
  callEndpoint('put-link', {
    workspaceId: workspace.workspaceId,
    externalId,
    body: { domain: workspace.domain.host, url, ...body },
    headers,
  });
const patch = (id: string, body: object) =>
  callEndpoint('update-link', { workspaceId: workspace.workspaceId, id, body }).then(({ body }) => body.link);
const remove = (id: string) => callEndpoint('delete-link', { workspaceId: workspace.workspaceId, id });
const stored = async (id: string) => (await store.getLink(workspace.workspaceId, id))?.link;

test('An unknown external id creates a link, and a known one replaces it, with the entity tag that get-link returns.', async () => {
  const id = newId();
  const created = await put(id, { customSlug: `Slug-${made}`, title: 'One' });
  expect(created).toMatchObject({
    status: 201,
    body: { link: { externalId: id, shortCode: `Slug-${made}`, title: 'One', url } },
  });
  const { link } = created.body;
  expect(created.headers.Location).toBe(`/api/v1/links/${link.id}`);
  const replaced = await put(id, { url: `${url}two` });
  expect(replaced).toMatchObject({ status: 200, body: { link: { id: link.id, shortCode: link.shortCode, title: null } } });
  const { body, headers } = await callEndpoint('get-link', { workspaceId: workspace.workspaceId, id: link.id });
  expect([replaced.body, replaced.headers.ETag]).toEqual([body, headers.ETag]);
});

test('If nothing differs, nothing is written, however the same value is written in the manifest.', async () => {
  const id = newId();
  const settings = {
    password: 'secret words',
    expiresAt: '2040-01-01T00:00:00Z',
    rules: [{ if: { query: { a: '1' }, os: ['ios'] }, url }],
    tagIds: [(await store.createTag(workspace.workspaceId, { name: `Tag ${made}`, color: '#123456' })).id],
  };
  const { link } = (await put(id, settings)).body;
  const before = await stored(link.id);
  const again = await put(id, { ...settings, expiresAt: '2040-01-01T01:00:00+01:00', title: null, isActive: true });
  expect([again.status, again.body.link, await stored(link.id)]).toEqual([200, link, before]);
  expect((await put(id, { ...settings, password: 'other words' })).status).toBe(200);
  expect((await stored(link.id))?.passwordHash).not.toBe(before?.passwordHash);
});

const settings = {
  title: fc.constantFrom('One', 'Two', null),
  redirectType: fc.constantFrom('PERMANENT_301', 'TEMPORARY_302'),
  isActive: fc.boolean(),
  blockBots: fc.boolean(),
  expiresAt: fc.constantFrom('2040-01-01T00:00:00.000Z', null),
  maxClicks: fc.constantFrom(5, 7, null),
  rules: fc.constantFrom([], [{ if: { os: ['ios'] }, url: `${url}ios` }]),
};
const defaults = { title: null, redirectType: 'TEMPORARY_302', blockBots: false, expiresAt: null, maxClicks: null, rules: [] };

test('Absent fields return to their defaults, except isActive, the password and the slug, which stay.', async () => {
  const some = fc.record(settings, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(some, some, fc.boolean(), async (before, sent, isProtected) => {
      const { link } = (await put(newId(), isProtected ? { password: 'secret words' } : {})).body;
      const { isActive, shortCode, aliases } = await patch(link.id, { ...before, customSlug: `renamed-${made}` });
      const { status, body } = await put(link.externalId, sent);
      expect(status).toBe(200);
      const expected = { ...defaults, isActive, shortCode, aliases, hasPassword: isProtected, ...sent };
      expect(body.link).toMatchObject(expected);
    }),
    { numRuns: 8 },
  );
});

test('Another slug renames the link, and another domain is refused by name.', async () => {
  const id = newId();
  const first = (await put(id, { customSlug: `first-${made}` })).body.link;
  const { link } = (await put(id, { customSlug: `second-${made}` })).body;
  expect(link).toMatchObject({ id: first.id, shortCode: `second-${made}`, aliases: [first.shortCode] });
  const taken = (await put(newId())).body.link.shortCode;
  expectProblem(await put(id, { customSlug: taken, title: 'Lost' }), 409, 'slug_taken');
  const other = await store.addDomain(workspace.workspaceId, `other${made}.example.com`, 'ACTIVE');
  const answer = await put(id, { domain: other && 'host' in other ? other.host : '', title: 'Lost' });
  expectProblem(answer, 409, 'domain_mismatch');
  expect(answer.body.errors).toMatchObject([{ path: '/domain' }]);
  expect(await stored(link.id)).toMatchObject({ title: null, shortCode: link.shortCode });
});

describe('The password of a link', () => {
  const [right, wrong] = ['secret words', 'other words'];
  /** A link with a password. */
  async function newProtected() {
    const id = newId();
    const { link } = (await put(id, { password: right, expiresAt: '2040-01-01T00:00:00Z', customSlug: `own-${made}` })).body;
    const passwordHash = (await stored(link.id))?.passwordHash;
    return {
      id,
      link,
      settings: { expiresAt: '2040-01-01T00:00:00Z' },
      isKept: async () => (await stored(link.id))?.passwordHash === passwordHash,
    };
  }
  let hashed = 0;
  const { argon2 } = crypto;
  beforeAll(() => {
    crypto.argon2 = Object.assign((...args: Parameters<typeof argon2>) => {
      hashed++;
      return argon2(...args);
    }, argon2);
    syncBuiltinESMExports();
  });
  afterAll(() => {
    crypto.argon2 = argon2;
    syncBuiltinESMExports();
  });

  /** The cost of a PUT: its calls, how many of them count guesses, and how often it hashes. */
  async function watch(work: () => Promise<{ status: number }>, decide: Parameters<typeof underFaults>[0] = () => undefined) {
    const before = hashed;
    const { result, commands, accesses } = await underFaults(decide, work);
    const guesses = accesses.filter(({ leadingKey }) => leadingKey === 'ATTEMPTS#*').length;
    return { status: result.status, commands, guesses, hashes: hashed - before };
  }

  test.for([
    ['on another domain', async () => ({ domain: 'other.example.com' })],
    ['to a short domain', async () => ({ url: `https://${workspace.domain.host}/x` })],
    ['with a tag that does not exist', async () => ({ tagIds: ['tag_0000000000000000'] })],
    ['with a slug that is taken', async () => ({ customSlug: (await put(newId())).body.link.shortCode })],
    ['that starts after the end', async () => ({ startsAt: '2041-01-01T00:00:00Z', expiresAt: '2040-01-01T00:00:00Z' })],
  ] as const)('A request %s is refused before the password is compared, whether it is right or wrong.', async ([, settings]) => {
    const { id, isKept } = await newProtected();
    const refused = await settings();
    const [one, other] = [
      await watch(() => put(id, { ...refused, password: right })),
      await watch(() => put(id, { ...refused, password: wrong })),
    ];
    expect(one).toEqual(other);
    expect(one).toMatchObject({ guesses: 0, hashes: 0 });
    expect([404, 409, 422]).toContain(one?.status);
    expect(await isKept()).toBe(true);
  });

  test('A link with the most aliases allowed refuses another slug before the password is compared.', async () => {
    const { id, link } = await newProtected();
    for (let alias = 0; alias < aliasesPerLink; alias++) await patch(link.id, { customSlug: `alias-${made}-${alias}` });
    const more = (password: string) => watch(() => put(id, { customSlug: `more-${made}`, password }));
    const [one, other] = [await more(right), await more(wrong)];
    expect(one).toEqual(other);
    expect(one).toMatchObject({ status: 409, guesses: 0, hashes: 0 });
  });

  test('The same password can be sent any number of times without a write, and null keeps a link without one.', async () => {
    const { id, link, settings, isKept } = await newProtected();
    for (let time = 0; time <= visitorLimit.quota; time++) await put(id, { ...settings, password: right });
    expect((await stored(link.id))?.revision).toBe(0);
    expect(await isKept()).toBe(true);
    const plain = (await put(newId())).body.link;
    await put(plain.externalId, { password: null });
    expect((await stored(plain.id))?.revision).toBe(0);
  });

  test('Wrong guesses whose writes fail are counted; after ten, no password is compared, and each one is stored as a new password.', async () => {
    const { id, settings, isKept } = await newProtected();
    const dead: Parameters<typeof underFaults>[0] = ({ command, input }) =>
      command === 'UpdateItem' && JSON.stringify(input).includes('passwordHash') ? 'dead-before' : undefined;
    const guess = () => watch(() => put(id, { ...settings, password: wrong }), dead);
    for (let time = 1; time < visitorLimit.quota; time++) expect((await guess()).guesses).toBe(1);
    await put(id, { ...settings, password: right });
    expect(await isKept()).toBe(true);
    await guess();
    // The right password can no longer be distinguished from a wrong one.
    const [one, other] = [await watch(() => put(id, { ...settings, password: right }), dead), await guess()];
    expect(one).toEqual(other);
    expect(await isKept()).toBe(true);
    await put(id, { ...settings, password: right });
    expect(await isKept()).toBe(false);
    // A new hash has a new count.
    expect((await guess()).guesses).toBe(1);
  });
});

describe('Preconditions', () => {
  test('With If-None-Match: * a PUT creates, and replaces nothing.', async () => {
    const id = newId();
    const { link } = (await put(id, { title: 'One' }, { 'If-None-Match': '*' })).body;
    const refused = await put(id, { title: 'Two' }, { 'If-None-Match': '*' });
    expectProblem(refused, 412, 'precondition_failed');
    expect(refused.body.detail).toContain('already exists');
    expect(await stored(link.id)).toMatchObject({ title: 'One' });
  });

  test('With If-Match a PUT replaces that version only, and creates nothing.', async () => {
    const id = newId();
    for (const tag of ['*', '"x"']) {
      const refused = await put(id, {}, { 'If-Match': tag });
      expectProblem(refused, 412, 'precondition_failed');
      expect(refused.body.detail).toContain('does not exist');
    }
    const { headers, body } = await put(id, { title: 'One' });
    const etag = String(headers.ETag);
    expect((await put(id, { title: 'Two' }, { 'If-Match': etag })).status).toBe(200);
    expectProblem(await put(id, { title: 'Three' }, { 'If-Match': etag }), 412, 'precondition_failed');
    expect((await put(id, { title: 'Four' }, { 'If-Match': '*' })).status).toBe(200);
    expectProblem(await put(id, {}, { 'If-None-Match': String((await put(id)).headers.ETag) }), 412, 'precondition_failed');
    await remove(body.link.id);
    expectProblem(await put(id, {}, { 'If-Match': etag }), 412, 'precondition_failed');
  });
});

test('Of 100 PUTs at once, half of them with a slug, one creates the link, and all return it.', async () => {
  const [id, customSlug] = [newId(), `crowd-${made}`];
  const answers = await Promise.all(Array.from({ length: 100 }, (_, place) => put(id, place % 2 ? { customSlug } : {})));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(99).fill(200), 201]);
  expect(new Set(answers.map(({ body }) => body.link.id)).size).toBe(1);
});

test('After PUTs with different settings at once, the link has all settings of one of them.', async () => {
  const id = newId();
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(id, { title: name, url: `${url}${name}`, description: name })));
  const { link } = (await callEndpoint('lookup-link', { workspaceId: workspace.workspaceId, query: { externalId: id } })).body;
  expect(link).toMatchObject({ url: `${url}${link.title}`, description: link.title });
});

test('After a deletion, or after the link has lost its external id, a PUT creates a link with another id.', async () => {
  const id = newId();
  const first = (await put(id)).body.link;
  await remove(first.id);
  const second = await put(id);
  expect(second.status).toBe(201);
  await patch(second.body.link.id, { externalId: null });
  const third = await put(id);
  expect(third.status).toBe(201);
  expect(new Set([first.id, second.body.link.id, third.body.link.id]).size).toBe(3);
  expect(await stored(second.body.link.id)).toMatchObject({ externalId: null });
});

test('A deleted tag is refused, even if the link still lists it.', async () => {
  const id = newId();
  const tag = await store.createTag(workspace.workspaceId, { name: `Gone ${made}`, color: '#123456' });
  await put(id, { tagIds: [tag.id] });
  await store.deleteTag(workspace.workspaceId, tag.id);
  expectProblem(await put(id, { tagIds: [tag.id] }), 422, 'tag_not_found');
});

test.for([
  ['a%2Fb', {}, ''],
  ['%', {}, ''],
  ['..', {}, ''],
  ['a', { externalId: 'b' }, '/externalId'],
  ['a', { url: undefined }, '/url'],
  ['a', { url: 'http://10.0.0.1/' }, '/url'],
] as const)('A PUT of %s with %j is refused by name, and creates nothing.', async ([externalId, body, path]) => {
  const answer = await put(externalId, body);
  expectProblem(answer, 422, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ path }]);
});

test('An encoded external id is the same as a plain one.', async () => {
  const id = newId();
  await put(id);
  expect((await put(encodeURIComponent(id))).status).toBe(200);
});
