import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, expect, test, vi } from 'vitest';
import { workspaceGone } from '../../../lambdas/core/errors.ts';
import type { WebhookSettings } from '../../../lambdas/core/webhook/webhook.ts';
import { withDeadline } from '../../../lambdas/runtime/deadline.ts';
import * as keys from '../../../lambdas/store/table/keys.ts';
import type { Input } from '../../../lambdas/store/table/operations.ts';
import { type Attempt, type Fault, underFaults } from '../../support/faults/faults.ts';
import { overtaken } from '../../support/faults/overtaken.ts';
import { type Command, isWrite } from '../../support/faults/scenario.ts';
import { someNumbers } from '../../support/run/proof.ts';
import { inOwnTime } from '../../support/store/own-time.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { countClicks } from '../../support/things/counting.ts';
import { newTeam } from '../../support/things/members.ts';
import { newRow } from '../../support/things/rows.ts';

vi.mock('../../../lambdas/runtime/instant.ts', async (original) =>
  (await import('../../support/store/own-time.ts')).withOwnTime(await original()),
);

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

type Item = { readonly pk: string; readonly sk: string; readonly ttl?: number };

/** All items of both tables, by their keys. */
async function everything(): Promise<Map<string, Item>> {
  const client = new DynamoDBClient({ endpoint: String(process.env.AWS_ENDPOINT_URL_DYNAMODB) });
  const items = new Map<string, Item>();
  for (const TableName of [process.env.TABLE_NAME, process.env.ACTIVITY_TABLE_NAME]) {
    for await (const { Items = [] } of paginateScan({ client }, { TableName: String(TableName), ConsistentRead: true })) {
      for (const item of Items.map((one) => unmarshall(one) as Item)) items.set(`${item.pk} ${item.sk}`, item);
    }
  }
  client.destroy();
  return items;
}

const day = '2030-01-02';
const later = Math.ceil(Date.UTC(2040, 0) / 1_000);

/** A link's clicks, counter and history. Clicks of a deleted link cannot be found any more, and expire. */
async function leaveTraces(workspaceId: string, linkId: string, isThere = true) {
  const { indexed } = keys;
  const put = [
    ...(isThere ? [{ ...keys.countKey(linkId), count: 3 }] : []),
    { ...keys.clickKey({ linkId, at: `${day}T00:00:00.000Z`, id: 'a' }), workspaceId, ...(!isThere && { ttl: later }) },
    { ...keys.clickKey({ linkId, at: `${day}T00:00:00.000Z`, id: 'b' }), workspaceId, ...(!isThere && { ttl: later }) },
    {
      ...keys.historyKey(linkId, keys.historyPosition('2030', '1')),
      ...indexed(keys.historyIndex(workspaceId, linkId), keys.historySortKey(`${day}T00:00:00.000Z`, '1', 'operator')),
      workspaceId,
    },
  ];
  for (const item of put) await store.putItem(item);
}

const webhookAt = (url: string): WebhookSettings => ({ url, events: ['link.created'], active: true });

/** A workspace with items of each kind. */
async function fullWorkspace() {
  const workspace = await store.newWorkspace();
  const { workspaceId, domain } = workspace;
  const { addDelivery } = await import('../../../lambdas/store/webhooks/deliveries.ts');
  const { makeDue, wakeItem } = await import('../../../lambdas/store/webhooks/receivers.ts');
  const { key } = await store.createApiKey(workspace, { name: 'Key', permissions: ['links:read'] });
  const claim = await store.claimDomain(workspaceId, `claimed.${domain.host}`);
  await store.putItem({ ...keys.domainFileKey(domain.host, 'logo'), domainId: domain.domainId, content: 'logo' });
  const [tag, swept] = [
    await store.createTag(workspaceId, { name: 'Tag', color: '#123456' }),
    await store.createTag(workspaceId, { name: 'Swept', color: '#123456' }),
  ];
  const settings = {
    url: 'https://example.org/',
    tagIds: [tag.id, swept.id],
    maxClicks: 5,
    externalId: 'cms:1',
    webhookUrls: 'https://example.org/link',
  };
  const { link } = await store.createLink(domain, { ...settings, customSlug: 'first' }, store.newLease());
  const found = await store.getLink(workspaceId, link.id);
  if (!found) throw new Error('no link');
  await store.updateLink(found, { customSlug: 'second' });
  await leaveTraces(workspaceId, link.id);
  const [gone] = await store.newLinks(workspace, 1);
  if (!gone) throw new Error('no link');
  await store.deleteLink(gone);
  await leaveTraces(workspaceId, gone.link.id, false);
  await store.deleteTag(workspaceId, swept.id);
  // Also its name's item.
  await store.createTemplate(workspaceId, { name: 'Template', tagIds: [tag.id] });
  // A pair that only its tag names, as a dead function may leave it.
  await store.putItem({ ...keys.pairKey(tag.id, gone.link), linkId: gone.link.id, workspaceId });
  const { webhook } = await store.createWebhook(workspaceId, webhookAt('https://example.org/hook'));
  const secret = await store.rotateSecret(workspaceId, null);
  const delivery = {
    id: `dlv_${workspaceId.slice(3)}000000`,
    workspaceId,
    type: 'link.created',
    url: 'https://example.org/former',
    webhookId: null,
    linkId: link.id,
    body: '{}',
    state: 'pending',
    attempts: [],
    tries: 0,
    nextAttemptAt: '2030-01-02T03:04:05.678Z',
    createdAt: '2030-01-02T03:04:05.678Z',
    revision: 0,
  } as const;
  await addDelivery(delivery);
  for (const url of [delivery.url, webhook.url, 'https://example.org/link', 'https://example.org/due']) {
    const pk = keys.receiverPk(workspaceId, url);
    await store.putItem(wakeItem(pk, 'x'));
    await store.putItem({ ...keys.receiverKey(pk), leaseNumber: 1 });
    if (url !== 'https://example.org/link') await makeDue(pk);
  }
  await store.putItem({ ...keys.requestKey(workspaceId, 'import', 'hash'), ttl: later });
  await store.takeSlot('bulk', workspaceId, 'token', Date.now());
  await store.takeLookUps(workspaceId, 1);
  const team = await newTeam(store, workspace);
  const owner = await team.join('owner');
  await team.as(owner).createKey({ body: { permissions: ['links:read'] } });
  await team.invite('invited@example.com', 'viewer');
  const [{ writeTail }, { tailNotes }, { erasedNote }] = await Promise.all([
    import('../../../lambdas/store/clicks/tail.ts'),
    import('../../../lambdas/store/clicks/tail-entries.ts'),
    import('../../../lambdas/store/clicks/erased-notes.ts'),
  ]);
  const row = newRow({ linkId: link.id });
  await tailNotes()(workspaceId, { bytes: await writeTail(workspaceId, row.shard, [row]), oldest: row.at });
  await store.putItem(erasedNote(workspaceId, link.id, 1, Date.now()));
  // A person who was removed twice, with the keys that they made, and whose items have expired.
  const former = await team.join('owner');
  await team.as(former).createKey({ body: { permissions: ['links:read'] } });
  const expire = async (id: string) => {
    await store.removeMember(workspaceId, id, { keys: 'keep', keptDays: 1 });
    await store.deleteItem(keys.memberKey(workspaceId, id));
  };
  await expire(former.id);
  const again = await team.join('viewer', former.identity);
  await expire(again.id);
  // Sign-ins belong to people, and expire.
  await Promise.all([owner, former, again].map(({ session }) => session.end()));
  return { workspace, workspaceId, domain, claim, link, gone: gone.link, tag, swept, webhook, secret, key };
}

type Full = Awaited<ReturnType<typeof fullWorkspace>>;

/** Deletes a workspace without waiting. @param wait runs instead of the wait */
const remove = ({ workspaceId }: Full, wait: () => Promise<unknown> = async () => {}) =>
  store.deleteWorkspace(workspaceId, { wait });

/**
 * Expects that only earlier items are left, and those that expire or are swept: closed counters,
 * tombstones, entries of the history.
 */
async function expectGone({ swept, link, gone, domain }: Full, before: Map<string, Item>) {
  // The sweep of the tag that was deleted before continues by itself.
  await store.sweepPage(swept.id);
  const after = await everything();
  const left = [...after].filter(([name]) => !before.has(name)).map(([, item]) => item);
  expect(left.filter(({ ttl }) => ttl === undefined)).toEqual([]);
  const kinds = left.map(({ pk }) => pk.split('#')[0]);
  // Both links' closed counters, the clicks and the address of the link that was deleted before, the entry of the deleted tag,
  // and two people without a workspace.
  expect(kinds.filter((kind) => kind !== 'HISTORY').sort()).toEqual([
    'CLICK',
    'CLICK',
    'COUNT',
    'COUNT',
    'ERASED',
    'IDENTITY',
    'IDENTITY',
    'LINK',
    'PERSON',
    'PERSON',
  ]);
  expect(after.get(`COUNT#${link.id} COUNT`)).toMatchObject({ ttl: expect.any(Number) });
  expect(after.get(`COUNT#${gone.id} COUNT`)).toMatchObject({ ttl: expect.any(Number) });
  expect(await store.getDomain(domain.host)).toBeUndefined();
  for (const [name, item] of before) expect(after.get(name)).toEqual(item);
}

test('A deletion removes all of a workspace from both tables, and nothing of another workspace; a second one finds none.', async () => {
  const other = await fullWorkspace();
  const before = await everything();
  const full = await fullWorkspace();
  const lines: string[] = [];
  const removed = await store.deleteWorkspace(full.workspaceId, { wait: async () => {}, report: (line) => lines.push(line) });
  expect(removed).toMatchObject({
    keys: 3,
    'keys of sign-ins': 3,
    members: 2,
    'former memberships': 1,
    domains: 1,
    webhooks: 1,
    links: 1,
    rows: 2,
    deliveries: 1,
    tags: 1,
    templates: 2,
  });
  expect(lines).toContain('links: 1 removed');
  await expectGone(full, before);
  expect(await store.deleteWorkspace(full.workspaceId)).toBeUndefined();
  expect(await store.listWorkspaces()).toContainEqual(expect.objectContaining({ id: other.workspaceId }));
  expect(await store.listWorkspaces()).not.toContainEqual(expect.objectContaining({ id: full.workspaceId }));
});

test('Keys and domains are deleted first, and items that running requests create meanwhile are deleted, too.', async () => {
  const before = await everything();
  const full = await fullWorkspace();
  const { workspaceId, domain, link, key } = full;
  const { fingerprintOf } = await import('../../../lambdas/core/key/api-key.ts');
  let waits = 0;
  await remove(full, async () => {
    waits++;
    expect(await store.findApiKey(fingerprintOf(key))).toBeUndefined();
    expect(await store.getDomain(domain.host)).toBeUndefined();
    expect(await store.getLink(workspaceId, link.id)).toBeDefined();
    await store.createTag(workspaceId, { name: 'Late', color: '#123456' });
    await store.createLink(domain, { url: 'https://example.org/late' }, store.newLease());
  });
  expect(waits).toBe(1);
  const left = [...(await everything())].filter(([name, { ttl }]) => !before.has(name) && ttl === undefined);
  expect(left.map(([name]) => name)).toEqual([`TAG#${full.swept.id} SWEEP`]);
  await store.sweepPage(full.swept.id);
});

/** Ten minutes pass: makes the workspace's data about its deletion that much older. */
async function passTenMinutes(workspaceId: string) {
  const { deletingSince } = (await store.getWorkspace(workspaceId)) ?? {};
  if (deletingSince === undefined) return;
  const past = new Date(Date.parse(deletingSince) - 600_000).toISOString();
  await store.updateItem(keys.workspaceKey(workspaceId), { text: 'SET #deletingSince = :past', values: { ':past': past } });
}

/** Writes of requests that were authorised while a key still existed. */
const writeLate = ({ workspaceId, domain }: Full) =>
  Promise.allSettled([
    store.createLink(domain, { url: 'https://example.org/late' }, store.newLease()),
    store.rotateSecret(workspaceId, null),
    store.createTag(workspaceId, { name: 'Late', color: '#123456' }),
    store.createWebhook(workspaceId, webhookAt('https://example.org/late')),
  ]);

test.for(['at once', 'ten minutes later'])(
  'If a run dies after any of its calls and the next one starts %s, nothing is left of requests that were authorised just before the keys were deleted.',
  async (start) => {
    const before = await everything();
    const { fingerprintOf } = await import('../../../lambdas/core/key/api-key.ts');
    let hasWaited = false;
    for (const calls of someNumbers(12)) {
      if (hasWaited) break;
      const full = await fullWorkspace();
      // The gateway accepts the key for another minute, so a request ends within two minutes of the key.
      let isUnderWay = true;
      const endRequests = async () => {
        if (isUnderWay && !(await store.findApiKey(fingerprintOf(full.key)))) {
          isUnderWay = false;
          await writeLate(full);
        }
      };
      const dies = ({ index }: Attempt) => (index < calls ? undefined : 'dead-before');
      const wait = async () => {
        hasWaited = true;
        throw new Error('the first run ends here');
      };
      await underFaults(dies, () => expect(remove(full, wait)).rejects.toThrow());
      if (start !== 'at once') {
        await passTenMinutes(full.workspaceId);
        await endRequests();
      }
      await remove(full, endRequests);
      await endRequests();
      await store.sweepPage(full.swept.id);
      const left = [...(await everything())].filter(([name, { ttl }]) => !before.has(name) && ttl === undefined);
      expect([calls, isUnderWay, left.map(([name]) => name)]).toEqual([calls, false, []]);
    }
  },
);

test('Items from a key that the index shows late are deleted, too.', async () => {
  const before = await everything();
  const full = await fullWorkspace();
  const { newApiKeyItem } = await import('../../../lambdas/store/api-keys/items.ts');
  const { item } = newApiKeyItem({ ...full, gatewayKey: 'gateway' }, { name: 'Late', permissions: [] }, Date.now());
  const waits = [() => store.putItem(item), () => writeLate(full)];
  await remove(full, async () => waits.shift()?.());
  expect(waits).toEqual([]);
  await store.sweepPage(full.swept.id);
  const left = [...(await everything())].filter(([name, { ttl }]) => !before.has(name) && ttl === undefined);
  expect(left).toEqual([]);
});

/** Actions that would give access to the workspace again. */
const gains: Record<string, (full: Full) => Promise<unknown>> = {
  'an API key': ({ workspace }) => store.createApiKey(workspace, { name: null, permissions: ['links:read'] }),
  'a domain that the operator adds': ({ workspaceId, domain }) => store.addDomain(workspaceId, `added.${domain.host}`, 'ACTIVE'),
  'a key that replaces another': async ({ workspaceId }) => {
    const [key] = await store.listApiKeys(workspaceId);
    const rotated = key && (await store.rotateApiKey(key.id, { overlapMs: 0 }));
    if (!rotated || 'refused' in rotated) throw workspaceGone();
  },
  'a domain whose ownership it proves': ({ workspaceId, claim }) => store.proveOwnership(workspaceId, claim),
};

test.for(Object.entries(gains))('Once its deletion has begun, a workspace cannot get %s.', async ([, gain]) => {
  const full = await fullWorkspace();
  const { workspaceId } = full;
  const owned = async () => [await store.listApiKeys(workspaceId), await store.listDomains(workspaceId)];
  const before = await owned();
  const during = overtaken(
    () => store.beginDeletion(workspaceId),
    () => gain(full),
  );
  await expect(during).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(gain(full)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await owned()).toEqual(before);
  await remove(full);
  await expect(gain(full)).rejects.toMatchObject({ code: 'unauthorized' });
});

/** Transactions of requests, which read their data before. */
const writers: Record<string, (full: Full) => Promise<unknown>> = {
  'creates a tag': ({ workspaceId }) => store.createTag(workspaceId, { name: 'Late', color: '#123456' }),
  'deletes a tag': ({ workspaceId, tag }) => store.deleteTag(workspaceId, tag.id),
  'creates a webhook': ({ workspaceId }) => store.createWebhook(workspaceId, webhookAt('https://example.org/late')),
  'changes a webhook': ({ workspaceId, webhook }) => store.updateWebhook(workspaceId, webhook.id, { events: ['link.clicked'] }),
  'deletes a webhook': ({ workspaceId, webhook }) => store.deleteWebhook(workspaceId, webhook.id),
  'makes a secret': ({ workspaceId }) => store.rotateSecret(workspaceId, null),
  'makes a secret and may be repeated': async ({ workspaceId }) => {
    const { executeInTransaction } = await import('../../../lambdas/store/idempotency/in-transaction.ts');
    const request = { workspaceId, operation: 'test', key: 'key', body: '', receivedAt: Date.now() } as const;
    return executeInTransaction(
      request,
      (recording) => store.rotateSecret(workspaceId, null, recording),
      (made: { readonly id: string }) => made.id,
    );
  },
  'ends a secret': async ({ workspaceId, secret }) => store.endSecret(workspaceId, secret.id),
  'proves a domain': ({ workspaceId, claim }) => store.proveOwnership(workspaceId, claim),
  'creates a link with a tag': ({ domain, tag }) =>
    store.createLink(domain, { url: 'https://example.org/late', tagIds: [tag.id] }, store.newLease()),
};

/** Runs `other` between a request's reads and its write. The request gives up after two seconds of its own time. */
const raced = (other: () => Promise<unknown>, request: () => Promise<unknown>) =>
  overtaken(other, () => inOwnTime(() => withDeadline(2_000, request)));

test.for(Object.entries(writers))(
  'A request that %s leaves nothing if its workspace is deleted meanwhile.',
  async ([, write]) => {
    const before = await everything();
    const full = await fullWorkspace();
    const request = raced(
      () => remove(full),
      () => write(full),
    );
    await expect(request).rejects.toMatchObject({ name: 'RequestError', code: expect.not.stringMatching('temporarily') });
    await expectGone(full, before);
  },
);

test.for(Object.entries(writers))('A request that %s never recreates the item of its workspace.', async ([, write]) => {
  const full = await fullWorkspace();
  const key = keys.workspaceKey(full.workspaceId);
  const request = raced(
    () => store.deleteItem(key),
    () => write(full),
  );
  await request.catch(() => {});
  expect(await store.getItem(key)).toBeUndefined();
});

test('A click that is counted after the deletion leaves nothing.', async () => {
  const full = await fullWorkspace();
  await remove(full);
  await store.sweepPage(full.swept.id);
  const before = await everything();
  await countClicks(full.link.id, 'shard', [{ epoch: 0, sequenceNumber: '9', createdAt: 1_900_000_000 }]);
  expect(await everything()).toEqual(before);
});

/** The key of a write's item, or of the first one of a transaction. */
function placeOf({ command, input }: Attempt): string {
  const { Key, Item, TransactItems } = input as Input<'DeleteItem'> & Input<'PutItem'> & Input<'TransactWriteItems'>;
  const { pk, sk } = Key ?? Item ?? TransactItems?.[0]?.Delete?.Key ?? {};
  return `${command} ${pk} ${sk}`;
}

const isAnyWrite = ({ command }: Attempt) => isWrite(command as Command);

test('If the command dies after each of its writes in turn, repeating it completes the deletion.', async () => {
  const before = await everything();
  const full = await fullWorkspace();
  // Each run repeats earlier writes, and dies after the first write that no run has made yet.
  const written = new Set<string>();
  let deaths = 0;
  for (let isDone = false; !isDone; ) {
    let isDead = false;
    const decide = (attempt: Attempt): Fault | undefined => {
      if (isDead) return 'dead-before';
      if (!isAnyWrite(attempt) || written.has(placeOf(attempt))) return undefined;
      written.add(placeOf(attempt));
      isDead = true;
      return 'dead-after';
    };
    const run = () =>
      remove(full).then(
        () => true,
        () => false,
      );
    ({ result: isDone } = await underFaults(decide, run));
    if (!isDone) deaths++;
    expect(deaths).toBeLessThan(200);
  }
  expect(deaths).toBeGreaterThan(40);
  await expectGone(full, before);
});

test('If the response to each write is lost, the deletion is still complete.', async () => {
  const before = await everything();
  const full = await fullWorkspace();
  const sent = new Set<string>();
  const lost = (attempt: Attempt): Fault | undefined => {
    if (!isAnyWrite(attempt) || sent.has(placeOf(attempt))) return undefined;
    sent.add(placeOf(attempt));
    return 'lost-after';
  };
  await underFaults(lost, () => remove(full));
  expect(sent.size).toBeGreaterThan(40);
  await expectGone(full, before);
});
