import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { type Click, rowDimensions } from '../../../lambdas/core/click/click.ts';
import { foldReferrer } from '../../../lambdas/core/click/referrers.ts';
import { type ClickRow, rowsOfText, withoutDuplicates } from '../../../lambdas/core/click/row.ts';
import { countKey, failureKey, tailEntryKey } from '../../../lambdas/store/table/keys.ts';
import { type Attempt, type Fault, underFaults } from '../../support/faults/faults.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { handOver, lineagesOf } from '../../support/model/handed-over.ts';
import { runs } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { clickOf, recordOf } from '../../support/things/clicks.ts';

// The rows that counting writes into the tails of workspaces.

let store: Store;
let handler: typeof import('../../../lambdas/events/count-clicks.ts').handler;
let readTail: typeof import('../../../lambdas/store/clicks/tail.ts').readTail;
beforeAll(async () => {
  store = await useStore();
  ({ handler } = await import('../../../lambdas/events/count-clicks.ts'));
  ({ readTail } = await import('../../../lambdas/store/clicks/tail.ts'));
});

type Records = Awaited<ReturnType<typeof recordOf>>[];

const newShardId = () => `shardId-00000001414562045508-${randomBase62(8)}`;
const count = (shardId: string, Records: Records) => handler({ Records, shardId } as never, contextWith(20_000));

const newLink = () => ({
  id: `lnk_${randomBase62(28)}`,
  workspaceId: `ws_${randomBase62(16)}`,
  domain: 'go.example.com',
  clickEpoch: 0,
});

const rowsIn = async (workspaceId: string): Promise<ClickRow[]> =>
  withoutDuplicates((await Array.fromAsync(readTail(workspaceId))).flatMap(({ text }) => rowsOfText(text)));

const countOf = async (linkId: string) => Number((await store.getItem(countKey(linkId)))?.count ?? 0);

/** A click's row without its shard. */
const rowOf = ({ workspaceId: _, ...click }: Click) => ({ ...click, referrer: foldReferrer(click.referrer) });

const asSet = (rows: readonly { readonly id: string }[]) => new Map(rows.map((row) => [row.id, row]));

const value = fc.constantFrom('none', 'unknown', 'a', 'größe/"\n"', 't.co', '\u{1f600}');
const clicks = fc.record({
  link: fc.nat(2),
  epoch: fc.constantFrom(0, 0, 7),
  minute: fc.nat(3_000),
  visitor: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
  known: fc.tuple(...rowDimensions.map(() => value)),
});

test('However the stream cuts, repeats and splits, and whatever dies or is lost, each click is one row of its workspace, and as many are counted.', async () => {
  await fc.assert(
    fc.asyncProperty(lineagesOf(clicks), async (lineages) => {
      // Two links of one workspace, and one of another.
      const [first, other] = [newLink(), newLink()];
      const links = [first, { ...newLink(), workspaceId: first.workspaceId }, other];
      const made: { readonly click: Click; readonly sequenceNumber: string }[] = [];
      await Promise.all(
        lineages.map(async (lineage) => {
          for (const shard of lineage) {
            const shardId = newShardId();
            const records = await Promise.all(
              shard.items.map(async ({ link, epoch, minute, visitor, known }, index) => {
                const found = links[link] ?? other;
                const dimensions = Object.fromEntries(rowDimensions.map((dimension, index) => [dimension, known[index]]));
                const at = Date.UTC(2030, 0, 2) + minute * 60_000;
                const click = clickOf({ ...found, clickEpoch: epoch }, at, { ...dimensions, visitor });
                const sequenceNumber = String(7 + index * shard.stride);
                made.push({ click, sequenceNumber });
                return recordOf(click, sequenceNumber);
              }),
            );
            await handOver(
              { ...shard, items: records },
              ({ item }) => item,
              (some) => count(shardId, some),
            );
          }
        }),
      );
      for (const workspaceId of [first.workspaceId, other.workspaceId]) {
        const expected = made.filter(({ click }) => click.workspaceId === workspaceId);
        const rows = await rowsIn(workspaceId);
        expect(asSet(rows)).toEqual(
          asSet(
            expected.map(({ click, sequenceNumber }) => ({
              ...rowOf(click),
              sequenceNumber,
              shard: expect.any(String),
            })) as unknown as ClickRow[],
          ),
        );
      }
      for (const { id } of links) {
        const ofLink = made.filter(({ click }) => click.linkId === id).map(({ click }) => click.epoch);
        const newest = Math.max(...ofLink);
        expect(await countOf(id)).toBe(ofLink.filter((epoch) => epoch === newest).length);
      }
    }),
    { numRuns: runs(5) },
  );
});

/** Records of this many clicks of a link. */
async function recordsOf(link: ReturnType<typeof newLink>, many: number): Promise<Records> {
  const clicks = Array.from({ length: many }, (_, index) => clickOf(link, Date.UTC(2030, 0, 2) + index));
  return Promise.all(clicks.map((click, index) => recordOf(click, String(100 + index))));
}

test.for<Fault>(['dead-before', 'dead-after', 'lost-after'])(
  'A batch that meets "%s" at any of its calls, and is delivered again with another end, leaves no count without its row, and each row once.',
  async (fault) => {
    for (let at = 0, calls = 1; at < calls; at++) {
      const link = newLink();
      const shardId = newShardId();
      const records = await recordsOf(link, 10);
      const { attempts } = await underFaults(
        ({ index }: Attempt) => (index === at ? fault : undefined),
        () => count(shardId, records.slice(0, 5)).catch(() => undefined),
      );
      calls = Math.max(calls, attempts.length);
      expect((await rowsIn(link.workspaceId)).length).toBeGreaterThanOrEqual(await countOf(link.id));
      await count(shardId, records);
      expect([(await rowsIn(link.workspaceId)).length, await countOf(link.id)]).toEqual([10, 10]);
      expect(await store.getItem(tailEntryKey(link.workspaceId))).toMatchObject({ since: '2030-01-02T00:00:00.000Z' });
    }
  },
);

test('A workspace whose tail is busy does not delay others, and its clicks are counted once the tail has them.', async () => {
  const [busy, other] = [newLink(), newLink()];
  const shardId = newShardId();
  const records = [...(await recordsOf(busy, 2)), ...(await recordsOf(other, 2))];
  for (const [index, { dynamodb }] of records.entries()) dynamodb.SequenceNumber = String(100 + index);
  const isBusy = ({ command, input }: Attempt) =>
    command === 'PutItem' && JSON.stringify(input).includes(busy.workspaceId) ? ('throttle' as const) : undefined;
  await expect(underFaults(isBusy, () => count(shardId, records))).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  expect([await countOf(busy.id), await countOf(other.id)]).toEqual([0, 2]);
  await count(shardId, records);
  expect([await countOf(busy.id), await countOf(other.id)]).toEqual([2, 2]);
  expect([(await rowsIn(busy.workspaceId)).length, (await rowsIn(other.workspaceId)).length]).toEqual([2, 2]);
});

test('Rows that the table refuses as invalid are put aside with an alarm, and are counted all the same.', async () => {
  const link = newLink();
  const shardId = newShardId();
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { intercept } = await import('../../../lambdas/store/table/interceptors.ts');
  const stop = intercept(async (operation, input, next) => {
    if (operation !== 'PutItem' || !JSON.stringify(input).includes(`TAIL#${link.workspaceId}`)) return next(input);
    throw Object.assign(new Error('too large'), { name: 'ValidationException' });
  });
  await count(shardId, await recordsOf(link, 2));
  stop();
  expect(log.mock.calls).toMatchObject([[{ shardId, clicks: 2, counts: tailEntryKey(link.workspaceId), reason: 'too large' }]]);
  log.mockRestore();
  const { pk, sk } = tailEntryKey(link.workspaceId);
  expect(await store.getItem(failureKey('count-clicks', shardId, `100#${pk}#${sk}`))).toMatchObject({
    clicks: [{ sequenceNumber: '100' }, { sequenceNumber: '101' }],
  });
  expect(await countOf(link.id)).toBe(2);
});
