import { beforeAll, expect, test, vi } from 'vitest';
import { RuleError } from '../../../../lambdas/core/errors.ts';
import { fetchLogo } from '../../../../lambdas/outbound/logo.ts';
import { callEndpoint, startEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

// The tests send no request to the internet.
vi.mock('../../../../lambdas/outbound/logo.ts', () => ({ fetchLogo: vi.fn() }));

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.DOMAIN_TARGET = 'links.localhost';
  process.env.SERVED_NAMES = '*';
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

test('Fields that are sent change, null clears, and all others stay.', async () => {
  const { update, get } = await arrange();
  const expected = await get();
  expect(expected).toMatchObject({ rootUrl: null, notFoundUrl: null, expiredUrl: null, publicQr: false, allowIndexing: false });
  for (const body of [
    {},
    { rootUrl: url('root') },
    { notFoundUrl: url('none'), expiredUrl: url('over') },
    { publicQr: true },
    { allowIndexing: true },
    { allowIndexing: false },
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

test('Ten changes of different settings at once are all kept.', async () => {
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

test('The settings of a domain cannot be changed while it is only claimed.', async () => {
  const { workspaceId, update } = await arrange();
  const host = 'only-claimed.acme.example';
  await store.claimDomain(workspaceId, host);
  expectProblem(await update({ rootUrl: url('root') }, host), 422, 'domain_not_verified');
});

test("An unknown domain, another workspace's domain or claim, and an invalid name are all not found.", async () => {
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
  // The function caches the blocked hosts, so it starts afterwards.
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
    const response = await update({ workspaceId, domain: host, body: { [field]: value, publicQr: true } });
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toMatchObject([{ path: `/${field}`, code }]);
  }
  expect(await get()).toMatchObject({ [field]: null, publicQr: false });
});

test.for([
  [{ publicQr: null }, '/publicQr', 'null_not_allowed'],
  [{ publicQr: 'yes' }, '/publicQr', 'invalid_type'],
  [{ allowIndexing: null }, '/allowIndexing', 'null_not_allowed'],
  [{ allowIndexing: 'noindex' }, '/allowIndexing', 'invalid_type'],
  [{ status: 'ACTIVE' }, '/status', 'unknown_field'],
  [{ domain: 'go.example.com' }, '/domain', 'unknown_field'],
] as const)('The update %j is refused at %s as %s.', async ([body, path, code]) => {
  const response = await (await arrange()).update(body);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
});

const apple = { applinks: { details: [{ appIDs: ['ABCDE12345.com.example.app'], components: [{ '/': '/*' }] }] } };
const statement = {
  relation: ['delegate_permission/common.handle_all_urls'],
  target: {
    namespace: 'android_app',
    package_name: 'com.example.app',
    sha256_cert_fingerprints: [Array(32).fill('0F').join(':')],
  },
};

test('Files for apps are returned as they were set, are not in lists, and are cleared by null.', async () => {
  const { workspaceId, update, get } = await arrange();
  const files = { appleAppSiteAssociation: { ...apple, unknown: [1, { nested: 'x' }] }, assetLinks: [statement] };
  expect(await update(files)).toMatchObject({ status: 200, body: files });
  expect(await get()).toMatchObject(files);
  expect(JSON.stringify((await callEndpoint('list-domains', { workspaceId })).body)).not.toContain('com.example.app');
  expect((await update({ assetLinks: null })).body).toMatchObject({ ...files, assetLinks: null });
  expect(await get()).toMatchObject({ ...files, assetLinks: null });
});

test('The history says which file a domain had, by its digest.', async () => {
  const { update, host } = await arrange();
  await update({ assetLinks: [statement] });
  expect((await store.getDomain(host))?.assetLinks).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test.for<[string, object]>([
  [
    'the format before iOS 13',
    { applinks: { apps: [], details: [{ appID: 'ABCDE12345.com.example.app', paths: ['NOT /a', '*'] }] } },
  ],
  ['only web credentials', { webcredentials: { apps: ['ABCDE12345.com.example.app'] } }],
  ['only app clips', { appclips: { apps: ['ABCDE12345.com.example.app.Clip'] } }],
  ['an app for all paths', { applinks: { details: [{ appIDs: ['ABCDE12345.com.example.app'] }] } }],
  [
    'all keys of a component',
    {
      applinks: {
        defaults: { caseSensitive: false },
        substitutionVariables: { lang: ['en'] },
        details: [
          {
            appIDs: ['ABCDE12345.com.example.app'],
            components: [
              {
                '/': '/$(lang)/*',
                '?': { id: '?*' },
                '#': 'x',
                exclude: true,
                comment: 'c',
                caseSensitive: true,
                percentEncoded: true,
              },
              { '?': 'id=*' },
            ],
          },
        ],
      },
    },
  ],
])("Apple's file is accepted with %s.", async ([, appleAppSiteAssociation]) => {
  const { update } = await arrange();
  expect(await update({ appleAppSiteAssociation })).toMatchObject({ status: 200, body: { appleAppSiteAssociation } });
});

test.for<[string, object]>([
  [
    'a site',
    { relation: ['delegate_permission/common.get_login_creds'], target: { namespace: 'web', site: 'https://www.example.com' } },
  ],
  ['an include', { include: 'https://www.example.com/.well-known/assetlinks.json' }],
  ['unknown fields', { ...statement, relation_extensions: {} }],
])('A list of statements is accepted with %s.', async ([, one]) => {
  const { update } = await arrange();
  expect(await update({ assetLinks: [statement, one] })).toMatchObject({ status: 200, body: { assetLinks: [statement, one] } });
});

test.for<[string, unknown, string, string]>([
  ['appleAppSiteAssociation', 'text', '', 'invalid_type'],
  ['appleAppSiteAssociation', [], '', 'invalid_type'],
  ['appleAppSiteAssociation', {}, '', 'required'],
  ['appleAppSiteAssociation', { applinks: {} }, '/applinks/details', 'required'],
  ['appleAppSiteAssociation', { applinks: { details: { x: {} } } }, '/applinks/details', 'invalid_type'],
  ['appleAppSiteAssociation', { applinks: { details: [{ paths: ['*'] }] } }, '/applinks/details/0', 'required'],
  ['appleAppSiteAssociation', { applinks: { details: [{ appIDs: [] }] } }, '/applinks/details/0/appIDs', 'too_few'],
  [
    'appleAppSiteAssociation',
    { applinks: { details: [{ appID: 'com.example.app' }] } },
    '/applinks/details/0/appID',
    'app_id_invalid',
  ],
  ['appleAppSiteAssociation', { webcredentials: { apps: ['x'] } }, '/webcredentials/apps/0', 'app_id_invalid'],
  ['appleAppSiteAssociation', { ...apple, padding: 'ü'.repeat(33_000) }, '', 'too_large'],
  ['assetLinks', {}, '', 'invalid_type'],
  ['assetLinks', [], '', 'too_few'],
  ['assetLinks', [{}], '/0', 'required'],
  ['assetLinks', [{ relation: ['x'], target: statement.target }], '/0/relation/0', 'relation_invalid'],
  ['assetLinks', [{ ...statement, target: { namespace: 'ios' } }], '/0/target/namespace', 'invalid_value'],
  ['assetLinks', [{ ...statement, target: { namespace: 'web', site: 'example.com' } }], '/0/target/site', 'site_invalid'],
  [
    'assetLinks',
    [{ ...statement, target: { ...statement.target, sha256_cert_fingerprints: ['0f'] } }],
    '/0/target/sha256_cert_fingerprints/0',
    'fingerprint_invalid',
  ],
  ['assetLinks', [{ ...statement, padding: 'x'.repeat(65_536) }], '', 'too_large'],
])('The file %s %j is refused at %s as %s.', async ([name, value, path, code]) => {
  const { update, get } = await arrange();
  const response = await update({ [name]: value });
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toContainEqual(expect.objectContaining({ path: `/${name}${path}`, code }));
  expect(await get()).toMatchObject({ [name]: null });
});

test('Two files of the largest size are set at once.', async () => {
  const { update, get } = await arrange();
  const sized = (length: number, make: (padding: string) => object) => {
    const empty = Buffer.byteLength(JSON.stringify(make('')));
    return make('x'.repeat(length - empty));
  };
  const files = {
    appleAppSiteAssociation: sized(65_536, (padding) => ({ ...apple, padding })),
    assetLinks: sized(65_536, (padding) => [{ ...statement, padding }]),
  };
  expect((await update(files)).status).toBe(200);
  expect(await get()).toMatchObject(files);
});

const logoUrl = 'https://www.example.com/logo.png';
const logo = 'data:image/png;base64,iVBORw0KGgo=';

test('The colour and the logo of pages are set and cleared, and the logo is fetched each time it is set.', async () => {
  const { update, get, host, workspaceId } = await arrange();
  const fetched = vi.mocked(fetchLogo).mockReset().mockResolvedValue(logo);
  const files = () => Array.fromAsync(store.query({ pk: `DOMAIN#${host}`, skPrefix: 'FILE#' }));
  expect((await update({ accentColor: '#1877F2', logoUrl })).body).toMatchObject({ accentColor: '#1877f2', logoUrl });
  expect(await files()).toMatchObject([{ sk: 'FILE#logo', content: logo }]);
  await update({ publicQr: true });
  expect(fetched).toHaveBeenCalledTimes(1);
  await update({ logoUrl });
  expect(fetched).toHaveBeenCalledTimes(2);
  expect((await callEndpoint('list-domains', { workspaceId })).body.domains).toMatchObject([{ accentColor: '#1877f2', logoUrl }]);
  expect((await update({ accentColor: null, logoUrl: null })).body).toMatchObject({ accentColor: null, logoUrl: null });
  expect([await get(), await files()]).toMatchObject([{ accentColor: null, logoUrl: null }, []]);
});

test('If the logo cannot be fetched, nothing changes, and the response says why.', async () => {
  const { update, get } = await arrange();
  const refusal = new RuleError('logo_unreachable', 'must lead to an image that can be fetched; it answers 404');
  vi.mocked(fetchLogo).mockReset().mockRejectedValue(refusal);
  const response = await update({ logoUrl, publicQr: true });
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toEqual([{ path: '/logoUrl', code: refusal.code, message: refusal.message }]);
  expect(await get()).toMatchObject({ logoUrl: null, publicQr: false });
});

test.for([
  [{ accentColor: '#ffff00' }, '/accentColor', 'accent_contrast'],
  [{ accentColor: '#000080' }, '/accentColor', 'accent_contrast'],
  [{ accentColor: 'blue' }, '/accentColor', 'invalid_color'],
  [{ logoUrl: 'http://www.example.com/logo.png' }, '/logoUrl', 'logo_scheme'],
  [{ logoUrl: 'https://10.0.0.1/logo.png' }, '/logoUrl', 'logo_private'],
  [{ logoUrl: logo }, '/logoUrl', 'logo_scheme'],
] as const)('The look %j is refused at %s as %s, and nothing is fetched.', async ([body, path, code]) => {
  vi.mocked(fetchLogo).mockReset();
  const response = await (await arrange()).update(body);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
  expect(fetchLogo).not.toHaveBeenCalled();
});
