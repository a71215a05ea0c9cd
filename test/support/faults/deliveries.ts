import type { DynamoDBRecord } from 'aws-lambda';
import { expect } from 'vitest';
import { nothingKnown } from '../../../lambdas/core/click/click.ts';
import { newDeliveries } from '../../../lambdas/core/webhook/delivery.ts';
import type { WebhookEvent } from '../../../lambdas/core/webhook/webhook.ts';
import type { Item } from '../../../lambdas/store/table/client.ts';
import {
  dueKey,
  hostCallsKey,
  type Key,
  linkKeyOf,
  receiverKey,
  receiverPk,
  scheduleKey,
  wakeKey,
} from '../../../lambdas/store/table/keys.ts';
import { callEndpoint, contextWith, type EndpointCall, startEndpoint } from '../http/invoke.ts';
import { startReceiver, type WebhookReceiver } from '../http/receiver.ts';
import { type AskedOfAws, useAws } from '../laptop/aws.ts';
import { clickOf } from '../things/clicks.ts';
import { changeLink, changeRecord, deliver } from '../things/history.ts';
import {
  type Answer,
  answerOf,
  batchGet,
  type Command,
  changeAsOther,
  get,
  ifMatch,
  insert,
  plenty,
  put,
  query,
  type ReadCommand,
  remove,
  type Scenario,
  type Scenarios,
  setCaps,
  store,
  transact,
  update,
} from './scenario.ts';

let aws: AskedOfAws;
let receiver: WebhookReceiver;

/** Starts all that deliveries need besides the store. Returns a function that ends it. @param domains see `useAws` */
export async function openReceiver(domains?: Parameters<typeof useAws>[0]): Promise<() => Promise<void>> {
  aws = await useAws(domains);
  Object.assign(process.env, { WEBHOOK_LOOPBACK: 'allowed', WEBHOOK_RATE: '10000', SHORT_URL_ORIGIN: 'https://{domain}' });
  receiver = await startReceiver(({ path }) => (path.startsWith('/failing') ? 500 : 200));
  return () => receiver.stop();
}

const modules = async () => ({
  ...(await import('../../../lambdas/store/webhooks/deliveries.ts')),
  ...(await import('../../../lambdas/store/webhooks/receivers.ts')),
  ...(await import('../../../lambdas/store/webhooks/secrets.ts')),
  ...(await import('../../../lambdas/store/webhooks/webhooks.ts')),
});

let made = 0;

/** A workspace with a webhook, which may have a delivery. */
async function workspaceWithWebhook(path = '/ok') {
  const { createWebhook } = await modules();
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const url = `${receiver.url}${path}/${++made}`;
  const { webhook } = await createWebhook(workspaceId, { url, events: ['link.clicked'], active: true });
  const target = { webhookId: webhook.id, url };
  const newDelivery = () => {
    const linkId = `lnk_${'0'.repeat(28)}`;
    const event = { workspaceId, linkId, type: 'link.clicked', key: String(++made), body: '{}' } as const;
    const [delivery] = newDeliveries(event, [target], Date.now());
    if (!delivery) throw new Error('no delivery');
    return delivery;
  };
  return { workspace, workspaceId, webhook, url, pk: receiverPk(workspaceId, url), newDelivery };
}

type Hooked = Awaited<ReturnType<typeof workspaceWithWebhook>>;

async function send(pk: string, budget: number): Promise<Answer> {
  const { handler } = await import('../../../lambdas/events/send-webhooks.ts');
  return answerOf(budget, () => handler({ receivers: [pk], isScheduled: true }, contextWith(Math.max(budget, 18_000))));
}

/** Does as the schedule once the lease of a sender that died has expired. */
async function sendLater({ pk }: Hooked): Promise<void> {
  const item = await store.getItem(receiverKey(pk));
  if (item) await store.putItem({ ...item, ...receiverKey(pk), leaseUntil: 0 });
  await send(pk, plenty);
}

const timesReceived = (id: string) => receiver.received.filter(({ headers }) => headers['webhook-id'] === id).length;

/** A run of the sender with one delivery, and somebody who adds another one meanwhile. */
const sending = (calls: Scenario['calls'], path: string, state: string, isDue: boolean, isShared = false): Scenario => ({
  calls,
  // A sender that died left a lease, whose end the next sender waits for.
  settles: calls.length,
  arrange: async () => {
    const { addDelivery, findDelivery, makeDue } = await modules();
    const hooked = await workspaceWithWebhook(path);
    const { workspaceId, pk } = hooked;
    const runs = [{ receiver: 'other', concurrency: 1, until: Date.now() + 90_000 }];
    if (isShared) await store.putItem({ ...hostCallsKey(workspaceId, '127.0.0.1'), nextCallAt: 0, runs, token: 'theirs' });
    const add = async () => {
      const delivery = hooked.newDelivery();
      await addDelivery(delivery);
      await makeDue(pk);
      return delivery;
    };
    const all = [await add()];
    const check = async () => {
      await sendLater(hooked);
      for (const { id } of all) {
        expect(timesReceived(id)).toBeGreaterThanOrEqual(1);
        expect(await findDelivery(workspaceId, id)).toMatchObject({ state });
      }
      expect((await store.getItem(dueKey(pk))) !== undefined).toBe(isDue);
      expect(receiver.doubled).toEqual(new Set());
    };
    return {
      act: (budget) => send(pk, budget),
      check,
      meanwhile: async () => {
        all.push(await add());
        await send(pk, plenty);
      },
      checkBoth: async ({ status }) => {
        expect(status).toBe(200);
        await check();
      },
    };
  },
});

/** The record of a click that a webhook wants. */
async function recordOf({ workspace, workspaceId }: Hooked) {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const click = clickOf(found.link, '2030-01-02T10:00:00Z', nothingKnown);
  return {
    eventName: 'INSERT' as const,
    dynamodb: {
      Keys: { pk: { S: `CLICK#${found.link.id}#0` }, sk: { S: `${click.at}#${click.id}` } },
      NewImage: { workspaceId: { S: workspaceId }, host: { S: 'go.example.com' } },
      SequenceNumber: String(++made),
    },
  };
}

type StreamRecord = { readonly eventName: 'INSERT'; readonly dynamodb: object };

async function create(Records: readonly StreamRecord[], budget: number): Promise<Answer> {
  const { handler } = await import('../../../lambdas/events/create-deliveries.ts');
  return answerOf(budget, () => handler({ Records: [...Records] } as never, contextWith(budget)));
}

/** A batch of the stream's reader, and the same batch once more meanwhile. */
const creating = (
  calls: Scenario['calls'],
  recordsOf: (hooked: Hooked) => Promise<StreamRecord[]>,
  count: number,
  more: Partial<Scenario> = {},
): Scenario => ({
  calls,
  ...more,
  arrange: async () => {
    const { listDeliveries } = await modules();
    const hooked = await workspaceWithWebhook();
    const records = await recordsOf(hooked);
    await store.putItem({ ...scheduleKey, isOn: !('alone' in more), at: Date.now() });
    const check = async () => {
      const { deliveries } = await listDeliveries(hooked.workspaceId, {}, { limit: 10 });
      expect(deliveries.map(({ state }) => state)).toEqual(Array(count).fill('pending'));
      if (count > 0) expect(await store.getItem(dueKey(hooked.pk))).toMatchObject({ at: 0 });
    };
    return {
      act: (budget) => create(records, budget),
      check,
      meanwhile: () => create(records, plenty),
      checkBoth: async ({ status }) => {
        expect(status).toBe(200);
        await check();
      },
    };
  },
});

/** A run of the schedule, which may start so many senders, and somebody who makes a receiver due meanwhile. */
const starting = (calls: Scenario['calls'], event: { isHourly?: boolean }, isDue: boolean, senders = '10'): Scenario => ({
  calls,
  alone: true,
  arrange: async () => {
    const { dueReceivers, makeDue } = await modules();
    const { ensureScheduled } = await import('../../../lambdas/store/webhooks/receivers.ts');
    const { enableSchedule } = await import('../../../lambdas/outbound/senders.ts');
    for (const { pk } of await Array.fromAsync(dueReceivers())) await store.deleteItem(dueKey(pk));
    // The last partition that is looked at, so that the number of calls is always the same.
    let pk: ReturnType<typeof receiverPk>;
    do pk = receiverPk('ws_due', `https://example.com/${++made}`);
    while (dueKey(pk).pk !== 'DUE#7');
    if (isDue) await makeDue(pk);
    aws.isScheduleOn = true;
    await store.putItem({ ...scheduleKey, isOn: true, at: Date.now() });
    const { handler } = await import('../../../lambdas/events/start-senders.ts');
    return {
      act: async (budget) => {
        process.env.WEBHOOK_SENDERS = senders;
        try {
          return await answerOf(budget, () => handler(event, contextWith(budget)));
        } finally {
          process.env.WEBHOOK_SENDERS = '10';
        }
      },
      check: async () => expect(aws.isScheduleOn).toBe(isDue),
      meanwhile: async () => {
        await makeDue(pk);
        await ensureScheduled({ enable: enableSchedule });
      },
      checkBoth: async ({ status }) => expect([status, aws.isScheduleOn]).toEqual([200, true]),
    };
  },
});

/** The author of a link's changes. */
const by = `key_${'k'.repeat(43)} request-1 Tests`;

/** The record of something that happened to a link, for a webhook that wants to know, and the same once more meanwhile. */
const telling = (calls: Scenario['calls'], event: WebhookEvent, recordOf: (item: Key & Item) => DynamoDBRecord): Scenario => ({
  calls,
  arrange: async () => {
    const { createWebhook, listDeliveries } = await modules();
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    await createWebhook(workspaceId, { url: `${receiver.url}/ok/${++made}`, events: [event], active: true });
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    const key = linkKeyOf(found.link.id);
    const records = [recordOf({ ...(await store.getItem(key)), ...key })];
    const act = (budget: number) => answerOf(budget, () => deliver(records, budget));
    const check = async () => {
      const { deliveries } = await listDeliveries(workspaceId, {}, { limit: 10 });
      expect(deliveries.map(({ type, state, linkId }) => [type, state, linkId])).toEqual([[event, 'pending', found.link.id]]);
    };
    return {
      act,
      check,
      meanwhile: () => act(plenty),
      checkBoth: async ({ status }) => {
        expect(status).toBe(200);
        await check();
      },
    };
  },
});

/** A link with a URL of its own, to which nothing is sent any more. */
async function linkWithStoppedUrl() {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const url = `${receiver.url}/ok/${++made}`;
  const { link } = await store.updateLink(found, { webhookUrls: url });
  await store.rotateSecret(workspaceId, null);
  const pk = receiverPk(workspaceId, url);
  await store.putItem({
    ...receiverKey(pk),
    leaseNumber: 1,
    leaseUntil: 0,
    stopped: 'gone',
    stoppedAt: '2030-01-02T03:04:05.678Z',
  });
  return { workspace, workspaceId, link, url, pk };
}

type Stopped = Awaited<ReturnType<typeof linkWithStoppedUrl>>;

/** A request that shows a link and the health of its URL. */
const showing = (calls: readonly ReadCommand[], endpoint: string, request: (stopped: Stopped) => object): Scenario => ({
  calls,
  arrange: async () => {
    const stopped = await linkWithStoppedUrl();
    return {
      act: async (budget) => {
        const response = await startEndpoint(endpoint)({ workspaceId: stopped.workspaceId, ...request(stopped), budget });
        if (response.status === 200)
          expect(response.body.link.webhookStatus).toMatchObject([{ url: stopped.url, state: 'gone' }]);
        return response;
      },
      check: async () => {},
    };
  },
});

/** A request that sets the URL of a link again, so that it receives again. Somebody else changes the link meanwhile. */
const resuming = (
  calls: Scenario['calls'],
  act: (stopped: Stopped, budget: number, headers: Record<string, string>) => Promise<Answer>,
  isConditional = false,
): Scenario => ({
  calls,
  ...(isConditional && { repeated: [412] }),
  arrange: async () => {
    const stopped = await linkWithStoppedUrl();
    const { workspaceId, link, url, pk } = stopped;
    const headers = isConditional ? await ifMatch('get-link', workspaceId, link.id) : {};
    const check = async () => {
      expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('stopped');
      expect(await store.getItem(wakeKey(pk, 'resume'))).toBeDefined();
      expect(await store.findLink(workspaceId, link.id)).toMatchObject({ webhookUrls: url });
    };
    return {
      act: (budget) => act(stopped, budget, headers),
      check,
      meanwhile: () => changeAsOther(workspaceId, link.id, { title: 'Theirs' }),
      checkBoth: async ({ status }) => {
        expect(isConditional ? [200, 412] : [200]).toContain(status);
        await check();
        expect((await store.findLink(workspaceId, link.id))?.title).toBe('Theirs');
      },
    };
  },
});

/** Activates a webhook whose URL is stopped, so that it receives again; or only if it is still as it was known. */
const activating = (calls: readonly Command[], isConditional: boolean): Scenario => ({
  calls,
  // Copying the interest follows the change.
  ...(isConditional && { repeated: [412], decisive: calls.lastIndexOf(transact) }),
  arrange: async () => {
    const { workspaceId, webhook, pk } = await workspaceWithWebhook();
    await store.putItem({
      ...receiverKey(pk),
      leaseNumber: 1,
      leaseUntil: 0,
      stopped: 'paused',
      stoppedAt: '2030-01-02T03:04:05.678Z',
    });
    await store.updateWebhook(workspaceId, webhook.id, { active: false });
    const headers = isConditional ? await ifMatch('get-webhook', workspaceId, webhook.id) : {};
    const activate = { workspaceId, id: webhook.id, body: { active: true } };
    const check = async () => {
      expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('stopped');
      expect(await store.getItem(wakeKey(pk, 'resume'))).toBeDefined();
    };
    return {
      act: (budget) => callEndpoint('update-webhook', { ...activate, headers, budget }),
      check,
      meanwhile: () => callEndpoint('update-webhook', activate),
      checkBoth: async ({ status }) => {
        expect(isConditional ? [200, 412] : [200]).toContain(status);
        await check();
      },
    };
  },
});

const queries = Array.from({ length: 8 }, () => query);

/** Removes an alias of a link if it is still as it was known. @param named how the endpoint's request names the alias */
const unaliasingAsKnown = (endpoint: string, named: (slug: string) => Partial<EndpointCall>): Scenario => ({
  calls: [batchGet, get, batchGet, batchGet, transact, batchGet],
  succeeds: 204,
  repeated: [404, 412],
  arrange: async () => {
    const { workspace, workspaceId, link } = await linkWithStoppedUrl();
    const { id: tagId } = await store.createTag(workspaceId, { name: 'Tag', color: '#123456' });
    // A domain in this status is not cached.
    await store.addDomain(workspaceId, workspace.domain.host, 'PENDING_DNS');
    for (const customSlug of ['Second', 'Third']) {
      const found = await store.getLink(workspaceId, link.id);
      if (found) await store.updateLink(found, { customSlug, tagIds: [tagId] });
    }
    await setCaps(workspaceId, [link.id], [5]);
    const headers = await ifMatch('get-link', workspaceId, link.id);
    const current = () => store.findLink(workspaceId, link.id);
    return {
      act: (budget) => startEndpoint(endpoint)({ workspaceId, id: link.id, ...named('Second'), headers, budget }),
      check: async () => expect(await current()).toMatchObject({ shortCode: 'Third', aliases: [link.shortCode] }),
      meanwhile: () => changeAsOther(workspaceId, link.id, { title: 'Theirs' }),
      checkBoth: async ({ status }) => {
        expect([204, 412]).toContain(status);
        expect(await current()).toMatchObject({ title: 'Theirs' });
      },
    };
  },
});

/** Webhooks on their way. */
export const deliveryScenarios: Scenarios = {
  'send-webhooks: a delivery that succeeds': sending(
    [get, update, put, query, query, batchGet, get, put, get, update, remove, query, query, query, update, remove, query, query],
    '/ok',
    'succeeded',
    false,
  ),
  'send-webhooks: a delivery to a host that others call too': sending(
    [
      get,
      update,
      put,
      query,
      query,
      batchGet,
      get,
      put,
      get,
      update,
      remove,
      query,
      put,
      query,
      query,
      update,
      remove,
      query,
      query,
    ],
    '/ok',
    'succeeded',
    false,
    true,
  ),
  'send-webhooks: a delivery that fails': sending(
    [get, update, put, query, query, batchGet, get, put, get, update, put, remove, query, query, query, update, put],
    '/failing',
    'pending',
    true,
  ),
  'send-webhooks: a receiver that was slow': {
    calls: [get, query],
    arrange: async () => {
      const { addDelivery, makeDue } = await modules();
      const hooked = await workspaceWithWebhook();
      const { pk } = hooked;
      await store.putItem({ ...receiverKey(pk), leaseNumber: 1, leaseUntil: 0, isSlow: true });
      const delivery = hooked.newDelivery();
      await addDelivery(delivery);
      await makeDue(pk);
      const { handler } = await import('../../../lambdas/events/send-webhooks.ts');
      return {
        act: (budget) => answerOf(budget, () => handler({ receivers: [pk] }, contextWith(Math.max(budget, 18_000)))),
        check: async () => {
          expect(timesReceived(delivery.id)).toBe(0);
          expect(await store.getItem(dueKey(pk))).toMatchObject({ at: 0 });
          await send(pk, plenty);
          expect(timesReceived(delivery.id)).toBe(1);
        },
      };
    },
  },
  'create-deliveries: a click': creating(
    [batchGet, query, get, put, put, put, get],
    async (hooked) => [await recordOf(hooked)],
    1,
  ),
  'create-deliveries: a click, while the schedule is off': creating(
    [batchGet, query, get, put, put, put, get, put],
    async (hooked) => [await recordOf(hooked)],
    1,
    { alone: true },
  ),
  'create-deliveries: a record that cannot be read': creating(
    [put],
    async () => [
      { eventName: 'INSERT', dynamodb: { Keys: { pk: { S: 'CLICK#x' }, sk: { S: 'y' } }, SequenceNumber: String(++made) } },
    ],
    0,
  ),
  'record-changes: a new link that a webhook wants to know of': telling([query, put, put, put], 'link.created', (item) => ({
    eventName: 'INSERT',
    dynamodb: { ...changeRecord({}, item).dynamodb, OldImage: undefined },
  })),
  'record-changes: a change that a webhook wants to know of': telling([insert, query, put, put, put], 'link.updated', (item) =>
    changeRecord(item, { ...item, title: 'New', by }),
  ),
  'record-changes: a deletion that a webhook wants to know of': telling(
    [insert, query, put, put, put],
    'link.deleted',
    ({ pk, sk, ...item }) => changeRecord({ pk, sk, ...item }, { pk, sk, by }),
  ),
  'start-senders: while a receiver is due': starting([...queries, get], {}, true),
  'start-senders: while more are due than one run starts': starting([...queries, batchGet, get], {}, true, '0'),
  'start-senders: while none is': starting([...queries, put, get, ...queries], {}, false),
  'start-senders: every hour': starting([...queries, put], { isHourly: true }, true),
  'get-link: with a URL of its own': showing([batchGet, get, batchGet, batchGet], 'get-link', ({ link }) => ({ id: link.id })),
  'lookup-link: with a URL of its own': showing([get, get, batchGet, get, batchGet, batchGet], 'lookup-link', ({ link }) => ({
    query: { domain: link.domain, slug: link.shortCode },
  })),
  'create-link: with a URL of its own': {
    calls: [get, get, batchGet, put, batchGet],
    succeeds: 201,
    repeated: [409],
    arrange: async () => {
      const { workspace, workspaceId } = await linkWithStoppedUrl();
      const body = {
        url: 'https://example.org/',
        domain: workspace.domain.host,
        customSlug: 'New',
        webhookUrls: `${receiver.url}/ok/${++made}`,
      };
      const call = startEndpoint('create-link');
      const check = async () => {
        const link = await store.getLinkAt(workspace.domain.domainId, 'new');
        expect(link).toMatchObject({ webhookUrls: body.webhookUrls });
      };
      return {
        act: async (budget) => {
          const response = await call({ workspaceId, body, budget });
          if (response.status === 201) expect(response.body.link.webhookStatus).toMatchObject([{ state: 'ok' }]);
          return response;
        },
        check,
        meanwhile: async () => {
          const there = await store.getLinkAt(workspace.domain.domainId, 'new');
          if (there) await changeAsOther(workspaceId, there.id, { title: 'Theirs' });
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(201);
          await check();
        },
      };
    },
  },
  'update-link: a URL that receives again': resuming(
    [batchGet, batchGet, transact, update, get, batchGet, batchGet],
    ({ workspaceId, link, url }, budget) =>
      startEndpoint('update-link')({ workspaceId, id: link.id, body: { webhookUrls: url }, budget }),
  ),
  // A retry whose first attempt succeeded is refused, so that attempt must have resumed the URL.
  'update-link: a URL that receives again, as the link was known': resuming(
    [batchGet, get, batchGet, batchGet, transact, update, batchGet],
    ({ workspaceId, link, url }, budget, headers) =>
      startEndpoint('update-link')({ workspaceId, id: link.id, body: { webhookUrls: url }, headers, budget }),
    true,
  ),
  'bulk-update-links: a URL that receives again': resuming(
    [update, batchGet, batchGet, transact, update],
    ({ workspaceId, link, url }, budget) =>
      callEndpoint('bulk-update-links', { workspaceId, body: { ids: [link.id], fields: { webhookUrls: url } }, budget }),
  ),
  'put-link: a URL that receives again': {
    calls: [get, batchGet, get, batchGet, batchGet, transact, update, batchGet, batchGet],
    arrange: async () => {
      const { workspace, workspaceId, link, url, pk } = await linkWithStoppedUrl();
      await changeAsOther(workspaceId, link.id, { webhookUrls: null, externalId: 'page:1' });
      const body = { domain: workspace.domain.host, url: link.url, webhookUrls: url };
      const call = startEndpoint('put-link');
      const check = async () => {
        expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('stopped');
        expect(await store.findLink(workspaceId, link.id)).toMatchObject({ webhookUrls: url });
      };
      return {
        act: (budget) => call({ workspaceId, externalId: 'page:1', body, budget }),
        check,
        meanwhile: () => changeAsOther(workspaceId, link.id, { title: 'Theirs' }),
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
        },
      };
    },
  },
  'delete-link: with a URL of its own, as it was known': {
    calls: [batchGet, get, batchGet, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, link } = await linkWithStoppedUrl();
      const headers = await ifMatch('get-link', workspaceId, link.id);
      const check = async () => expect(await store.findLink(workspaceId, link.id)).toBeUndefined();
      return {
        act: (budget) => startEndpoint('delete-link')({ workspaceId, id: link.id, headers, budget }),
        check,
        meanwhile: () => changeAsOther(workspaceId, link.id, { title: 'Theirs' }),
        checkBoth: async ({ status }) => expect([204, 412]).toContain(status),
      };
    },
  },
  'delete-link-alias: as it was known, with a URL of its own': unaliasingAsKnown('delete-link-alias', (slug) => ({ slug })),
  'delete-link-alias-by-slug: as it was known, with a URL of its own': unaliasingAsKnown('delete-link-alias-by-slug', (slug) => ({
    query: { slug },
  })),
  'revert-change: a URL that receives again': {
    calls: [batchGet, query, batchGet, transact, update, get, batchGet, batchGet],
    arrange: async () => {
      const { workspaceId, link, url, pk } = await linkWithStoppedUrl();
      await changeLink(store, workspaceId, link.id, { webhookUrls: null });
      const [entry] = (await callEndpoint('list-link-history', { workspaceId, id: link.id })).body.entries;
      const call = startEndpoint('revert-change');
      const check = async () => {
        expect(await store.findLink(workspaceId, link.id)).toMatchObject({ webhookUrls: url });
        expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('stopped');
      };
      return {
        act: (budget) => call({ workspaceId, id: link.id, entryId: entry.id, budget }),
        check,
        meanwhile: () => changeAsOther(workspaceId, link.id, { title: 'Theirs' }),
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
        },
      };
    },
  },
  'update-webhook: a URL that receives again': activating(
    [get, batchGet, transact, transact, get, query, batchGet, update, batchGet, query],
    false,
  ),
  // A retry whose first attempt succeeded is refused, so that attempt must have resumed the URL.
  'update-webhook: a URL that receives again, as it was known': activating(
    [get, batchGet, query, get, batchGet, transact, transact, get, query, batchGet, update, batchGet, query],
    true,
  ),
  'list-webhook-deliveries': {
    calls: [...queries, batchGet, batchGet, batchGet],
    arrange: async () => {
      const { addDelivery } = await modules();
      const hooked = await workspaceWithWebhook();
      const delivery = hooked.newDelivery();
      await addDelivery(delivery);
      return {
        act: async (budget) => {
          const response = await callEndpoint('list-webhook-deliveries', { workspaceId: hooked.workspaceId, budget });
          if (response.status === 200) expect(response.body.deliveries).toMatchObject([{ id: delivery.id, state: 'pending' }]);
          return response;
        },
        check: async () => {},
      };
    },
  },
  'get-webhook-delivery': {
    calls: [get, get, batchGet],
    arrange: async () => {
      const { addDelivery } = await modules();
      const hooked = await workspaceWithWebhook();
      const delivery = hooked.newDelivery();
      await addDelivery(delivery);
      return {
        act: (budget) => callEndpoint('get-webhook-delivery', { workspaceId: hooked.workspaceId, id: delivery.id, budget }),
        check: async () => {},
      };
    },
  },
  'redeliver-webhook-delivery': {
    calls: [get, get, update, put, put],
    succeeds: 202,
    arrange: async () => {
      const { addDelivery, findDelivery } = await modules();
      const hooked = await workspaceWithWebhook();
      const { workspaceId } = hooked;
      const delivery = hooked.newDelivery();
      await addDelivery(delivery);
      await send(hooked.pk, plenty);
      const check = async () => {
        expect(await store.getItem(wakeKey(hooked.pk, delivery.id))).toBeDefined();
        await send(hooked.pk, plenty);
        expect(timesReceived(delivery.id)).toBeGreaterThanOrEqual(2);
        expect(await findDelivery(workspaceId, delivery.id)).toMatchObject({ state: 'succeeded' });
      };
      return {
        act: (budget) => callEndpoint('redeliver-webhook-delivery', { workspaceId, id: delivery.id, budget }),
        check,
        // A sender comes in between.
        meanwhile: () => send(hooked.pk, plenty),
        checkBoth: async ({ status }) => {
          expect(status).toBe(202);
          await check();
        },
      };
    },
  },
  'test-webhook': {
    calls: [get, put, put, put],
    succeeds: 202,
    arrange: async () => {
      const hooked = await workspaceWithWebhook();
      const { workspaceId, webhook, pk } = hooked;
      const received = () => receiver.received.filter(({ path }) => receiver.url + path === hooked.url).length;
      const check = async () => {
        await send(pk, plenty);
        expect(received()).toBeGreaterThanOrEqual(1);
      };
      return {
        act: (budget) => callEndpoint('test-webhook', { workspaceId, id: webhook.id, budget }),
        check,
        meanwhile: () => send(pk, plenty),
        checkBoth: async ({ status }) => {
          expect([status, received()]).toEqual([202, expect.any(Number)]);
          await check();
          // What a sender took before the retry is not sent again.
          expect(received()).toBe(1);
        },
      };
    },
  },
};
