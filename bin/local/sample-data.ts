import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import type { Click } from '../../lambdas/core/click/click.ts';
import { newRequestId, newSalt } from '../../lambdas/core/ids.ts';
import { permissions } from '../../lambdas/core/key/permissions.ts';
import type { Link } from '../../lambdas/core/link/link.ts';
import { foldTagName } from '../../lambdas/core/tag/tag.ts';
import { localStage } from '../../lib/stages/stages.ts';
import { sampleClicks } from './sample/clicks.ts';
import { browsers, kinds, tagsOfSample, templatesOfSample, things } from './sample/content.ts';
import { type RandomNumbers, randomNumbers } from './sample/random.ts';
import { startReceiver } from './sample/receiver.ts';

const host = 'garden.localhost';
const name = 'Garden Shop';
const dayMs = 24 * 60 * 60_000;

/** The size of the sample. */
export type SampleSize = { readonly links: number; readonly clicks: number };
const usual: SampleSize = { links: 300, clicks: 5_000 };
const days = 90;
/** The cap of the links whose cap is used up. */
const cap = 5;

const iso = (time: number): string => new Date(time).toISOString();

/** Loads the store, which must be pointed at the service. */
const openStore = async () => ({
  ...(await import('../../lambdas/store/api-keys/api-keys.ts')),
  ...(await import('../../lambdas/store/clicks/clicks.ts')),
  ...(await import('../../lambdas/store/domains/domains.ts')),
  ...(await import('../../lambdas/store/domains/ownership.ts')),
  ...(await import('../../lambdas/operator/disabled-links.ts')),
  ...(await import('../../lambdas/store/links/imports.ts')),
  ...(await import('../../lambdas/store/links/links.ts')),
  ...(await import('../../lambdas/store/table/writes.ts')),
  ...(await import('../../lambdas/store/tags/tags.ts')),
  ...(await import('../../lambdas/operator/workspace-deletion.ts')),
  ...(await import('../../lambdas/store/workspaces/workspaces.ts')),
});
type Store = Awaited<ReturnType<typeof openStore>>;

type Call = (method: string, path: string, body?: object) => Promise<Record<string, never>>;

/**
 * Makes a workspace that looks lived in: links in every state, 90 days of clicks, webhooks with deliveries, templates,
 * and a history by several keys. Its content is the same each time, except for ids and times. The service's own code
 * writes everything: the store writes links and clicks of the past, because the API gives everything the present time,
 * and the API the rest.
 *
 * A workspace of an earlier start is replaced, so that the samples end today.
 *
 * @returns the lines to print.
 */
export async function seedSample({ baseUrl }: { readonly baseUrl: string }, size = usual): Promise<string[]> {
  // As the redirect's environment has it.
  process.env.CLICK_DAYS = String(localStage(0).settings.clickDays);
  const store = await openStore();
  const random = randomNumbers(20_301);
  const now = Date.now();
  const old = await store.getDomain(host);
  // Nobody uses a service that is just starting, so nothing is under way.
  if (old) await store.deleteWorkspace(old.workspaceId, { wait: async () => {} });

  const workspace = await store.createWorkspace(name, async () => randomUUID());
  await store.addDomain(workspace.id, host, 'ACTIVE');
  await store.addDomain(workspace.id, 'soon.example.com', 'PENDING_DNS');
  const [ada, jo, deploy] = await Promise.all(
    ["Ada's laptop", "Jo's laptop", 'deploy'].map(async (machine) => {
      const { key } = await store.createApiKey(workspace, { name: machine, permissions });
      return { key, call: callerOf(baseUrl, key) };
    }),
  );
  if (!ada || !jo || !deploy) throw new Error('the keys of the sample were not made');

  const links = await makeLinks(store, workspace.id, { count: size.links, now }, random);
  const clicked = links.filter(({ startsAt, isActive, maxClicks }) => startsAt === null && isActive && maxClicks === null);
  await recordClicks(store, sampleClicks(clicked, { count: size.clicks, days, now }, random));
  await useUp(baseUrl, links);
  await makeHistory({ ada: ada.call, jo: jo.call, deploy: deploy.call }, links);
  await makeTemplates(ada.call);
  await makeWebhooks(deploy.call, links);
  const capped = links.filter(({ maxClicks }) => maxClicks !== null).length;
  await until(async () => (await sumOfClicks(ada.call, now)) >= size.clicks + capped * cap);
  return ['# Open the console of the sample', `# ${baseUrl}/console/${workspace.id}/links#key=${ada.key}`];
}

/** How often a request is retried that is refused for the moment. */
const mostAttempts = 40;

/** Calls the API with a key. @throws Error if it refuses */
const callerOf =
  (baseUrl: string, key: string): Call =>
  async (method, path, body) => {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) return text === '' ? {} : JSON.parse(text);
      // The rate of requests is limited for a second at most, and a busy machine recovers.
      if (![429, 503].includes(response.status) || attempt > mostAttempts)
        throw new Error(`the sample: ${method} ${path} answers ${response.status} ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };

/** Creates tags and links, the links at times of the past. @returns the links, as they are stored */
async function makeLinks(
  store: Store,
  workspaceId: string,
  { count, now }: { readonly count: number; readonly now: number },
  random: RandomNumbers,
): Promise<Link[]> {
  const domain = await store.getDomain(host);
  const soon = await store.getDomain('soon.example.com');
  if (!domain || !soon) throw new Error('the domains of the sample were not made');
  const tags = await Promise.all(tagsOfSample.map(([name, color]) => store.createTag(workspaceId, { name, color })));
  const known = {
    byId: new Map(tags.map((tag) => [tag.id, tag] as const)),
    idOf: new Map(tags.map((tag) => [foldTagName(tag.name), tag.id] as const)),
  };
  const made: Link[] = [];
  const batch = 15;
  for (let first = 0; first < count; first += batch) {
    // The oldest first: the last links were made today.
    const createdAt = now - Math.floor((1 - first / count) ** 1.5 * 120 * dayMs) - random.below(dayMs / 8);
    const entries = Array.from({ length: batch }, (_, index) => ({ index, ...newLink(first + index, createdAt, now, random) }));
    const lease = { requestId: newRequestId(), salt: newSalt(), createdAt: iso(createdAt), isRecorded: false, resumed: false };
    const isPending = first === batch;
    const results = await store.createLinks(isPending ? soon : domain, entries, new Map(), lease, { tags: known });
    const ids = Object.values(results).map((result) => {
      if ('id' in result) return result.id;
      throw new Error(`a link of the sample was not made: ${result.message}`);
    });
    const found = await store.getLinks(workspaceId, ids);
    if (!isPending) made.push(...found.flatMap((one) => (one ? [one.link] : [])));
  }
  const disabled = made.at(-20);
  if (disabled) await store.setDisabled(disabled, true);
  // The most popular ones first, old and new mixed.
  return made
    .map((link) => [random.next(), link] as const)
    .sort(([a], [b]) => a - b)
    .map(([, link]) => link);
}

/** The settings of a link. Every now and then, one has something special. */
function newLink(number: number, createdAt: number, now: number, random: RandomNumbers) {
  const kind = kinds[number % kinds.length] ?? kinds[0];
  const thing = things[number % things.length] ?? things[0];
  const page = thing.toLowerCase().replaceAll(' ', '-');
  const url = new URL(`https://www.garden-shop.example.com/${kind.path}/${page}`);
  if (kind.campaign) url.searchParams.set('utm_campaign', kind.campaign);
  const isNamed = random.next() < 0.6;
  const special = (every: number, at: number) => number % every === at;
  return {
    url: url.href,
    title: kind.title.replace('{}', thing),
    tagNames: [...kind.tags, ...(special(11, 4) ? ['jobs'] : [])].slice(0, 3),
    ...(isNamed && { customSlug: number < things.length ? page : `${kind.path}-${page}-${number}` }),
    ...(special(13, 3) && { notes: `Ask Jo before you change this. It is on the poster of ${thing.toLowerCase()}.` }),
    ...(special(17, 5) && { isActive: false }),
    ...(special(19, 6) && { expiresAt: iso(createdAt + (now - createdAt) * 0.7) }),
    ...(special(29, 7) && { startsAt: iso(now + 14 * dayMs) }),
    ...(special(71, 8) && { maxClicks: cap }),
    ...(special(37, 9) && { forwardParameters: true }),
    ...(special(97, 10) && {
      variants: [
        { id: 'a', url: `${url.origin}/landing-a`, weight: 1 },
        { id: 'b', url: `${url.origin}/landing-b`, weight: 1 },
      ],
    }),
  };
}

/** Records clicks of the past. The stream's reader counts them. */
async function recordClicks(store: Store, clicks: readonly Click[]): Promise<void> {
  const items = clicks.map(store.clickItem);
  const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, index) => items.slice(25 * index, 25 * index + 25));
  for (const batch of batches) await store.insertItems(batch);
}

/** Visits the links with a cap until it is used up, as a browser: programs do not use it up. */
async function useUp(baseUrl: string, links: readonly Link[]): Promise<void> {
  const headers = { Host: host, 'User-Agent': browsers[0][0] };
  for (const { shortCode, maxClicks } of links) {
    for (let visit = 0; visit < (maxClicks ?? 0); visit++) {
      await new Promise((resolve, reject) =>
        get(`${baseUrl}/${shortCode}`, { headers }, (response) => resolve(response.resume())).once('error', reject),
      );
    }
  }
}

type Callers = { readonly ada: Call; readonly jo: Call; readonly deploy: Call };

/** Changes and deletions by several keys, one of them undone. */
async function makeHistory({ ada, jo, deploy }: Callers, links: readonly Link[]): Promise<void> {
  const at = (index: number) => `/links/${links[index]?.id}`;
  await ada('PATCH', at(0), { title: 'Spring in the garden', notes: 'The link of the poster in the shop window.' });
  await jo('PATCH', at(0), { title: 'Spring in your garden' });
  await jo('PATCH', at(1), { url: 'https://www.garden-shop.example.com/new-arrivals?utm_campaign=spring' });
  await deploy('PATCH', at(2), { expiresAt: iso(Date.now() + 30 * dayMs) });
  for (let index = 3; index < 15; index++)
    await [ada, jo, deploy][index % 3]?.('PATCH', at(index), { notes: `Checked, round ${index}.` });
  await ada('DELETE', at(links.length - 1));
  await jo('DELETE', at(links.length - 2));
  await ada('POST', '/tags', { name: 'autumn', color: '#8a4b00' });
  await jo('PATCH', `/domains/${host}`, { rootUrl: 'https://www.garden-shop.example.com/', accentColor: '#2e8b57' });
  await jo('PATCH', at(16), { isActive: false });
}

/** Makes templates with what the shop's new links often have in common. */
async function makeTemplates(call: Call): Promise<void> {
  const { tags = [] } = (await call('GET', '/tags?limit=100')) as { tags?: { id: string; name: string }[] };
  for (const { tag, ...template } of templatesOfSample) {
    const tagIds = tags.filter(({ name }) => name === tag).map(({ id }) => id);
    await call('POST', '/templates', { ...template, domain: host, tagIds });
  }
}

type Delivery = { readonly attempts: readonly { readonly status: number | null }[] };

/** Makes two webhooks, one of which fails, and deliveries for both. */
async function makeWebhooks(call: Call, links: readonly Link[]): Promise<void> {
  const receiver = await startReceiver();
  const events = ['link.created', 'link.updated', 'link.deleted'];
  for (const path of ['hooks', 'broken']) await call('POST', '/webhooks', { url: `${receiver}/${path}`, events });
  for (let index = 20; index < 32; index++) await call('PATCH', `/links/${links[index]?.id}`, { notes: 'Told to the shop.' });
  await until(async () => {
    const { deliveries = [] } = (await call('GET', '/webhook-deliveries?limit=50')) as { deliveries?: Delivery[] };
    const answers = deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status));
    return answers.includes(204) && answers.includes(503);
  });
}

/** How many clicks of the sample's days are counted. */
async function sumOfClicks(call: Call, now: number): Promise<number> {
  const today = Math.floor(now / dayMs) * dayMs;
  const query = new URLSearchParams({ from: iso(today - days * dayMs), to: iso(today + dayMs), interval: 'day' });
  const { total = 0 } = (await call('GET', `/stats?${query}`)) as { total?: number };
  return total;
}

/** Waits until the condition holds, a minute at most: the samples are good enough without it. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await isSo()) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 300));
}
