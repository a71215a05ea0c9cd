import { randomUUID } from 'node:crypto';
import { deniedIn } from '../../lambdas/core/domain/certificate.ts';
import { newApiKey } from '../../lambdas/core/key/api-key.ts';
import type { Permission } from '../../lambdas/core/key/permissions.ts';
import { bulkRequests } from '../../lambdas/core/limits.ts';
import type { LinksClient, Schemas } from '../typescript/client.ts';
import type { Visit, Visited } from './visits.ts';

/** What the steps need. */
export type Trial = {
  readonly client: LinksClient;
  /** For requests that the client would not send, or would change. */
  readonly fetch: typeof fetch;
  readonly visit: Visit;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The domain to use; undefined for the first active one of the workspace. */
  readonly domain?: string | undefined;
  /** Whether others use the workspace, who did not ask for the test. */
  readonly isGuest?: boolean;
  /** When the key was last used, as the operator sees it. Undefined if the caller is not the operator. */
  readonly lastUsedAt?: () => Promise<string | undefined>;
  /**
   * A domain for which the service can make a certificate and a name, and whose DNS somebody changes during the test.
   */
  readonly managedDomain?: string | undefined;
  /** Tells that person what to do. */
  readonly tell?: (line: string) => void;
  /** Waits that many milliseconds. @throws if the test is stopped. */
  readonly wait: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  /** In milliseconds since 1970; the default is the clock. */
  readonly now?: () => number;
};

/** Everything that was made so far and must be removed. */
export type Made = {
  readonly links: Map<string, Link>;
  readonly tags: Set<string>;
  readonly webhooks: Set<string>;
  /** Domains and claims besides the one that the steps use. */
  readonly domains: Set<string>;
  /** The counted visits of each link. */
  readonly clicks: Map<string, number>;
  domain: string;
};

export type Step = {
  readonly name: string;
  /** What it proves, as the table prints it. */
  readonly shows: string;
  /** What to check if it fails, besides the logs: a setting, and where it is described. */
  readonly setting?: string;
  /** A policy's condition that nobody has tried on AWS yet, and its calls. */
  readonly condition?: string;
  /** Whether to try the step; by default, always. */
  readonly isAsked?: (trial: Trial) => boolean;
  /** @returns more about what was seen; undefined if there is nothing to add. @throws Error if it fails; `NotTried`. */
  readonly run: (trial: Trial, made: Made) => Promise<string | undefined>;
};

type Link = Schemas['Link'];

/** A step could not be tried, for the reason in the message. It neither passed nor failed. */
export class NotTried extends Error {}

/** The owner in `managedBy`, by which a run finds links that a killed run left behind. */
const owner = 'smoke';

/** No run takes longer. Its key lasts that long, and links that an older run left behind are removed. */
export const longestRunMs = 120 * 60_000;

const needed: readonly Permission[] = [
  'links:read',
  'links:write',
  'tags:read',
  'tags:write',
  'domains:read',
  'stats:read',
  'webhooks:read',
  'webhooks:write',
];

/** Enough for a second batch of PartiQL, which takes 25 statements. */
const importedLinks = 30;
const visits = 3;
const cap = 2;
const password = 'open sesame';
const waitMs = { counting: 90_000, delivery: 90_000, deletion: 15_000, certificate: 60 * 60_000, betweenLooks: 6_000 } as const;

const destination = 'https://example.com/smoke';

function expect(isRight: boolean, message: string): asserts isRight {
  if (!isRight) throw new Error(message);
}

/** Asks every second until the result is right. @throws Error with the last result */
async function until<T>(
  { wait }: Trial,
  mostMs: number,
  ask: () => Promise<T>,
  isRight: (result: T) => boolean,
  said: (result: T) => string,
): Promise<T> {
  for (let ms = 0; ; ms += 1_000) {
    const result = await ask();
    if (isRight(result)) return result;
    if (ms >= mostMs) throw new Error(`after ${mostMs / 1_000} seconds, ${said(result)}`);
    await wait(1_000);
  }
}

async function newLink({ client }: Trial, made: Made, fields: Omit<Schemas['CreateLinkRequest'], 'domain' | 'url'>) {
  const body = { domain: made.domain, url: destination, managedBy: managerOf(made), ...fields };
  const { data } = await client.POST('/api/v1/links', { body });
  made.links.set(data.link.id, data.link);
  return data.link;
}

const managerOf = ({ domain }: Made) => `${owner}@${domain}`;

/** The link of an earlier step. @throws NotTried if that step failed */
function linkTitled(made: Made, title: string): Link {
  const found = [...made.links.values()].find((link) => link.title === title);
  if (!found) throw new NotTried(`there is no link: the step "${title}" failed`);
  return found;
}

const expectRedirect = ({ status, headers }: Visited, told: string) =>
  expect(
    status === 302 && headers.location === destination,
    `${told} got ${status}${headers.location ? ` to ${headers.location}` : ''}, not 302 to ${destination}`,
  );

const clicked = (made: Made, { id }: Link, times = 1) => made.clicks.set(id, (made.clicks.get(id) ?? 0) + times);

export const steps: readonly Step[] = [
  {
    name: 'key',
    shows: 'the API accepts the key, and refuses another',
    run: async ({ client, fetch, baseUrl }) => {
      const { data } = await client.GET('/api/v1/me');
      const missing = needed.filter((permission) => !data.key.permissions.includes(permission));
      expect(missing.length === 0, `the key lacks ${missing.join(', ')}`);
      // Well-formed: otherwise the gateway refuses it without asking the authorizer.
      const headers = { Authorization: `Bearer ${newApiKey()}` };
      const wrong = await fetch(`${baseUrl}/api/v1/me`, { headers, redirect: 'manual' });
      await wrong.arrayBuffer();
      expect([401, 403].includes(wrong.status), `a wrong key got ${wrong.status}`);
      return undefined;
    },
  },
  {
    name: 'domain',
    shows: 'the workspace has an active domain',
    setting: 'shortDomains: docs/deploy.md, "Stages"',
    run: async ({ client, domain: wanted, now = Date.now }, made) => {
      const domains = (await client.GET('/api/v1/domains')).data.domains.filter(({ status }) => status === 'ACTIVE');
      const found = domains.find(({ domain }) => wanted === undefined || domain === wanted)?.domain;
      expect(
        found !== undefined,
        wanted === undefined ? 'no domain is active' : `${wanted} is not an active domain of the workspace`,
      );
      made.domain = found;
      const left = client.pages('/api/v1/links', { params: { query: { managedBy: managerOf(made) } } });
      let removed = 0;
      for await (const { id, createdAt } of left) {
        if (Date.parse(createdAt) > now() - longestRunMs) continue;
        await client.DELETE('/api/v1/links/{id}', { params: { path: { id } } });
        removed++;
      }
      return `${found}${removed > 0 ? `; removed ${removed} links of a run that was killed` : ''}`;
    },
  },
  {
    name: 'link',
    shows: 'a link is created, changed with its ETag, and its slug is taken',
    condition: 'dynamodb:LeadingKeys on single writes',
    run: async (trial, made) => {
      const { client } = trial;
      const { id, shortCode } = await newLink(trial, made, { title: 'link' });
      const path = { params: { path: { id } } };
      const { response } = await client.GET('/api/v1/links/{id}', path);
      const header = { 'If-Match': response.headers.get('ETag') ?? '' };
      const { data } = await client.PATCH('/api/v1/links/{id}', {
        params: { ...path.params, header },
        body: { description: 'changed' },
      });
      expect(data.link.description === 'changed', 'the change is not in the response');
      const taken = await newLink(trial, made, { customSlug: shortCode }).catch((error) => error);
      expect(taken instanceof Error && 'status' in taken && taken.status === 409, 'the slug was given twice');
      return undefined;
    },
  },
  {
    name: 'import',
    shows: 'a batch of statements is written once, however often it is sent',
    condition: 'dynamodb:LeadingKeys on the statements of a PartiQL batch',
    run: async (trial, made) => {
      const links = Array.from({ length: importedLinks }, () => ({
        url: destination,
        title: 'import',
        managedBy: managerOf(made),
      }));
      const send = () =>
        trial.client.POST('/api/v1/links/bulk', {
          params: { header: { 'Idempotency-Key': key } },
          body: { domain: made.domain, links },
        });
      const key = randomUUID();
      const first = (await send()).data;
      for (const link of first.links ?? []) made.links.set(link.id, link);
      expect(first.created === importedLinks, `${first.created} of ${importedLinks} were created`);
      const again = (await send()).data;
      const ids = (result: typeof first) => (result.links ?? []).map(({ id }) => id).join();
      expect(ids(again) === ids(first), 'the repetition created other links');
      return `${importedLinks} links`;
    },
  },
  {
    name: 'tagged link',
    shows: 'a transaction writes a link, its tag and their pair',
    condition: 'dynamodb:LeadingKeys on the parts of a transaction',
    run: async (trial, made) => {
      const name = `smoke ${randomUUID().slice(0, 8)}`;
      const { data: tag } = await trial.client.POST('/api/v1/tags', { body: { name, color: '#808080' } });
      made.tags.add(tag.id);
      await newLink(trial, made, { title: 'tagged link', tagIds: [tag.id] });
      await expectCount(trial, tag.id, 1);
      return undefined;
    },
  },
  {
    name: 'bulk update',
    shows: 'a bulk update tags every link, and the tag counts them',
    condition: 'dynamodb:LeadingKeys on the parts of a transaction',
    run: async (trial, made) => {
      const [tagId] = made.tags;
      const ids = [...made.links.values()].filter(({ title }) => title === 'import').map(({ id }) => id);
      if (tagId === undefined || ids.length === 0) throw new NotTried('there are no links, or no tag');
      const { data } = await trial.client.PATCH('/api/v1/links/bulk', { body: { ids, fields: { tagIds: [tagId] } } });
      expect(data.updated === ids.length, `${data.updated} of ${ids.length} were updated`);
      await expectCount(trial, tagId, ids.length + 1);
      return undefined;
    },
  },
  {
    name: 'visit',
    shows: 'a visitor is redirected',
    setting: 'shortDomains, and the DNS of the domain: docs/deploy.md, "Stages"',
    run: async ({ visit }, made) => {
      const link = linkTitled(made, 'link');
      for (let visited = 0; visited < visits; visited++) {
        expectRedirect(await visit(link.shortUrl), 'the visitor');
        clicked(made, link);
      }
      return link.shortUrl;
    },
  },
  {
    name: 'path',
    shows: 'the gateway decodes a path as expected: a slug with a slash, and a path behind it, lead to the same path there',
    run: async (trial, made) => {
      const customSlug = `smoke-${randomUUID().slice(0, 8)}/v1.2`;
      const link = await newLink(trial, made, { title: 'path', customSlug, forwardPath: true });
      const wanted = `${destination}/a%20b/c/%C3%BC/`;
      const { status, headers } = await trial.visit(`${link.shortUrl.replace('/v1.2', '%2Fv1.2')}/a%20b/c/%C3%BC/`);
      expect(status === 302 && headers.location === wanted, `the visitor got ${status} to ${headers.location}, not ${wanted}`);
      clicked(made, link);
      expectRedirect(await trial.visit(`${link.shortUrl}/`), 'a visitor with a slash at the end');
      clicked(made, link);
      return undefined;
    },
  },
  {
    name: 'password',
    shows: 'only the right password leads to the destination',
    run: async (trial, made) => {
      const link = await newLink(trial, made, { title: 'password', password });
      const { visit } = trial;
      const asked = await visit(link.shortUrl);
      expect(asked.status === 401 && !asked.headers.location, `without a password, the visitor got ${asked.status}`);
      const wrong = await visit(link.shortUrl, { form: { password: 'wrong' } });
      expect(wrong.status === 401, `with a wrong password, the visitor got ${wrong.status}`);
      const right = await visit(link.shortUrl, { form: { password } });
      const cookie = right.headers['set-cookie']?.[0]?.split(';')[0];
      expect(right.status === 303 && cookie !== undefined, `with the right password, the visitor got ${right.status}`);
      expectRedirect(await visit(link.shortUrl, { cookie }), 'a visitor with the cookie');
      clicked(made, link);
      return undefined;
    },
  },
  {
    name: 'cap',
    shows: 'exactly as many of five concurrent visitors are redirected as the cap allows',
    condition: 'dynamodb:LeadingKeys on the parts of a transaction',
    run: async (trial, made) => {
      const link = await newLink(trial, made, { title: 'cap', maxClicks: cap });
      const responses = await Promise.all(Array.from({ length: 5 }, () => trial.visit(link.shortUrl)));
      const statuses = responses.map(({ status }) => status).sort();
      const expected = statuses.map((_, index) => (index < cap ? 302 : 410));
      expect(statuses.join() === expected.join(), `they got ${statuses.join(', ')}`);
      clicked(made, link, cap);
      return undefined;
    },
  },
  {
    name: 'count',
    shows: 'each click is counted, once',
    setting: 'the window of the stream (tumblingWindow): docs/operate.md#clicks-late',
    run: async (trial, made) => {
      if (made.clicks.size === 0) throw new NotTried('nobody was redirected');
      for (const [id, clicks] of made.clicks) {
        const path = { params: { path: { id } } };
        const ask = async () => (await trial.client.GET('/api/v1/links/{id}', path)).data.link.clickCount;
        const counted = await until(
          trial,
          waitMs.counting,
          ask,
          (now) => now >= clicks,
          (now) => `${now} of ${clicks} are counted`,
        );
        expect(counted === clicks, `${counted} are counted, of ${clicks}`);
      }
      return `${[...made.clicks.values()].reduce((sum, clicks) => sum + clicks, 0)} clicks`;
    },
  },
  {
    name: 'statistics',
    shows: 'the statistics add up to the clicks',
    run: async (trial, made) => {
      if (made.clicks.size === 0) throw new NotTried('nobody was redirected');
      for (const [id, clicks] of made.clicks) {
        const ask = async () => (await trial.client.GET('/api/v1/links/{id}/stats', { params: { path: { id } } })).data.total;
        const isRight = (total: number) => total === clicks;
        await until(trial, waitMs.counting, ask, isRight, (total) => `a link has ${total}, of ${clicks}`);
      }
      return undefined;
    },
  },
  {
    name: 'webhook',
    shows: 'a webhook is sent, and the response is recorded',
    run: async (trial, made) => {
      const { client, baseUrl } = trial;
      // An address of the service itself, which responds with 404, so that no other receiver is needed.
      const url = `${baseUrl}/api/v1/smoke`;
      const { data: webhook } = await client.POST('/api/v1/webhooks', {
        body: { url, events: ['link.cap_reached'], active: true },
      });
      made.webhooks.add(webhook.id);
      const { data: sent } = await client.POST('/api/v1/webhooks/{id}/test', { params: { path: { id: webhook.id } } });
      const path = { params: { path: { id: sent.id } } };
      const ask = async () => (await client.GET('/api/v1/webhook-deliveries/{id}', path)).data.attempts.at(-1);
      const attempt = await until(
        trial,
        waitMs.delivery,
        ask,
        (now) => now !== undefined,
        () => 'there was no attempt',
      );
      expect(attempt?.status != null, `the attempt failed: ${attempt?.error}`);
      return `its receiver answered ${attempt.status}`;
    },
  },
  {
    name: 'bulk rate',
    shows: 'more imports than the limit get 429',
    setting: "the usage plan's rate for imports, which is below one a second: lib/gateway/request-rates.ts",
    run: async ({ baseUrl, apiKey, fetch, isGuest }) => {
      if (isGuest) throw new NotTried('it would hold back the imports of the workspace: use --workspace to try it anyway');
      // Not with the client, which would wait. An import without links is refused, but uses the quota.
      for (let sent = 0; sent <= bulkRequests.quota; sent++) {
        const response = await fetch(`${baseUrl}/api/v1/links/bulk`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ links: [] }),
          redirect: 'manual',
        });
        await response.arrayBuffer();
        if (response.status !== 429) continue;
        expect(response.headers.has('Retry-After'), '429 without Retry-After');
        return `refused by ${response.headers.has('RateLimit') ? 'the function' : 'the gateway'}`;
      }
      throw new Error(`${bulkRequests.quota + 1} in a row were accepted`);
    },
  },
  {
    name: 'use of the key',
    shows: 'the authorizer records that the key is used, and may write nothing else',
    condition: 'dynamodb:LeadingKeys or dynamodb:Attributes on a write',
    run: async ({ lastUsedAt }) => {
      if (!lastUsedAt) throw new NotTried('only the operator can see it: use --stage');
      expect((await lastUsedAt()) !== undefined, "the key's item says that it was never used");
      return undefined;
    },
  },
  {
    name: 'managed domain',
    shows: 'a domain gets its certificate and its name, serves visitors once its DNS points there, and is deleted',
    setting: 'managedDomains: docs/deploy.md, "Managed domains"',
    isAsked: ({ managedDomain }) => managedDomain !== undefined,
    run: async (trial, made) => {
      const { client, visit, managedDomain: domain = '' } = trial;
      const path = { params: { path: { domain } } };
      await client.POST('/api/v1/domains', { body: { domain } });
      made.domains.add(domain);
      const seconds = await untilServing(trial, domain);
      const body = { domain, url: destination, managedBy: `${owner}@${domain}` };
      const { link } = (await client.POST('/api/v1/links', { body })).data;
      made.links.set(link.id, link);
      expectRedirect(await visit(link.shortUrl), 'a visitor of the domain');
      await client.DELETE('/api/v1/links/{id}', { params: { path: { id: link.id } } });
      made.links.delete(link.id);
      await client.DELETE('/api/v1/domains/{domain}', path);
      made.domains.delete(domain);
      return `${domain}, after ${seconds} seconds. Remove its records`;
    },
  },
  {
    name: 'delete',
    shows: 'everything that was made is deleted',
    condition: 'dynamodb:LeadingKeys on the parts of a transaction',
    run: async (trial, made) => {
      const link = [...made.links.values()].find(({ title }) => title === 'link');
      const [tagId] = made.tags;
      await removeAll(trial.client, made, { keepTags: true });
      if (tagId !== undefined) await expectCount(trial, tagId, 0);
      await removeAll(trial.client, made);
      if (link) {
        const ask = async () => (await trial.visit(link.shortUrl)).status;
        await until(
          trial,
          waitMs.deletion,
          ask,
          (status) => status === 404,
          (status) => `a visitor got ${status}`,
        );
      }
      return undefined;
    },
  },
];

/** Verifies a domain until it serves, and tells which record to set next. @returns how many seconds that took */
async function untilServing({ client, wait, tell = () => {} }: Trial, domain: string): Promise<number> {
  const path = { params: { path: { domain } } };
  const told = new Set<string>();
  for (let ms = 0; ; ms += waitMs.betweenLooks) {
    // Until the ownership is proven, this is refused.
    await client.POST('/api/v1/domains/{domain}/verify', path).catch((error) => {
      if (error.status !== 422) throw error;
    });
    const { status, records, certificate } = (await client.GET('/api/v1/domains/{domain}', path)).data;
    expect(certificate !== null, `the stage makes no certificate for ${domain}`);
    if (status === 'ACTIVE' && certificate.status === 'ACTIVE') return ms / 1_000;
    for (const { type, name, value } of [...records, ...certificate.records]) {
      const line = `set this record: ${type} ${name} ${value}`;
      if (!told.has(line)) tell(line);
      told.add(line);
    }
    const denied = deniedIn(certificate.detail);
    expect(denied === undefined, `AWS denies the function manage-domains ${denied}, and its log says why`);
    const detail = certificate.detail === null ? '' : ` (${certificate.detail})`;
    expect(certificate.status !== 'FAILED', `the certificate failed${detail}`);
    expect(ms < waitMs.certificate, `after ${ms / 60_000} minutes, the certificate is ${certificate.status}${detail}`);
    await wait(waitMs.betweenLooks);
  }
}

async function expectCount({ client }: Trial, id: string, count: number): Promise<void> {
  const { data } = await client.GET('/api/v1/tags/{id}', { params: { path: { id } } });
  expect(data._count.links === count, `the tag counts ${data._count.links} links, not ${count}`);
}

/** Removes what was made. Ignores what is already deleted. */
export async function removeAll(client: LinksClient, made: Made, { keepTags = false } = {}): Promise<void> {
  // One by one, because bulk requests may have to wait for a minute.
  for (const id of made.links.keys()) {
    await gone(client.DELETE('/api/v1/links/{id}', { params: { path: { id } } }));
    made.links.delete(id);
  }
  for (const id of made.webhooks) {
    await gone(client.DELETE('/api/v1/webhooks/{id}', { params: { path: { id } } }));
    made.webhooks.delete(id);
  }
  for (const domain of made.domains) {
    await gone(client.DELETE('/api/v1/domains/{domain}', { params: { path: { domain } } }));
    made.domains.delete(domain);
  }
  for (const id of keepTags ? [] : made.tags) {
    await gone(client.DELETE('/api/v1/tags/{id}', { params: { path: { id } } }));
    made.tags.delete(id);
  }
}

async function gone(deletion: Promise<unknown>): Promise<void> {
  await deletion.catch((error) => {
    if (error.status !== 404) throw error;
  });
}
