import { LambdaClient } from '@aws-sdk/client-lambda';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import { type Click, dimensions, nothingKnown, unknown } from '../../../lambdas/core/click/click.ts';
import { newClick } from '../../../lambdas/core/click/new-click.ts';
import type { Link } from '../../../lambdas/core/link/link.ts';
import type { SenderEvent } from '../../../lambdas/outbound/senders.ts';
import { timeLeft } from '../../../lambdas/runtime/deadline.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import {
  clickKey,
  dueKey,
  linkKeyOf,
  type ReceiverPk,
  receiverPk,
  scheduleKey,
  secretsKey,
  webhooksIn,
} from '../../../lambdas/store/table/keys.ts';
import { type Attempt, asOther, refusing, underFaults } from '../../support/faults/faults.ts';
import { befalling, mishapUpTo } from '../../support/faults/random.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { checkWebhook } from '../../support/http/openapi.ts';
import { type AskedOfAws, useAws } from '../../support/laptop/aws.ts';
import { runs } from '../../support/run/proof.ts';
import { inOwnTime, pass } from '../../support/store/own-time.ts';
import { type Store, useStore } from '../../support/store/store.ts';

vi.mock('../../../lambdas/runtime/instant.ts', async (original) =>
  (await import('../../support/store/own-time.ts')).withOwnTime(await original()),
);

let store: Store;
let aws: AskedOfAws;
let handler: typeof import('../../../lambdas/events/create-deliveries.ts').handler;
let deliveries: typeof import('../../../lambdas/store/webhooks/deliveries.ts');
let secrets: typeof import('../../../lambdas/store/webhooks/secrets.ts');
let webhooks: typeof import('../../../lambdas/store/webhooks/webhooks.ts');
beforeAll(async () => {
  store = await useStore();
  aws = await useAws();
  process.env.SHORT_URL_ORIGIN = 'https://{domain}';
  ({ handler } = await import('../../../lambdas/events/create-deliveries.ts'));
  deliveries = await import('../../../lambdas/store/webhooks/deliveries.ts');
  secrets = await import('../../../lambdas/store/webhooks/secrets.ts');
  webhooks = await import('../../../lambdas/store/webhooks/webhooks.ts');
});

let number = 0;

/** The stream's record of a click. */
function recordOf(click: Click, capReached?: string, ApproximateCreationDateTime = Date.parse(click.at) / 1_000): DynamoDBRecord {
  const { pk, sk } = clickKey(click);
  return {
    eventName: 'INSERT',
    dynamodb: {
      Keys: { pk: { S: pk }, sk: { S: sk } },
      NewImage: {
        workspaceId: { S: click.workspaceId },
        country: { S: click.country },
        hooked: { BOOL: true },
        ...(capReached && { capReached: { S: capReached } }),
      },
      SequenceNumber: String(++number),
      ApproximateCreationDateTime,
    },
  };
}

const create = (Records: DynamoDBRecord[]) => handler({ Records }, contextWith(20_000));

const clickOn = (link: Link): Click => newClick(link, Date.parse('2030-01-02T03:04:05.678Z'), { ...nothingKnown, country: 'DE' });

/** A workspace with a link that has its own webhook URLs. */
async function workspaceWithLink(webhookUrls: string | null = null) {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, { webhookUrls });
  return { workspaceId: workspace.workspaceId, link };
}

/** All deliveries of a workspace, which agree with openapi.json. */
async function listed(workspaceId: string) {
  const { deliveries: all } = await deliveries.listDeliveries(workspaceId, {}, { limit: 100 });
  for (const { body } of all) checkWebhook(body);
  return all;
}

describe('The deliveries of a click', () => {
  test('Deliveries go to the active webhooks that subscribe to the event, and to the URLs of the link, as they are now.', async () => {
    const { workspaceId, link } = await workspaceWithLink('https://link.example.com/a,https://link.example.com/b');
    await secrets.rotateSecret(workspaceId, null);
    const wanting = { url: 'https://hook.example.com/', events: ['link.clicked'], active: true } as const;
    const { webhook } = await webhooks.createWebhook(workspaceId, wanting);
    await webhooks.createWebhook(workspaceId, { ...wanting, active: false });
    await webhooks.createWebhook(workspaceId, { ...wanting, events: ['link.created'] });
    const click = clickOn(link);
    await create([recordOf(click)]);
    const made = await listed(workspaceId);
    expect(made.map(({ url, webhookId }) => [url, webhookId]).toSorted()).toEqual([
      ['https://hook.example.com/', webhook.id],
      ['https://link.example.com/a', null],
      ['https://link.example.com/b', null],
    ]);
    for (const { url, type, linkId, state, body } of made) {
      expect([type, linkId, state]).toEqual(['link.clicked', link.id, 'pending']);
      expect(JSON.parse(body)).toEqual({
        type: 'link.clicked',
        timestamp: click.at,
        data: {
          link: {
            id: link.id,
            shortCode: link.shortCode,
            domain: link.domain,
            shortUrl: `https://${link.domain}/${link.shortCode}`,
            aliases: [],
            url: link.url,
            title: null,
            isActive: true,
            startsAt: null,
            expiresAt: null,
            maxClicks: null,
            tagIds: [],
            createdAt: link.createdAt,
            updatedAt: expect.any(String),
          },
          click: {
            ...Object.fromEntries(dimensions.map((dimension) => [dimension, unknown])),
            id: click.id,
            at: click.at,
            linkId: link.id,
            country: 'DE',
          },
        },
      });
      expect(await store.getItem(dueKey(receiverPk(workspaceId, url)))).toMatchObject({ at: 0 });
    }
    expect(aws.isScheduleOn).toBe(true);
  });

  test('A webhook gets no click that was recorded more than five minutes before the webhook was created; the URLs of links do.', async () => {
    const { workspaceId, link } = await workspaceWithLink('https://link.example.com/');
    await secrets.rotateSecret(workspaceId, null);
    const wanting = { url: 'https://hook.example.com/', events: ['link.clicked', 'link.cap_reached'], active: true } as const;
    const { webhook } = await webhooks.createWebhook(workspaceId, wanting);
    const createdAt = Math.floor(Date.parse(webhook.createdAt) / 1_000);
    const told = async () => (await listed(workspaceId)).filter(({ webhookId }) => webhookId !== null).length;
    // The stream's time decides, because the clock of the function that wrote the click may be wrong.
    await create([
      recordOf(clickOn(link), '1#10', createdAt - 24 * 60 * 60),
      recordOf(clickOn(link), undefined, createdAt - 301),
    ]);
    expect(await told()).toBe(0);
    expect(await listed(workspaceId)).toHaveLength(3);
    await create([recordOf(clickOn(link), '1#20', createdAt - 299), recordOf(clickOn(link), undefined, createdAt)]);
    expect(await told()).toBe(3);
  });

  test('Without a secret, the URLs of links get no deliveries.', async () => {
    const { workspaceId, link } = await workspaceWithLink('https://link.example.com/');
    await create([recordOf(clickOn(link))]);
    expect(await listed(workspaceId)).toEqual([]);
  });

  test('The click that uses up a cap makes one more delivery, once for that cap.', async () => {
    const { workspaceId, link } = await workspaceWithLink('https://link.example.com/');
    await secrets.rotateSecret(workspaceId, null);
    await create([recordOf(clickOn(link), '1#10'), recordOf(clickOn(link), '1#10')]);
    await create([recordOf(clickOn(link), '1#20')]);
    const types = (await listed(workspaceId)).map(({ type }) => type);
    expect(types.toSorted()).toEqual([...Array(2).fill('link.cap_reached'), ...Array(3).fill('link.clicked')]);
  });

  test('If the link is gone, webhooks get only its id.', async () => {
    const { workspaceId, link } = await workspaceWithLink('https://link.example.com/');
    await webhooks.createWebhook(workspaceId, { url: 'https://hook.example.com/', events: ['link.clicked'], active: true });
    const found = await store.getLink(workspaceId, link.id);
    if (found) await store.deleteLink(found);
    await create([recordOf(clickOn(link))]);
    const [delivery] = await listed(workspaceId);
    expect(JSON.parse(delivery?.body ?? '').data.link).toEqual({ id: link.id });
  });

  test('A record that cannot be read is put aside, and the others are delivered.', async () => {
    const { workspaceId, link } = await workspaceWithLink('https://link.example.com/');
    await secrets.rotateSecret(workspaceId, null);
    const broken = { dynamodb: { Keys: { pk: { S: 'CLICK#x' }, sk: { S: 'y' } }, SequenceNumber: String(++number) } };
    await create([broken, recordOf(clickOn(link))]);
    expect(await listed(workspaceId)).toHaveLength(1);
    const aside = await Array.fromAsync(store.query({ gsi1pk: 'FAILURES' }));
    expect(aside).toHaveLength(1);
  });

  test('A request for a sender starts one.', async () => {
    const { workspaceId } = await workspaceWithLink();
    const pk = receiverPk(workspaceId, 'https://hook.example.com/');
    aws.invoked.length = 0;
    await create([{ eventName: 'INSERT', dynamodb: { Keys: { pk: { S: pk }, sk: { S: 'WAKE#resume' } }, SequenceNumber: '1' } }]);
    expect(aws.invoked).toEqual([{ functionName: 'send-webhooks', payload: { receivers: [pk] } }]);
  });
});

describe('A denial by a policy raises an alarm at once', () => {
  const denied = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
  const reported = [{ message: alarming.accessDenied, reason: 'not authorized' }];

  test('for a call of a table, and the batch is retried.', async () => {
    const { workspaceId, link } = await workspaceWithLink('https://link.example.com/');
    await secrets.rotateSecret(workspaceId, null);
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const stop = intercept(async (operation, input, next) => {
      if (operation !== 'PutItem') return next(input);
      throw denied;
    });
    const records = [recordOf(clickOn(link))];
    await expect(create(records).finally(stop)).rejects.toBe(denied);
    expect(log.mock.calls).toEqual([reported]);
    log.mockRestore();
    await create(records);
    expect(await listed(workspaceId)).toHaveLength(1);
  });

  test('for the start of a sender, which the schedule then retries.', async () => {
    const { workspaceId } = await workspaceWithLink();
    const pk = receiverPk(workspaceId, 'https://hook.example.com/');
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const send = vi.spyOn(LambdaClient.prototype, 'send').mockRejectedValue(denied as never);
    await create([{ eventName: 'INSERT', dynamodb: { Keys: { pk: { S: pk }, sk: { S: 'WAKE#resume' } }, SequenceNumber: '1' } }]);
    send.mockRestore();
    expect(log.mock.calls).toContainEqual(reported);
    log.mockRestore();
    expect(await store.getItem(dueKey(pk))).toMatchObject({ at: 0 });
  });
});

describe('A busy item of one workspace', () => {
  const urls = ['https://link.example.com/a', 'https://link.example.com/b'] as const;
  type Named = { readonly workspaceId: string; readonly link: Link };

  /** A batch of clicks on the links of two workspaces, and requests for senders before and after them. */
  async function batchOf(clicksOfBusy: number) {
    const [busy, other] = [await workspaceWithLink(urls.join()), await workspaceWithLink(urls.join())];
    for (const { workspaceId } of [busy, other]) await secrets.rotateSecret(workspaceId, null);
    const woken = [busy, other].map(({ workspaceId }) => receiverPk(workspaceId, 'https://hook.example.com/'));
    const wakes = woken.map((pk) => ({
      eventName: 'INSERT' as const,
      dynamodb: { Keys: { pk: { S: pk }, sk: { S: 'WAKE#resume' } }, SequenceNumber: '1' },
    }));
    const clicks = [...Array(clicksOfBusy).fill(busy), other].map(({ link }) => recordOf(clickOn(link)));
    const broken = { dynamodb: { Keys: { pk: { S: 'CLICK#x' }, sk: { S: 'y' } }, SequenceNumber: String(++number) } };
    const records = [broken, ...wakes.slice(0, 1), ...clicks, ...wakes.slice(1)];
    aws.invoked.length = 0;
    aws.isScheduleOn = false;
    await store.deleteItem(scheduleKey);
    return { busy, other, records, woken: woken[1] };
  }

  const startedFor = () => aws.invoked.flatMap(({ payload }) => (payload as SenderEvent).receivers);

  const receiverA = ({ workspaceId }: Named) => receiverPk(workspaceId, urls[0]);
  /** The text whose requests are refused. */
  const whatIsBusy: Readonly<Record<string, (busy: Named) => string>> = {
    'a receiver': receiverA,
    'a due entry': (busy) => `"${dueKey(receiverA(busy)).pk}","sk":"${receiverA(busy)}"`,
    'a list of deliveries': ({ workspaceId }) => `DELIVERIES#${workspaceId}`,
    'a link': ({ link }) => linkKeyOf(link.id).pk,
    'a list of webhooks': ({ workspaceId }) => webhooksIn(workspaceId).pk,
    'an item with secrets': ({ workspaceId }) => secretsKey(workspaceId, null).pk,
    'a record that is put aside': () => 'FAILURE#',
  };

  test.for(Object.entries(whatIsBusy))(
    'If %s is busy, the other deliveries of its batch are made, and the batch is retried.',
    async ([, of]) => {
      const { busy, other, records, woken } = await batchOf(2);
      await expect(underFaults(refusing(of(busy)), () => inOwnTime(() => create(records)))).rejects.toMatchObject({
        code: 'temporarily_unavailable',
      });
      const sent = urls.map((url) => receiverPk(other.workspaceId, url));
      expect(await listed(other.workspaceId)).toHaveLength(2);
      for (const pk of [...sent, woken]) expect(await store.getItem(dueKey(pk as ReceiverPk))).toMatchObject({ at: 0 });
      expect(startedFor()).toEqual(expect.arrayContaining([...sent, woken]));
      expect(aws.isScheduleOn).toBe(true);
      await create(records);
      for (const [{ workspaceId }, count] of [
        [busy, 4],
        [other, 2],
      ] as const)
        expect(await listed(workspaceId)).toHaveLength(count);
      expect(startedFor()).toEqual(expect.arrayContaining(urls.map((url) => receiverPk(busy.workspaceId, url))));
    },
  );

  test('If one receiver is busy, the others of its workspace get their deliveries.', async () => {
    const { busy, records } = await batchOf(2);
    await underFaults(refusing(receiverA(busy)), () => inOwnTime(() => create(records))).catch(() => undefined);
    const other = receiverPk(busy.workspaceId, urls[1]);
    expect(await Array.fromAsync(store.query({ pk: other, skPrefix: 'QUEUE#' }))).toHaveLength(2);
    expect(await store.getItem(dueKey(other))).toMatchObject({ at: 0 });
    expect(startedFor()).toContain(other);
  });

  test('A busy receiver delays its batch only by its first refusals; the rest is left to the retry.', async () => {
    const { busy, records } = await batchOf(90);
    let refused = 0;
    const decide = (attempt: Attempt) => {
      const fault = refusing(receiverA(busy))(attempt);
      if (fault) refused++;
      return fault;
    };
    await underFaults(decide, () => inOwnTime(() => create(records))).catch(() => undefined);
    // Five deliveries at a time, each with five attempts.
    expect(refused).toBe(25);
  });

  test('If a read gets no response for as long as the batch may take, the senders of others are still started.', async () => {
    const { busy, other, records } = await batchOf(1);
    const others = urls.map((url) => receiverPk(other.workspaceId, url));
    const areDue = async () => (await store.getItems(others.map(dueKey))).every((item) => item?.at === 0);
    const stop = intercept(async (_operation, input, next) => {
      if (!JSON.stringify(input).includes(linkKeyOf(busy.link.id).pk)) return next(input);
      await asOther(() => expect.poll(areDue).toBe(true));
      pass(timeLeft());
      throw Object.assign(new Error('no response'), { name: 'TimeoutError' });
    });
    await expect(inOwnTime(() => create(records)).finally(stop)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(startedFor()).toEqual(expect.arrayContaining(others));
    expect(aws.isScheduleOn).toBe(true);
  });
});

const faultOf = mishapUpTo(25);

test('However a batch is cut, repeated and interrupted, each click makes one delivery for each URL, which is in its queue and due.', async () => {
  const { workspaceId, link } = await workspaceWithLink('https://link.example.com/a,https://link.example.com/b');
  await secrets.rotateSecret(workspaceId, null);
  const all = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.record({ back: fc.nat(4), size: fc.integer({ min: 1, max: 5 }), fault: faultOf }), { maxLength: 6 }),
      async (count, attempts) => {
        const clicks = Array.from({ length: count }, () => clickOn(link));
        const records = clicks.map((click) => recordOf(click));
        let done = 0;
        for (const { back, size, fault } of attempts) {
          const to = Math.min(count, done + size);
          const isDone = await underFaults(befalling(fault), () => create(records.slice(Math.max(0, done - back), to))).then(
            () => true,
            () => false,
          );
          if (isDone) done = to;
        }
        await create(records.slice(done));
        for (const { id } of clicks) all.set(id, 0);
      },
    ),
    { numRuns: runs(4) },
  );
  let before: string | undefined;
  do {
    const page = await deliveries.listDeliveries(workspaceId, {}, { limit: 100, after: before });
    for (const { body, state } of page.deliveries) {
      expect(state).toBe('pending');
      const { id } = JSON.parse(body).data.click;
      all.set(id, (all.get(id) ?? 0) + 1);
    }
    before = page.next;
  } while (before !== undefined);
  expect(new Set(all.values())).toEqual(new Set([2]));
  for (const url of ['https://link.example.com/a', 'https://link.example.com/b']) {
    const pk = receiverPk(workspaceId, url);
    expect(await Array.fromAsync(store.query({ pk, skPrefix: 'QUEUE#' }))).toHaveLength(all.size);
    expect(await store.getItem(dueKey(pk))).toMatchObject({ at: 0 });
  }
  expect(aws.isScheduleOn).toBe(true);
});
