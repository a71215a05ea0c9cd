import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LinkChanges } from '../../../../lambdas/store/links/changes.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { changeLink } from '../../../support/things/history.ts';

// Each URL to which a link may send visitors is checked like its destination, and conflicting fields are refused.

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
});
beforeEach(async () => {
  // A workspace may send few bulk requests a minute.
  workspace = await store.newWorkspace();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const good = 'https://example.org/';
const device = { device: ['mobile'] };
const settings: Readonly<Record<string, (url: string) => object>> = {
  '/url': (url) => ({ url }),
  '/expiredUrl': (expiredUrl) => ({ expiredUrl }),
  '/rules/1/url': (url) => ({
    rules: [
      { if: device, url: good },
      { if: device, url },
    ],
  }),
  '/variants/1/url': (url) => ({
    variants: [
      { id: 'a', url: good, weight: 1 },
      { id: 'b', url, weight: 0 },
    ],
  }),
};

async function newLink() {
  const [found] = await store.newLinks(workspace, 1);
  const { link } = found ?? {};
  if (!link) throw new Error('no link');
  return { id: link.id, read: async () => (await store.getLink(workspace.workspaceId, link.id))?.link };
}
const call = (name: string, more: object) => callEndpoint(name, { workspaceId: workspace.workspaceId, ...more });
const create = (fields: object) => call('create-link', { body: { domain: workspace.domain.host, url: good, ...fields } });
const errorsOf = ({ body }: { body: { errors?: { path: string; code: string }[] } }) =>
  body.errors?.map(({ path, code }) => [path, code]);

describe.for(Object.entries(settings))('%s', ([path, fields]) => {
  test('A short domain of the service is refused wherever it is set, and nothing is changed.', async () => {
    const bad = fields(`https://${workspace.domain.host}/other`);
    const { id, read } = await newLink();
    const before = await read();
    expect(errorsOf(await create(bad))).toEqual([[path, 'destination_short_domain']]);
    expect(errorsOf(await call('update-link', { id, body: bad }))).toEqual([[path, 'destination_short_domain']]);
    expect(errorsOf(await call('bulk-update-links', { body: { ids: [id], fields: bad } }))).toEqual([
      [`/fields${path}`, 'destination_short_domain'],
    ]);
    expect(await read()).toEqual(before);
  });

  test('A host that has become a short domain since is not restored.', async () => {
    const { workspaceId } = workspace;
    const { id, read } = await newLink();
    const host = `later${path.replaceAll('/', '')}.example.com`.toLowerCase();
    await changeLink(store, workspaceId, id, fields(`https://${host}/`) as LinkChanges);
    await changeLink(store, workspaceId, id, fields(good) as LinkChanges);
    const changed = await read();
    const entryId = (await call('list-link-history', { id })).body.entries[0].id;
    await store.addDomain(workspaceId, host, 'ACTIVE');
    const reverted = await call('revert-change', { id, entryId });
    expect([reverted.status, errorsOf(reverted)]).toEqual([409, [[path, 'destination_short_domain']]]);
    expect(await read()).toEqual(changed);
  });
});

test('A response names all refused destinations.', async () => {
  const url = `https://${workspace.domain.host}/`;
  const all = Object.assign({}, ...Object.values(settings).map((fields) => fields(url)));
  const { id } = await newLink();
  expect(errorsOf(await call('update-link', { id, body: all }))?.map(([path]) => path)).toEqual(Object.keys(settings));
});

describe('A start that is not before the end', () => {
  const end = '2030-01-02T00:00:00.000Z';

  test('A request that sets both is refused by each endpoint.', async () => {
    const { id } = await newLink();
    const both = { startsAt: end, expiresAt: end };
    expect(errorsOf(await create(both))).toEqual([['/startsAt', 'starts_too_late']]);
    expect(errorsOf(await call('update-link', { id, body: both }))).toEqual([['/startsAt', 'starts_too_late']]);
    expect(errorsOf(await call('bulk-update-links', { body: { ids: [id], fields: both } }))).toEqual([
      ['/fields/startsAt', 'starts_too_late'],
    ]);
  });

  test('An update that conflicts with other settings of the link is refused; in bulk, only for those links.', async () => {
    const { id } = await newLink();
    const other = await newLink();
    await call('update-link', { id, body: { expiresAt: end } });
    expect(errorsOf(await call('update-link', { id, body: { startsAt: end } }))).toEqual([['/startsAt', 'starts_too_late']]);
    const { status, body } = await call('bulk-update-links', { body: { ids: [id, other.id], fields: { startsAt: end } } });
    expect([status, body]).toEqual([
      200,
      { updated: 1, failed: [{ index: 0, id, code: 'validation_failed', message: '/startsAt must be before "expiresAt".' }] },
    ]);
    expect((await other.read())?.startsAt).toBe('2030-01-02T00:00:00.000Z');
  });

  test("A change is not reverted if the former end is before the link's present start.", async () => {
    const { id } = await newLink();
    await changeLink(store, workspace.workspaceId, id, { expiresAt: end });
    await changeLink(store, workspace.workspaceId, id, { expiresAt: null });
    const entryId = (await call('list-link-history', { id })).body.entries[0].id;
    await call('update-link', { id, body: { startsAt: '2031-01-01T00:00:00Z' } });
    const reverted = await call('revert-change', { id, entryId });
    expect([reverted.status, errorsOf(reverted)]).toEqual([409, [['/expiresAt', 'expires_too_early']]]);
  });
});

test('Rules on the country are accepted if the stage knows countries, and refused if it does not.', async () => {
  const rules = [{ if: { country: ['de', 'AT', 'DE'] }, url: good }];
  const refused = await create({ rules });
  expect([refused.status, errorsOf(refused)]).toEqual([422, [['/rules/0/if/country', 'countries_unknown']]]);
  vi.stubEnv('COUNTRIES', 'known');
  const { status, body } = await create({ rules });
  expect([status, body.link.rules]).toEqual([201, [{ if: { country: ['DE', 'AT'] }, url: good }]]);
});

test('Values of rules and variants are returned in canonical form.', async () => {
  const { body } = await create({
    rules: [
      {
        url: 'HTTPS://Example.ORG',
        if: {
          query: { b: '2', a: '1' },
          before: '2031-01-01T00:00+01:00',
          after: '2030-01-01T00:00Z',
          language: ['de-AT', 'DE-at'],
          os: ['ios', 'ios'],
        },
      },
    ],
    variants: [
      { weight: 1, id: 'a', url: 'HTTPS://Example.ORG' },
      { weight: 0, id: 'b', url: good },
    ],
  });
  expect(JSON.stringify(body.link.rules)).toBe(
    JSON.stringify([
      {
        if: {
          os: ['ios'],
          language: ['de-at'],
          after: '2030-01-01T00:00:00.000Z',
          before: '2030-12-31T23:00:00.000Z',
          query: { a: '1', b: '2' },
        },
        url: good,
      },
    ]),
  );
  expect(body.link.variants[0]).toEqual({ id: 'a', url: good, weight: 1 });
});
