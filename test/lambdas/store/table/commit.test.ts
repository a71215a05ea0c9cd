import { beforeAll, expect, test } from 'vitest';
import type { Expression } from '../../../../lambdas/store/table/expressions.ts';
import type { Key } from '../../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let commit: typeof import('../../../../lambdas/store/table/commit.ts').commit;
let commitPlain: typeof commit;
let retries: typeof import('../../../../lambdas/store/table/retrying.ts');
let updates: typeof import('../../../../lambdas/store/table/expressions.ts');
beforeAll(async () => {
  store = await useStore();
  ({ commit, commitPlain } = await import('../../../../lambdas/store/table/commit.ts'));
  retries = await import('../../../../lambdas/store/table/retrying.ts');
  updates = await import('../../../../lambdas/store/table/expressions.ts');
});

let keys = 0;
const newKey = (): Key => ({ pk: `LINK#commit${++keys}`, sk: 'LINK' });
const absent: Expression = { text: 'attribute_not_exists(pk)' };
const present: Expression = { text: 'attribute_exists(pk)' };

test('Several writes are all made or none, and each failed condition is reported by the name of its write.', async () => {
  const [there, other] = [newKey(), newKey()];
  await store.putItem({ ...there, name: 'there' });
  const { failed, items } = await commit({
    other: store.putting(other),
    left: undefined,
    gone: store.checking(newKey(), present),
    there: store.putting({ ...there, name: 'new' }, absent),
  });
  expect(failed).toBeDefined();
  expect(items).toEqual({ other: undefined, gone: {}, there: { ...there, name: 'there' } });
  expect(await store.getItem(other)).toBeUndefined();
  expect((await commit({ other: store.putting(other) })).failed).toBeUndefined();
  expect(await store.getItem(other)).toEqual(other);
});

test('One write is a transaction unless it may be plain, which has the same failures and returns an updated item.', async () => {
  const key = newKey();
  const update = (condition: Expression) => ({ link: store.updating(key, updates.set({ title: 'A' }), condition) });
  for (const [make, command] of [
    [commit, 'TransactWriteItems'],
    [commitPlain, 'UpdateItem'],
  ] as const) {
    const { result, commands } = await underFaults(
      () => undefined,
      () => make(update(present)),
    );
    expect(commands).toEqual([command]);
    expect(result.items).toEqual({ link: {} });
  }
  const { failed, items } = await commitPlain(update(absent));
  expect([failed, items.link]).toEqual([undefined, { ...key, title: 'A' }]);
});

test('Without writes, no call is made.', async () => {
  const { commands } = await underFaults(
    () => undefined,
    () => commit({ none: undefined }),
  );
  expect(commands).toEqual([]);
});

test('An update sets, removes, adds, subtracts and keeps fields, and skips undefined ones.', async () => {
  const { formerly, minus, plus, set, unlessSet } = updates;
  const key = newKey();
  await store.putItem({
    ...key,
    name: 'A',
    color: 'red',
    kept: 'old',
    count: 2,
    tags: new Set(['a', 'b']),
    m1: 'first',
    same: 1,
  });
  const update = set({
    name: 'B',
    color: null,
    kept: unlessSet('new'),
    made: unlessSet('new'),
    count: plus(3),
    started: plus(1),
    tags: minus(new Set(['a'])),
    more: plus(new Set(['c'])),
    m1: 'second',
    m2: formerly('m1'),
    m3: formerly('m2'),
    same: undefined,
  });
  await store.updateItem(key, update);
  expect(await store.getItem(key)).toEqual({
    ...key,
    ...{ name: 'B', kept: 'old', made: 'new', count: 5, started: 1, tags: new Set(['b']), more: new Set(['c']) },
    ...{ m1: 'second', m2: 'first', m3: '-', same: 1 },
  });
});

test('A decision that is overtaken is repeated until its deadline.', async () => {
  const { overtaken, retrying } = retries;
  let decisions = 0;
  expect(await retrying(async () => (++decisions < 3 ? overtaken : decisions))).toBe(3);
  await expect(retrying(async () => overtaken, 50)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
});
