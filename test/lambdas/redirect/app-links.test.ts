import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { DomainStatus } from '../../../lambdas/core/domain/domain.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { callEndpoint } from '../../support/http/invoke.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { curl, pass, startVisits, type VisitOptions } from '../../support/things/visit.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.DOMAIN_TARGET = 'links.localhost';
  process.env.SERVED_NAMES = '*';
});
afterEach(() => {
  vi.restoreAllMocks();
});

const paths = {
  appleAppSiteAssociation: '/.well-known/apple-app-site-association',
  assetLinks: '/.well-known/assetlinks.json',
} as const;
const apple = { applinks: { details: [{ appIDs: ['ABCDE12345.com.example.app'], components: [{ '/': '/ü*' }] }] } };
const google = [
  {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'web', site: 'https://www.example.com' },
  },
];
const files = { appleAppSiteAssociation: apple, assetLinks: google };

/** A domain with these settings, and a new function for its visits. */
async function newDomain(body: object, status: DomainStatus = 'ACTIVE') {
  const { workspaceId, domain } = await store.newWorkspace();
  const { host } = domain;
  const update = (body: object) => callEndpoint('update-domain', { workspaceId, domain: host, body });
  await update(body);
  if (status !== 'ACTIVE') await store.addDomain(workspaceId, host, status);
  const start = await startVisits();
  const open = (path: string, more: Partial<VisitOptions> = {}) => start({ host, path, ...more });
  return { workspaceId, host, update, open };
}

test.for(Object.entries(paths))('The file %s is served to everybody as JSON, without a redirect.', async ([name, path]) => {
  const { open } = await newDomain(files);
  const expected = files[name as keyof typeof files];
  for (const more of [{}, { headers: curl }, { headers: { 'user-agent': 'Googlebot/2.1' } }]) {
    const { statusCode, headers, body = '' } = await open(path, more);
    expect([statusCode, headers['Content-Type'], headers.Location]).toEqual([200, 'application/json', undefined]);
    expect(JSON.parse(body)).toEqual(expected);
  }
  expect(await open(path, { method: 'HEAD' })).toMatchObject({ statusCode: 200, body: '' });
});

test('A path without a file gets a 404, whatever fallbacks the domain has.', async () => {
  const page = 'https://www.example.com/';
  const { open, update } = await newDomain({ ...files, rootUrl: page, notFoundUrl: page, expiredUrl: page });
  await update({ assetLinks: null });
  expect((await open(paths.assetLinks)).statusCode).toBe(404);
  expect((await open(paths.appleAppSiteAssociation)).statusCode).toBe(200);
  // The path is like any other.
  expect((await open('/.well-known/other')).statusCode).toBe(302);
});

test('A pending domain and an unknown host have no files.', async () => {
  const { open } = await newDomain(files, 'PENDING_DNS');
  for (const path of Object.values(paths)) {
    expect((await open(path)).statusCode).toBe(404);
    expect((await open(path, { host: 'unknown.example.com' })).statusCode).toBe(404);
  }
});

test('A change of a file takes effect within 60 seconds in a running function.', async () => {
  const { open, update } = await newDomain({ appleAppSiteAssociation: apple });
  expect((await open(paths.assetLinks)).statusCode).toBe(404);
  await update({ appleAppSiteAssociation: { webcredentials: { apps: [] } }, assetLinks: google });
  pass(60_000);
  expect((await open(paths.assetLinks)).statusCode).toBe(200);
  expect((await open(paths.appleAppSiteAssociation)).body).toBe('{"webcredentials":{"apps":[]}}');
});

test('A domain with a new owner serves no file of its former owner.', async () => {
  const { open, workspaceId, host } = await newDomain({ assetLinks: google });
  const other = await store.newWorkspace();
  await store.deleteDomain(workspaceId, host);
  await store.addDomain(other.workspaceId, host, 'ACTIVE');
  expect((await open(paths.assetLinks)).statusCode).toBe(404);
  const { body } = await callEndpoint('get-domain', { workspaceId: other.workspaceId, domain: host });
  expect(body).toMatchObject({ assetLinks: null });
  expect(await Array.fromAsync(store.query({ pk: `DOMAIN#${host}`, skPrefix: 'FILE#' }))).toEqual([]);
});

test('A file that a former owner left behind is neither served nor shown.', async () => {
  const { open, workspaceId, host } = await newDomain({ assetLinks: google });
  await store.putItem({ pk: `DOMAIN#${host}`, sk: 'FILE#assetLinks', domainId: 'dom_former', content: '["left behind"]' });
  expect((await open(paths.assetLinks)).statusCode).toBe(404);
  expect((await callEndpoint('get-domain', { workspaceId, domain: host })).body).toMatchObject({ assetLinks: null });
});

test('Many requests for a file cost two reads a minute, and those for a missing file only the read of the domain.', async () => {
  const { open } = await newDomain({ assetLinks: google });
  const { accesses } = await underFaults(
    () => undefined,
    async () => {
      for (let time = 0; time < 3; time++) for (const path of Object.values(paths)) await open(path);
    },
  );
  expect(accesses.map(({ leadingKey }) => leadingKey)).toEqual(['DOMAIN#*', 'DOMAIN#*']);
});
