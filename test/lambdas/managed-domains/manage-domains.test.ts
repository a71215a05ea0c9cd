import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { reconcile } from '../../../bin/admin/domains.ts';
import { alarming } from '../../../lambdas/core/alarms.ts';
import { denial, newCertificate } from '../../../lambdas/core/domain/certificate.ts';
import { certificateRequests, managedDomainsPerWorkspace } from '../../../lambdas/core/limits.ts';
import type { ManageEvent } from '../../../lambdas/managed-domains/manage-domains.ts';
import { type AwsApi, startAwsApi } from '../../../local/aws-api.ts';
import { type ManagedDomains, openManagedDomains } from '../../../local/managed-domains.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { useDns } from '../../support/http/dns.ts';
import { callEndpoint, contextWith } from '../../support/http/invoke.ts';
import { runs } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';

/** How far the clocks of the table and AWS are ahead, and how wrong the function's estimate of them is, in milliseconds. */
const time = vi.hoisted(() => ({ ahead: 0, wrong: 0 }));
vi.mock('../../../lambdas/store/table/clock.ts', async (original) => {
  const clock = await original<typeof import('../../../lambdas/store/table/clock.ts')>();
  return { ...clock, tableTime: () => clock.tableTime() + time.ahead + time.wrong };
});

const minute = 60_000;
const apiId = 'redirect-api';
const foreignTags = { service: 'links', 'links-redirect': 'another-api', 'links-domain': 'dom_another' };

type Fault = 'throttled' | 'lost-before' | 'lost-after' | 'dead';

let store: Store;
let dns: Awaited<ReturnType<typeof useDns>>;
let api: AwsApi;
let aws: ManagedDomains;
let handler: typeof import('../../../lambdas/managed-domains/manage-domains.ts').handler;
let isScheduleOn = false;
/** The faults of the next AWS calls, by their numbers. */
let faults = new Map<number, Fault>();
let calls: string[] = [];
let isDead = false;
/** The actions that policies deny, and the messages of the denials. */
let denied: readonly string[] = [];
/** Certificates that ACM has made, and does not show yet. */
let hidden: readonly string[] = [];
let quotas = { certificates: 2_500, names: 120, betweenNameCallsMs: 30_000 };
const records: Record<string, object> = {};

const fault = (call: string) => {
  const planned = faults.get(calls.push(call) - 1);
  if (isDead) return 'lost-before' as const;
  if (planned !== 'dead') return planned;
  isDead = true;
  return 'lost-after' as const;
};

beforeAll(async () => {
  store = await useStore();
  dns = await useDns();
  api = await startAwsApi();
  for (const service of ['ACM', 'APIGATEWAYV2', 'EVENTBRIDGE']) process.env[`AWS_ENDPOINT_URL_${service}`] = api.endpoint;
  Object.assign(process.env, {
    CERTIFICATE_SCHEDULE: 'certificates',
    REDIRECT_API_ID: apiId,
    MANAGED_DOMAINS: 'manage-domains',
    DOMAIN_TARGET: 'links.example',
  });
  ({ handler } = await import('../../../lambdas/managed-domains/manage-domains.ts'));
});
afterAll(() => Promise.all([dns.stop(), api.stop()]));

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  await fresh();
});

/** Clears AWS, the DNS and the domains of the previous test. */
async function fresh() {
  for (let number = 1; number <= made; number++) {
    const host = hostOf(number);
    await removeDomain(host);
    await store.deleteItem({ pk: `CERTIFICATE#${host}`, sk: 'CERTIFICATE' });
    await store.deleteItem({ pk: 'CERTIFICATES#pending', sk: `HOST#${host}` });
  }
  made = 0;
  Object.assign(time, { ahead: 0, wrong: 0 });
  process.env.SERVED_NAMES = '*.example.com';
  quotas = { certificates: 2_500, names: 120, betweenNameCallsMs: 30_000 };
  for (const name of Object.keys(records)) delete records[name];
  dns.set(records);
  faults = new Map();
  calls = [];
  isDead = false;
  denied = [];
  hidden = [];
  const now = () => Date.now() + time.ahead;
  const lookUp = async (name: string) => (records[name] as { CNAME?: string[] } | undefined)?.CNAME ?? [];
  aws = openManagedDomains({ lookUp, now, quotas, fault });
  api.serve({
    invokeLater: () => undefined,
    setRuleEnabled: (_rule, isEnabled) => {
      isScheduleOn = isEnabled;
    },
    forDomains: { state: aws.state, answer: underPolicy },
  });
}

/**
 * Answers as AWS does under the function's policy: only resources with the tags of the stage may be deleted, and a deleted
 * certificate has none. `test/lib/managed-domains.test.ts` tests the policy itself.
 */
const underPolicy: ManagedDomains['answer'] = async (call) => {
  const [, operation = ''] = /^CertificateManager\.(\w+)$/.exec(call.target) ?? [];
  const action = operation ? `acm:${operation}` : `apigateway:${call.method}`;
  const arn = operation && JSON.parse(call.body).CertificateArn;
  const isOwn = () => aws.state.certificates.some((one) => one.arn === arn && isOurs(one));
  if (denied.includes(action) || (operation === 'DeleteCertificate' && (hidden.includes(arn) || !isOwn()))) {
    calls.push(`${operation} denied`);
    const message = `User: arn:aws:sts::111122223333:assumed-role/r/f is not authorized to perform: ${action} on resource: ${arn}`;
    return { status: 403, body: { __type: 'AccessDeniedException', message } };
  }
  const isHiding = hidden.includes(arn) || (operation === 'ListCertificates' && hidden.length > 0);
  const all = aws.state.certificates;
  if (isHiding) aws.state.certificates = all.filter((one) => !hidden.includes(one.arn));
  try {
    return await aws.answer(call);
  } finally {
    if (isHiding) aws.state.certificates = all;
  }
};

/** Runs the function, which may die. */
async function run(event: object = {}) {
  await underFaults(
    () => (isDead ? 'dead-before' : undefined),
    () => handler(event, contextWith(55_000)).catch((error: Error) => isDead || Promise.reject(error)),
  );
  isDead = false;
  time.ahead += 2 * minute;
}

/** The alarms that were raised since the test began. */
const alarms = () =>
  vi
    .mocked(console.warn)
    .mock.calls.map(([line]) => line.message)
    .filter((message) => (Object.values(alarming) as string[]).includes(message));

/** A host outside of the names that the stage serves. */
let made = 0;
const hostOf = (number: number) => `go${number}.acme.example`;
const newHost = () => hostOf(++made);

const certificatesOf = (host: string) => aws.state.certificates.filter((one) => one.host === host);
const nameOf = (host: string) => aws.state.names.find((one) => one.host === host);
const isOurs = ({ tags }: { tags: Record<string, string> }) => tags['links-redirect'] === apiId;

/** Sets all DNS records that are known by now. */
async function setRecords(host: string) {
  const domain = await store.getDomain(host);
  const { getCertificate } = await import('../../../lambdas/store/domains/certificates.ts');
  const certificate = domain && (await getCertificate(domain));
  if (certificate?.validation) records[certificate.validation.name] = { CNAME: [certificate.validation.value] };
  if (certificate?.target) records[host] = { CNAME: [certificate.target] };
  dns.set(records);
  return certificate;
}

/** Lets time pass, with a correct clock and without further faults, until nothing is left to do. */
async function settle(hosts: readonly string[]) {
  faults = new Map();
  time.wrong = 0;
  for (let round = 0; round < 14; round++) {
    for (const host of hosts) await setRecords(host);
    time.ahead += 61 * minute;
    await run({ isHourly: true });
  }
}

async function removeDomain(host: string) {
  const domain = await store.getDomain(host);
  if (domain) await store.deleteDomain(domain.workspaceId, host);
}

/** Lets a custom domain of the stage cover the hosts of this test, or no longer. */
const cover = (isCovered: boolean) => {
  process.env.SERVED_NAMES = isCovered ? '*.example.com *.acme.example' : '*.example.com';
};

const addDomain = async (host: string, workspaceId?: string) =>
  store.addDomain(workspaceId ?? (await store.newWorkspace()).workspaceId, host, 'PENDING_DNS');

test('A proven domain gets a certificate, a name and its mapping, and serves before its DNS record for visitors is shown.', async () => {
  const host = newHost();
  await addDomain(host);
  await run({ host });
  expect(await setRecords(host)).toMatchObject({ status: 'PENDING_VALIDATION', validation: { type: 'CNAME' }, target: null });
  expect(isScheduleOn).toBe(true);
  expect((await store.getDomain(host))?.status).toBe('PENDING_DNS');
  await run();
  expect((await store.getDomain(host))?.status).toBe('ACTIVE');
  expect(await setRecords(host)).toMatchObject({ status: 'PENDING_TRAFFIC', target: nameOf(host)?.target, wasReached: false });
  await run();
  expect(await setRecords(host)).toMatchObject({ status: 'ACTIVE', detail: null, wasReached: true });
  expect(nameOf(host)?.mappings).toMatchObject([{ ApiId: apiId, ApiMappingKey: '', Stage: '$default' }]);
  await run();
  expect(isScheduleOn).toBe(false);
});

test('Wherever a run dies, the DNS record for visitors is shown only once the domain serves.', async () => {
  let hasDied = true;
  for (let at = 0; hasDied; at++) {
    const host = newHost();
    await addDomain(host);
    await run({ host });
    await setRecords(host);
    let writes = 0;
    hasDied = false;
    const dieAtWrite = ({ command }: { command: string }) => {
      if (/^(Get|BatchGet|Query)/.test(command) || writes++ < at) return undefined;
      hasDied = true;
      return 'dead-before';
    };
    await underFaults(dieAtWrite, () => handler({ host }, contextWith(55_000)).catch(() => undefined));
    const target = (await setRecords(host))?.target ?? null;
    const { status } = (await store.getDomain(host)) ?? {};
    expect([at, target !== null && status !== 'ACTIVE']).toEqual([at, false]);
    if (!hasDied) expect(target).not.toBeNull();
    time.ahead += 2 * minute;
  }
});

test('A domain that the operator has switched off is active again only once its DNS points there.', async () => {
  const host = newHost();
  const { workspaceId } = await store.newWorkspace();
  await addDomain(host, workspaceId);
  await settle([host]);
  delete records[host];
  dns.set(records);
  await store.addDomain(workspaceId, host, 'PENDING_DNS');
  time.ahead += 24 * 60 * minute;
  await run({ isHourly: true });
  expect((await store.getDomain(host))?.status).toBe('PENDING_DNS');
  await settle([host]);
  expect((await store.getDomain(host))?.status).toBe('ACTIVE');
});

test('A domain that a custom domain of the stage covers gets no certificate, and AWS is not called.', async () => {
  const { domain } = await store.newWorkspace();
  await run({ host: domain.host });
  expect(calls).toEqual([]);
});

test('A custom domain name that the service did not make is never changed, and the domain says so.', async () => {
  const host = newHost();
  await addDomain(host);
  const foreign = { host, tags: foreignTags, target: 'd-foreign', certificateArn: 'arn:foreign', mappings: [] };
  aws.state.names.push(foreign);
  await run({ host });
  await setRecords(host);
  await run();
  expect(await setRecords(host)).toMatchObject({ status: 'FAILED', target: null, detail: expect.stringMatching(/did not make/) });
  await removeDomain(host);
  await settle([host]);
  expect(aws.state.names).toEqual([foreign]);
  expect(certificatesOf(host)).toEqual([]);
});

test.for([
  ['FAILED', 'CAA_ERROR', /CAA_ERROR/],
  ['VALIDATION_TIMED_OUT', undefined, /72 hours/],
] as const)(
  'A certificate that is %s is shown as a state with a reason, and another one is requested only on demand.',
  async ([status, failure, reason]) => {
    const host = newHost();
    await addDomain(host);
    await run({ host });
    Object.assign(certificatesOf(host)[0] ?? {}, { status, failure });
    await run();
    expect(await setRecords(host)).toMatchObject({ status: 'FAILED', detail: expect.stringMatching(reason) });
    expect(alarms()).toEqual([alarming.certificateFails]);
    time.ahead += 25 * 60 * minute;
    await run({ isHourly: true });
    expect(certificatesOf(host)).toMatchObject([{ status }]);
    await run({ host });
    expect(certificatesOf(host)).toMatchObject([{ status: expect.stringMatching(/ISSUED|PENDING_VALIDATION/) }]);
  },
);

test('A certificate that somebody has deleted in ACM is replaced, without an alarm.', async () => {
  const host = newHost();
  await addDomain(host);
  await settle([host]);
  aws.state.certificates = [];
  time.ahead += 24 * 60 * minute;
  await settle([host]);
  expect(await setRecords(host)).toMatchObject({ status: 'ACTIVE' });
  expect(certificatesOf(host)).toHaveLength(1);
  expect(console.error).not.toHaveBeenCalled();
});

test("If somebody has deleted a domain's certificate or its tags, all of the service's resources are still removed, without a denial.", async () => {
  const [without, untagged] = [newHost(), newHost()];
  for (const host of [without, untagged]) await addDomain(host);
  await settle([without, untagged]);
  const kept = certificatesOf(untagged).map((one) => ({ ...one, tags: {} }));
  aws.state.certificates = kept;
  for (const host of [without, untagged]) await removeDomain(host);
  await settle([]);
  expect([aws.state.names, aws.state.certificates]).toEqual([[], kept]);
  expect(calls.filter((call) => call.endsWith('denied'))).toEqual([]);
  expect(console.error).not.toHaveBeenCalled();
  // The next owner starts anew.
  await addDomain(without);
  await settle([without]);
  expect(await setRecords(without)).toMatchObject({ status: 'ACTIVE' });
});

test('A certificate that ACM does not show yet is not forgotten if its domain is deleted meanwhile.', async () => {
  const host = newHost();
  await addDomain(host);
  faults.set(calls.length + 1, 'lost-after');
  await run({ host });
  expect(certificatesOf(host)).toHaveLength(1);
  hidden = aws.state.certificates.map(({ arn }) => arn);
  await removeDomain(host);
  for (let minutes = 0; minutes < 8; minutes += 2) await run({ host });
  hidden = [];
  await settle([]);
  expect(aws.state.certificates).toEqual([]);
  expect(calls.filter((call) => call.endsWith('denied'))).toEqual([]);
});

test('If a policy denies a step, the domain names the action, and the log raises the alarm for denials.', async () => {
  const host = newHost();
  await addDomain(host);
  denied = ['acm:RequestCertificate'];
  await run({ host });
  expect(await setRecords(host)).toMatchObject({ status: 'WAITING', detail: denial('acm:RequestCertificate') });
  expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ message: alarming.accessDenied }));
  denied = [];
  await settle([host]);
  expect(await setRecords(host)).toMatchObject({ status: 'ACTIVE' });
});

test('A certificate that is not renewed is shown as a state with a reason, and the domain keeps serving.', async () => {
  const host = newHost();
  await addDomain(host);
  await settle([host]);
  Object.assign(certificatesOf(host)[0] ?? {}, { renewal: { RenewalStatus: 'FAILED', RenewalStatusReason: 'CAA_ERROR' } });
  time.ahead += 24 * 60 * minute;
  await run({ isHourly: true });
  expect(await setRecords(host)).toMatchObject({ status: 'EXPIRING', detail: expect.stringMatching(/CAA_ERROR/) });
  expect(alarms()).toEqual([alarming.certificateFails]);
  expect((await store.getDomain(host))?.status).toBe('ACTIVE');
});

test('The 100th custom domain name of the account raises an alarm, even if somebody else made it, and the 99th raises none.', async () => {
  const host = newHost();
  await addDomain(host);
  for (let number = 0; number < 98; number++) {
    aws.state.names.push({ host: `other${number}.example`, tags: {}, target: 'd', certificateArn: 'arn', mappings: [] });
  }
  await settle([host]);
  expect(alarms()).toEqual([]);
  aws.state.names.push({ host: 'last.example', tags: {}, target: 'd', certificateArn: 'arn', mappings: [] });
  await run({ isHourly: true });
  expect(alarms()).toEqual([alarming.fewDomainNamesLeft]);
});

test('A name beyond the quota waits with a reason, and is made once there is room.', async () => {
  const host = newHost();
  quotas.names = 120;
  await addDomain(host);
  for (let number = 0; number < 120; number++) {
    aws.state.names.push({ host: `other${number}.example`, tags: {}, target: 'd', certificateArn: 'arn', mappings: [] });
  }
  await run({ host });
  await setRecords(host);
  await run();
  expect(await setRecords(host)).toMatchObject({ status: 'WAITING', detail: expect.stringMatching(/120 custom domain names/) });
  aws.state.names.pop();
  await settle([host]);
  expect(await setRecords(host)).toMatchObject({ status: 'ACTIVE' });
});

test("A domain beyond a workspace's limit waits with a reason, and gets a name once another one is removed.", async () => {
  const [first, last] = [newHost(), newHost()];
  const { workspaceId } = await store.newWorkspace();
  await addDomain(first, workspaceId);
  await run({ host: first });
  const { takePlace } = await import('../../../lambdas/store/domains/certificate-limits.ts');
  for (let number = 1; number < managedDomainsPerWorkspace; number++) await takePlace(workspaceId, `${number}.example`);
  await addDomain(last, workspaceId);
  await run({ host: last });
  expect(await setRecords(last)).toMatchObject({
    status: 'WAITING',
    detail: `The workspace has ${managedDomainsPerWorkspace} domains with certificates of their own, and may have no more; delete one first.`,
  });
  expect(certificatesOf(last)).toEqual([]);
  await settle([first, last]);
  expect(await setRecords(last)).toMatchObject({ status: 'WAITING' });
  expect(await setRecords(first)).toMatchObject({ status: 'ACTIVE' });
  await removeDomain(first);
  await settle([first, last]);
  expect(await setRecords(last)).toMatchObject({ status: 'ACTIVE' });
});

test('Deleting a domain and proving it again does not give a workspace more requests for certificates, but 30 days do.', async () => {
  const host = newHost();
  const { workspaceId } = await store.newWorkspace();
  const { takeRequest } = await import('../../../lambdas/store/domains/certificate-limits.ts');
  for (let number = 2; number < certificateRequests.quota; number++) await takeRequest(workspaceId, `attempt${number}`);
  for (let number = 0; number < 3; number++) {
    await addDomain(host, workspaceId);
    await run({ host });
    await removeDomain(host);
    if (number < 2) await run({ host });
  }
  expect(calls.filter((call) => call === 'RequestCertificate')).toHaveLength(2);
  await addDomain(host, workspaceId);
  await settle([host]);
  const next = new Date(Date.now() + certificateRequests.windowSeconds * 1_000).toISOString().slice(0, 10);
  expect(await setRecords(host)).toMatchObject({
    status: 'WAITING',
    detail: expect.stringMatching(/ 50 certificates in 30 days/),
  });
  expect((await setRecords(host))?.detail).toContain(`the next one on ${next}`);
  time.ahead += certificateRequests.windowSeconds * 1_000;
  await settle([host]);
  expect(await setRecords(host)).toMatchObject({ status: 'ACTIVE' });
});

test('A comparison lists missing, unused and broken domains, and changes nothing.', async () => {
  const [missing, unused, broken, right, foreign] = [newHost(), newHost(), newHost(), newHost(), newHost()];
  for (const host of [unused, broken, right]) await addDomain(host);
  await settle([unused, broken, right]);
  for (const host of [missing, foreign]) await addDomain(host);
  await run({ host: foreign });
  await removeDomain(unused);
  const unknown = { ...certificatesOf(right)[0], arn: 'arn:unknown', host: 'unknown.example' } as never;
  aws.state.certificates.push(unknown, { ...(unknown as object), arn: 'arn:foreign', host: foreign, tags: foreignTags } as never);
  aws.state.names = aws.state.names.filter((name) => name.host !== broken);
  const before = structuredClone(aws.state);
  expect(await handler({ compare: {} }, contextWith(55_000))).toEqual({
    missing: [missing],
    unused: [unused, 'unknown.example'].sort(),
    broken: [broken],
    next: null,
  });
  expect(aws.state).toEqual(before);
});

test('A name that is too long for a certificate is shown as a state with the reason, and AWS is not called.', async () => {
  const host = `${'a'.repeat(52)}.acme.example`;
  await addDomain(host);
  await run({ host });
  expect(await setRecords(host)).toMatchObject({ status: 'FAILED', detail: expect.stringMatching(/up to 64 characters/) });
  expect(calls).toEqual([]);
  await removeDomain(host);
  await settle([]);
});

test("The next owner of a name sees nothing of the former one's certificate, and gets its own.", async () => {
  const host = newHost();
  const { workspaceId: former } = await store.newWorkspace();
  const { workspaceId: next } = await store.newWorkspace();
  const shown = (workspaceId: string) => callEndpoint('get-domain', { workspaceId, domain: host });
  await addDomain(host, former);
  await settle([host]);
  expect((await shown(former)).body).toMatchObject({ covered: true, certificate: { status: 'ACTIVE' } });
  await removeDomain(host);
  await addDomain(host, next);
  const { domainId = '' } = (await store.getDomain(host)) ?? {};
  expect((await shown(former)).status).toBe(404);
  expect((await shown(next)).body).toMatchObject({
    status: 'PENDING_DNS',
    covered: false,
    certificate: { status: 'REQUESTED', records: [], detail: null },
  });
  for (let round = 0; round < 3; round++) await run({ host });
  expect(certificatesOf(host)).toMatchObject([{ tags: { 'links-domain': domainId } }]);
  expect(nameOf(host)).toMatchObject({ tags: { 'links-domain': domainId } });
});

test.for([-900, -500, 0, 900])(
  'No run takes the lease of a certificate from another one, whose clock differs by %i ms.',
  async (wrong) => {
    const host = newHost();
    await addDomain(host);
    await run({ host });
    const { takeCertificate } = await import('../../../lambdas/store/domains/certificates.ts');
    expect(await takeCertificate(host, undefined)).toBeDefined();
    time.wrong = wrong;
    expect(await takeCertificate(host, undefined)).toBeUndefined();
    time.ahead += 91_000;
    expect(await takeCertificate(host, undefined)).toBeDefined();
  },
);

test('A domain that is covered by now gets no certificate, even if an earlier domain of that name had one.', async () => {
  const host = newHost();
  await addDomain(host);
  await settle([host]);
  expect(nameOf(host)).toBeDefined();
  await removeDomain(host);
  await addDomain(host);
  cover(true);
  await settle([host]);
  expect([nameOf(host), certificatesOf(host)]).toEqual([undefined, []]);
  const { domainId = '' } = (await store.getDomain(host)) ?? {};
  const { getCertificate } = await import('../../../lambdas/store/domains/certificates.ts');
  expect(await getCertificate({ host, domainId })).toBeUndefined();
});

test('A domain that is covered by now gets no certificate, even if it was due to get one before.', async () => {
  const host = newHost();
  await addDomain(host);
  const { domainId = '', workspaceId = '' } = (await store.getDomain(host)) ?? {};
  const { getCertificate, releaseCertificate, takeCertificate } = await import('../../../lambdas/store/domains/certificates.ts');
  const held = await takeCertificate(host, newCertificate(host, domainId, workspaceId, Date.now()));
  if (held) await releaseCertificate(held, {});
  expect(await getCertificate({ host, domainId })).toMatchObject({ attempt: null });
  cover(true);
  await settle([host]);
  expect([nameOf(host), certificatesOf(host)]).toEqual([undefined, []]);
  expect(await getCertificate({ host, domainId })).toBeUndefined();
});

test('A domain that is covered by now keeps the name that its visitors use, and its certificate is replaced.', async () => {
  const host = newHost();
  await addDomain(host);
  await settle([host]);
  cover(true);
  for (const one of certificatesOf(host)) one.status = 'REVOKED';
  time.ahead += 24 * 60 * minute;
  await settle([host]);
  expect(await setRecords(host)).toMatchObject({ status: 'ACTIVE' });
  expect(certificatesOf(host)).toMatchObject([{ status: 'ISSUED' }]);
});

/** Compares and repairs, as the operator's command does. */
const repair = () => reconcile((event) => handler(event as ManageEvent, contextWith(55_000)), true);

const action = fc.oneof(
  fc.constantFrom(
    'run',
    'run',
    'run',
    'hourly',
    'records',
    'delete',
    'give',
    'add',
    'withdraw',
    'twice',
    'lose the name',
    'lose the certificates',
    'repair',
    'cover',
    'uncover',
  ),
  fc.record({ in: fc.nat(6), fault: fc.constantFrom<Fault>('throttled', 'lost-before', 'lost-after', 'dead') }),
  fc.record({ wrong: fc.constantFrom(-60 * minute, 0, 60 * minute) }),
);

type Step = typeof action extends fc.Arbitrary<infer One> ? One : never;
/** Histories that have failed in random runs. */
const found: Step[][] = [
  ['run', { in: 5, fault: 'throttled' }, { wrong: -60 * minute }, 'run', 'hourly'],
  ['run', 'records', 'run', 'cover', 'give'],
];

test('After any history, each domain that is not covered has one name and one certificate, no resource is left over, and no foreign one is changed.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 16 }), async (history) => {
      await fresh();
      const [host, taken] = [newHost(), newHost()];
      const { workspaceId: first } = await store.newWorkspace();
      const { workspaceId: second } = await store.newWorkspace();
      aws.state.names.push({ host: taken, tags: foreignTags, target: 'd-foreign', certificateArn: 'arn:foreign', mappings: [] });
      aws.state.certificates.push(
        { arn: 'arn:other', host, tags: foreignTags, token: undefined, requestedAt: 0, status: 'ISSUED' },
        { arn: 'arn:manual', host, tags: {}, token: undefined, requestedAt: 0, status: 'ISSUED' },
      );
      const foreign = () =>
        structuredClone(
          [aws.state.names, aws.state.certificates].map((list: readonly { tags: Record<string, string> }[]) =>
            list.filter((one) => !isOurs(one)),
          ),
        );
      const before = foreign();
      await addDomain(host, first);
      await addDomain(taken, first);
      let isCovered = false;
      /** The domain that has always been covered. */
      let neverManaged: string | undefined;
      const begin = async (workspaceId: string) => {
        const former = await store.getDomain(host);
        await addDomain(host, workspaceId);
        const domain = await store.getDomain(host);
        if (isCovered && domain?.domainId !== former?.domainId) neverManaged = domain?.domainId;
      };
      for (const step of history) {
        if (typeof step === 'object' && 'wrong' in step) time.wrong = step.wrong;
        else if (typeof step === 'object') faults.set(calls.length + step.in, step.fault);
        else if (step === 'run') await run({ host });
        else if (step === 'hourly') await run({ isHourly: true });
        else if (step === 'repair') await repair().catch(() => undefined);
        else if (step === 'twice')
          await Promise.all(
            [handler({ host }, contextWith(55_000)), handler({}, contextWith(55_000))].map((one) => one.catch(() => undefined)),
          );
        else if (step === 'records') await setRecords(host);
        else if (step === 'delete') await removeDomain(host);
        else if (step === 'add') await begin(first);
        else if (step === 'cover' || step === 'uncover') {
          isCovered = step === 'cover';
          cover(isCovered);
          if (!isCovered) neverManaged = undefined;
        } else if (step === 'give') {
          await removeDomain(host);
          await begin(second);
        } else if (step === 'lose the name') aws.state.names = aws.state.names.filter((name) => !isOurs(name));
        else if (step === 'lose the certificates') aws.state.certificates = aws.state.certificates.filter((one) => !isOurs(one));
        else for (const one of aws.state.certificates.filter(isOurs)) one.status = 'REVOKED';
        isDead = false;
        time.ahead += 2 * minute;
      }
      await settle([host, taken]);
      const domain = await store.getDomain(host);
      const hasBegun = nameOf(host) !== undefined;
      const isExpected = domain && domain.domainId !== neverManaged && (!isCovered || hasBegun);
      const expected = isExpected ? [domain.domainId] : [];
      const idsOf = (list: readonly { readonly host: string; readonly tags: Record<string, string> }[]) =>
        list.filter((one) => one.host === host && isOurs(one)).map(({ tags }) => tags['links-domain']);
      expect(idsOf(aws.state.names)).toEqual(expected);
      expect(idsOf(aws.state.certificates)).toEqual(expected);
      if (isExpected) expect(await setRecords(host)).toMatchObject({ status: 'ACTIVE' });
      expect(foreign()).toEqual(before);
      await removeDomain(host);
      await removeDomain(taken);
      await settle([]);
      expect([aws.state.names, aws.state.certificates]).toEqual(before);
    }),
    { numRuns: runs(6), examples: found.map((history): [Step[]] => [history]) },
  );
});
