import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { rowsOfText } from '../../../lambdas/core/click/row.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { countKey } from '../../../lambdas/store/table/keys.ts';
import { deliver, type StreamRecord } from '../../../local/streams/batch.ts';
import { type Attempt, type Fault, ifPossible, underFaults } from '../../support/faults/faults.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { handOver, lineagesOf } from '../../support/model/handed-over.ts';
import { runs } from '../../support/run/proof.ts';
import { inOwnTime } from '../../support/store/own-time.ts';
import { type Store, useStore } from '../../support/store/store.ts';

vi.mock('../../../lambdas/runtime/instant.ts', async (original) =>
  (await import('../../support/store/own-time.ts')).withOwnTime(await original()),
);

let store: Store;
let handler: typeof import('../../../lambdas/events/count-clicks.ts').handler;
let tail: typeof import('../../../lambdas/store/clicks/tail.ts');
beforeAll(async () => {
  store = await useStore();
  ({ handler } = await import('../../../lambdas/events/count-clicks.ts'));
  tail = await import('../../../lambdas/store/clicks/tail.ts');
});

/** The id of a link without an item, which counting does not need. */
const newLinkId = () => `lnk_${randomBase62(28)}`;
const newShardId = () => `shardId-00000001414562045508-${randomBase62(8)}`;

const counterOf = (linkId: string) => store.getItem(countKey(linkId));
const countOf = async (linkId: string) => Number((await counterOf(linkId))?.count ?? 0);

/** The stream's record of a click. */
const recordOf = (linkId: string, sequenceNumber: number | string, workspaceId = 'ws_1'): DynamoDBRecord => ({
  eventName: 'INSERT',
  dynamodb: {
    Keys: { pk: { S: `CLICK#${linkId}#7` }, sk: { S: `2030-01-02T03:04:05.678Z#${sequenceNumber}` } },
    NewImage: { workspaceId: { S: workspaceId }, host: { S: 'go.example.com' } },
    SequenceNumber: String(sequenceNumber),
    ApproximateCreationDateTime: 1_900_000_000,
  },
});

const count = (shardId: string, Records: DynamoDBRecord[], budget = 20_000) => handler({ Records, shardId }, contextWith(budget));

const faultless = () => undefined;

test('Each click is counted once, however batches are cut, repeated and interrupted.', async () => {
  await fc.assert(
    fc.asyncProperty(lineagesOf(fc.nat(2)), async (shards) => {
      const links = [newLinkId(), newLinkId(), newLinkId()];
      // Shards run in parallel, and the successors of each in turn.
      await Promise.all(
        shards.map(async (lineage) => {
          for (const one of lineage) {
            const shardId = newShardId();
            await handOver(
              one,
              ({ item, sequenceNumber }) => recordOf(links[item] ?? '', sequenceNumber),
              (records) => count(shardId, records),
            );
          }
        }),
      );
      const clicked = shards.flat().flatMap(({ items }) => items);
      const expected = links.map((_, link) => clicked.filter((it) => it === link).length);
      expect(await Promise.all(links.map(countOf))).toEqual(expected);
    }),
    { numRuns: runs(3) },
  );
});

test('However many clicks a batch has, it costs half a read unit and a write for each link, and the writes of its compressed rows.', async () => {
  const links = [newLinkId(), newLinkId(), newLinkId()];
  const workspaceId = `ws_${randomBase62(16)}`;
  const shardId = newShardId();
  for (const batch of [0, 1, 2]) {
    const records = Array.from({ length: 600 }, (_, index) =>
      recordOf(links[index % 3] ?? '', batch * 600 + index + 1, workspaceId),
    );
    // In its own time, so that a busy machine makes no call slow.
    const { commands, units } = await inOwnTime(() => underFaults(faultless, () => count(shardId, records)));
    // The first batch notes that the workspace has a tail.
    const noted = batch === 0 ? 1 : 0;
    const pieces = await Array.fromAsync(tail.readTail(workspaceId));
    expect(pieces).toHaveLength(batch + 1);
    const piece = pieces.find(({ text }) => rowsOfText(text)[0]?.sequenceNumber === String(batch * 600 + 1));
    if (!piece) throw new Error('no piece');
    const { key, bytes } = piece;
    const rowUnits = Math.ceil((bytes + Buffer.byteLength(`${key.pk}${key.sk}pkskrows`)) / 1_024);
    expect(rowUnits).toBeLessThan(20);
    expect(commands.toSorted()).toEqual(['BatchGetItem', 'PutItem', ...Array(3 + noted).fill('UpdateItem')]);
    expect(units).toEqual({ read: 1.5, write: 3 + noted + rowUnits });
  }
  expect(await Promise.all(links.map(countOf))).toEqual([600, 600, 600]);
});

test('A batch that was interrupted anywhere continues with the clicks that are not counted yet, and writes nothing twice.', async () => {
  const links = Array.from({ length: 40 }, newLinkId);
  const workspaceId = `ws_${randomBase62(16)}`;
  const records = links.map((linkId, index) => recordOf(linkId, index + 1, workspaceId));
  const shardId = newShardId();
  let written = 0;
  for (const most of [0, 1, 10, 20]) {
    let writes = 0;
    const dying = ({ command }: Attempt) => (command === 'UpdateItem' && ++writes > most ? ('dead-before' as const) : undefined);
    await expect(underFaults(dying, () => count(shardId, records))).rejects.toThrow('injected death');
    written += most;
  }
  const { commands } = await underFaults(faultless, () => count(shardId, records));
  // The second attempt has only noted that the workspace has a tail.
  expect(commands.filter((command) => command === 'UpdateItem')).toHaveLength(links.length + 1 - written);
  expect(await Promise.all(links.map(countOf))).toEqual(links.map(() => 1));
});

test('A batch that fails is retried as a whole, because halves would cost a throttled counter more writes.', async () => {
  const refused = 2;
  const writesOf = async (bisect: boolean) => {
    const links = [newLinkId(), newLinkId()];
    const shardId = newShardId();
    const records = Array.from({ length: 32 }, (_, index): StreamRecord => {
      const { dynamodb, ...record } = recordOf(links[index % 2] ?? '', index + 1);
      const SequenceNumber = String(index + 1);
      return { ...record, dynamodb: { ...dynamodb, SequenceNumber, ApproximateCreationDateTime: Date.now() / 1_000 } };
    });
    let [invocations, writes] = [0, 0];
    await deliver(
      records,
      { bisect, maxRetries: Number.POSITIVE_INFINITY, maxAgeMs: Number.POSITIVE_INFINITY },
      {
        attempt: async (batch) => {
          const isRefused = invocations++ < refused;
          const decide = ({ command, input }: Attempt) => {
            const isCounter = command === 'UpdateItem' && JSON.stringify(input).includes('"sk":"COUNT"');
            if (isCounter) writes++;
            return isRefused && isCounter ? ('dead-before' as const) : undefined;
          };
          await underFaults(decide, () => count(shardId, [...batch] as DynamoDBRecord[]));
          return batch.length;
        },
        done: () => {},
        giveUp: () => {},
        signal: new AbortController().signal,
      },
    );
    expect(await Promise.all(links.map(countOf))).toEqual([16, 16]);
    return writes / links.length;
  };
  expect(await writesOf(false)).toBe(refused + 1);
  expect(await writesOf(true)).toBeGreaterThan(refused + 1);
});

test('Sequence numbers are compared as numbers, up to their 40 digits.', async () => {
  const linkId = newLinkId();
  const shardId = newShardId();
  const numbers = ['9', '10', '99999999999999999999', '100000000000000000000', '9'.repeat(39), '9'.repeat(40)];
  for (const number of numbers) await count(shardId, [recordOf(linkId, number)]);
  for (const number of numbers) await count(shardId, [recordOf(linkId, number)]);
  expect(await countOf(linkId)).toBe(numbers.length);
});

test.for<[string, { Records?: [] }]>([
  ['an empty list of records', { Records: [] }],
  ['no list of records', {}],
])('The end of a window, with %s, changes nothing and returns a state, as Lambda requires.', async ([, records]) => {
  const { result, commands } = await underFaults(faultless, () =>
    handler({ ...records, shardId: newShardId() }, contextWith(20_000)),
  );
  expect([result, commands]).toEqual([{ state: {} }, []]);
});

describe('The counter of a deleted link', () => {
  async function newLink() {
    const workspace = await store.newWorkspace();
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    return found;
  }

  /** Expects an item that expires and has no count in the counter's place. */
  async function expectClosed(linkId: string) {
    const { pk: _, sk: __, ttl, ...counter } = (await counterOf(linkId)) ?? {};
    expect(counter).toEqual({});
    expect(Number(ttl) * 1_000).toBeGreaterThan(Date.now() + 24 * 60 * 60 * 1_000);
  }

  test('A late click is not counted, and leaves only an item that expires.', async () => {
    const found = await newLink();
    const { id } = found.link;
    const shardId = newShardId();
    await count(shardId, [recordOf(id, 1)]);
    await store.deleteLink(found);
    await expectClosed(id);
    expect(await count(shardId, [recordOf(id, 1), recordOf(id, 2)])).toEqual({ state: {} });
    expect(await count(newShardId(), [recordOf(id, 3)])).toEqual({ state: {} });
    await expectClosed(id);
  });

  test('A late click of a link that never had a click leaves no counter.', async () => {
    const found = await newLink();
    await store.deleteLink(found);
    await count(newShardId(), [recordOf(found.link.id, 1)]);
    await expectClosed(found.link.id);
  });

  test('However counting and deleting overlap, and whatever responses are lost, no counter is left.', async () => {
    const fault = fc.constantFrom<Fault | undefined>('lost-before', 'lost-after', 'throttle', 'conflict', undefined);
    const faults = fc.array(fault, { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(faults, { minLength: 1, maxLength: 4 }),
        faults,
        async (bulk, batches, deletion) => {
          const found = await newLink();
          const { id } = found.link;
          const shardId = newShardId();
          const meeting = (list: readonly (Fault | undefined)[]) => (attempt: Attempt) =>
            ifPossible(list[attempt.index], attempt.command);
          await Promise.all([
            ...batches.map((list, position) => underFaults(meeting(list), () => count(shardId, [recordOf(id, position + 1)]))),
            underFaults(meeting(deletion), async () => {
              if (bulk) expect(await store.deleteLinks(found.link.workspaceId, [found])).toEqual([undefined]);
              else await store.deleteLink(found);
            }),
          ]);
          await expectClosed(id);
        },
      ),
      { numRuns: runs(3) },
    );
  });
});

test('An event without a shard is refused, because its clicks could not be counted exactly once.', async () => {
  const linkId = newLinkId();
  await expect(handler({ Records: [recordOf(linkId, 1)] }, contextWith(20_000))).rejects.toThrow('tumbling window');
  expect(await countOf(linkId)).toBe(0);
});

describe('A busy counter', () => {
  /** Throttles the updates of some links' counters. */
  const throttling =
    (links: readonly string[], seen: (linkId: string) => void) =>
    ({ input }: Attempt): Fault | undefined => {
      const { Key } = input as { Key?: { pk: string; sk: string } };
      if (Key?.sk !== 'COUNT') return undefined;
      const linkId = Key.pk.slice('COUNT#'.length);
      seen(linkId);
      return links.includes(linkId) ? 'throttle' : undefined;
    };

  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('Busy counters are retried after all others, and after 5 seconds the batch fails, to be retried.', async () => {
    const links = Array.from({ length: 60 }, newLinkId);
    const busy = links.slice(0, 30);
    const shardId = newShardId();
    const records = links.map((linkId, index) => recordOf(linkId, index + 1));
    // A second passes with each attempt on the first counter after its first try, and no time otherwise.
    let ms = 0;
    const begin = process.hrtime.bigint();
    vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => begin + BigInt(ms) * 1_000_000n);
    const others = new Set(links.slice(30));
    const firstTry = 5;
    let attempts = 0;
    const seen = (linkId: string) => {
      others.delete(linkId);
      if (linkId !== busy[0] || ++attempts <= firstTry) return;
      expect(others).toEqual(new Set());
      ms += 1_000;
    };
    const running = underFaults(throttling(busy, seen), () => count(shardId, records));
    await expect(running).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    vi.restoreAllMocks();
    expect(await Promise.all(links.map(countOf))).toEqual(links.map((linkId) => (busy.includes(linkId) ? 0 : 1)));
    // Each of these took a second, beside the first, in which all others were counted.
    expect(attempts - firstTry).toBe(4);
    await count(shardId, records);
    expect(await Promise.all(links.map(countOf))).toEqual(links.map(() => 1));
  });

  test('The clicks of a counter that is busy for a while are counted without a retry of the batch.', async () => {
    const links = Array.from({ length: 8 }, newLinkId);
    const [busy = ''] = links;
    const order: string[] = [];
    const refused = () => order.filter((linkId) => linkId === busy).length <= 7;
    const decide = (attempt: Attempt) => throttling(refused() ? [busy] : [], (linkId) => order.push(linkId))(attempt);
    await underFaults(decide, () =>
      count(
        newShardId(),
        links.map((linkId, index) => recordOf(linkId, index + 1)),
      ),
    );
    expect(await Promise.all(links.map(countOf))).toEqual(links.map(() => 1));
    expect(order.at(-1)).toBe(busy);
  });
});

describe('A counter that cannot count clicks', () => {
  const failuresOf = async (shardId: string) => {
    const keys = (await Array.fromAsync(store.query({ gsi1pk: 'FAILURES' }))).filter(({ pk }) => String(pk).includes(shardId));
    return store.getItems(keys as never);
  };

  test('If a policy denies it, an alarm is raised at once, the others are counted, and the batch is retried.', async () => {
    const [denied = '', other = ''] = [newLinkId(), newLinkId()];
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const stop = intercept(async (_operation, input, next) => {
      if (!JSON.stringify(input).includes(countKey(denied).pk)) return next(input);
      throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
    });
    const batch = count(newShardId(), [recordOf(denied, 1), recordOf(other, 2)]).finally(stop);
    await expect(batch).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(log.mock.calls).toContainEqual([{ message: alarming.accessDenied, reason: 'not authorized' }]);
    log.mockRestore();
    expect(await countOf(other)).toBe(1);
  });

  test('Its clicks are put aside with an alarm and everything that identifies them, and others are counted at once.', async () => {
    const links = [newLinkId(), newLinkId(), newLinkId()];
    const [broken = ''] = links;
    const shardId = newShardId();
    // The table refuses to add to a text, as it refuses an item that is too large.
    await store.putItem({ ...countKey(broken), count: 'many' });
    const records = Array.from({ length: 9 }, (_, index) => recordOf(links[index % 3] ?? '', index + 1));
    const log = vi.spyOn(console, 'error');
    expect(await count(shardId, records)).toEqual({ state: {} });
    expect(log.mock.calls).toMatchObject([
      [{ message: alarming.clicksUncountable, counts: countKey(broken), shardId, clicks: 3 }],
    ]);
    log.mockRestore();
    expect(await count(shardId, records)).toEqual({ state: {} });
    expect(await Promise.all(links.slice(1).map(countOf))).toEqual([3, 3]);
    expect(await failuresOf(shardId)).toEqual([
      {
        pk: `FAILURE#count-clicks#${shardId}#1#COUNT#${broken}#COUNT`,
        sk: 'FAILURE',
        gsi1pk: 'FAILURES',
        gsi1sk: expect.stringMatching(/^\d{4}-.*Z#1$/),
        reader: 'count-clicks',
        shardId,
        sequenceNumber: '1',
        counts: countKey(broken),
        clicks: ['1', '4', '7'].map((sequenceNumber) => ({
          sequenceNumber,
          itemPk: `CLICK#${broken}#7`,
          itemSk: `2030-01-02T03:04:05.678Z#${sequenceNumber}`,
        })),
        reason: expect.any(String),
        failedAt: expect.any(String),
        ttl: expect.any(Number),
      },
    ]);
  });

  test('No record that may still succeed is put aside.', async () => {
    for (const fault of ['throttle', 'lost-before', 'lost-after', 'conflict', 'dead-before', 'dead-after'] as const) {
      const linkId = newLinkId();
      const shardId = newShardId();
      const records = [recordOf(linkId, 1)];
      const running = underFaults(
        () => fault,
        () => count(shardId, records, 300),
      );
      await running.catch(() => undefined);
      expect(await failuresOf(shardId)).toEqual([]);
      await count(shardId, records);
      expect([fault, await countOf(linkId)]).toEqual([fault, 1]);
    }
  });
});

test('A link whose counter cannot be written does not delay the others of its batch.', async () => {
  const links = [newLinkId(), newLinkId(), newLinkId()];
  const shardId = newShardId();
  const records = links.map((linkId, index) => recordOf(linkId, index + 1));
  const first = ({ command, input }: Attempt) =>
    command === 'UpdateItem' && JSON.stringify(input).includes(countKey(links[0] ?? '').pk)
      ? ('dead-before' as const)
      : undefined;
  await expect(underFaults(first, () => count(shardId, records))).rejects.toThrow();
  expect(await Promise.all(links.map(countOf))).toEqual([0, 1, 1]);
  await count(shardId, records);
  expect(await Promise.all(links.map(countOf))).toEqual([1, 1, 1]);
});

describe('A malformed record', () => {
  const good = newLinkId();
  const { dynamodb } = recordOf(good, 2);
  const sk = { S: '2030-01-02T03:04:05.678Z#2' };
  const malformed: Record<string, NonNullable<DynamoDBRecord['dynamodb']>> = {
    'has no link': { ...dynamodb, Keys: { pk: { S: 'CLICK#' }, sk } },
    'has another kind of key': { ...dynamodb, Keys: { pk: { N: '7' }, sk } },
    'has an invalid link': { ...dynamodb, Keys: { pk: { S: 'CLICK#lnk_short#7' }, sk } },
    "is another item's": { ...dynamodb, Keys: { pk: { S: `COUNT#${good}` }, sk } },
    'has no host': { ...dynamodb, NewImage: { workspaceId: { S: 'ws_1' } } },
    'has no keys': { SequenceNumber: '2' },
    'has no time': { Keys: dynamodb?.Keys ?? {}, SequenceNumber: '2' },
  };

  test.for(Object.entries(malformed))(
    'A record that %s is put aside once, with an alarm, and those around it are counted.',
    async ([, bad]) => {
      const linkId = newLinkId();
      const shardId = newShardId();
      const records = [recordOf(linkId, 1), { dynamodb: bad }, recordOf(linkId, 3)];
      const log = vi.spyOn(console, 'error');
      expect(await count(shardId, records)).toEqual({ state: {} });
      expect(log.mock.calls).toMatchObject([[{ message: alarming.clickUnreadable, shardId }]]);
      log.mockRestore();
      expect(await count(shardId, records)).toEqual({ state: {} });
      expect(await countOf(linkId)).toBe(2);
      const listed = (await Array.fromAsync(store.query({ gsi1pk: 'FAILURES' }))).filter(({ pk }) =>
        String(pk).includes(shardId),
      );
      const items = await store.getItems(listed as never);
      expect(items).toEqual([
        {
          pk: `FAILURE#count-clicks#${shardId}#2`,
          sk: 'FAILURE',
          gsi1pk: 'FAILURES',
          gsi1sk: expect.stringMatching(/^\d{4}-.*Z#2$/),
          reader: 'count-clicks',
          shardId,
          sequenceNumber: '2',
          ...(bad.Keys?.pk?.S && { itemPk: bad.Keys.pk.S }),
          ...(bad.Keys && { itemSk: '2030-01-02T03:04:05.678Z#2' }),
          failedAt: expect.any(String),
          ttl: expect.any(Number),
        },
      ]);
    },
  );
});
