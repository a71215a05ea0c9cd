import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { blocklistCopies } from '../../../lambdas/store/table/keys.ts';
import { type Fault, underFaults } from '../../support/faults/faults.ts';
import { overtaken } from '../../support/faults/overtaken.ts';
import { runs } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';

const key = { pk: 'BLOCKLIST#all', sk: 'BLOCKLIST' };
let store: Store;
beforeAll(async () => {
  store = await useStore();
});
// All tests of a process share the list, so it is deleted before each.
beforeEach(() => Promise.all([key, ...blocklistCopies].map((item) => store.deleteItem(item))));
afterEach(() => {
  vi.restoreAllMocks();
});

/** The names in each copy. */
const copies = async () =>
  (await store.getItems(blocklistCopies)).map((item) => [...((item?.hosts as Set<string> | undefined) ?? [])].sort());

/** The blocked hosts. Expects that all copies have the hosts of the operator's list. */
async function hosts(): Promise<string[]> {
  const names = [...(await store.getBlockedHosts()).keys()].sort();
  expect(await copies()).toEqual(blocklistCopies.map(() => names));
  return names;
}

/** Fills the operator's list, but no copy. */
async function fill(names: readonly string[], bytes: number): Promise<string> {
  const blockedAt = '2030-01-01T00:00:00.000Z';
  await store.putItem({ ...key, ...Object.fromEntries(names.map((host) => [host, blockedAt])), bytes });
  return blockedAt;
}

const bytes = async () => (await store.getItem(key))?.bytes ?? 0;
const many = (count: number, name = 'evil') =>
  Array.from({ length: count }, (_, index) => `${name}${String(index).padStart(5, '0')}.example`);

test('Blocking and unblocking different hosts at once affects only these hosts.', async () => {
  const [stay, go] = [many(50, 'stay'), many(50, 'go')];
  await Promise.all(go.map(store.blockHost));
  await Promise.all([...stay.map(store.blockHost), ...go.map(store.unblockHost)]);
  expect(await hosts()).toEqual(stay);
});

test('50 hosts can be blocked at once on a table without a blocklist.', async () => {
  await Promise.all(many(50).map(store.blockHost));
  expect(await hosts()).toEqual(many(50));
});

test('Blocking a host again keeps its first date, and takes no more space.', async () => {
  const first = await store.blockHost('evil.example');
  const taken = await bytes();
  expect(first).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(await Promise.all([store.blockHost('evil.example'), store.blockHost('evil.example')])).toEqual([first, first]);
  expect([await bytes(), await hosts()]).toEqual([taken, ['evil.example']]);
});

test('Unblocking a host that is not blocked succeeds, and frees no space.', async () => {
  await store.blockHost('evil.example');
  const taken = await bytes();
  await store.unblockHost('other.example');
  expect([await bytes(), await hosts()]).toEqual([taken, ['evil.example']]);
  await Promise.all([store.unblockHost('evil.example'), store.unblockHost('evil.example')]);
  expect([await bytes(), await hosts()]).toEqual([0, []]);
});

test.for<Fault>(['throttle', 'lost-before', 'lost-after', 'conflict'])(
  'Blocking and unblocking survive the fault %s, and the space is counted correctly.',
  async (fault) => {
    const once = ({ index }: { index: number }) => (index === 0 ? fault : undefined);
    const { result } = await underFaults(once, () => store.blockHost('evil.example'));
    expect((await store.getBlockedHosts()).get('evil.example')).toBe(result);
    const taken = await bytes();
    await underFaults(once, () => store.unblockHost('evil.example'));
    expect([taken, await bytes(), await hosts()]).toEqual([36, 0, []]);
  },
);

test('A full blocklist refuses another host, keeps its own, and accepts one once another is unblocked.', async () => {
  const size = 17 + 24;
  const count = Math.floor(200_000 / size) - 8;
  const hostsThere = many(count);
  const blockedAt = await fill(hostsThere, count * size);
  const results = await Promise.all(many(20, 'late').map(store.blockHost));
  expect(results.filter((one) => one !== undefined)).toHaveLength(8);
  const listed = [...(await store.getBlockedHosts()).keys()].sort();
  expect(listed.filter((host) => host.startsWith('evil'))).toEqual(hostsThere);
  expect(await store.blockHost('evil00000.example')).toBe(blockedAt);
  expect(await store.blockHost('more00000.example')).toBeUndefined();
  await store.unblockHost('evil00000.example');
  expect(await store.blockHost('more00000.example')).toBeDefined();
});

test("However hosts are blocked and unblocked at once, all copies have the same names as the operator's list.", async () => {
  const step = fc.array(fc.record({ host: fc.constantFrom(...many(4)), isBlocked: fc.boolean() }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (steps) => {
      for (const some of steps) {
        await Promise.all(some.map(({ host, isBlocked }) => (isBlocked ? store.blockHost(host) : store.unblockHost(host))));
        await hosts();
      }
    }),
    { numRuns: runs(10) },
  );
});

describe('The copies of the list', () => {
  test('Each function reads a random copy, so that functions that start at once share the load.', async () => {
    const read = async (random: number) => {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      const { attempts } = await underFaults(
        () => undefined,
        () => store.blocklistMemory()({ wall: 0, steady: 0 }),
      );
      return attempts.map(({ input }) => (input as { Key?: object }).Key);
    };
    for (const [index, copy] of blocklistCopies.entries()) {
      expect(await read(index / blocklistCopies.length)).toEqual([copy]);
      expect(await read((index + 1) / blocklistCopies.length - 1e-9)).toEqual([copy]);
    }
  });

  test('Reading a full list of 4,000 hosts of 26 characters costs 26 units, as its comment and docs/cost.md say.', async () => {
    const names = many(4_000, 'malicious-xyz');
    await fill(names, 4_000 * (26 + 24));
    await Promise.all(blocklistCopies.map((copy) => store.putItem({ ...copy, hosts: new Set(names) })));
    const { result, units } = await underFaults(
      () => undefined,
      () => store.blocklistMemory()({ wall: 0, steady: 0 }),
    );
    expect([result.hosts.size, units.read, names[0]?.length]).toEqual([4_000, 26, 26]);
    expect(await store.blockHost('more00000.example')).toBeUndefined();
    const unblock = await underFaults(
      () => undefined,
      () => store.unblockHost(names[0] ?? ''),
    );
    // Writing all copies takes at most what a new table accepts in a second.
    expect(unblock.units.write).toBeLessThan(4_000);
    expect(await store.blockHost('more00000.example')).toBeDefined();
    expect(await hosts()).toHaveLength(4_000);
  });

  test('Blocking a host again repairs a list without copies, and copies that a restoration left incomplete.', async () => {
    const blockedAt = await store.blockHost('evil.example');
    await Promise.all(blocklistCopies.map((copy, index) => (index % 2 ? store.deleteItem(copy) : undefined)));
    const taken = await bytes();
    expect(await store.blockHost('evil.example')).toBe(blockedAt);
    expect([await hosts(), await bytes()]).toEqual([['evil.example'], taken]);
  });

  test('A repair does not block a host again that another operator unblocks at the same time.', async () => {
    await store.blockHost('evil.example');
    await overtaken(
      () => store.unblockHost('evil.example'),
      () => store.blockHost('evil.example'),
      { command: 'TransactWriteItems', number: 1 },
    );
    expect(await hosts()).toEqual([]);
  });
});
