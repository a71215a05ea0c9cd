import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { checkRoundKey } from '../../../lambdas/store/table/keys.ts';
import { useDns } from '../http/dns.ts';
import { callEndpoint, contextWith, startEndpoint } from '../http/invoke.ts';
import {
  type Answer,
  answerOf,
  batchGet,
  deletionsOf,
  get,
  plenty,
  put,
  query,
  refusalOf,
  type Scenarios,
  store,
  transact,
  update,
} from './scenario.ts';

let dns: Awaited<ReturnType<typeof useDns>>;
const records: Record<string, object> = {};

/** Starts the DNS server that the functions use in these scenarios. */
export async function openDns() {
  dns = await useDns();
  Object.assign(process.env, { DOMAIN_TARGET: 'links.localhost', DOMAIN_ACTIVATION: 'dns', SERVED_NAMES: '*' });
  return dns;
}

/** Adds records to the DNS of these scenarios. */
export function publish(more: Readonly<Record<string, object>>): void {
  Object.assign(records, more);
  dns.set(records);
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

/** Checks that many domains, and no others. Somebody else does the same: the schedule runs the function twice. */
export async function checking(count: number) {
  for await (const { gsi1sk } of store.query({ gsi1pk: 'DOMAINS' })) {
    await store.deleteItem({ pk: `DOMAIN#${gsi1sk}`, sk: 'CHECK' });
  }
  for (let made = 0; made < count; made++) await store.newWorkspace();
  await newRound();
  const { handler } = await import('../../../lambdas/events/check-domains.ts');
  const check = async () => expect(await store.getItem(checkRoundKey)).toMatchObject({ isDone: true });
  return {
    act: async (budget: number) => {
      try {
        // Lookups under way take time too.
        await handler(undefined, contextWith(budget + 6_000));
        return { status: 200 };
      } catch {
        // The schedule runs again.
        return { status: 503, headers: { 'Retry-After': '1' } };
      }
    },
    check,
    meanwhile: () => handler(undefined, contextWith(plenty)),
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(200);
      await check();
    },
  };
}

/** A list of statements that names a package. */
const fileFor = (name: string) => [
  {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name: `com.example.${name}`,
      sha256_cert_fingerprints: [Array(32).fill('0F').join(':')],
    },
  },
];

/** A domain with a file for apps. */
async function withFile() {
  const { workspaceId, domain } = await store.newWorkspace();
  const { host } = domain;
  const write = (name: string) =>
    callEndpoint('update-domain', { workspaceId, domain: host, body: { assetLinks: fileFor(name) } });
  const fileOf = async () => (await callEndpoint('get-domain', { workspaceId, domain: host })).body.assetLinks;
  await write('before');
  return { workspaceId, host, write, fileOf };
}

/** Sets an address of a domain, as it was known or not. Somebody else sets it too. */
async function updating(isConditional: boolean) {
  const { workspaceId, domain } = await store.newWorkspace();
  const { host } = domain;
  const [ours, theirs] = [{ rootUrl: 'https://example.com/ours' }, { rootUrl: 'https://example.com/theirs' }];
  const { headers: read } = await callEndpoint('get-domain', { workspaceId, domain: host });
  const headers: Record<string, string> = isConditional ? { 'If-Match': String((read as Record<string, unknown>).ETag) } : {};
  const call = startEndpoint('update-domain');
  const expectDomain = async (expected: object) => expect(await store.getDomain(host)).toMatchObject(expected);
  let isLater = false;
  return {
    act: (budget: number) => call({ workspaceId, domain: host, headers, body: { ...ours, publicQr: true }, budget }),
    check: () => expectDomain({ ...ours, publicQr: true }),
    meanwhile: async () => {
      isLater = (await store.getDomain(host))?.rootUrl === ours.rootUrl;
      await store.updateDomain(domain, theirs, { isExact: false });
    },
    checkBoth: async ({ status }: Answer) => {
      const isRefused = isConditional && !isLater;
      expect(status).toBe(isRefused ? 412 : 200);
      await expectDomain({ ...(isRefused || isLater ? theirs : ours), publicQr: !isRefused });
    },
  };
}

/** Requests and schedules that work on domains. */
export const domainScenarios: Scenarios = {
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
        // Withdraws the claim, if there is one, and claims the domain again: with another token.
        meanwhile: async () => {
          await refusalOf(store.deleteDomain(workspaceId, host));
          await store.claimDomain(workspaceId, host);
        },
        checkBoth: async ({ status, body }) => {
          const [claim, ...others] = await store.listDomains(workspaceId);
          expect([status, others]).toEqual([201, []]);
          // Otherwise the owner would publish a token that proves nothing.
          expect(JSON.stringify(body)).toContain(`links-verification=${claim?.token}`);
        },
      };
    },
  },
  'get-me': {
    calls: [batchGet, query, batchGet, query],
    arrange: async () => {
      const { workspaceId } = await store.newWorkspace();
      return {
        act: async (budget) => {
          const response = await callEndpoint('get-me', { workspaceId, budget });
          if (response.status === 200) expect(response.body.limits.bulkRequests.remaining).toBe(3);
          return response;
        },
        check: async () => {},
      };
    },
  },
  'list-domains': {
    calls: [query, batchGet, query, batchGet],
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
    calls: [batchGet, get, transact, update, update, transact],
    arrange: async () => {
      const { id: workspaceId } = await store.createWorkspace('New', async () => 'gateway');
      const host = `${workspaceId.slice(3).toLowerCase()}.acme.example`;
      const { token } = await store.claimDomain(workspaceId, host);
      records[`_links.${host}`] = { TXT: [`links-verification=${token}`] };
      records[host] = { CNAME: ['links.localhost'] };
      dns.set(records);
      let wasActive = false;
      return {
        act: (budget) => callEndpoint('verify-domain', { workspaceId, domain: host, budget }),
        check: async () => {
          expect(await store.listDomains(workspaceId)).toMatchObject([{ host, status: 'ACTIVE', token }]);
          const checks = await Array.fromAsync(store.query({ gsi1pk: 'DOMAINS' }));
          expect(checks.filter(({ gsi1sk }) => gsi1sk === host)).toHaveLength(1);
        },
        // The operator gives the workspace the domain without proof, or sets it back.
        meanwhile: async () => {
          wasActive = (await store.getDomain(host))?.status === 'ACTIVE';
          await store.addDomain(workspaceId, host, 'PENDING_DNS');
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          expect(await store.listDomains(workspaceId)).toMatchObject([{ host, status: wasActive ? 'PENDING_DNS' : 'ACTIVE' }]);
        },
      };
    },
  },
  'verify-domain: a claim without its record': {
    calls: [batchGet, update],
    settles: 1,
    succeeds: 422,
    arrange: async () => {
      const { workspaceId } = await store.newWorkspace();
      const host = `${workspaceId.slice(3).toLowerCase()}.unproven.example`;
      await store.claimDomain(workspaceId, host);
      const verify = (budget: number) => callEndpoint('verify-domain', { workspaceId, domain: host, budget });
      const check = async () => {
        const claim = await store.findDomain(workspaceId, host);
        expect(claim).toMatchObject({ status: 'PENDING_OWNERSHIP', lastCheck: { wanted: { type: 'TXT' }, seen: [] } });
      };
      return {
        act: verify,
        check,
        // Somebody else verifies it, too.
        meanwhile: () => verify(plenty),
        checkBoth: async ({ status }: Answer) => {
          expect(status).toBe(422);
          await check();
        },
      };
    },
  },
  'get-domain: with a file for apps': {
    calls: [batchGet, get],
    arrange: async () => {
      const { workspaceId, host } = await withFile();
      return {
        act: (budget) => callEndpoint('get-domain', { workspaceId, domain: host, budget }),
        check: async () => {},
      };
    },
  },
  'update-domain: a file for apps': {
    calls: [batchGet, transact, get],
    arrange: async () => {
      const { workspaceId, host, fileOf, write } = await withFile();
      let isLater = false;
      return {
        act: (budget) =>
          callEndpoint('update-domain', { workspaceId, domain: host, body: { assetLinks: fileFor('ours') }, budget }),
        check: async () => expect(await fileOf()).toEqual(fileFor('ours')),
        // Somebody else sets the file, too.
        meanwhile: async () => {
          isLater = isDeepStrictEqual(await fileOf(), fileFor('ours'));
          await write('theirs');
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          expect(await fileOf()).toEqual(fileFor(isLater ? 'theirs' : 'ours'));
        },
      };
    },
  },
  'update-domain: a file for apps is removed': {
    calls: [batchGet, transact],
    arrange: async () => {
      const { workspaceId, host, fileOf, write } = await withFile();
      let isLater = false;
      return {
        act: (budget) => callEndpoint('update-domain', { workspaceId, domain: host, body: { assetLinks: null }, budget }),
        check: async () => expect(await fileOf()).toBeNull(),
        meanwhile: async () => {
          isLater = (await fileOf()) === null;
          await write('theirs');
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          expect(await fileOf()).toEqual(isLater ? fileFor('theirs') : null);
        },
      };
    },
  },
  'delete-domain: with a file for apps, as it was known': {
    calls: [batchGet, get, batchGet, query, query, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, host, write } = await withFile();
      const { headers: read } = await callEndpoint('get-domain', { workspaceId, domain: host });
      const headers = { 'If-Match': String((read as Record<string, unknown>).ETag) };
      const files = () => Array.fromAsync(store.query({ pk: `DOMAIN#${host}`, skPrefix: 'FILE#' }));
      let isGone = false;
      return {
        act: (budget) => callEndpoint('delete-domain', { workspaceId, domain: host, headers, budget }),
        check: async () => expect([await store.getDomain(host), await files()]).toEqual([undefined, []]),
        // Somebody else sets the file, if the domain is still there.
        meanwhile: async () => {
          isGone = (await store.getDomain(host)) === undefined;
          if (!isGone) await write('theirs');
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(isGone ? 204 : 412);
          expect([(await store.getDomain(host)) === undefined, (await files()).length]).toEqual([isGone, isGone ? 0 : 1]);
        },
      };
    },
  },
  'verify-domain: with a file for apps': {
    calls: [batchGet, get],
    arrange: async () => {
      const { workspaceId, host } = await withFile();
      return {
        act: (budget) => callEndpoint('verify-domain', { workspaceId, domain: host, budget }),
        check: async () => {},
      };
    },
  },
  'update-domain': {
    calls: [batchGet, get, batchGet, transact],
    arrange: () => updating(false),
  },
  'update-domain: as it was known': {
    calls: [batchGet, get, batchGet, transact],
    repeated: [412],
    arrange: () => updating(true),
  },
  'delete-domain': {
    calls: [batchGet, query, query, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const [{ workspaceId, domain }, other] = await Promise.all([store.newWorkspace(), store.newWorkspace()]);
      let isTheirs = false;
      return {
        act: (budget) => callEndpoint('delete-domain', { workspaceId, domain: domain.host, budget }),
        check: async () => {
          expect(await store.getDomain(domain.host)).toBeUndefined();
          expect(await store.listDomains(workspaceId)).toEqual([]);
          expect(await deletionsOf(domain.domainId)).toBe(1);
        },
        // Another workspace gets the domain, if it is gone.
        meanwhile: async () => {
          isTheirs = (await store.addDomain(other.workspaceId, domain.host, 'ACTIVE')) !== undefined;
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(204);
          expect((await store.getDomain(domain.host))?.workspaceId).toBe(isTheirs ? other.workspaceId : undefined);
          expect(await deletionsOf(domain.domainId)).toBe(1);
          const hosts = (await store.listDomains(other.workspaceId)).map(({ host }) => host);
          expect(hosts.includes(domain.host)).toBe(isTheirs);
        },
      };
    },
  },
  'delete-domain: a setting of which changes': {
    calls: [batchGet, query, query, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const [ours, theirs] = ['https://example.com/ours', 'https://example.com/theirs'];
      const read = await store.updateDomain(domain, { rootUrl: ours }, { isExact: false });
      let last = ours;
      const check = async () => {
        expect(await store.getDomain(domain.host)).toBeUndefined();
        const entries = await Array.fromAsync(store.query({ pk: `HISTORY#${domain.domainId}`, between: ['D', 'Z'] }));
        const deletions = entries.filter(({ action }) => action === 'domain.deleted');
        expect(deletions).toMatchObject([{ changes: { rootUrl: { from: last, to: null } } }]);
      };
      return {
        act: (budget) => callEndpoint('delete-domain', { workspaceId, domain: domain.host, budget }),
        check,
        // Somebody else changes the setting, if the domain is still there.
        meanwhile: async () => {
          if ((await store.getDomain(domain.host)) === undefined) return;
          await store.updateDomain(read, { rootUrl: theirs }, { isExact: false });
          last = theirs;
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(204);
          await check();
        },
      };
    },
  },
  'delete-domain: with more links than a request looks through': {
    calls: [batchGet, query, query, transact],
    succeeds: 409,
    arrange: async () => {
      const { workspaceId, host } = await domainAmongLinks();
      const deleted = () => store.deleteDomain(workspaceId, host, undefined, { links: 1 });
      let isKept = false;
      return {
        act: (budget) => answerOf(budget, deleted),
        check: async () => {
          expect(await answerOf(plenty, () => store.getOwnDomain(workspaceId, host))).toMatchObject({ status: 409 });
          while ((await answerOf(plenty, deleted)).status === 409);
          expect(await store.getDomain(host)).toBeUndefined();
        },
        // Keeps the domain, if the deletion has begun.
        meanwhile: async () => {
          const domain = await store.getDomain(host);
          isKept = domain?.deletion !== undefined;
          if (domain && isKept) await store.keepDomain(domain);
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(409);
          expect((await store.getDomain(host))?.deletion === undefined).toBe(isKept);
        },
      };
    },
  },
  'verify-domain: the deletion has begun': {
    calls: [batchGet, update],
    settles: true,
    arrange: async () => {
      const { workspaceId, host } = await domainAmongLinks();
      await answerOf(plenty, () => store.deleteDomain(workspaceId, host, undefined, { links: 1 }));
      let isLater = false;
      return {
        act: (budget) => callEndpoint('verify-domain', { workspaceId, domain: host, budget }),
        check: async () => expect(await store.getOwnDomain(workspaceId, host)).toMatchObject({ host, status: 'ACTIVE' }),
        // The deletion goes on; or if the domain is kept already, begins anew.
        meanwhile: async () => {
          isLater = (await store.getDomain(host))?.deletion === undefined;
          await answerOf(plenty, () => store.deleteDomain(workspaceId, host, undefined, { links: 1 }));
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          expect((await store.getDomain(host))?.deletion !== undefined).toBe(isLater);
        },
      };
    },
  },
  'check-domains: none': {
    calls: [get, query, put],
    settles: true,
    alone: true,
    arrange: () => checking(0),
  },
  'check-domains: one domain': {
    calls: [get, query, batchGet, batchGet, put],
    settles: true,
    alone: true,
    arrange: () => checking(1),
  },
  'check-domains: one domain whose proof is missing': {
    calls: [get, query, batchGet, batchGet, update, put],
    settles: true,
    alone: true,
    arrange: async () => {
      const checked = await checking(0);
      const { workspaceId } = await store.newWorkspace();
      const host = `${workspaceId.slice(3).toLowerCase()}.missing.example`;
      await store.proveOwnership(workspaceId, await store.claimDomain(workspaceId, host));
      const check = async () => {
        await checked.check();
        const [lastCheck] = (await store.withLastChecks(await store.listDomains(workspaceId))).flatMap(
          (one) => one.lastCheck ?? [],
        );
        expect(lastCheck).toMatchObject({ wanted: { type: 'TXT', name: `_links.${host}` }, seen: [] });
      };
      return {
        ...checked,
        check,
        checkBoth: async ({ status }: Answer) => {
          expect(status).toBe(200);
          await check();
        },
      };
    },
  },
  'check-domains: one domain that a dead function left without the interest': {
    calls: [get, query, batchGet, batchGet, update, put],
    settles: true,
    alone: true,
    arrange: async () => {
      const checked = await checking(1);
      const [{ gsi1sk } = {}] = await Array.fromAsync(store.query({ gsi1pk: 'DOMAINS' }));
      const { workspaceId } = (await store.getDomain(String(gsi1sk))) ?? { workspaceId: '' };
      const settings = { url: 'https://hooks.example.com/', events: ['link.clicked'] as const, active: true };
      const { webhook } = await store.createWebhook(workspaceId, settings);
      let isActive = true;
      const check = async () => {
        await checked.check();
        expect(await store.getDomain(String(gsi1sk))).toMatchObject({ wantsClicks: isActive });
      };
      return {
        ...checked,
        check,
        // Somebody changes the webhook, and copies the interest to the domains.
        meanwhile: async () => {
          isActive = false;
          await store.changeWebhooks(workspaceId, () => store.updateWebhook(workspaceId, webhook.id, { active: false }));
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
        },
      };
    },
  },
};
