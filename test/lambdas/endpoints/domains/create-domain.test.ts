import { beforeAll, expect, test } from 'vitest';
import { apiHost, callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

const target = 'links.links.example';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.DOMAIN_TARGET = target;
  process.env.SERVED_NAMES = '*';
});

async function arrange() {
  const { workspaceId } = await store.newWorkspace();
  const create = (body: unknown) => callEndpoint('create-domain', { workspaceId, body });
  return { workspaceId, create };
}

test('A new domain claim responds with 201, its location, and the records to set.', async () => {
  const { create } = await arrange();
  const { status, headers, body } = await create({ domain: 'GO.Acme.example.' });
  expect(status).toBe(201);
  expect(headers.Location).toBe('/api/v1/domains/go.acme.example');
  expect(body).toEqual({
    domain: 'go.acme.example',
    status: 'PENDING_OWNERSHIP',
    covered: true,
    records: [
      { type: 'TXT', name: '_links.go.acme.example', value: expect.stringMatching(/^links-verification=[0-9A-Za-z]{32}$/) },
      { type: 'CNAME', name: 'go.acme.example', value: target },
    ],
    rootUrl: null,
    notFoundUrl: null,
    expiredUrl: null,
    publicQr: false,
    allowIndexing: false,
    accentColor: null,
    logoUrl: null,
    createdAt: expect.any(String),
    verifiedAt: null,
    certificate: null,
    lastCheck: null,
    appleAppSiteAssociation: null,
    assetLinks: null,
  });
});

test('A domain claim that is repeated, even ten times at once, is the same claim.', async () => {
  const { create } = await arrange();
  const claim = async () => (await create({ domain: 'again.acme.example' })).body;
  const first = await claim();
  expect(await claim()).toEqual(first);
  const responses = await Promise.all(Array.from({ length: 10 }, () => claim()));
  expect(new Set(responses.map((response) => JSON.stringify(response)))).toEqual(new Set([JSON.stringify(first)]));
});

test("A domain that another workspace has proven is refused with 409, and one that it has only claimed isn't.", async () => {
  const [own, other] = [await arrange(), await arrange()];
  await store.addDomain(other.workspaceId, 'proven.acme.example', 'ACTIVE');
  await other.create({ domain: 'claimed.acme.example' });
  expectProblem(await own.create({ domain: 'proven.acme.example' }), 409, 'domain_taken');
  expect((await own.create({ domain: 'claimed.acme.example' })).status).toBe(201);
});

test('A workspace has at most 100 domains and claims.', async () => {
  const { workspaceId, create } = await arrange();
  await Promise.all(Array.from({ length: 99 }, (_, index) => create({ domain: `many${index}.acme.example` })));
  expectProblem(await create({ domain: 'one-more.acme.example' }), 409, 'domain_limit_reached');
  await callEndpoint('delete-domain', { workspaceId, domain: 'many0.acme.example' });
  expect((await create({ domain: 'one-more.acme.example' })).status).toBe(201);
});

test.for([
  [{}, 'required'],
  [{ domain: null }, 'null_not_allowed'],
  [{ domain: 5 }, 'invalid_type'],
  [{ domain: 'com' }, 'domain_invalid'],
  [{ domain: '127.0.0.1' }, 'domain_invalid'],
  [{ domain: '*.acme.example' }, 'domain_invalid'],
  [{ domain: '\u0000' }, 'domain_invalid'],
  [{ domain: 'x'.repeat(10_000) }, 'domain_invalid'],
  [{ domain: 'co.uk' }, 'domain_public_suffix'],
  [{ domain: target }, 'domain_own'],
] as const)('The claim %j is refused as %s.', async ([body, code]) => {
  const { create } = await arrange();
  const response = await create(body);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path: '/domain', code }]);
});

test.for([apiHost, `${apiHost.toUpperCase()}.`])('The name of the API itself cannot be claimed: %s.', async (domain) => {
  const { create } = await arrange();
  expect(await create({ domain })).toMatchObject({ status: 422, body: { errors: [{ path: '/domain', code: 'domain_own' }] } });
});
