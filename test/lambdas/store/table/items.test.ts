import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/domain/base62.ts';
import { newRequestToken } from '../../../../lambdas/domain/ids.ts';
import { ConditionFailed, failedCondition, isAbsent, isPresent } from '../../../../lambdas/store/table/conditions.ts';
import { type Store, useStore } from '../../../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const values = {
  text: 'text',
  empty: '',
  whole: 2 ** 53 - 1,
  fraction: 0.1,
  yes: true,
  nothing: null,
  list: [1, 'two', { three: [] }],
  map: { number: 0, map: {} },
  set: new Set(['a', 'b']),
};

const newItem = () => ({ pk: `CLICK#${randomBase62(10)}`, sk: 'CLICK', ...values });

test.for([
  ['a put', (item) => store.putItem(item)],
  ['an insert', (item) => store.insertItems([item])],
  ['a transaction', (item) => store.transact([store.putting(item)], newRequestToken())],
] as [string, (item: ReturnType<typeof newItem>) => Promise<unknown>][])(
  'An item of %s comes back as it was written, however it is read, without what was undefined.',
  async ([, write]) => {
    const item = newItem();
    await write(Object.assign({ absent: undefined }, item));
    const updated = await store.updateItem(item, { text: 'SET #whole = :whole', values: { ':whole': item.whole } });
    const failures = [
      await failedCondition(store.putItem(item, isAbsent)),
      await failedCondition(store.transact([store.putting(item, isAbsent)], newRequestToken())),
    ];
    const found = [
      await store.getItem(item),
      ...(await store.getItems([item])),
      ...(await Array.fromAsync(store.query({ pk: item.pk, skPrefix: 'CLICK' }))),
      updated,
      ...failures.map((failed) => failed?.held()),
    ];
    expect(found).toHaveLength(6);
    for (const one of found) expect(one).toStrictEqual(item);
  },
);

test('A condition that fails where nothing is brings no item for a write, and an empty one for a transaction.', async () => {
  const key = newItem();
  expect(await failedCondition(store.deleteItem(key, isPresent))).toEqual(new ConditionFailed([undefined]));
  const both = store.transact([store.putting(newItem()), store.deleting(key, isPresent)], newRequestToken());
  expect((await failedCondition(both))?.items).toEqual([undefined, {}]);
});
