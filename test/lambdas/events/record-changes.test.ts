import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import type { Author } from '../../../lambdas/core/history/author.ts';
import type { HistoryEntry } from '../../../lambdas/core/history/history.ts';
import { tagKey, templateKey } from '../../../lambdas/store/table/keys.ts';
import { callEndpoint } from '../../support/http/invoke.ts';
import { runs } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { byKey, changeRecord, deliver, keyOfLink, recordOf as recordOfStore, streamArn } from '../../support/things/history.ts';

let store: Store;
let history: typeof import('../../../lambdas/store/history/history.ts');
let asAuthor: typeof import('../../../lambdas/runtime/author.ts').asAuthor;
beforeAll(async () => {
  store = await useStore();
  history = await import('../../../lambdas/store/history/history.ts');
  ({ asAuthor } = await import('../../../lambdas/runtime/author.ts'));
});
afterEach(() => {
  process.env.HISTORY_DAYS = '365';
});

const itemAt = async (key: { readonly pk: string; readonly sk: string }) => (await store.getItem(key)) ?? {};
const recordOf = (key: Parameters<typeof itemAt>[0], work: () => Promise<unknown>, author?: Author) =>
  recordOfStore(store, key, work, author);

/** A link, its history, and a way to change it. */
async function newLink(settings: object = {}) {
  const { workspaceId, domain } = await store.newWorkspace();
  const creation = store.newLease();
  const { link } = await asAuthor(byKey('Creator'), () =>
    store.createLink(domain, { url: 'https://example.org/', ...settings }, creation),
  );
  const current = async () => {
    const found = await store.getLink(workspaceId, link.id);
    if (!found) throw new Error('no link');
    return found;
  };
  const change = async (changes: object, author?: Author) =>
    recordOf(keyOfLink(link.id), async () => store.updateLink(await current(), changes), author);
  const entries = async () => (await history.linkHistory(workspaceId, link.id, { limit: 100 }))?.entries;
  return { workspaceId, domain, link, creation, current, change, entries };
}

const ofAll = async (workspaceId: string) => (await history.workspaceHistory(workspaceId, {}, { limit: 100 })).entries;

const at = '2030-01-02T03:04:05.000Z';
const actor = byKey().actor;

describe("A link's history", () => {
  test("An update is an entry with its author, time and request, and each field's former and new value.", async () => {
    const { link, change, entries, workspaceId, creation } = await newLink();
    await deliver([await change({ title: 'New', url: 'https://example.org/new' })]);
    const updated = {
      id: expect.stringMatching(/^his_20300101000000000[1-9]\d+$/),
      at,
      actor,
      requestId: 'request-1',
      action: 'link.updated',
      subject: { type: 'link', id: link.id },
      changes: {
        url: { from: 'https://example.org/', to: 'https://example.org/new' },
        title: { from: null, to: 'New' },
      },
      address: { domain: link.domain, shortCode: link.shortCode },
    };
    expect(await entries()).toEqual([
      updated,
      {
        id: 'his_0',
        at: link.createdAt,
        actor: { ...actor, name: 'Creator' },
        requestId: creation.requestId,
        action: 'link.created',
        subject: { type: 'link', id: link.id },
        changes: {},
      },
    ]);
    expect(await ofAll(workspaceId)).toEqual([updated]);
  });

  test('A password appears only as "changed", whether it is set, replaced or removed.', async () => {
    const { change, entries, link } = await newLink();
    const hashes = ['$argon2id$one', '$argon2id$two', null];
    for (const passwordHash of hashes) await deliver([await change({ passwordHash })]);
    expect((await entries())?.map(({ changes }) => changes.password)).toEqual([
      { from: 'changed', to: null },
      { from: 'changed', to: 'changed' },
      { from: null, to: 'changed' },
      undefined,
    ]);
    const stored = await Array.fromAsync(store.query({ pk: `HISTORY#${link.id}`, between: ['0', 'Z'] }));
    expect(JSON.stringify(stored)).not.toContain('argon2');
  });

  test('The deletion of a link is an entry with the lost values, and its history keeps its creation.', async () => {
    const { change, entries, current, link } = await newLink({ title: 'Old', customSlug: 'gone' });
    await deliver([await change({ title: 'New' })]);
    await deliver([await recordOf(keyOfLink(link.id), async () => store.deleteLink(await current()), byKey('Deleter'))]);
    const all = await entries();
    expect(all?.map(({ action }) => action)).toEqual(['link.deleted', 'link.updated', 'link.created']);
    expect(all?.[0]).toMatchObject({
      actor: { ...actor, name: 'Deleter' },
      changes: {
        domain: { from: link.domain, to: null },
        shortCode: { from: 'gone', to: null },
        url: { from: 'https://example.org/', to: null },
        title: { from: 'New', to: null },
      },
    });
    expect(all?.[2]).toMatchObject({ at: link.createdAt, actor: { name: 'Creator' } });
  });

  test("A link that replaces a tombstone has a new history, without the tombstone's.", async () => {
    const { domain, current, link, entries, workspaceId } = await newLink({ customSlug: 'again' });
    const key = keyOfLink(link.id);
    const removal = await recordOf(key, async () => store.deleteLink(await current()));
    let made = '';
    const replacement = await recordOf(key, async () => {
      const creation = { ...store.newLease(), requestId: 'req_next' };
      ({
        link: { id: made },
      } = await store.createLink(domain, { url: 'https://example.org/', customSlug: 'again' }, creation));
    });
    await deliver([removal, replacement]);
    expect((await entries())?.map(({ action }) => action)).toEqual(['link.deleted', 'link.created']);
    const page = await history.linkHistory(workspaceId, made, { limit: 9 });
    expect(page?.entries).toMatchObject([{ action: 'link.created', requestId: 'req_next' }]);
  });

  test('An erasure of clicks is recorded as an entry without changes.', async () => {
    const { link, entries } = await newLink();
    await deliver([await recordOf(keyOfLink(link.id), () => store.eraseClicks(link))]);
    expect((await entries())?.[0]).toMatchObject({ action: 'link.clicks_erased', changes: {} });
  });

  test('Another workspace sees no history of a link, even of a deleted one.', async () => {
    const { link, current } = await newLink();
    const other = await store.newWorkspace();
    await deliver([await recordOf(keyOfLink(link.id), async () => store.deleteLink(await current()))]);
    expect(await history.linkHistory(other.workspaceId, link.id, { limit: 9 })).toBeUndefined();
    expect(await ofAll(other.workspaceId)).toEqual([]);
  });
});

describe('Tags, templates, domains and keys', () => {
  test('A tag that is renamed and then deleted has two entries, the deletion without the stream.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const { id } = await store.createTag(workspaceId, { name: 'Old', color: '#000000' });
    const key = tagKey(workspaceId, id);
    await deliver([await recordOf(key, () => store.updateTag(workspaceId, id, { name: 'New' }))]);
    await asAuthor(byKey(), () => store.deleteTag(workspaceId, id));
    expect(await ofAll(workspaceId)).toMatchObject([
      // Its time is today's, while the record's is in the future.
      { action: 'tag.updated', subject: { type: 'tag', id }, changes: { name: { from: 'Old', to: 'New' } } },
      {
        id: expect.stringMatching(/^his_D/),
        actor,
        action: 'tag.deleted',
        subject: { type: 'tag', id },
        changes: { name: { from: 'New', to: null }, color: { from: '#000000', to: null } },
      },
    ]);
  });

  test('A template that is changed and then deleted has two entries, the deletion without the stream.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const { id } = await store.createTemplate(workspaceId, { name: 'Old', utmSource: 'mail', isActive: false });
    const key = templateKey(workspaceId, id);
    const changes = { name: 'New', utmSource: null, expiresAfterDays: 3 };
    await deliver([await recordOf(key, () => store.updateTemplate(workspaceId, id, changes))]);
    await asAuthor(byKey(), () => store.deleteTemplate(workspaceId, id));
    const [updated, deleted] = await ofAll(workspaceId);
    expect(updated).toMatchObject({ action: 'template.updated', subject: { type: 'template', id } });
    expect(updated?.changes).toEqual({
      name: { from: 'Old', to: 'New' },
      utmSource: { from: 'mail', to: null },
      expiresAfterDays: { from: null, to: 3 },
    });
    expect(deleted).toMatchObject({ actor, action: 'template.deleted', subject: { type: 'template', id } });
    expect(deleted?.changes).toEqual({
      name: { from: 'New', to: null },
      isActive: { from: false, to: null },
      expiresAfterDays: { from: 3, to: null },
    });
  });

  test("A domain's new status, settings and deletion are entries of its former workspace.", async () => {
    const { workspaceId, domain } = await store.newWorkspace();
    const key = { pk: `DOMAIN#${domain.host}`, sk: 'DOMAIN' };
    const settings = { rootUrl: 'https://example.com/', publicQr: true, allowIndexing: true };
    await deliver([
      await recordOf(key, () => store.addDomain(workspaceId, domain.host, 'PENDING_DNS')),
      await recordOf(key, async () => {
        const found = await store.getDomain(domain.host);
        if (found) await store.updateDomain(found, settings, { isExact: false });
      }),
    ]);
    await asAuthor(byKey(), () => store.deleteDomain(workspaceId, domain.host));
    expect(await ofAll(workspaceId)).toMatchObject([
      {
        actor,
        action: 'domain.updated',
        changes: {
          rootUrl: { from: null, to: settings.rootUrl },
          publicQr: { from: false, to: true },
          allowIndexing: { from: false, to: true },
        },
      },
      { action: 'domain.updated', changes: { status: { from: 'ACTIVE', to: 'PENDING_DNS' } } },
      {
        action: 'domain.deleted',
        subject: { type: 'domain', id: domain.host },
        changes: {
          status: { from: 'PENDING_DNS', to: null },
          rootUrl: { from: settings.rootUrl, to: null },
          publicQr: { from: true, to: null },
        },
      },
    ]);
  });

  test('Changes of a key by the operator name the command.', async () => {
    const workspace = await store.newWorkspace();
    const { id } = await store.createApiKey(workspace, { name: 'Key', permissions: ['links:read'] });
    const key = { pk: `KEY#${id.slice('key_'.length)}`, sk: 'KEY' };
    const operator = { actor: { type: 'operator', id: null, name: 'keys update' }, requestId: 'req_1' } as const;
    const records = [
      await recordOf(key, () => store.updateApiKey(id, { permissions: ['links:read', 'tags:read'] }), operator),
      await recordOf(key, () => store.revokeApiKey(id), operator),
    ];
    await deliver(records);
    expect(await ofAll(workspace.workspaceId)).toMatchObject([
      { action: 'key.revoked', changes: { revokedAt: { from: null } } },
      {
        actor: operator.actor,
        requestId: 'req_1',
        action: 'key.updated',
        subject: { type: 'key', id },
        changes: { permissions: { from: ['links:read'], to: ['links:read', 'tags:read'] } },
      },
    ]);
    expect(JSON.stringify(await ofAll(workspace.workspaceId))).not.toContain(workspace.gatewayKey);
  });
});

describe('No entry is made for', () => {
  test('the use of a key, the count of a tag, a sweep, a takedown, a framing check and an update that changes nothing.', async () => {
    const { workspaceId, link, change, current } = await newLink();
    const tag = await store.createTag(workspaceId, { name: 'Tag', color: '#000000' });
    const before = await itemAt(tagKey(workspaceId, tag.id));
    const tagged = await change({ tagIds: [tag.id] });
    const counted = changeRecord(before, await itemAt(tagKey(workspaceId, tag.id)));
    const key = await store.createApiKey(await store.newWorkspace(), { name: null, permissions: [] });
    const keyKey = { pk: `KEY#${key.id.slice('key_'.length)}`, sk: 'KEY' };
    await asAuthor(byKey(), () => store.deleteTag(workspaceId, tag.id));
    const { theService } = await import('../../../lambdas/core/history/author.ts');
    const silent = [
      counted,
      await recordOf(keyKey, () => store.recordUse(key, Date.now(), 1_000)),
      await recordOf(keyOfLink(link.id), () => store.sweepPage(tag.id), theService),
      await recordOf(keyOfLink(link.id), async () => store.setDisabled((await current()).link, true)),
      await change({ unframeableUrl: 'https://example.org/' }),
      await change({ url: link.url }),
    ];
    await deliver([tagged, ...silent]);
    expect((await ofAll(workspaceId)).map(({ action }) => action).sort()).toEqual(['link.updated', 'tag.deleted']);
    expect(await ofAll(key.workspaceId)).toEqual([]);
  });

  test('deletions on a stage without a history.', async () => {
    process.env.HISTORY_DAYS = '0';
    const { workspaceId, domain } = await store.newWorkspace();
    const { id } = await store.createTag(workspaceId, { name: 'Tag', color: '#000000' });
    await store.deleteTag(workspaceId, id);
    await store.deleteDomain(workspaceId, domain.host);
    expect(await ofAll(workspaceId)).toEqual([]);
  });

  test('changes so old that the entry would have expired.', async () => {
    const { workspaceId, link, change, entries } = await newLink();
    await deliver([changeRecord(await itemAt(keyOfLink(link.id)), await itemAt(keyOfLink(link.id)), 1)]);
    const { dynamodb } = await change({ title: 'Long ago' });
    await deliver([{ eventName: 'MODIFY', dynamodb: { ...dynamodb, ApproximateCreationDateTime: 1_600_000_000 } }]);
    expect((await entries())?.map(({ action }) => action)).toEqual(['link.created']);
    expect(await ofAll(workspaceId)).toEqual([]);
  });
});

test('However batches are split, repeated and ordered, each change is one entry, and the entries are in the order of the changes.', async () => {
  /** The links that change, and how the records are then delivered, as batches of their positions. */
  const titles = fc.array(fc.nat(2), { minLength: 1, maxLength: 12 });
  const batches = fc.array(fc.array(fc.nat(11), { minLength: 1, maxLength: 8 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(titles, batches, async (which, places) => {
      const links = await Promise.all([newLink(), newLink(), newLink()]);
      const records: DynamoDBRecord[] = [];
      for (const [position, index] of which.entries()) {
        records.push(await (links[index] as (typeof links)[number]).change({ title: `Title ${position}` }));
      }
      for (const batch of places) await deliver(batch.flatMap((position) => records[position] ?? []));
      // All records are delivered in the end.
      await deliver(records.toReversed());
      for (const [index, { entries }] of links.entries()) {
        const expected = which.flatMap((one, position) => (one === index ? [`Title ${position}`] : []));
        const shown = ((await entries()) ?? []) as HistoryEntry[];
        expect(shown.slice(0, -1).map(({ changes }) => changes.title?.to)).toEqual(expected.toReversed());
        expect(new Set(shown.map(({ id }) => id)).size).toBe(expected.length + 1);
      }
    }),
    { numRuns: runs(4) },
  );
});

describe('On restored tables', () => {
  /** A stream of a stage: the first one is its own table's, and each restoration makes one whose numbers begin anywhere. */
  const stream = fc.record({
    digits: fc.integer({ min: 21, max: 40 }),
    start: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    changes: fc.integer({ min: 0, max: 3 }),
  });
  const labels = ['2030-01-31T12:00:00.000', '2030-01-31T12:00:00.001', '2030-02-01T00:00:00.000', '2031-01-01T00:00:00.000'];

  /** All entries, in pages as the API returns them, newest first. */
  async function pages(call: (query: Record<string, string>) => ReturnType<typeof callEndpoint>) {
    const all: HistoryEntry[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { status, body } = await call({ limit: '2', ...(cursor && { cursor }) });
      expect(status).toBe(200);
      all.push(...body.entries);
      cursor = body.nextCursor;
    }
    return all;
  }

  test('Changes follow those of the former streams, in all pages, and the last one can be reverted; a deleted link keeps its creation.', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stream, { minLength: 1, maxLength: 4 }), fc.boolean(), async (streams, isDeleted) => {
        const { workspaceId, link, change, current } = await newLink();
        const titles: string[] = [];
        const last = streams.length - 1;
        for (const [index, { digits, start, changes }] of streams.entries()) {
          const eventSourceARN = streamArn(labels[index] ?? '');
          let number = 10n ** BigInt(digits - 1) + start;
          const from = (record: DynamoDBRecord): DynamoDBRecord => ({
            ...record,
            eventSourceARN,
            dynamodb: { ...record.dynamodb, SequenceNumber: String(++number) },
          });
          const records: DynamoDBRecord[] = [];
          for (let count = 0; count < changes; count++) {
            titles.push(`Title ${titles.length}`);
            records.push(from(await change({ title: titles.at(-1) })));
          }
          if (index === last && isDeleted) {
            records.push(from(await recordOf(keyOfLink(link.id), async () => store.deleteLink(await current()))));
          }
          for (const batch of [records.toReversed(), records]) await deliver(batch);
        }
        const shown = await pages((query) => callEndpoint('list-link-history', { workspaceId, id: link.id, query }));
        expect(shown.map(({ action, changes }) => (action === 'link.updated' ? changes.title?.to : action))).toEqual([
          ...(isDeleted ? ['link.deleted'] : []),
          ...titles.toReversed(),
          'link.created',
        ]);
        const ofWorkspace = await pages((query) => callEndpoint('list-history', { workspaceId, query }));
        expect(ofWorkspace.map(({ id }) => id)).toEqual(shown.slice(0, -1).map(({ id }) => id));
        if (isDeleted) return;
        for (const [index, { id: entryId }] of shown.slice(0, -1).entries()) {
          const { status } = await callEndpoint('revert-change', { workspaceId, id: link.id, entryId });
          // A later entry has changed the field again, so this one is refused.
          expect(status).toBe(index === 0 ? 200 : 409);
        }
        expect((await current()).link.title).toBe(titles.at(-2) ?? null);
      }),
      { numRuns: runs(12) },
    );
  });
});

test('A record that cannot be read is put aside once, with an alarm, and the records around it are recorded.', async () => {
  const { change, entries } = await newLink();
  const good = [await change({ title: 'One' }), await change({ title: 'Two' })];
  const image = { pk: { S: 'LINK#broken' }, sk: { S: 'LINK' }, id: { S: 'lnk' }, by: { S: byKey().actor.id ?? '' } };
  const bad = {
    eventName: 'MODIFY' as const,
    eventSourceARN: streamArn('2030-01-01T00:00:00.000'),
    dynamodb: { Keys: { pk: image.pk, sk: image.sk }, OldImage: image, NewImage: image, SequenceNumber: '77' },
  };
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  for (let times = 0; times < 2; times++) await deliver([good[0] as DynamoDBRecord, bad, good[1] as DynamoDBRecord]);
  expect(log.mock.calls[0]).toMatchObject([{ message: alarming.changeUnreadable, sequenceNumber: '77' }]);
  log.mockRestore();
  expect((await entries())?.map(({ changes }) => changes.title?.to)).toEqual(['Two', 'One', undefined]);
  const notes = await Array.fromAsync(store.query({ gsi1pk: 'FAILURES' }));
  expect(notes.map(({ pk }) => pk)).toEqual(['FAILURE#record-changes#2030-01-01T00:00:00.000#77']);
});
