import { expect } from 'vitest';
import { RequestError } from '../../../lambdas/domain/errors.ts';
import { problems } from '../../../lambdas/http/problems.ts';
import { withDeadline } from '../../../lambdas/runtime/deadline.ts';
import { checkRoundKey } from '../../../lambdas/store/table/keys.ts';
import { useDns } from '../dns.ts';
import { callEndpoint, contextWith } from '../invoke.ts';
import { type Answer, batchGet, get, plenty, put, query, type Scenario, store, transact, update } from './scenario.ts';

let dns: Awaited<ReturnType<typeof useDns>>;
const records: Record<string, object> = {};

/** Starts the DNS server that the functions use in these scenarios. */
export async function openDns() {
  dns = await useDns();
  Object.assign(process.env, { DOMAIN_TARGET: 'links.localhost', DOMAIN_ACTIVATION: 'dns' });
  return dns;
}

/** Makes the next check of domains start a new round. */
const newRound = () => store.deleteItem(checkRoundKey);

/** A domain without links, in a workspace that has links on another. */
async function domainAmongLinks() {
  const workspace = await store.newWorkspace();
  const host = `more.${workspace.domain.host}`;
  await store.addDomain(workspace.workspaceId, host, 'ACTIVE');
  await store.newLinks(workspace, 4);
  return { workspaceId: workspace.workspaceId, host };
}

/** The response of a request that does this work. */
async function answerOf(budget: number, work: () => Promise<unknown>): Promise<Answer> {
  try {
    await withDeadline(budget, work);
    return { status: 204 };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { status: problems[error.code].status, headers: { 'Retry-After': String(error.retryAfter) } };
  }
}

/** Requests and schedules that work on domains. */
export const domainScenarios: Record<string, Scenario> = {
  'create-domain': {
    calls: [batchGet, query, query, put],
    succeeds: 201,
    settles: true,
    arrange: async () => {
      const { id: workspaceId } = await store.createWorkspace('New', async () => 'gateway');
      const host = `${workspaceId.slice(3).toLowerCase()}.acme.example`;
      return {
        act: (budget) => callEndpoint('create-domain', { workspaceId, body: { domain: host }, budget }),
        check: async () => expect((await store.listDomains(workspaceId)).map((domain) => domain.host)).toEqual([host]),
      };
    },
  },
  'list-domains': {
    calls: [query, batchGet, query],
    arrange: async () => {
      const { workspaceId } = await store.newWorkspace();
      return { act: (budget) => callEndpoint('list-domains', { workspaceId, budget }), check: async () => {} };
    },
  },
  'get-domain': {
    calls: [batchGet],
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      return {
        act: (budget) => callEndpoint('get-domain', { workspaceId, domain: domain.host, budget }),
        check: async () => {},
      };
    },
  },
  'verify-domain': {
    calls: [batchGet, transact, transact],
    arrange: async () => {
      const { id: workspaceId } = await store.createWorkspace('New', async () => 'gateway');
      const host = `${workspaceId.slice(3).toLowerCase()}.acme.example`;
      const { token } = await store.claimDomain(workspaceId, host);
      records[`_links.${host}`] = { TXT: [`links-verification=${token}`] };
      records[host] = { CNAME: ['links.localhost'] };
      dns.set(records);
      return {
        act: (budget) => callEndpoint('verify-domain', { workspaceId, domain: host, budget }),
        check: async () => {
          expect(await store.listDomains(workspaceId)).toMatchObject([{ host, status: 'ACTIVE', token }]);
          const checks = await Array.fromAsync(store.query({ gsi1pk: 'DOMAINS' }));
          expect(checks.filter(({ gsi1sk }) => gsi1sk === host)).toHaveLength(1);
        },
      };
    },
  },
  'delete-domain': {
    calls: [batchGet, query, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      return {
        act: (budget) => callEndpoint('delete-domain', { workspaceId, domain: domain.host, budget }),
        check: async () => {
          expect(await store.getDomain(domain.host)).toBeUndefined();
          expect(await store.listDomains(workspaceId)).toEqual([]);
        },
      };
    },
  },
  'delete-domain: with more links than a request looks through': {
    calls: [batchGet, query, transact],
    succeeds: 409,
    arrange: async () => {
      const { workspaceId, host } = await domainAmongLinks();
      const deleted = () => store.deleteDomain(workspaceId, host, 1);
      return {
        act: (budget) => answerOf(budget, deleted),
        check: async () => {
          expect(await answerOf(plenty, () => store.getOwnDomain(workspaceId, host))).toMatchObject({ status: 409 });
          while ((await answerOf(plenty, deleted)).status === 409);
          expect(await store.getDomain(host)).toBeUndefined();
        },
      };
    },
  },
  'verify-domain: the deletion has begun': {
    calls: [batchGet, update],
    settles: true,
    arrange: async () => {
      const { workspaceId, host } = await domainAmongLinks();
      await answerOf(plenty, () => store.deleteDomain(workspaceId, host, 1));
      return {
        act: (budget) => callEndpoint('verify-domain', { workspaceId, domain: host, budget }),
        check: async () => expect(await store.getOwnDomain(workspaceId, host)).toMatchObject({ host, status: 'ACTIVE' }),
      };
    },
  },
  'check-domains: all that there are': {
    calls: [get, query, put],
    settles: true,
    alone: true,
    arrange: async () => {
      for await (const { gsi1sk } of store.query({ gsi1pk: 'DOMAINS' })) {
        await store.deleteItem({ pk: `DOMAIN#${gsi1sk}`, sk: 'CHECK' });
      }
      await newRound();
      const { handler } = await import('../../../lambdas/events/check-domains.ts');
      return {
        act: async (budget) => {
          try {
            // Lookups that have started need time too.
            await handler(undefined, contextWith(budget + 6_000));
            return { status: 200 };
          } catch {
            // The schedule runs again.
            return { status: 503, headers: { 'Retry-After': '1' } };
          }
        },
        check: async () => expect(await store.getItem(checkRoundKey)).toMatchObject({ isDone: true }),
      };
    },
  },
};

/** Cases too rare to be tried under every fault. They still need permissions, which a test checks. */
export const seldomDomains: Record<string, Scenario['arrange']> = {
  'check-domains: one domain': async () => {
    await store.newWorkspace();
    await newRound();
    const { handler } = await import('../../../lambdas/events/check-domains.ts');
    return {
      act: async () => {
        await handler(undefined, contextWith(plenty));
        return { status: 200 };
      },
      check: async () => {},
    };
  },
};
