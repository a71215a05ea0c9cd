import { beforeAll, describe, expect, test } from 'vitest';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { toBytes } from '../../../lambdas/store/clicks/marks.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import type { Item } from '../../../lambdas/store/table/client.ts';
import { countKey } from '../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { callEndpoint } from '../../support/http/invoke.ts';
import { sized } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { countClicks } from '../../support/things/counting.ts';
import { placed } from '../../support/things/placed-click.ts';
import { visit } from '../../support/things/visit.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const measured = async (work: () => Promise<unknown>) => {
  const { commands, units } = await underFaults(() => undefined, work);
  return { commands, ...units };
};

/** The billed size of an item of strings, in bytes: names and values. */
const sizeOf = (item: Item) =>
  Object.entries(item).reduce((size, [name, value]) => size + Buffer.byteLength(name) + Buffer.byteLength(String(value)), 0);

describe('An import of 1,000 links', () => {
  /** Imports 1,000 links of this many bytes (less if their number is shorter), and returns its calls and units. */
  const importOf = async (bytes: number) => {
    const workspace = await store.newWorkspace();
    const lease = store.newLease();
    const importAll = (urls: string[]) =>
      store.createLinks(
        workspace.domain,
        urls.map((url, index) => ({ index, url })),
        new Map(),
        lease,
      );
    const itemAt = async (index: number) => {
      const [key] = await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspace.workspaceId}#LINKS` }));
      if (!key) throw new Error(`no link ${index}`);
      return (await store.getItem(key as never)) as Item;
    };
    const start = 'https://example.org/';
    const [sample] = Object.values(await importAll([start]));
    if (!sample || !('id' in sample)) throw new Error('no sample');
    const item = await itemAt(0);
    await store.deleteItem(item as never);
    // Its creation mark ends in one digit; the longest have two more.
    const url = start.padEnd(start.length + bytes - sizeOf(item) - 2, 'x');
    const taken = await measured(() => importAll(Array.from({ length: 1_000 }, () => url)));
    const keys = await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspace.workspaceId}#LINKS` }));
    const sizes = (await store.getItems(keys as never)).map((one) => sizeOf(one ?? {}));
    expect([sizes.length, Math.max(...sizes)]).toEqual([1_000, bytes]);
    return { calls: taken.commands.length, read: taken.read, write: taken.write };
  };

  test('Links of up to 1 kB take 2 write units each, for the table and its index, and 40 calls in all.', async () => {
    expect(await importOf(1_024)).toEqual({ calls: 40, read: 0, write: 2_000 });
  });

  test('Links that are one byte larger take a third write unit each.', async () => {
    // The numbers of 900 links have three digits, and thus that byte.
    expect(await importOf(1_025)).toEqual({ calls: 40, read: 0, write: 2_900 });
  });
});

describe('A search without matches', () => {
  const newLinks = async ({ domain }: Awaited<ReturnType<Store['newWorkspace']>>, count: number) => {
    const entries = Array.from({ length: count }, (_, index) => ({ index, url: `https://example.org/${index}` }));
    const outcomes = await store.createLinks(domain, entries, new Map(), store.newLease());
    return Object.values(outcomes).map((outcome) => ('id' in outcome ? outcome.id : ''));
  };

  /** Reads all pages, and returns the units and calls of each. */
  const search = async (workspaceId: string) => {
    const pages: { read: number; calls: number }[] = [];
    let before: string | undefined;
    do {
      const { commands, read } = await measured(async () => {
        const { links, next } = await store.listLinks(workspaceId, { q: 'nothing' }, { limit: 100, after: before });
        expect(links).toEqual([]);
        before = next;
      });
      pages.push({ read, calls: commands.length });
    } while (before !== undefined);
    return pages;
  };

  test('A search reads 1,000 small links at half a unit each, plus at most 50 units for the index.', async () => {
    const workspace = await store.newWorkspace();
    await newLinks(workspace, 1_000);
    const [page] = await search(workspace.workspaceId);
    expect(page?.calls).toBe(11);
    expect(page?.read).toBeGreaterThan(500);
    expect(page?.read).toBeLessThanOrEqual(550);
  });

  test('A search of large links takes at most 800 units per page, and continues with the next page.', async () => {
    const workspace = await store.newWorkspace();
    const ids = await newLinks(workspace, 500);
    const found = (await store.getLinks(workspace.workspaceId, ids)).filter((one) => one !== undefined);
    // The largest link has some 20 kB.
    const webhookUrls = Array.from({ length: 5 }, (_, index) => `https://example.org/${index}${'x'.repeat(2_020)}`).join(',');
    const description = 'ä'.repeat(1_024);
    const long = `https://example.org/${'x'.repeat(2_020)}`;
    await store.updateLinks(
      workspace.workspaceId,
      found.map((one) => ({ found: one, changes: { webhookUrls, description, image: long, url: long, title: 'ä'.repeat(256) } })),
      undefined,
    );
    const pages = await search(workspace.workspaceId);
    expect(pages.length).toBeGreaterThan(1);
    for (const { read } of pages) expect(read).toBeLessThanOrEqual(800);
    expect(pages.reduce((sum, { read }) => sum + read, 0)).toBeGreaterThan(1_000);
  });
});

describe('A costly request', () => {
  test.for([
    ['with usual names', 'go.example.com', 20],
    ['with the longest names', `${'x'.repeat(60)}.`.repeat(4).concat('com'), 50],
  ] as const)(
    'for the deletion of a domain takes few units for each 1,000 links that it searches, on domains %s.',
    async ([, host, most]) => {
      const { workspaceId } = await store.newWorkspace();
      const proven = async (name: string) => store.proveOwnership(workspaceId, await store.claimDomain(workspaceId, name));
      const full = await proven(host);
      const unitsOf = async (name: string) => {
        await proven(name);
        return (await measured(() => store.deleteDomain(workspaceId, name))).read;
      };
      const without = await unitsOf('first.example.com');
      const entries = Array.from({ length: 1_000 }, (_, index) => ({ index, url: `https://example.org/${index}` }));
      await store.createLinks(full, entries, new Map(), store.newLease());
      const taken = (await unitsOf('second.example.com')) - without;
      expect(taken).toBeLessThanOrEqual(most);
    },
  );
});

describe('The capacity of changes', () => {
  const color = '#123456';
  const link = async (tags: number) => {
    const workspace = await store.newWorkspace();
    const made = await Promise.all(
      Array.from({ length: tags }, (_, index) => store.createTag(workspace.workspaceId, { name: `Tag ${index}`, color })),
    );
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    return { workspaceId: workspace.workspaceId, found, tagIds: made.map(({ id }) => id) };
  };

  test('An update that does not change the tags takes one write of one unit.', async () => {
    const { found } = await link(0);
    expect(await measured(() => store.updateLink(found, { title: 'New', isActive: false }))).toEqual({
      commands: ['UpdateItem'],
      read: 0,
      write: 1,
    });
  });

  test.for([
    // Two units for the link; four for each tag, for its pair and its count. Reads: the tags before and after, the link, its clicks.
    { from: 0, to: 1, write: 2 + 4, read: 3 },
    { from: 1, to: 0, write: 2 + 4, read: 3 },
    { from: 0, to: 20, write: 2 + 20 * 4, read: 22 },
    { from: 20, to: 0, write: 2 + 20 * 4, read: 22 },
  ])(
    'Changing a link from $from to $to tags takes one transaction, $write write units and $read read units.',
    async ({ from, to, write, read }) => {
      const { found, tagIds } = await link(Math.max(from, to));
      const { workspaceId, id } = found.link;
      await store.updateLink(found, { tagIds: tagIds.slice(0, from) });
      const now = await store.getLink(workspaceId, id);
      if (!now) throw new Error('no link');
      const taken = await measured(() => store.updateLink(now, { tagIds: tagIds.slice(0, to) }));
      expect(taken.commands.filter((command) => command === 'TransactWriteItems')).toHaveLength(1);
      expect(taken.commands.length).toBeLessThanOrEqual(4);
      expect({ write: taken.write, read: taken.read }).toEqual({ write, read });
    },
  );

  test("Creating a tag takes one transaction of 6 write units: for its name, the tag and the workspace's counter.", async () => {
    const { workspaceId } = await store.newWorkspace();
    expect(await measured(() => store.createTag(workspaceId, { name: 'New', color }))).toEqual({
      commands: ['TransactWriteItems'],
      read: 0,
      write: 6,
    });
  });
});

describe('A visit of a capped link', () => {
  const visitOf = async (settings: object, changes: LinkChanges = {}) => {
    const { workspaceId, domain } = await store.newWorkspace();
    const body = { domain: domain.host, url: 'https://example.org/', maxClicks: 2, ...settings };
    const { status, body: made } = await callEndpoint('create-link', { workspaceId, body });
    expect(status).toBe(201);
    const found = await store.getLink(workspaceId, made.link.id);
    if (!found) throw new Error('no link');
    const { link } = await store.updateLink(found, changes);
    const open = () => visit({ host: domain.host, path: `/${link.shortCode}` });
    // From now on, the domain is cached.
    await open();
    return [await measured(open), await measured(open)];
  };

  // The function has seen a visit left a moment ago, so it does not read the cap.
  const claim = ['GetItem', 'UpdateItem', 'GetItem', 'PutItem'];
  const refusal = ['GetItem', 'GetItem'];

  test('A visit takes two reads and two write units if the function has seen a visit left, and a refused one takes two reads.', async () => {
    expect(await visitOf({})).toEqual([
      { commands: claim, read: 2, write: 2 },
      { commands: refusal, read: 2, write: 0 },
    ]);
  });

  test('For the largest link, such a visit takes 18 read units and two write units, and a refusal takes 10.', async () => {
    const url = (start: string) => start.padEnd(2_048, 'x');
    const largest = {
      url: url('https://example.org/').padEnd(8_000, 'x'),
      title: '\u{1f600}'.repeat(256),
      description: '\u{1f600}'.repeat(1_024),
      image: url('https://example.org/'),
      webhookUrls: Array.from({ length: 5 }, (_, index) => url(`https://example.org/${index}/`)).join(','),
    };
    // A destination that refuses frames is also stored in its own field.
    const found = { unframeableUrl: largest.url };
    expect(await visitOf({ ...largest, customSlug: 'x'.repeat(64) }, found)).toEqual([
      { commands: claim, read: 18, write: 2 },
      { commands: refusal, read: 10, write: 0 },
    ]);
  });
});

describe('A cap', () => {
  test('Setting a cap takes a transaction of 4 units, changing or removing it one unit, and setting it again also a read.', async () => {
    const [found] = await store.newLinks(await store.newWorkspace(), 1);
    if (!found) throw new Error('no link');
    const { workspaceId, id } = found.link;
    const set = async (maxClicks: number | null) => {
      const now = await store.getLink(workspaceId, id);
      return now && measured(() => store.updateLink(now, { maxClicks }));
    };
    // The transaction's result is read: the link and its clicks.
    expect(await set(5)).toEqual({ commands: ['TransactWriteItems', 'BatchGetItem'], read: 2, write: 4 });
    expect(await set(7)).toEqual({ commands: ['UpdateItem'], read: 0, write: 1 });
    expect(await set(null)).toEqual({ commands: ['UpdateItem'], read: 0, write: 1 });
    expect(await set(5)).toEqual({ commands: ['GetItem', 'TransactWriteItems', 'BatchGetItem'], read: 3, write: 4 });
  });
});

describe('A link that is clicked on every shard of the stream, all day', () => {
  const hour = 60 * 60;
  const start = 1_900_000_000;
  /** How long a shard accepts records before it has successors. */
  const lifetime = 4 * hour;

  /**
   * Counts a click of each shard in each hour, through some generations of shards.
   *
   * @returns the write units that a click takes at most, and on average, in the last generation, with those that write
   *   checkpoints and remove marks; and the read units on average.
   */
  async function simulate(shards: number, generations: number) {
    const linkId = `lnk_${randomBase62(28)}`;
    let taken: { read: number; write: number }[] = [];
    for (let generation = 0; generation < generations; generation++) {
      const ids = Array.from({ length: shards }, () => `shardId-00000001414562045508-${randomBase62(8)}`);
      taken = [];
      for (let at = 0; at < lifetime; at += hour) {
        for (const id of ids) {
          // The most digits that the stream's numbers may have.
          const number = 10n ** 39n + BigInt(at);
          taken.push(await measured(() => countClicks(linkId, id, [placed(number, start + generation * lifetime + at)])));
        }
      }
    }
    const { count } = (await store.getItem(countKey(linkId))) ?? {};
    expect(count).toBe(generations * shards * (lifetime / hour));
    const average = (unit: 'read' | 'write') =>
      Math.round((taken.reduce((all, one) => all + one[unit], 0) / taken.length) * 10) / 10;
    return { most: Math.max(...taken.map(({ write }) => write)), write: average('write'), read: average('read') };
  }

  /** What an update cost while marks were texts of 60 bytes, and stayed in the counter for 48 hours. */
  async function formerly(marks: number) {
    const key = countKey(`lnk_${randomBase62(28)}`);
    const names = Array.from({ length: marks }, () => `mark_${randomBase62(11)}`);
    await store.putItem({ ...key, count: 1, ...Object.fromEntries(names.map((name) => [name, `${'1'.repeat(40)} 1900000000`])) });
    return (await measured(() => store.updateItem(key, { text: 'ADD #count :one', values: { ':one': 1 } }))).write;
  }

  test('On 1 shard a click takes 1 write unit, as before.', async () => {
    expect(await formerly(12)).toBe(1);
    expect(await simulate(1, 12)).toEqual({ most: 1, write: 1, read: 0.8 });
  });

  test('On 36 shards a click takes 2.4 write units on average with all that removes marks; it was 29.', async () => {
    expect(await formerly(36 * 12)).toBe(29);
    expect(await simulate(36, sized(3, 12))).toEqual({ most: 5, write: 2.4, read: 2 });
  });

  test('On 500 shards an update takes 33 write units while all of them are succeeded by others; it was 393.', async () => {
    expect(await formerly(500 * 12)).toBe(393);
    const linkId = `lnk_${randomBase62(28)}`;
    const mark = toBytes({ number: 10n ** 39n, createdAt: start });
    const marks = Object.fromEntries(Array.from({ length: 1_000 }, () => [randomBase62(11), mark]));
    await store.putItem({ ...countKey(linkId), count: 1_000, ...marks });
    const { write } = await measured(() => countClicks(linkId, 'shardId-1', [placed(1, start)]));
    // One of them is the checkpoint's.
    expect(write).toBe(33 + 1);
  });
});
