import fc from 'fast-check';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { listedShards } from '../../../../lambdas/core/host/listed-hosts.ts';
import type * as Listed from '../../../../lambdas/store/hosts/listed.ts';
import { blocklistCopies, blocklistKey, listedKey } from '../../../../lambdas/store/table/keys.ts';
import { type Fault, underFaults } from '../../../support/faults/faults.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { marksOf } from '../../../support/things/harmful-hosts.ts';

let store: Store;
let listed: typeof Listed;
beforeAll(async () => {
  store = await useStore();
  listed = await import('../../../../lambdas/store/hosts/listed.ts');
});
const shards = Array.from({ length: listedShards }, (_, shard) => listedKey(shard));
// The list is the same for all tests of a process. This file has a process of its own, because it calls blockHost, too.
afterEach(() => Promise.all([blocklistKey, ...blocklistCopies, ...shards].map((key) => store.deleteItem(key))));

const now = Date.parse('2030-01-01T00:00:00Z');
const none = () => undefined;

const replace = (names: readonly string[]) => listed.replaceList(marksOf(names), now);

/** Which of the hosts a function that has just started refuses, and why. */
const refused = async (...hosts: string[]) =>
  [...(await store.destinationChecks().refusedHosts(hosts))].map(([host, { code }]) => [host, code]);

test('Without a list, nothing more is read than before; with one, a shard for each name that may be on it.', async () => {
  const check = async (host: string) => {
    const checks = store.destinationChecks();
    const { commands } = await underFaults(none, () => checks.refusedHosts([host]));
    return commands;
  };
  expect(await check('www.evil.example')).toEqual(['GetItem', 'BatchGetItem']);
  await replace(['evil.example']);
  expect(await check('evil.example')).toEqual(['GetItem', 'BatchGetItem', 'GetItem']);
  expect(await check('www.evil.example')).toEqual(['GetItem', 'BatchGetItem', 'GetItem', 'GetItem']);
  await listed.replaceList([], now);
  expect(await check('www.evil.example')).toEqual(['GetItem', 'BatchGetItem']);
  expect(await refused('evil.example')).toEqual([]);
});

test('A host on the list, or below a name on it, is refused; one that is short or blocked says that instead.', async () => {
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

test('An excused name may be a destination at once, and stays excused when the list is replaced, until it is excused no longer.', async () => {
  await replace(['shared.example', 'evil.shared.example']);
  await Promise.all([listed.excuseName('shared.example'), replace(['shared.example', 'evil.shared.example', 'c.example'])]);
  expect(await listed.getListState()).toEqual({ names: 3, updatedAt: '2030-01-01T00:00:00.000Z', excused: ['shared.example'] });
  expect(await refused('shared.example', 'good.shared.example', 'evil.shared.example')).toEqual([
    ['evil.shared.example', 'destination_listed'],
  ]);
  await listed.unexcuseName('shared.example');
  expect(await refused('good.shared.example')).toEqual([['good.shared.example', 'destination_listed']]);
});

test('Blocking and unblocking a host leaves the list as it is, and the other way round.', async () => {
  await replace(['evil.example']);
  await store.blockHost('blocked.example');
  await replace(['evil.example', 'more.example']);
  await store.unblockHost('blocked.example');
  expect(await refused('evil.example', 'more.example', 'blocked.example')).toHaveLength(2);
  expect([...(await store.getBlockedHosts()).keys()]).toEqual([]);
});

test('Wherever an update of the list dies, what was and stays on the list is refused all the time, and what is on neither never.', async () => {
  const [before, after] = [
    ['old.example', 'both.example'],
    ['both.example', 'new.example'],
  ];
  // The shards of the names are written early and late; and the marker of the first list last of all.
  const places = fc.integer({ min: 0, max: listedShards + 1 });
  await fc.assert(
    fc.asyncProperty(places, fc.constantFrom<Fault>('dead-before', 'dead-after'), async (place, fault) => {
      await replace(before);
      await underFaults(
        ({ index }) => (index === place ? fault : undefined),
        () => replace(after),
      ).catch(none);
      const hosts = (await refused('both.example', 'good.example')).map(([host]) => host);
      expect(hosts).toEqual(['both.example']);
      await replace(after);
      expect((await refused('old.example', 'both.example', 'new.example')).map(([host]) => host)).toEqual(after);
    }),
    { numRuns: runs(4) },
  );
});

test.for<Fault>(['throttle', 'lost-before', 'lost-after', 'conflict'])(
  'A list is replaced, and a name is excused, although each write meets the fault %s.',
  async (fault) => {
    const seen = new Set<string>();
    const once = ({ input }: { input: object }) => {
      const text = JSON.stringify(input);
      if (seen.has(text)) return undefined;
      seen.add(text);
      return fault;
    };
    await underFaults(once, () => replace(['evil.example']));
    await underFaults(once, () => listed.excuseName('a.evil.example'));
    expect((await refused('evil.example', 'a.evil.example')).map(([host]) => host)).toEqual(['evil.example']);
  },
);
