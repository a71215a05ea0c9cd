import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { slugLength } from '../../../../lambdas/core/limits.ts';
import { linkDefaults } from '../../../../lambdas/core/link/link.ts';
import { type Key, tagKey } from '../../../../lambdas/store/table/keys.ts';
import { largestSettings } from '../../../../tools/cost/arrangements.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let tagging: typeof import('../../../../lambdas/store/links/tagging.ts');
beforeAll(async () => {
  store = await useStore();
  tagging = await import('../../../../lambdas/store/links/tagging.ts');
});

const tagIds = Array.from({ length: 60 }, (_, index) => `tag_${String(index).padStart(16, '0')}`);

/** A link with tags, not stored. */
const linkWith = (number: number, tags: readonly string[]) => ({
  ...linkDefaults,
  id: `lnk_${String(number).padStart(22, '0')}abcdef`,
  workspaceId: 'ws_1',
  domain: 'go.example.com',
  domainId: 'dom_1',
  shortCode: `slug${number}`,
  url: 'https://example.org/',
  creationMark: `req_1#${number}`,
  tagIds: tags,
  createdAt: '2030-01-02T03:04:05.678Z',
  updatedAt: '2030-01-02T03:04:05.678Z',
});

const tagList = fc.oneof(...[0, 1, 3, 20].map((maxLength) => fc.subarray(tagIds, { maxLength })));
const repeated = ([lists, times]: [string[][], number]) => Array.from({ length: times }, () => lists).flat();
const wanted = fc.record({
  links: fc.tuple(fc.array(tagList, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 5 })).map(repeated),
  /** The tags that all links get; null if they are deleted. */
  tags: fc.option(tagList),
  live: fc.subarray(tagIds),
});

const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
type Write = { readonly key: string; readonly by?: number };
const writesOf = (writes: ReturnType<typeof tagging.asTransaction>): Write[] =>
  Object.values(writes).flatMap((write) => {
    if (!write) return [];
    const { Put, Update, Delete } = write;
    const { pk, sk } = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {};
    const by = Update?.ExpressionAttributeValues?.[':linkCount'];
    return { key: nameOf({ pk, sk }), ...(by !== undefined && { by: Number(by) }) };
  });

const changeToken = 'token';
const mostLinks = 50;

/** No other request changes these links. */
const isMade = (change: Awaited<ReturnType<Store['settingsChange']>>): change is ReturnType<Store['deletion']> =>
  typeof change === 'object';

describe('Changes of links, grouped into transactions', () => {
  test('Each change is in exactly one transaction, in order, and none has more than 50 links or 100 writes, or touches an item twice.', async () => {
    await fc.assert(
      fc.asyncProperty(wanted, async ({ links, tags, live }) => {
        // Every other link gets a cap with its tags, or is deleted with its cap.
        const changes = await Promise.all(
          links.map((list, number) => {
            const link = linkWith(number, list);
            const cap = number % 2 === 1 && { maxClicks: 5 };
            return tags
              ? store.settingsChange({ link, clickCount: 0, changes: { tagIds: tags, ...cap }, changeToken })
              : store.deletion({ ...link, capGeneration: cap ? 1 : 0 });
          }),
        );
        const groups = tagging.transactions(changes.filter(isMade));
        expect(groups.flat()).toEqual(changes);
        for (const group of groups) {
          expect(group.length).toBeGreaterThan(0);
          expect(group.length).toBeLessThanOrEqual(mostLinks);
          const writes = writesOf(tagging.asTransaction('ws_1', group, new Set(live)));
          expect(writes.length).toBeLessThanOrEqual(100);
          expect(new Set(writes.map(({ key }) => key)).size).toBe(writes.length);
        }
        // As few groups as the order allows: the first change of a group did not fit into the previous one.
        for (const [position, group] of groups.entries()) {
          const before = groups[position - 1];
          const [first] = group;
          if (before && first && before.length < mostLinks) {
            expect(writesOf(tagging.asTransaction('ws_1', [...before, first], new Set(tagIds))).length).toBeGreaterThan(100);
          }
        }
      }),
    );
  });

  test("A tag's count changes by the links that gain it less those that lose it, and a deleted tag's does not change.", async () => {
    await fc.assert(
      fc.asyncProperty(wanted, async ({ links, tags, live }) => {
        const target = tags?.filter((id) => live.includes(id)) ?? [];
        const changes = await Promise.all(
          links.map((list, number) =>
            store.settingsChange({ link: linkWith(number, list), clickCount: 0, changes: { tagIds: target }, changeToken }),
          ),
        );
        const counted = new Map<string, number>();
        for (const group of tagging.transactions(changes.filter(isMade))) {
          for (const { key, by } of writesOf(tagging.asTransaction('ws_1', group, new Set(live)))) {
            if (by !== undefined) counted.set(key, (counted.get(key) ?? 0) + by);
          }
        }
        for (const tagId of tagIds) {
          const before = links.filter((list) => list.includes(tagId)).length;
          const after = target.includes(tagId) ? links.length : 0;
          const counts = live.includes(tagId) ? after - before : 0;
          expect(counted.get(nameOf(tagKey('ws_1', tagId))) ?? 0).toBe(counts);
        }
      }),
    );
  });

  test('A change writes only the link if no tag is added or removed, whatever their order.', () => {
    const writes = (before: readonly string[], after: readonly string[]) =>
      writesOf(tagging.asTransaction('ws_1', [tagging.changeTo(linkWith(0, before), after, {})], new Set(tagIds))).length;
    fc.assert(
      fc.property(
        tagList.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => writes(list, shuffled) === 0,
      ),
    );
    expect(writes(tagIds.slice(0, 2), tagIds.slice(0, 1))).toBe(2);
    expect(writes([], tagIds.slice(0, 1))).toBe(2);
  });
});

test('Few enough links are in a transaction that even the largest ones fit into its 4 MB, however little is changed.', async () => {
  const changes = Array.from({ length: 120 }, (_, number) =>
    store.settingsChange({ link: linkWith(number, []), clickCount: 0, changes: { tagIds: [], title: 'new' }, changeToken }),
  );
  const groups = tagging.transactions((await Promise.all(changes)).filter(isMade));
  expect(groups.map(({ length }) => length)).toEqual([mostLinks, mostLinks, 20]);

  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
  const link = {
    ...linkWith(0, tagIds.slice(0, 20)),
    ...largestSettings,
    unframeableUrl: largestSettings.url,
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$'.padEnd(128, 'x'),
    domain: `${'x'.repeat(250)}.de`,
    shortCode: 'x'.repeat(slugLength),
  };
  const size = Buffer.byteLength(JSON.stringify(store.linkItem(link)));
  expect(size).toBeGreaterThan(43_000);
  expect(mostLinks * size).toBeLessThan(4_000_000);
});
