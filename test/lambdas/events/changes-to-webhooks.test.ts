import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import type { Link } from '../../../lambdas/core/link/link.ts';
import { type WebhookEvent, webhookEvents } from '../../../lambdas/core/webhook/webhook.ts';
import { itemJson } from '../../../lambdas/store/table/attribute-values.ts';
import type { Item } from '../../../lambdas/store/table/client.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { type ReceiverPk, receiverPk, tagKey, webhooksIn } from '../../../lambdas/store/table/keys.ts';
import type { Input, Output } from '../../../lambdas/store/table/operations.ts';
import { refusing, underFaults } from '../../support/faults/faults.ts';
import { befalling, mishapUpTo } from '../../support/faults/random.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { checkWebhook } from '../../support/http/openapi.ts';
import { runs, sized } from '../../support/run/proof.ts';
import { inOwnTime } from '../../support/store/own-time.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { byKey, changeRecord, deliver, keyOfLink, recordOf as recordOfStore, streamArn } from '../../support/things/history.ts';

// The events that record-changes sends to webhooks. record-changes.test.ts tests what it records in the history.

vi.mock('../../../lambdas/runtime/instant.ts', async (original) =>
  (await import('../../support/store/own-time.ts')).withOwnTime(await original()),
);

let store: Store;
let history: typeof import('../../../lambdas/store/history/history.ts');
let deliveries: typeof import('../../../lambdas/store/webhooks/deliveries.ts');
let asAuthor: typeof import('../../../lambdas/runtime/author.ts').asAuthor;
beforeAll(async () => {
  process.env.HISTORY_DAYS = '365';
  process.env.SHORT_URL_ORIGIN = 'https://{domain}';
  store = await useStore();
  history = await import('../../../lambdas/store/history/history.ts');
  deliveries = await import('../../../lambdas/store/webhooks/deliveries.ts');
  ({ asAuthor } = await import('../../../lambdas/runtime/author.ts'));
});
afterEach(() => {
  process.env.HISTORY_DAYS = '365';
});

/** The time of a change, in seconds as records have it, and in ISO 8601. */
const [seconds, at] = [1_893_553_445, '2030-01-02T03:04:05.000Z'];

const recordOf = (id: string, work: () => Promise<unknown>) => recordOfStore(store, keyOfLink(id), work, byKey(), seconds);

/** The record of a change without a request. */
async function recordOfService(id: string, work: () => Promise<unknown>): Promise<DynamoDBRecord> {
  const before = (await store.getItem(keyOfLink(id))) ?? {};
  await work();
  return changeRecord(before, (await store.getItem(keyOfLink(id))) ?? {}, seconds);
}

let sequence = 0;

/** The stream's record of a new item. */
const insertion = (item: Item, index = ++sequence): DynamoDBRecord => ({
  eventName: 'INSERT',
  dynamodb: {
    Keys: { pk: { S: String(item.pk) }, sk: { S: String(item.sk) } },
    NewImage: JSON.parse(itemJson(item)),
    SequenceNumber: String(10n ** 20n + BigInt(index)),
    ApproximateCreationDateTime: seconds,
  },
});

/** A workspace with a webhook for each of these sets of events. */
async function hookedWorkspace(...sets: (readonly WebhookEvent[])[]) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const hook = async (events: readonly WebhookEvent[], active = true) => {
    const settings = { url: `https://hooks.example.com/${++sequence}`, events, active };
    return (await store.createWebhook(workspaceId, settings)).webhook;
  };
  const webhooks = await Promise.all(sets.map((events) => hook(events)));
  const told = async () => {
    const { deliveries: all } = await deliveries.listDeliveries(workspaceId, {}, { limit: 100 });
    for (const { body } of all) checkWebhook(body);
    return all.toReversed();
  };
  /** A new link, and the record of its creation. */
  const newLink = async (settings: object = {}) => {
    const { link } = await asAuthor(byKey(), () =>
      store.createLink(workspace.domain, { url: 'https://example.org/', ...settings }, store.newLease()),
    );
    const current = async () => {
      const found = await store.getLink(workspaceId, link.id);
      if (!found) throw new Error('no link');
      return found;
    };
    const created = insertion({ ...(await store.getItem(keyOfLink(link.id))), ...keyOfLink(link.id) });
    const change = (changes: object) => recordOf(link.id, async () => store.updateLink(await current(), changes));
    const remove = () => recordOf(link.id, async () => store.deleteLink(await current()));
    return { link, current, created, change, remove };
  };
  return { ...workspace, hook, webhooks, told, newLink };
}

/** A link as webhooks show it. */
const shown = (link: Link) => ({
  id: link.id,
  shortCode: link.shortCode,
  domain: link.domain,
  shortUrl: `https://${link.domain}/${link.shortCode}`,
  aliases: [...link.aliases],
  url: link.url,
  title: link.title,
  isActive: link.isActive,
  startsAt: link.startsAt,
  expiresAt: link.expiresAt,
  maxClicks: link.maxClicks,
  tagIds: [...link.tagIds],
  createdAt: link.createdAt,
  updatedAt: link.updatedAt,
});

const changesOnly = ['link.created', 'link.updated', 'link.deleted'] as const;

describe('The events of a link', () => {
  test('A creation, a change and a deletion are events with the link as it is then, or was before its deletion.', async () => {
    const { workspaceId, newLink, webhooks, told } = await hookedWorkspace(changesOnly);
    const { link, created, current, change, remove } = await newLink({ title: 'Old', maxClicks: 3 });
    const changed = await change({ title: 'New', isActive: false, passwordHash: '$argon2id$secret' });
    const { link: updated } = await current();
    for (const record of [created, changed, await remove()]) await deliver([record]);
    const all = await told();
    const expected = [
      ['link.created', link],
      ['link.updated', updated],
      ['link.deleted', updated],
    ] as const;
    // Records of one second make deliveries in the order of their processing.
    expect(all.map(({ body, ...delivery }) => [delivery.type, JSON.parse(body)])).toEqual(
      expected.map(([type, as]) => [type, { type, timestamp: at, data: { link: shown(as) } }]),
    );
    expect([updated.title, updated.isActive]).toEqual(['New', false]);
    for (const delivery of all) {
      expect(delivery).toMatchObject({ workspaceId, linkId: link.id, webhookId: webhooks[0]?.id, url: webhooks[0]?.url });
      expect(delivery).toMatchObject({ state: 'pending', tries: 0, attempts: [] });
      expect(JSON.stringify(delivery)).not.toMatch(/argon2|password/i);
    }
  });

  test('An active webhook gets the events of its workspace that it subscribes to, and no others.', async () => {
    const other = await hookedWorkspace(webhookEvents);
    const sets = [...changesOnly.map((event) => [event]), ['link.clicked', 'link.cap_reached'], changesOnly] as const;
    const { newLink, hook, webhooks, told } = await hookedWorkspace(...sets);
    await hook(webhookEvents, false);
    const { created, change, remove } = await newLink();
    await deliver([created, await change({ title: 'New' }), await remove()]);
    const expected = webhooks.flatMap(({ id, events }) =>
      changesOnly.filter((event) => events.includes(event)).map((event) => `${id} ${event}`),
    );
    expect(expected).toHaveLength(6);
    expect((await told()).map(({ webhookId, type }) => `${webhookId} ${type}`).toSorted()).toEqual(expected.toSorted());
    expect(await other.told()).toEqual([]);
  });

  test('A link at the address of a deleted one has an event of creation.', async () => {
    const { newLink, told } = await hookedWorkspace(changesOnly);
    const first = await newLink({ customSlug: 'again' });
    const removal = await first.remove();
    let made = '';
    const replacement = await recordOf(first.link.id, async () => {
      made = (await newLink({ customSlug: 'again' })).link.id;
    });
    await deliver([removal, replacement]);
    expect((await told()).map(({ type, linkId }) => `${type} ${linkId}`).toSorted()).toEqual(
      [`link.created ${made}`, `link.deleted ${first.link.id}`].toSorted(),
    );
  });

  test('On restored tables, a change is an event even if an earlier one had the same number in another stream.', async () => {
    const { newLink, told } = await hookedWorkspace(changesOnly);
    const { change } = await newLink();
    const record = await change({ title: 'New' });
    for (const [index, label] of ['2030-01-31T12:00:00.000', '2030-02-01T00:00:00.000'].entries()) {
      for (let times = 0; times < 2; times++) {
        await deliver([{ ...record, eventSourceARN: streamArn(label) }]);
        expect(await told()).toHaveLength(index + 1);
      }
    }
  });

  test('Webhooks get all events without a history, too.', async () => {
    process.env.HISTORY_DAYS = '0';
    const { newLink, told } = await hookedWorkspace(changesOnly);
    const { created, change, remove } = await newLink();
    await deliver([created, await change({ title: 'New' }), await remove()]);
    expect((await told()).map(({ type }) => type).toSorted()).toEqual(changesOnly.toSorted());
  });
});

describe('Not sent to webhooks are', () => {
  test('a takedown and its end, a sweep of a tag, erased clicks, a framing check, and an update that changes nothing.', async () => {
    const { workspaceId, newLink, told } = await hookedWorkspace(webhookEvents);
    const tag = await store.createTag(workspaceId, { name: 'Tag', color: '#000000' });
    const { link, current, change } = await newLink({ tagIds: [tag.id] });
    const operator = (name: string) => ({ actor: { type: 'operator', id: null, name }, requestId: 'req_1' }) as const;
    const disabling = (isDisabled: boolean) => async () => {
      await store.setDisabled((await current()).link, isDisabled);
    };
    const { handler: sweep } = await import('../../../lambdas/events/sweep.ts');
    const silent = [
      await recordOfStore(store, keyOfLink(link.id), disabling(true), operator('links disable')),
      await recordOfStore(store, keyOfLink(link.id), disabling(false), operator('links enable')),
      await recordOf(link.id, async () => store.eraseClicks((await current()).link)),
      await change({ unframeableUrl: 'https://example.org/' }),
      await change({ url: link.url }),
    ];
    await asAuthor(byKey(), () => store.deleteTag(workspaceId, tag.id));
    silent.push(
      await recordOfService(link.id, async () => {
        const Keys = { pk: { S: `TAG#${tag.id}` }, sk: { S: 'SWEEP' } };
        await sweep({ Records: [{ dynamodb: { Keys, SequenceNumber: '7' } }] }, contextWith(20_000));
      }),
    );
    // Each of them changed the item, because otherwise this test would show nothing.
    const changed = silent.map(({ dynamodb }) => JSON.stringify(dynamodb?.OldImage) !== JSON.stringify(dynamodb?.NewImage));
    expect(changed).toEqual(Array(silent.length).fill(true));
    expect((await current()).link.tagIds).toEqual([]);
    await deliver(silent);
    expect(await told()).toEqual([]);
    // The control: a member's change of the same link is sent.
    await deliver([await change({ title: 'New' })]);
    expect((await told()).map(({ type }) => type)).toEqual(['link.updated']);
  });

  test('changes from more than five minutes before the webhook was created, however late they are processed.', async () => {
    const { webhooks, newLink, told } = await hookedWorkspace(changesOnly);
    const { created, change, remove } = await newLink();
    const records = [created, await change({ title: 'New' }), await remove()];
    /** Delivers the same records as new events, from this many seconds before the webhook. */
    const deliverFrom = async (secondsBefore: number, stream: string) => {
      const ApproximateCreationDateTime = Math.floor(Date.parse(webhooks[0]?.createdAt ?? '') / 1_000) - secondsBefore;
      const from = ({ dynamodb, ...record }: DynamoDBRecord): DynamoDBRecord => ({
        ...record,
        eventSourceARN: streamArn(stream),
        dynamodb: { ...dynamodb, ApproximateCreationDateTime },
      });
      await deliver(records.map(from));
      return (await told()).length;
    };
    expect(await deliverFrom(24 * 60 * 60, '2030-01-01T00:00:00.000')).toBe(0);
    expect(await deliverFrom(301, '2030-01-02T00:00:00.000')).toBe(0);
    // Clocks differ, and the stream's times are rounded down.
    expect(await deliverFrom(299, '2030-01-03T00:00:00.000')).toBe(3);
    expect(await deliverFrom(0, '2030-01-04T00:00:00.000')).toBe(6);
  });

  test('changes of tags and domains, and tombstones of links that never existed.', async () => {
    const { workspaceId, domain, newLink, told } = await hookedWorkspace(webhookEvents);
    const tag = await store.createTag(workspaceId, { name: 'Tag', color: '#000000' });
    const { link, remove } = await newLink();
    await remove();
    const tombstone = { ...(await store.getItem(keyOfLink(link.id))), ...keyOfLink(link.id) };
    const domainKey = { pk: `DOMAIN#${domain.host}`, sk: 'DOMAIN' };
    await deliver([
      insertion(tombstone),
      await recordOfStore(store, tagKey(workspaceId, tag.id), () => store.updateTag(workspaceId, tag.id, { name: 'New' })),
      await recordOfStore(store, domainKey, () => store.addDomain(workspaceId, domain.host, 'PENDING_DNS')),
    ]);
    expect(await told()).toEqual([]);
  });
});

/** A workspace with 20 webhooks, and the records of this many new links of the largest size. */
async function batchOf(size: number) {
  const hooked = await hookedWorkspace(...Array(20).fill(changesOnly));
  const { link } = await hooked.newLink({ title: 'x'.repeat(256), url: `https://example.org/${'x'.repeat(1_900)}` });
  const item = { ...(await store.getItem(keyOfLink(link.id))), ...keyOfLink(link.id) };
  const records = Array.from({ length: size }, (_, index) => {
    const id = `lnk_${String(index).padStart(22, '0')}aaaaaa`;
    return insertion({ ...item, ...keyOfLink(id), id });
  });
  const queues = () =>
    Promise.all(
      hooked.webhooks.map(async ({ url }) => {
        const queued = await Array.fromAsync(store.query({ pk: receiverPk(hooked.workspaceId, url), skPrefix: 'QUEUE#' }));
        return queued.map(({ sk }) => String(sk).split('#').at(-1) ?? '');
      }),
    );
  return { ...hooked, records, queues };
}

describe('A batch for a workspace with 20 webhooks', () => {
  test('takes one read of the webhooks, two writes for each delivery and one for each URL, and gives each event an id for each webhook.', async () => {
    const size = sized(10, 50);
    const { records, queues } = await batchOf(size);
    const { commands } = await underFaults(
      () => undefined,
      () => deliver(records, 60_000),
    );
    const count = (command: string) => commands.filter((one) => one === command).length;
    expect([count('Query'), count('PutItem'), commands.length]).toEqual([1, 40 * size + 20, 40 * size + 21]);
    const ids = await queues();
    expect(ids.map((queue) => queue.length)).toEqual(Array(20).fill(size));
    expect(new Set(ids.flat()).size).toBe(20 * size);
  });

  test('gives each webhook each event once, with the same id, however it is cut, repeated and interrupted.', async () => {
    const size = 3;
    const attempts = fc.array(fc.record({ from: fc.nat(size - 1), fault: mishapUpTo(2 * 20 * size) }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(attempts, async (all) => {
        const { records, queues, told } = await batchOf(size);
        for (const { from, fault } of all) {
          await underFaults(befalling(fault), () => deliver(records.slice(from))).catch(() => {});
        }
        await deliver(records);
        const ids = await queues();
        await deliver(records);
        expect(await queues()).toEqual(ids);
        expect(ids.map((queue) => queue.length)).toEqual(Array(20).fill(size));
        expect(new Set(ids.flat()).size).toBe(20 * size);
        const events = (await told()).map(({ webhookId, linkId }) => `${webhookId} ${linkId}`);
        expect(new Set(events).size).toBe(20 * size);
      }),
      { numRuns: runs(2) },
    );
  });
});

describe('A busy item of one workspace', () => {
  /** A batch of changes: two of one workspace with two webhooks, and then one of each of many others. */
  async function busyBatch() {
    const busy = await hookedWorkspace(changesOnly, changesOnly);
    const { link, change } = await busy.newLink();
    const changes = [await change({ title: 'One' }), await change({ title: 'Two' })];
    const others = await Promise.all(Array.from({ length: 12 }, () => hookedWorkspace(changesOnly)));
    for (const { newLink } of others) changes.push(await (await newLink()).change({ title: 'New' }));
    const broken = changeRecord({}, { pk: 'LINK#broken', sk: 'LINK', id: 'lnk' });
    return { busy, link, others, records: [broken, ...changes] };
  }
  type Busy = Awaited<ReturnType<typeof busyBatch>>;

  const typesTold = async ({ told }: Pick<Busy['busy'], 'told'>) => (await told()).map(({ type }) => type);
  const firstReceiver = ({ busy }: Busy) => receiverPk(busy.workspaceId, busy.webhooks[0]?.url ?? '');

  /** The text whose requests are refused. */
  const whatIsBusy: Readonly<Record<string, (batch: Busy) => string>> = {
    'a receiver': firstReceiver,
    'a list of deliveries': ({ busy }) => `DELIVERIES#${busy.workspaceId}`,
    'a list of webhooks': ({ busy }) => webhooksIn(busy.workspaceId).pk,
    'a record that is put aside': () => 'FAILURE#',
  };

  test.for(Object.entries(whatIsBusy))(
    'If %s is busy, the other webhooks of its batch get their events, and the batch is retried.',
    async ([, of]) => {
      const batch = await busyBatch();
      const { busy, link, others, records } = batch;
      await expect(underFaults(refusing(of(batch)), () => inOwnTime(() => deliver(records)))).rejects.toMatchObject({
        code: 'temporarily_unavailable',
      });
      for (const other of others) expect(await typesTold(other)).toEqual(['link.updated']);
      expect((await history.linkHistory(busy.workspaceId, link.id, { limit: 9 }))?.entries).toHaveLength(3);
      await deliver(records);
      expect(await typesTold(busy)).toEqual(Array(4).fill('link.updated'));
    },
  );

  test('If one receiver is busy, the others of its workspace get their events, whichever comes first.', async () => {
    const { busy, records } = await busyBatch();
    const [one, another] = busy.webhooks.map(({ url }) => receiverPk(busy.workspaceId, url)) as [ReceiverPk, ReceiverPk];
    for (const [refused, told] of [
      [one, another],
      [another, one],
    ] as const) {
      await underFaults(refusing(refused), () => inOwnTime(() => deliver(records))).catch(() => undefined);
      expect(await Array.fromAsync(store.query({ pk: told, skPrefix: 'QUEUE#' }))).toHaveLength(2);
      expect(await Array.fromAsync(store.query({ pk: told, skPrefix: 'WAKE#' }))).toHaveLength(1);
    }
  });

  test('If a history is busy for as long as the batch may take, all webhooks of the batch get their events.', async () => {
    const { busy, link, others, records } = await busyBatch();
    // A batch of inserts does not fail as a whole: it says which inserts failed.
    const stop = intercept(async (operation, input, next) => {
      const isBusy = JSON.stringify(input).includes(`HISTORY#${link.id}`);
      if (operation !== 'BatchExecuteStatement' || !isBusy) return next(input);
      const { Statements = [] } = input as Input<'BatchExecuteStatement'>;
      const Responses = Statements.map(() => ({ Error: { Code: 'ThrottlingError' as const } }));
      return { Responses } as Output<'BatchExecuteStatement'>;
    });
    await expect(inOwnTime(() => deliver(records)).finally(stop)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    for (const one of others) expect(await typesTold(one)).toEqual(['link.updated']);
    expect(await typesTold(busy)).toHaveLength(4);
  });

  /** Denies calls as DynamoDB does: with an error, or, within a batch of statements, for each of them. */
  const denying = (text: string) =>
    intercept(async (operation, input, next) => {
      if (!JSON.stringify(input).includes(text)) return next(input);
      if (operation !== 'BatchExecuteStatement')
        throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
      const { Statements = [] } = input as Input<'BatchExecuteStatement'>;
      const Responses = Statements.map(() => ({ Error: { Code: 'AccessDenied' as const, Message: 'not authorized' } }));
      return { Responses } as Output<'BatchExecuteStatement'>;
    });

  test.for<[string, (batch: Busy) => string]>([
    ['the history', ({ link }) => `HISTORY#${link.id}`],
    ...Object.entries(whatIsBusy),
  ])(
    'If a policy denies %s, an alarm is raised at once, the others get their events, and the batch is retried.',
    async ([, of]) => {
      const batch = await busyBatch();
      const { busy, others, records } = batch;
      const log = vi.spyOn(console, 'error').mockReturnValue();
      const stop = denying(of(batch));
      await expect(deliver(records).finally(stop)).rejects.toMatchObject({ name: 'AccessDeniedException' });
      expect(log.mock.calls).toContainEqual([
        { message: alarming.accessDenied, reason: expect.stringContaining('not authorized') },
      ]);
      for (const other of others) expect(await typesTold(other)).toEqual(['link.updated']);
      await deliver(records);
      expect(await typesTold(busy)).toEqual(Array(4).fill('link.updated'));
      log.mockRestore();
    },
  );

  test('A denial is reported even if another busy item of the batch fails first.', async () => {
    const { busy, link, records } = await busyBatch();
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const stop = denying(`HISTORY#${link.id}`);
    const busyWebhooks = refusing(webhooksIn(busy.workspaceId).pk);
    await expect(underFaults(busyWebhooks, () => inOwnTime(() => deliver(records))).finally(stop)).rejects.toThrow();
    expect(log.mock.calls).toContainEqual([expect.objectContaining({ message: alarming.accessDenied })]);
    log.mockRestore();
  });
});
