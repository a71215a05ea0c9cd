import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { type ClickRow, rowsOfText, withoutDuplicates } from '../../../../lambdas/core/click/row.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { useStore } from '../../../support/store/store.ts';
import { newRow } from '../../../support/things/rows.ts';

let tail: typeof import('../../../../lambdas/store/clicks/tail.ts');
beforeAll(async () => {
  await useStore();
  tail = await import('../../../../lambdas/store/clicks/tail.ts');
});

const newWorkspaceId = () => `ws_${randomBase62(16)}`;
const shard = 'AbCdEfGhIjK';
const rowsFor = (count: number, fields: Partial<ClickRow> = {}) => Array.from({ length: count }, () => newRow(fields));
const read = (workspaceId: string) => Array.fromAsync(tail.readTail(workspaceId));
const idsOf = (rows: readonly ClickRow[]) => rows.map(({ id }) => id);

test('The tail of a workspace has the rows of all its shards, and of no other workspace.', async () => {
  const [workspaceId, other] = [newWorkspaceId(), newWorkspaceId()];
  const shards = Array.from({ length: 20 }, () => randomBase62(11));
  const rows = await Promise.all(
    shards.map(async (shard) => {
      const some = rowsFor(3, { shard });
      await tail.writeTail(workspaceId, shard, some);
      return some;
    }),
  );
  await tail.writeTail(other, shard, rowsFor(1));
  const pieces = await read(workspaceId);
  expect(pieces.flatMap(({ text }) => rowsOfText(text)).toSorted(byId)).toEqual(rows.flat().toSorted(byId));
  expect(new Set(pieces.map(({ key }) => key.pk)).size).toBeGreaterThan(1);
  expect(await read(newWorkspaceId())).toEqual([]);
});

const byId = (one: ClickRow, other: ClickRow) => (one.id < other.id ? -1 : 1);

test('A single click takes one write unit, even with its visitor and long values.', async () => {
  const row = newRow({
    visitor: randomBase62(22),
    referrer: 'news.example.com',
    path: 'docs/guides/start',
    utmSource: 'newsletter',
  });
  const { units } = await underFaults(
    () => undefined,
    () => tail.writeTail(newWorkspaceId(), shard, [row]),
  );
  expect(units).toEqual({ read: 0, write: 1 });
});

test('A batch that is delivered again adds nothing, even with its rows in reverse order.', async () => {
  const workspaceId = newWorkspaceId();
  const rows = rowsFor(5);
  const bytes = await tail.writeTail(workspaceId, shard, rows);
  expect(await tail.writeTail(workspaceId, shard, rows.toReversed())).toBe(bytes);
  const pieces = await read(workspaceId);
  expect(pieces.map(({ text }) => idsOf(rowsOfText(text)))).toEqual([idsOf(rows)]);
  expect(pieces[0]?.bytes).toBe(bytes);
});

test('A batch that is delivered again with another end is another item, and both have their rows.', async () => {
  const workspaceId = newWorkspaceId();
  const rows = rowsFor(100);
  await tail.writeTail(workspaceId, shard, rows.slice(0, 50));
  await tail.writeTail(workspaceId, shard, rows);
  const pieces = await read(workspaceId);
  expect(pieces.map(({ text }) => rowsOfText(text).length).sort()).toEqual([100, 50]);
  expect(withoutDuplicates(pieces.flatMap(({ text }) => rowsOfText(text))).map(({ id }) => id)).toHaveLength(100);
});

test('A batch whose rows another release reads differently replaces no item.', async () => {
  const workspaceId = newWorkspaceId();
  const rows = rowsFor(3);
  await tail.writeTail(workspaceId, shard, rows);
  await tail.writeTail(workspaceId, shard, [rows[0], { ...rows[1], country: 'DE' }, rows[2]] as ClickRow[]);
  const pieces = await read(workspaceId);
  expect(pieces.map(({ text }) => idsOf(rowsOfText(text)))).toEqual([idsOf(rows), idsOf(rows)]);
  expect(new Set(pieces.map(({ hash }) => hash)).size).toBe(2);
});

test('Rows that do not fit into one item are split, even if nothing can be compressed.', async () => {
  const workspaceId = newWorkspaceId();
  const rows = Array.from({ length: 1_000 }, () => newRow({ referrer: randomBase62(253), path: randomBase62(128) }));
  await tail.writeTail(workspaceId, shard, rows);
  const pieces = await read(workspaceId);
  expect(pieces.length).toBeGreaterThan(1);
  for (const { bytes } of pieces) expect(bytes).toBeLessThan(tail.pieceBytes + 1_000);
  expect(pieces.flatMap(({ text }) => idsOf(rowsOfText(text)))).toEqual(idsOf(rows));
});

test('Only the piece that was read is deleted, and its rows in other pieces stay.', async () => {
  const workspaceId = newWorkspaceId();
  const rows = rowsFor(4);
  await tail.writeTail(workspaceId, shard, rows.slice(0, 2));
  const [first] = await read(workspaceId);
  if (!first) throw new Error('no piece');
  await tail.writeTail(workspaceId, shard, rows);
  await tail.writeTail(workspaceId, shard, [rows[0], { ...rows[1], country: 'DE' }] as ClickRow[]);
  await tail.deleteTailPiece(first);
  await tail.deleteTailPiece(first);
  const left = await read(workspaceId);
  expect(left.map(({ text }) => rowsOfText(text).length).sort()).toEqual([2, 4]);
  expect(left.map(({ hash }) => hash)).not.toContain(first.hash);
});
