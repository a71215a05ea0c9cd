import { writeFileSync } from 'node:fs';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answer, expectProblem, type OwnService, useOwnService, type Workspace } from '../../../support/service/service.ts';

let service: OwnService;
let workspace: Workspace;
let host: string;
let made = 0;
beforeAll(async () => {
  service = await useOwnService();
  workspace = await service.newWorkspace();
});
beforeEach(() => {
  host = `go${++made}.acme.example`;
});

const target = 'links.localhost';
const claim = async (own = workspace) => (await own.call('POST', '/domains', { domain: host })).body;
const verify = (own = workspace) => own.call('POST', `/domains/${host}/verify`);
const txt = ({ records }: { records: { type: string; name: string; value: string }[] }) => {
  const record = records.find(({ type }) => type === 'TXT');
  return { [record?.name ?? '']: { TXT: [record?.value] } };
};
const setDns = (...records: object[]) => writeFileSync(service.dnsFile, JSON.stringify(Object.assign({}, ...records)));
const pointed = () => ({ [host]: { CNAME: [target] } });

function expectFailed(answer: Answer, code: string, text: string): void {
  expectProblem(answer, 422, 'domain_check_failed');
  expect(answer.body.errors).toEqual([{ path: '', code, message: expect.stringContaining(text) }]);
}
/** The default settings of a domain. */
const nothingSet = {
  rootUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
  publicQr: false,
  allowIndexing: false,
  accentColor: null,
  logoUrl: null,
  appleAppSiteAssociation: null,
  assetLinks: null,
};

test('A domain goes from a claim to serving as its records are set, and each step says what is missing.', async () => {
  const created = await workspace.call('POST', '/domains', { domain: `${host.toUpperCase()}.` });
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe(`/api/v1/domains/${host}`);
  expect(created.body).toEqual({
    domain: host,
    status: 'PENDING_OWNERSHIP',
    covered: true,
    records: [
      { type: 'TXT', name: `_links.${host}`, value: expect.stringMatching(/^links-verification=[0-9A-Za-z]{32}$/) },
      { type: 'CNAME', name: host, value: target },
    ],
    createdAt: expect.any(String),
    verifiedAt: null,
    certificate: null,
    lastCheck: null,
    ...nothingSet,
  });
  expect((await workspace.call('GET', `/domains/${host}`)).body).toEqual(created.body);
  expectProblem(
    await workspace.call('POST', '/links', { domain: host, url: 'https://example.org/' }),
    422,
    'domain_not_verified',
  );

  setDns();
  expectFailed(await verify(), 'ownership_not_proven', 'there is no such record');
  setDns({ [`_links.${host}`]: { TXT: ['links-verification=wrong'] } });
  expectFailed(await verify(), 'ownership_not_proven', 'found "links-verification=wrong"');
  const [record, pointing] = created.body.records;
  const saw = (wanted: object, ...seen: string[]) => ({ at: expect.any(String), wanted, seen });
  const shown = async () => (await workspace.call('GET', `/domains/${host}`)).body;
  expect((await shown()).lastCheck).toEqual(saw(record, 'links-verification=wrong'));

  setDns(txt(created.body));
  expectFailed(await verify(), 'dns_not_pointed', 'there is no such record');
  const proven = await shown();
  const lastCheck = saw(pointing);
  expect(proven).toEqual({ ...created.body, status: 'PENDING_DNS', verifiedAt: expect.any(String), lastCheck });
  const { link } = (await workspace.call('POST', '/links', { domain: host, url: 'https://example.org/' })).body;
  expect(link.pendingVerification).toBe(true);

  setDns(pointed());
  const served = { ...proven, status: 'ACTIVE', lastCheck: saw(pointing, 'links.localhost') };
  expect(await verify()).toMatchObject({ status: 200, body: served });
  expect(await shown()).toEqual(served);
  expect((await workspace.call('GET', `/links/${link.id}`)).body.link.pendingVerification).toBe(false);
  expect(await service.visit(host, link.shortCode)).toBe(302);
  // An active domain stays active: the daily check only reports.
  setDns();
  expect(await verify()).toMatchObject({ status: 200, body: { status: 'ACTIVE' } });
});

test('A domain claim reserves nothing, and if several workspaces prove theirs at once, only one gets the domain.', async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => service.newWorkspace()));
  const claims = await Promise.all(others.map((own) => claim(own)));
  expect(new Set(claims.map((one) => txt(one)[`_links.${host}`]?.TXT[0])).size).toBe(5);
  setDns({ [`_links.${host}`]: { TXT: claims.map((one) => txt(one)[`_links.${host}`]?.TXT[0]) } }, pointed());
  const answers = await Promise.all(others.map((own) => verify(own)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  const owner = others[answers.findIndex(({ status }) => status === 200)];
  for (const own of others) {
    expectProblem(await own.call('POST', '/domains', { domain: host }), 409, 'domain_taken');
    if (own !== owner)
      expectProblem(await own.call('POST', '/links', { domain: host, url: 'https://x.org' }), 422, 'domain_not_verified');
  }
  expect((await owner?.call('GET', `/domains/${host}`))?.body.status).toBe('ACTIVE');
});

test('A domain claim expires after 7 days: it is not found, its record proves nothing, and a new claim has a new record.', async () => {
  const old = await claim();
  setDns(txt(old), pointed());
  const { updateItem } = await import('../../../../lambdas/store/table/writes.ts');
  const { claimKey } = await import('../../../../lambdas/store/table/keys.ts');
  const createdAt = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const age = (days: number) =>
    updateItem(claimKey(workspace.id, host), { text: 'SET #createdAt = :then', values: { ':then': createdAt(days) } });
  await age(6.99);
  expect((await workspace.call('GET', `/domains/${host}`)).status).toBe(200);
  await age(7.01);
  expectProblem(await workspace.call('GET', `/domains/${host}`), 404, 'not_found');
  expectProblem(await verify(), 404, 'not_found');
  const { domains } = (await workspace.call('GET', '/domains')).body;
  expect(domains.map(({ domain }: { domain: string }) => domain)).not.toContain(host);
  const fresh = await claim();
  expect(txt(fresh)).not.toEqual(txt(old));
  expectFailed(await verify(), 'ownership_not_proven', 'found ');
});

test('The daily check logs which domain fails, and changes nothing.', async () => {
  const own = await service.newWorkspace();
  const created = await claim(own);
  setDns(txt(created), pointed());
  await verify(own);
  const { deleteItem } = await import('../../../../lambdas/store/table/writes.ts');
  const { checkRoundKey } = await import('../../../../lambdas/store/table/keys.ts');
  const check = async () => {
    // As if a day had passed.
    await deleteItem(checkRoundKey);
    return (await service.invoke('check-domains', {})) as { failed: number };
  };
  /** The log's reports of the domain. */
  const reports = () =>
    service
      .logged()
      .join('\n')
      .split('a domain fails its check')
      .filter((report) => report.includes(`'${host}'`));
  const { failed } = await check();
  expect(reports()).toEqual([]);
  setDns({ [host]: { CNAME: ['elsewhere.example'] } });
  expect((await check()).failed).toBe(failed + 1);
  // The log may arrive after the result.
  await expect.poll(reports).toHaveLength(2);
  const found = reports();
  for (const text of ['ownership_not_proven', 'dns_not_pointed', 'elsewhere.example', own.id])
    expect(found.join()).toContain(text);
  // A domain that the operator has assigned is not checked.
  expect(service.logged().join()).not.toContain(own.domain);
  expect((await own.call('GET', `/domains/${host}`)).body.status).toBe('ACTIVE');
});
