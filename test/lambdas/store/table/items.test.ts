import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { newRequestToken } from '../../../../lambdas/core/ids.ts';
import { ConditionFailed, failedCondition, isAbsent, isPresent } from '../../../../lambdas/store/table/expressions.ts';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import type { Input } from '../../../../lambdas/store/table/operations.ts';
import type { Prefix } from '../../../../lambdas/store/table/tables.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

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

const newItem = (prefix: Prefix = 'LINK') => ({ pk: `${prefix}#${randomBase62(10)}`, sk: 'ITEM', ...values });

test.for([
  ['a put', (item) => store.putItem(item)],
  ['an insert', (item) => store.insertItems([item])],
  ['a transaction', (item) => store.transact([store.putting(item)], newRequestToken())],
] as [string, (item: ReturnType<typeof newItem>) => Promise<unknown>][])(
  'However it is read, an item of %s is as it was written, without undefined values.',
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
      ...(await Array.fromAsync(store.query({ pk: item.pk, skPrefix: 'ITEM' }))),
      updated,
      ...failures.map((failed) => failed?.held()),
    ];
    expect(found).toHaveLength(6);
    for (const one of found) expect(one).toStrictEqual(item);
  },
);

/** Names with a meaning in JavaScript, AWS's library or DynamoDB. Readers of clients' names refuse `__proto__`. */
const name = fc
  .oneof(fc.constantFrom('constructor', 'name', 'toString', 'then', 'toJSON', 'length', 'S', 'M'), fc.string({ minLength: 1 }))
  .filter((one) => one !== '__proto__');
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme' }),
    fc.maxSafeInteger(),
    fc.constantFrom(null, true),
    // Values that AWS's library takes for an instance of a class.
    fc.constantFrom('Set', 'Map', 'Object', 'Number', 'Buffer').map((kind) => ({ constructor: { name: kind } })),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('json')), { maxLength: 3 }).map((fields) => Object.fromEntries(fields)),
  ),
}));

test('Each JSON value is read as it was written, whatever its names.', async () => {
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      const { pk, sk } = newItem();
      const item = { pk, sk, value };
      await store.putItem(item);
      // Vitest's own matchers compare constructors.
      expect(isDeepStrictEqual(await store.getItem(item), JSON.parse(JSON.stringify(item)))).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});

test('A condition that fails without an item has no item for a write, and an empty one for a transaction.', async () => {
  const key = newItem();
  expect(await failedCondition(store.deleteItem(key, isPresent))).toEqual(new ConditionFailed([undefined]));
  const both = store.transact([store.putting(newItem()), store.deleting(key, isPresent)], newRequestToken());
  expect((await failedCondition(both))?.items).toEqual([undefined, {}]);
});

/** Alternating items of both tables. */
const newItems = (count: number) => Array.from({ length: count }, (_, index) => newItem(index % 2 ? 'COUNT' : 'LINK'));

test('Items of both tables are read with one call for each hundred, in the requested order.', async () => {
  const items = newItems(150);
  for (const some of store.chunks(items, 25)) expect(new Set(await store.insertItems(some))).toEqual(new Set(['inserted']));
  const { result, commands } = await underFaults(
    () => undefined,
    () => store.getItems([...items, newItem('COUNT')]),
  );
  expect(result).toEqual([...items, undefined]);
  expect(commands).toHaveLength(2);
});

test('A transaction over both tables writes all of its items, or none if a condition in either table fails.', async () => {
  for (const taken of ['LINK', 'COUNT'] as const) {
    const [there, one, other] = [newItem(taken), newItem('LINK'), newItem('COUNT')];
    await store.putItem(there);
    const writes = [store.putting(one), store.putting(there, isAbsent), store.putting(other)];
    expect((await failedCondition(store.transact(writes, newRequestToken())))?.items).toEqual([undefined, there, undefined]);
    expect(await store.getItems([one, other])).toEqual([undefined, undefined]);
    await store.transact([store.putting(one), store.putting(other)], newRequestToken());
    expect(await store.getItems([one, other])).toEqual([one, other]);
  }
});

test('A read continues with the keys that DynamoDB has left unprocessed in either table.', async () => {
  const items = newItems(6);
  await store.insertItems(items);
  let calls = 0;
  const stop = intercept(async (_, input, next) => {
    calls++;
    const { RequestItems = {} } = input as Input<'BatchGetItem'>;
    /** The same request for a part of its keys. */
    const only = (from: number, to?: number) =>
      Object.fromEntries(
        Object.entries(RequestItems)
          .map(([table, request]) => [table, { ...request, Keys: (request.Keys ?? []).slice(from, to) }] as const)
          .filter(([, { Keys }]) => Keys.length > 0),
      );
    return { ...(await next({ RequestItems: only(0, 1) })), UnprocessedKeys: only(1) };
  });
  try {
    expect(await store.getItems(items)).toEqual(items);
    expect(calls).toBe(3);
  } finally {
    stop();
  }
});
