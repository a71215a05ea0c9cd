import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Fault, underFaults } from '../../support/faults/faults.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { runs } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';

let store: Store;
let check: (event: unknown, context: ReturnType<typeof contextWith>) => Promise<{ checked: number; failed: number }>;

/** How often each name was asked for its proof. */
const asked = new Map<string, number>();
/** How long an answer takes, in milliseconds of the functions' clock. */
let answerMs = 0;
/** A DNS without records, whose answers take time only by the functions' clock. */
const dns = createSocket('udp4');
dns.on('message', (message, { port, address }) => {
  const { id = 0, questions = [] } = decode(message);
  const [{ name = '', type = '' } = {}] = questions;
  if (type === 'TXT') asked.set(name, (asked.get(name) ?? 0) + 1);
  vi.advanceTimersByTime(answerMs);
  dns.send(encode({ type: 'response', id, questions, flags: 3 }), port, address);
});

beforeAll(async () => {
  store = await useStore();
  dns.bind(0, '127.0.0.1');
  await once(dns, 'listening');
  Object.assign(process.env, {
    DNS_SERVERS: `127.0.0.1:${dns.address().port}`,
    DOMAIN_TARGET: 'links.localhost',
    SERVED_NAMES: '*',
    DOMAIN_ACTIVATION: 'dns',
  });
  ({ handler: check } = await import('../../../lambdas/events/check-domains.ts'));
});
afterAll(() => {
  dns.close();
  delete process.env.DNS_SERVERS;
});

const hour = 60 * 60 * 1_000;
const day = 24 * hour;
let began = Date.now();

beforeEach(() => {
  // Long after the previous test, and all that it has started.
  began += 100 * day;
  vi.useFakeTimers({ toFake: ['Date', 'hrtime'], now: began });
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  asked.clear();
  answerMs = 0;
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => void vi.advanceTimersByTime(ms);
const said = () => vi.mocked(console.warn).mock.calls.map(([entry]) => entry.message);
const round = () => store.getItem({ pk: 'ROUND#domains', sk: 'ROUND' });
const hosts: string[] = [];
let made = 0;

/** This many domains whose proof is not in the DNS. */
async function newDomains(count: number): Promise<void> {
  const { workspaceId } = await store.newWorkspace();
  for (let left = count; left > 0; left--) {
    const host = `check${++made}.acme.example`;
    const createdAt = new Date().toISOString();
    const claim = {
      host,
      status: 'PENDING_OWNERSHIP',
      createdAt,
      verifiedAt: null,
      token: `token ${made}`,
      lastCheck: null,
    } as const;
    await store.putItem({ pk: `WORKSPACE#${workspaceId}`, sk: `CLAIM#${host}`, ...claim });
    await store.proveOwnership(workspaceId, claim);
    hosts.push(host);
  }
}

const timesAsked = () => hosts.map((host) => asked.get(`_links.${host}`) ?? 0);

describe('A round of checks', () => {
  beforeAll(() => newDomains(130));

  test('A round begins once a day, checks every domain in one run if there is time, and no lookup happens in between.', async () => {
    expect(await check({}, contextWith(20_000))).toMatchObject({ checked: hosts.length + 1, failed: hosts.length });
    expect(timesAsked()).toEqual(hosts.map(() => 1));
    expect(said()).toEqual(hosts.map(() => 'a domain fails its check'));
    for (let hours = 1; hours < 24; hours++) {
      pass(hour);
      expect(await check({}, contextWith(20_000))).toEqual({ checked: 0, failed: 0 });
    }
    pass(hour);
    expect((await check({}, contextWith(20_000))).failed).toBe(hosts.length);
    expect(timesAsked()).toEqual(hosts.map(() => 2));
  });

  test('A round continues where the last run had to stop, until every domain is checked, even if that takes days.', async () => {
    answerMs = 100;
    let runs = 0;
    do {
      const { checked } = await check({}, contextWith(8_000));
      expect(checked).toBeGreaterThan(0);
      pass(day);
    } while (++runs < 50 && !(await round())?.isDone);
    expect(runs).toBeGreaterThan(2);
    expect(timesAsked()).toEqual(hosts.map(() => 1));
    expect(said()).toContain('not every domain was checked in time: the next run continues');
  });

  test('If a check cannot be recorded, its failure is still logged, and the round continues.', async () => {
    pass(2 * day);
    const [busy = ''] = hosts;
    const { result } = await underFaults(
      ({ command, input }) => (command === 'UpdateItem' && JSON.stringify(input).includes(`#${busy}"`) ? 'throttle' : undefined),
      () => check({}, contextWith(20_000)),
    );
    expect(result.failed).toBe(hosts.length);
    const count = (message: string) => said().filter((one) => one === message).length;
    expect(count('a domain fails its check')).toBe(hosts.length);
    expect(count('a check of a domain was not recorded')).toBe(1);
    expect(await round()).toMatchObject({ isDone: true });
  });

  test('A run begins no lookup that its time may not suffice for.', async () => {
    expect(await check({}, contextWith(5_900))).toEqual({ checked: 0, failed: 0 });
    expect(said()).toEqual(['not every domain was checked in time: the next run continues']);
  });

  test('Whenever runs die, and however often two overlap, a round checks every domain.', async () => {
    const deaths = fc.array(
      fc.record({
        at: fc.nat(4),
        fault: fc.constantFrom<Fault | undefined>('dead-before', 'dead-after', 'lost-after', undefined, undefined),
        beside: fc.boolean(),
      }),
      { minLength: 30, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(deaths, async (plan) => {
        pass(2 * day);
        asked.clear();
        answerMs = 100;
        const run = (at: number, fault: Fault | undefined) =>
          underFaults(
            ({ index }) => (fault !== undefined && (fault === 'lost-after' ? index === at : index >= at) ? fault : undefined),
            () => check({}, contextWith(8_000)).catch(() => undefined),
          );
        const before = (await round())?.startedAt;
        for (const { at, fault, beside } of plan) {
          await Promise.all([run(at, fault), ...(beside ? [run(0, undefined)] : [])]);
          pass(hour);
          const now = await round();
          if (now?.isDone && now.startedAt !== before) break;
        }
        // The rest of the round, without further deaths.
        for (let runs = 0; runs < 20 && !(await round())?.isDone; runs++) await run(0, undefined);
        expect(await round()).toMatchObject({ isDone: true });
        for (const times of timesAsked()) expect(times).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: runs(2) },
    );
  });

  test('A round whose start is a year ahead, from a wrong clock, does not delay the next one.', async () => {
    await check({}, contextWith(20_000));
    const startedAt = new Date(Date.now() + 365 * day).toISOString();
    await store.updateItem(
      { pk: 'ROUND#domains', sk: 'ROUND' },
      { text: 'SET #startedAt = :then', values: { ':then': startedAt } },
    );
    expect((await check({}, contextWith(20_000))).failed).toBe(hosts.length);
  });

  test('A round skips domains that were deleted since, and checks new ones.', async () => {
    const gone = hosts.splice(0, 3);
    for (const host of gone) {
      const domain = await store.getDomain(host);
      await store.deleteDomain(domain?.workspaceId ?? '', host);
    }
    await newDomains(2);
    await check({}, contextWith(20_000));
    expect(timesAsked()).toEqual(hosts.map(() => 1));
    for (const host of gone) expect(asked.has(`_links.${host}`)).toBe(false);
  });

  test('An active domain, even one that the operator has assigned, fails if no custom domain of the stage covers it any more.', async () => {
    const { workspaceId } = await store.newWorkspace();
    await store.addDomain(workspaceId, 'go.left.example', 'ACTIVE');
    await store.addDomain(workspaceId, 'waiting.left.example', 'PENDING_DNS');
    process.env.SERVED_NAMES = '*.other.example';
    try {
      await check({}, contextWith(20_000));
    } finally {
      process.env.SERVED_NAMES = '*';
    }
    const failures = vi.mocked(console.warn).mock.calls.map(([entry]) => entry);
    expect(failures).toContainEqual({
      message: 'a domain fails its check',
      domain: 'go.left.example',
      workspaceId,
      code: 'domain_not_covered',
      detail: expect.stringContaining('no custom domain of the service covers go.left.example'),
    });
    expect(failures.filter(({ domain }) => domain === 'waiting.left.example')).toEqual([]);
    expect(await store.getDomain('go.left.example')).toMatchObject({ status: 'ACTIVE' });
  });

  test('A managed domain fails only if visitors reached the service through it before, and no longer do.', async () => {
    const { newCertificate } = await import('../../../lambdas/core/domain/certificate.ts');
    const { takeCertificate, releaseCertificate } = await import('../../../lambdas/store/domains/certificates.ts');
    const { workspaceId } = await store.newWorkspace();
    for (const wasReached of [false, true]) {
      const host = `${wasReached ? 'lost' : 'new'}.made.example`;
      await store.addDomain(workspaceId, host, 'ACTIVE');
      const { domainId = '' } = (await store.getDomain(host)) ?? {};
      const held = await takeCertificate(host, newCertificate(host, domainId, workspaceId, Date.now()));
      if (!held) throw new Error('the certificate is taken');
      await releaseCertificate(held, { target: 'd-made.execute-api.example', wasReached });
    }
    process.env.MANAGED_DOMAINS = 'manage-domains';
    try {
      await check({}, contextWith(20_000));
    } finally {
      delete process.env.MANAGED_DOMAINS;
    }
    const failures = vi.mocked(console.warn).mock.calls.map(([entry]) => entry);
    expect(failures.filter(({ domain }) => domain?.endsWith('.made.example'))).toEqual([
      expect.objectContaining({ message: 'a domain fails its check', domain: 'lost.made.example' }),
    ]);
  });
});
