import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rawRequest } from '../../support/raw-request.ts';
import { type Answer, expectProblem, type Service, useService, type Workspace } from '../../support/service.ts';

let service: Service;
let workspace: Workspace;
let host: string;
let made = 0;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
});
beforeEach(() => {
  host = `go${++made}.acme.example`;
});
afterAll(() => service.stop());

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

test('a domain goes from a claim to serving as its records are set, and each step says what is missing', async () => {
  const created = await workspace.call('POST', '/domains', { domain: `${host.toUpperCase()}.` });
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe(`/api/v1/domains/${host}`);
  expect(created.body).toEqual({
    domain: host,
    status: 'PENDING_OWNERSHIP',
    records: [
      { type: 'TXT', name: `_links.${host}`, value: expect.stringMatching(/^links-verification=[0-9A-Za-z]{32}$/) },
      { type: 'CNAME', name: host, value: target },
    ],
    createdAt: expect.any(String),
    verifiedAt: null,
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
  expectFailed(await verify(), 'ownership_not_proven', 'seen was "links-verification=wrong"');

  setDns(txt(created.body));
  expectFailed(await verify(), 'dns_not_pointed', 'there is no such record');
  const proven = (await workspace.call('GET', `/domains/${host}`)).body;
  expect(proven).toEqual({ ...created.body, status: 'PENDING_DNS', verifiedAt: expect.any(String) });
  const { link } = (await workspace.call('POST', '/links', { domain: host, url: 'https://example.org/' })).body;
  expect(link.pendingVerification).toBe(true);

  setDns(pointed());
  expect(await verify()).toMatchObject({ status: 200, body: { ...proven, status: 'ACTIVE' } });
  expect((await workspace.call('GET', `/links/${link.id}`)).body.link.pendingVerification).toBe(false);
  const port = Number(new URL(service.baseUrl).port);
  expect(await rawRequest(port, [`GET /${link.shortCode} HTTP/1.1`, `Host: ${host}`])).toMatch(/^HTTP\/1\.1 302/);
  // What serves stays so: the daily check reports, and takes nothing away.
  setDns();
  expect(await verify()).toMatchObject({ status: 200, body: { status: 'ACTIVE' } });
});

test('a claim that is made again is the same claim', async () => {
  const first = await claim();
  expect(await claim()).toEqual(first);
  const answers = await Promise.all(Array.from({ length: 10 }, () => claim()));
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set([JSON.stringify(first)]));
});

test('a claim keeps the domain from nobody, and of several who prove theirs at once one gets it', async () => {
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

test('a claim lapses after 7 days: it is nowhere then, proves nothing, and is made anew', async () => {
  const old = await claim();
  setDns(txt(old), pointed());
  const { updateItem } = await import('../../../lambdas/store/table/writes.ts');
  const { claimKey } = await import('../../../lambdas/store/table/keys.ts');
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
  expectFailed(await verify(), 'ownership_not_proven', 'seen was');
});

test('list-domains has all domains and claims, by name', async () => {
  const own = await service.newWorkspace();
  for (const name of ['b.acme.example', 'a.acme.example']) await own.call('POST', '/domains', { domain: name });
  const { body } = await own.call('GET', '/domains');
  expect(Object.keys(body)).toEqual(['domains']);
  expect(body.domains.map(({ domain, status }: { domain: string; status: string }) => [domain, status])).toEqual([
    ['a.acme.example', 'PENDING_OWNERSHIP'],
    ['b.acme.example', 'PENDING_OWNERSHIP'],
    [own.domain, 'ACTIVE'],
  ]);
});

test('a workspace has at most 100 domains and claims', async () => {
  const own = await service.newWorkspace();
  await Promise.all(
    Array.from({ length: 99 }, (_, index) => own.call('POST', '/domains', { domain: `many${index}.acme.example` })),
  );
  expectProblem(await own.call('POST', '/domains', { domain: 'one-more.acme.example' }), 409, 'domain_limit_reached');
  await own.call('DELETE', '/domains/many0.acme.example');
  expect((await own.call('POST', '/domains', { domain: 'one-more.acme.example' })).status).toBe(201);
});

describe('delete-domain', () => {
  test('is refused while there are links on it, and gives the name up once there are none', async () => {
    const own = await service.newWorkspace();
    const { id } = (await own.call('POST', '/links', { domain: own.domain, url: 'https://example.org/' })).body.link;
    expectProblem(await own.call('DELETE', `/domains/${own.domain}`), 409, 'domain_in_use');
    expect((await own.call('GET', `/domains/${own.domain}`)).status).toBe(200);
    await own.call('DELETE', `/links/${id}`);
    expect(await own.call('DELETE', `/domains/${own.domain}`)).toMatchObject({ status: 204, text: '' });
    expectProblem(await own.call('GET', `/domains/${own.domain}`), 404, 'not_found');
    expectProblem(await own.call('DELETE', `/domains/${own.domain}`), 404, 'not_found');
    expectProblem(await own.call('POST', '/links', { domain: own.domain, url: 'https://x.org' }), 422, 'domain_not_verified');
  });

  test('takes a claim back', async () => {
    await claim();
    expect((await workspace.call('DELETE', `/domains/${host}`)).status).toBe(204);
    expectProblem(await workspace.call('GET', `/domains/${host}`), 404, 'not_found');
  });
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
] as const)('%j is refused as %s', async ([body, code]) => {
  const answer = await workspace.call('POST', '/domains', body);
  expectProblem(answer, 422, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ path: '/domain', code }]);
});

test("another workspace's domain or claim, an unknown one, and what is no name are all not found", async () => {
  const own = await service.newWorkspace();
  await claim();
  for (const name of [host, workspace.domain, 'unknown.example.com', 'nonsense', '%00', '%ff', '127.0.0.1', 'x'.repeat(300)]) {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/verify'],
    ] as const) {
      expectProblem(await own.call(method, `/domains/${name}${path}`), 404, 'not_found');
    }
  }
  expect((await workspace.call('GET', `/domains/${host}`)).status).toBe(200);
});

test.for([
  ['POST', '/domains', 'domains:read'],
  ['GET', '/domains', 'domains:write'],
  ['GET', '/domains/x.example', 'domains:write'],
  ['DELETE', '/domains/x.example', 'domains:read'],
  ['POST', '/domains/x.example/verify', 'domains:read'],
] as const)('%s %s is refused to a key that has %s alone', async ([method, path, permission]) => {
  const { key } = await workspace.newKey([permission]);
  expectProblem(await service.send(method, `/api/v1${path}`, { key }), 403, 'forbidden');
});

test('the daily check says which domain fails, and changes nothing', async () => {
  const own = await service.newWorkspace();
  const created = await claim(own);
  setDns(txt(created), pointed());
  await verify(own);
  const { deleteItem } = await import('../../../lambdas/store/table/writes.ts');
  const { checkRoundKey } = await import('../../../lambdas/store/table/keys.ts');
  const check = async () => {
    // As if a day had passed.
    await deleteItem(checkRoundKey);
    return (await service.invoke('check-domains', {})) as { failed: number };
  };
  /** What was logged of the domain. */
  const reports = () =>
    service.log
      .join('\n')
      .split('a domain fails its check')
      .filter((report) => report.includes(`'${host}'`));
  const { failed } = await check();
  expect(reports()).toEqual([]);
  setDns({ [host]: { CNAME: ['elsewhere.example'] } });
  expect((await check()).failed).toBe(failed + 1);
  // A log comes by a way of its own, and not before the result.
  await expect.poll(reports).toHaveLength(2);
  const found = reports();
  for (const text of ['ownership_not_proven', 'dns_not_pointed', 'elsewhere.example', own.id])
    expect(found.join()).toContain(text);
  // Of what the operator has said to be somebody's, nothing is looked up.
  expect(service.log.join()).not.toContain(own.domain);
  expect((await own.call('GET', `/domains/${host}`)).body.status).toBe('ACTIVE');
});
