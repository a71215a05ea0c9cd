import { expect } from 'vitest';
import type { ManageEvent } from '../../../lambdas/managed-domains/manage-domains.ts';
import { openManagedDomains } from '../../../local/managed-domains.ts';
import { callEndpoint, contextWith } from '../http/invoke.ts';
import { checking, publish } from './domains.ts';
import { asOther } from './faults.ts';
import { type Answer, batchGet, get, plenty, put, query, remove, type Scenarios, store, transact, update } from './scenario.ts';

/** The values of CNAMEs in the DNS, as ACM sees them. */
const cnames = new Map<string, string>();
/** How many certificates were requested since the last scenario began. */
let requested = 0;
const aws = openManagedDomains({
  lookUp: async (name) => [cnames.get(name) ?? ''].filter((value) => value !== ''),
  quotas: { betweenNameCallsMs: 0 },
  fault: (call) => {
    if (call === 'RequestCertificate') requested++;
    return undefined;
  },
});

/** The stand-in for ACM, API Gateway and Lambda in these scenarios. */
export const awsForDomains = { forDomains: aws, invoke: async () => 'null' };

/** Does work as on a stage with managed domains. No other scenario may run meanwhile. */
async function managed<T>(work: () => Promise<T>): Promise<T> {
  const { SERVED_NAMES } = process.env;
  Object.assign(process.env, {
    SERVED_NAMES: '*.example.com',
    MANAGED_DOMAINS: 'manage-domains',
    REDIRECT_API_ID: 'redirect-api',
    CERTIFICATE_SCHEDULE: 'certificates',
  });
  try {
    return await work();
  } finally {
    delete process.env.MANAGED_DOMAINS;
    process.env.SERVED_NAMES = SERVED_NAMES;
  }
}

const { certificateKey, certificateScheduleKey, pendingCertificateKey } = await import('../../../lambdas/store/table/keys.ts');

/** Lets time pass for a host, so that its leases and pauses end. */
async function wait(host: string): Promise<void> {
  if (!(await store.getItem(certificateKey(host)))) return;
  const update = { text: 'SET #leaseUntil = :past, #notBefore = :past, #checkedAt = :past', values: { ':past': 0 } };
  await store.updateItem(certificateKey(host), update);
}

/** Forgets the domains and certificates of other scenarios, which a run for all of them would look at. */
async function forgetOthers(): Promise<void> {
  Object.assign(aws.state, { certificates: [], names: [] });
  requested = 0;
  for await (const { gsi1sk } of store.query({ gsi1pk: 'DOMAINS' })) {
    await store.deleteItem({ pk: `DOMAIN#${gsi1sk}`, sk: 'CHECK' });
  }
  for await (const { gsi1sk } of store.query({ gsi1pk: 'CERTIFICATES' })) {
    await store.deleteItem(certificateKey(String(gsi1sk)));
    await store.deleteItem(pendingCertificateKey(String(gsi1sk)));
  }
}

const run = async (event: ManageEvent, budget: number): Promise<Answer> => {
  const { handler } = await import('../../../lambdas/managed-domains/manage-domains.ts');
  try {
    // A step is begun only if it can be finished.
    return { status: 200, body: await handler(event, contextWith(budget + 30_000)) };
  } catch {
    // The schedule runs again.
    return { status: 503, headers: { 'Retry-After': '1' } };
  }
};

/** Sets the records that a domain needs. */
async function publishRecords(host: string): Promise<void> {
  const { certificate } = await shown(host);
  for (const { name, value } of certificate?.records ?? []) {
    cnames.set(name, value);
    publish({ [name]: { CNAME: [value] } });
  }
}

async function shown(host: string) {
  const domain = await store.getDomain(host);
  if (!domain) return { certificate: undefined };
  const { getCertificate } = await import('../../../lambdas/store/domains/certificates.ts');
  const { shownCertificate } = await import('../../../lambdas/core/domain/certificate.ts');
  const found = await getCertificate(domain);
  return { certificate: found && shownCertificate(found) };
}

/** The certificates and names that the service has made in AWS for a host, by domain. */
const madeFor = (host: string) => ({
  certificates: aws.state.certificates.filter((one) => one.host === host).map(({ tags }) => tags['links-domain']),
  names: aws.state.names.filter((one) => one.host === host).map(({ tags }) => tags['links-domain']),
});

/**
 * A domain that is as far as after so many runs of the function, with all records that could be set. Somebody else runs the
 * function, too.
 *
 * @param event to run it with.
 * @param status of the certificate after it.
 */
async function managing(runs: number, event: (host: string) => ManageEvent, status: string) {
  await forgetOthers();
  await store.deleteItem(certificateScheduleKey);
  const { workspaceId } = await store.newWorkspace();
  const host = `${workspaceId.slice(3).toLowerCase()}.managed.example`;
  await store.addDomain(workspaceId, host, 'PENDING_DNS');
  for (let done = 0; done < runs; done++) {
    await managed(() => run({ host }, plenty));
    await wait(host);
    await publishRecords(host);
  }
  const act = (budget: number) =>
    managed(async () => {
      await asOther(() => wait(host));
      return run(event(host), budget);
    });
  const check = async () => {
    const domain = await store.getDomain(host);
    expect((await shown(host)).certificate?.status).toBe(status);
    expect(domain?.status).toBe(runs === 0 ? 'PENDING_DNS' : 'ACTIVE');
    // A run that is overtaken by another one requests none.
    expect(requested).toBe(1);
    expect(madeFor(host)).toEqual({ certificates: [domain?.domainId], names: runs === 0 ? [] : [domain?.domainId] });
  };
  return {
    workspaceId,
    host,
    act,
    check,
    meanwhile: () => act(plenty),
    checkBoth: async ({ status: answered }: Answer) => {
      expect(answered).toBe(200);
      await check();
    },
  };
}

/** The function takes the lease, does steps, and gives the lease back. */
const takes = [get, get, put] as const;
/** It reads the domain, and stores the result of a step. */
const step = [get, put] as const;
const rests = [get, transact] as const;

/** Functions on a stage with managed domains. */
export const managedDomainScenarios: Scenarios = {
  'manage-domains: a domain was proven': {
    // A place and a request of the workspace are taken before the attempt is stored; then comes the certificate.
    calls: [...takes, get, update, update, put, ...step, ...rests, get, put],
    alone: true,
    arrange: () => managing(0, (host) => ({ host }), 'PENDING_VALIDATION'),
  },
  'manage-domains: the schedule runs, and a certificate was issued': {
    // The name, its mapping, and others' certificates, of which there are none; then the DNS, and the domain serves.
    calls: [query, ...takes, ...step, ...step, get, update, transact, transact, get],
    alone: true,
    arrange: () => managing(1, () => ({}), 'PENDING_TRAFFIC'),
  },
  'manage-domains: the DNS points here': {
    calls: [...takes, get, update, transact],
    alone: true,
    arrange: () => managing(2, (host) => ({ host }), 'ACTIVE'),
  },
  'manage-domains: an hour is over, and a domain is gone': {
    // The mapping and the name, the certificate and the place.
    calls: [query, query, batchGet, ...takes, ...step, get, update, remove, transact, query],
    alone: true,
    arrange: async () => {
      const arranged = await managing(3, () => ({ isHourly: true }), 'ACTIVE');
      // Its certificate was requested an hour ago: of a newer one, AWS's list may be behind.
      const item = await store.getItem(certificateKey(arranged.host));
      await store.putItem({ ...certificateKey(arranged.host), ...item, requestedAt: Number(item?.requestedAt) - 3_600_000 });
      await store.deleteDomain(arranged.workspaceId, arranged.host);
      const check = async () => {
        expect(madeFor(arranged.host)).toEqual({ certificates: [], names: [] });
        expect(await store.getItem(certificateKey(arranged.host))).toBeUndefined();
        const { certificateLimitKey } = await import('../../../lambdas/store/table/keys.ts');
        expect(await store.getItem(certificateLimitKey(arranged.workspaceId, 'hosts'))).toBeUndefined();
      };
      return {
        ...arranged,
        check,
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
        },
      };
    },
  },
  'manage-domains: the schedule runs, and nothing is pending': {
    calls: [query, put, get, query],
    alone: true,
    arrange: () => managing(3, () => ({}), 'ACTIVE'),
  },
  'manage-domains: the operator compares': {
    calls: [query, query, batchGet],
    alone: true,
    arrange: async () => {
      const { act } = await managing(1, () => ({ compare: {} }), 'PENDING_VALIDATION');
      const nothing = { missing: [], unused: [], broken: [], next: null };
      return { act, check: async () => expect((await act(plenty)).body).toEqual(nothing) };
    },
  },
  'verify-domain: managed': {
    calls: [batchGet, get, transact, update, batchGet, get],
    alone: true,
    arrange: async () => {
      const { id: workspaceId } = await store.createWorkspace('New', async () => 'gateway');
      const host = `${workspaceId.slice(3).toLowerCase()}.managed.example`;
      const { token } = await store.claimDomain(workspaceId, host);
      publish({ [`_links.${host}`]: { TXT: [`links-verification=${token}`] } });
      const check = async () =>
        expect(await store.listDomains(workspaceId)).toMatchObject([{ host, status: 'PENDING_DNS', token }]);
      return {
        act: (budget) => managed(() => callEndpoint('verify-domain', { workspaceId, domain: host, budget })),
        check,
        // The operator gives the workspace the domain without proof.
        meanwhile: () => store.addDomain(workspaceId, host, 'PENDING_DNS'),
        checkBoth: async ({ status }) => {
          expect([status, (await store.listDomains(workspaceId)).length]).toEqual([200, 1]);
        },
      };
    },
  },
  'get-domain: managed': {
    calls: [batchGet, get],
    alone: true,
    arrange: async () => reading('get-domain'),
  },
  'list-domains: managed': {
    calls: [query, batchGet, query, batchGet, batchGet],
    alone: true,
    arrange: async () => reading('list-domains'),
  },
  'update-domain: managed': {
    calls: [batchGet, transact, get],
    alone: true,
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const { host } = domain;
      let isLater = false;
      return {
        act: (budget) =>
          managed(() => callEndpoint('update-domain', { workspaceId, domain: host, body: { publicQr: true }, budget })),
        check: async () => expect(await store.getDomain(host)).toMatchObject({ publicQr: true }),
        meanwhile: async () => {
          isLater = (await store.getDomain(host))?.publicQr === true;
          await store.updateDomain(domain, { publicQr: false }, { isExact: false });
        },
        checkBoth: async ({ status }) => {
          expect([status, (await store.getDomain(host))?.publicQr]).toEqual([200, !isLater]);
        },
      };
    },
  },
  'delete-domain: managed, as it was known': {
    calls: [batchGet, get, batchGet, query, query, transact],
    repeated: [404],
    succeeds: 204,
    alone: true,
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const { host } = domain;
      const { headers: read } = await managed(() => callEndpoint('get-domain', { workspaceId, domain: host }));
      const headers = { 'If-Match': String((read as Record<string, unknown>).ETag) };
      let isGone = false;
      return {
        act: (budget) => managed(() => callEndpoint('delete-domain', { workspaceId, domain: host, headers, budget })),
        check: async () => expect(await store.getDomain(host)).toBeUndefined(),
        // Somebody else changes a setting, if the domain is still there.
        meanwhile: async () => {
          isGone = (await store.getDomain(host)) === undefined;
          if (!isGone) await store.updateDomain(domain, { publicQr: true }, { isExact: false });
        },
        checkBoth: async ({ status }) => {
          expect([status, (await store.getDomain(host)) === undefined]).toEqual(isGone ? [204, true] : [412, false]);
        },
      };
    },
  },
  'check-domains: one managed domain': {
    calls: [get, query, batchGet, batchGet, batchGet, put],
    settles: true,
    alone: true,
    arrange: async () => {
      const checked = await checking(1);
      return {
        ...checked,
        act: (budget) => managed(() => checked.act(budget)),
        meanwhile: () => managed(() => checked.meanwhile()),
      };
    },
  },
};

/** A request that reads a managed domain. */
async function reading(name: string) {
  const { workspaceId, domain } = await store.newWorkspace();
  return {
    act: (budget: number) => managed(() => callEndpoint(name, { workspaceId, domain: domain.host, budget })),
    check: async () => {},
  };
}
