import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { listedPlace, listedShards } from '../../../lambdas/core/host/listed-hosts.ts';
import type * as Listed from '../../../lambdas/operator/listed-hosts.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { blocklistCopies, blocklistKey, listedKey } from '../../../lambdas/store/table/keys.ts';
import { type Fault, underFaults } from '../../support/faults/faults.ts';
import { sized } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { marksOf } from '../../support/things/harmful-hosts.ts';

let store: Store;
let listed: typeof Listed;
beforeAll(async () => {
  store = await useStore();
  listed = await import('../../../lambdas/operator/listed-hosts.ts');
});
const shards = Array.from({ length: listedShards }, (_, shard) => listedKey(shard));
// All tests of a process share the list. This file has its own process, because it also calls blockHost.
afterEach(() => vi.restoreAllMocks());
afterEach(() => Promise.all([blocklistKey, ...blocklistCopies, ...shards].map((key) => store.deleteItem(key))));

const now = Date.parse('2030-01-01T00:00:00Z');
const none = () => undefined;

const replace = (names: readonly string[]) => listed.replaceList(marksOf(names), now);

/** The hosts that a new function refuses, with the reasons. */
const refused = async (...hosts: string[]) =>
  [...(await store.destinationChecks().refusedHosts(hosts))].map(([host, { code }]) => [host, code]);

test('Without a list, no shard is read; with one, the shards of all names that may be on it are read in one call.', async () => {
  const check = async (host: string) => {
    const checks = store.destinationChecks();
    const { commands } = await underFaults(none, () => checks.refusedHosts([host]));
    return commands;
  };
  expect(await check('www.evil.example')).toEqual(['GetItem', 'BatchGetItem']);
  await replace(['evil.example']);
  expect(await check('evil.example')).toEqual(['GetItem', 'BatchGetItem', 'BatchGetItem']);
  expect(await check('a.b.www.evil.example')).toEqual(['GetItem', 'BatchGetItem', 'BatchGetItem']);
  await listed.replaceList([], now);
  expect(await check('www.evil.example')).toEqual(['GetItem', 'BatchGetItem']);
  expect(await refused('evil.example')).toEqual([]);
});

test('A host on the list, or below a name on it, is refused; a short domain or a blocked host gets its own reason instead.', async () => {
  const { domain } = await store.newWorkspace();
  await replace(['evil.example', 'both.example', domain.host]);
  await store.blockHost('both.example');
  expect(
    await refused('evil.example', 'a.b.evil.example', 'both.example', domain.host, 'good.example', 'notevil.example'),
  ).toEqual([
    ['evil.example', 'destination_listed'],
    ['a.b.evil.example', 'destination_listed'],
    ['both.example', 'destination_blocked'],
    [domain.host, 'destination_short_domain'],
  ]);
});

test('An excused name may be a destination at once, and stays excused when the list is replaced, until the operator revokes that.', async () => {
  await replace(['shared.example', 'evil.shared.example']);
  await Promise.all([listed.excuseName('shared.example'), replace(['shared.example', 'evil.shared.example', 'c.example'])]);
  expect(await listed.getListState()).toEqual({ names: 3, updatedAt: '2030-01-01T00:00:00.000Z', excused: ['shared.example'] });
  expect(await refused('shared.example', 'good.shared.example', 'evil.shared.example')).toEqual([
    ['evil.shared.example', 'destination_listed'],
  ]);
  await listed.unexcuseName('shared.example');
  expect(await refused('good.shared.example')).toEqual([['good.shared.example', 'destination_listed']]);
});

test('Blocking and unblocking a host does not change the list, nor does the list change blocked hosts.', async () => {
  await replace(['evil.example']);
  await store.blockHost('blocked.example');
  await replace(['evil.example', 'more.example']);
  await store.unblockHost('blocked.example');
  expect(await refused('evil.example', 'more.example', 'blocked.example')).toHaveLength(2);
  expect([...(await store.getBlockedHosts()).keys()]).toEqual([]);
});

/** A name in each shard of the list, by the shard. */
function nameInEachShard(prefix: string): string[] {
  const names: string[] = [];
  for (let index = 0; Object.keys(names).length < listedShards; index++) {
    const name = `${prefix}${index}.example`;
    names[listedPlace(name).shard] ??= name;
  }
  return names;
}
const [old, both, fresh] = [nameInEachShard('old'), nameInEachShard('both'), nameInEachShard('new')] as const;

/** The names that a new function refuses of a list. */
const refusedOf = async (hosts: readonly string[]) => [...(await store.destinationChecks().refusedHosts(hosts)).keys()];

test('However many hosts a client sends, a function reads each shard once in 50 seconds, and then knows the new list and excused names.', async () => {
  await replace(both);
  const checks = store.destinationChecks();
  const look = () => underFaults(none, () => checks.refusedHosts(both));
  const shardsRead = ({ attempts }: Awaited<ReturnType<typeof look>>) =>
    attempts.reduce((sum, { input }) => sum + (JSON.stringify(input).match(/BLOCKLIST#listed#/g) ?? []).length, 0);
  const first = await look();
  expect([shardsRead(first), first.result.size]).toEqual([listedShards, listedShards]);
  const [excused = '', ...others] = both;
  await Promise.all([replace([excused, ...fresh, ...others.slice(1)]), listed.excuseName(excused)]);
  expect([shardsRead(await look()), [...(await look()).result.keys()]]).toEqual([0, both]);
  const realNow = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 50_000);
  const later = await look();
  expect([shardsRead(later), [...later.result.keys()]]).toEqual([listedShards, others.slice(1)]);
});

test('After each write of an update, names on both lists are refused, and names on neither list are accepted.', async () => {
  await replace([...old, ...both]);
  const seen: string[][] = [];
  // One write at a time, with a check of the list after each.
  let turn: Promise<unknown> = Promise.resolve();
  const stop = intercept((command, input, next) => {
    if (command !== 'TransactWriteItems') return next(input);
    const written = turn.then(() => next(input));
    const shard = seen.length % listedShards;
    seen.push([]);
    turn = written.then(async () => {
      const across = (shard + listedShards / 2) % listedShards;
      seen[shard] = await refusedOf([String(both[shard]), String(both[across]), `good${shard}.example`]);
    });
    return turn.then(() => written);
  });
  await replace([...both, ...fresh]).finally(stop);
  expect(seen).toHaveLength(listedShards + 2);
  for (const hosts of seen.slice(0, listedShards)) expect(hosts.filter((host) => both.includes(host))).toHaveLength(2);
  expect(seen.flat().filter((host) => host.startsWith('good'))).toEqual([]);
});

describe('If somebody else replaces or drops the list while an update is under way,', () => {
  const first = both.slice(0, 40);
  test.for([
    ['dropped', []],
    ['replaced', fresh.slice(0, 30)],
  ] as const)(
    "and it is %s, exactly the names of the later list are refused, whatever the update's progress.",
    async ([, second]) => {
      for (const place of sized([1, 20, listedShards + 1], [0, 1, 2, 20, listedShards, listedShards + 1])) {
        let count = 0;
        let later: Promise<unknown> | undefined;
        // The later one runs completely before that write of the update.
        const stop = intercept(async (command, input, next) => {
          if (command === 'TransactWriteItems' && count++ === place) {
            later = replace(second);
            await later;
          }
          return next(input);
        });
        await replace(first).finally(stop);
        expect(later).toBeDefined();
        const { names } = await listed.getListState();
        const seen = await refusedOf([...first, ...second]);
        expect([place, names, seen.length]).toEqual([place, seen.length, names]);
        expect([first, second]).toContainEqual(seen);
        if (place > 0) expect(seen).toEqual(second);
      }
    },
  );

  test('and both write at once, the result is one of the two lists.', async () => {
    for (let round = 0; round < 3; round++) {
      await Promise.all([replace(first), replace([]), replace(fresh.slice(0, 30))]);
      const { names } = await listed.getListState();
      expect((await refusedOf([...both, ...fresh])).length).toBe(names);
    }
  });
});

// Two calls begin an update. One for each shard and one for the number of names follow. `npm test` tries some of them.
const lastPlace = listedShards + 2;
const places = Array.from({ length: lastPlace + 1 }, (_, place) => place).filter(
  (place) => place % sized(listedShards, 1) === sized(listedShards / 2, 0) || place === lastPlace,
);

test.for<Fault>(['dead-before', 'dead-after'])(
  'Whichever write of an update is its last (%s), names on both lists are refused, and the next update completes it.',
  async (fault) => {
    let [before, after] = [
      [...old, ...both],
      [...both, ...fresh],
    ];
    await replace(before);
    for (const place of places) {
      // A dead run writes nothing more.
      const decide = ({ index }: { index: number }) => (index < place ? undefined : index === place ? fault : 'dead-before');
      const update = after;
      await expect(underFaults(decide, () => replace(update))).rejects.toThrow('injected death');
      expect(await refusedOf([...both, 'good.example'])).toEqual(both);
      await replace(update);
      expect(await refusedOf([...old, ...both, ...fresh])).toEqual(update);
      // The next update restores the former list.
      [before, after] = [after, before];
    }
  },
);

test.for<Fault>(['dead-before', 'dead-after'])(
  'Whichever write of a first list is its last (%s), only its names are refused, and none are after a removal.',
  async (fault) => {
    for (const place of [2, lastPlace]) {
      const decide = ({ index }: { index: number }) => (index < place ? undefined : index === place ? fault : 'dead-before');
      await listed.replaceList([], now);
      await expect(underFaults(decide, () => replace(both))).rejects.toThrow('injected death');
      expect(await refusedOf([...both, 'good.example'])).toEqual(place === lastPlace && fault === 'dead-after' ? both : []);
      await replace(both);
      expect(await refusedOf(both)).toEqual(both);
      await expect(underFaults(decide, () => listed.replaceList([], now))).rejects.toThrow('injected death');
      expect(await refusedOf(['good.example', ...fresh])).toEqual([]);
      await listed.replaceList([], now);
      expect(await refusedOf(both)).toEqual([]);
    }
  },
);

test.for<Fault>(['throttle', 'lost-before', 'lost-after', 'conflict'])(
  'A list is replaced, and a name is excused, even if each write meets the fault %s.',
  async (fault) => {
    const seen = new Set<string>();
    const once = ({ command, input }: { command: string; input: object }) => {
      const text = JSON.stringify(input);
      // Reads cannot conflict with transactions.
      if (seen.has(text) || (fault === 'conflict' && command === 'GetItem')) return undefined;
      seen.add(text);
      return fault;
    };
    await underFaults(once, () => replace(['evil.example']));
    await underFaults(once, () => listed.excuseName('a.evil.example'));
    expect((await refused('evil.example', 'a.evil.example')).map(([host]) => host)).toEqual(['evil.example']);
  },
);
