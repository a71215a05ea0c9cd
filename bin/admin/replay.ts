import type { ClickRow } from '../../lambdas/core/click/row.ts';
import type { StageSettings } from '../../lib/stages/settings.ts';
import type { Store } from '../shared/store.ts';
import type { Target } from '../shared/target.ts';

/** How many rows are written at once. */
const rowsAtOnce = 5_000;

/**
 * How much was copied: pieces of tails, notes of erasures, and clicks that had no row. Items of deleted workspaces are
 * skipped.
 */
type Replayed = { pieces: number; notes: number; clicks: number; skipped: number };

/**
 * Copies the clicks of a table that the stage used before into the current ones.
 *
 * @param table its name.
 * @throws Error with one line for the operator if it is the current one, or doesn't exist
 */
export async function replay(
  table: string,
  store: Store,
  target: Pick<Target, 'openClickFiles'>,
  { clickDays }: Pick<StageSettings, 'clickDays'>,
): Promise<Replayed> {
  if (table === process.env.ACTIVITY_TABLE_NAME) throw new Error(`${table} is the stage's current table: name the one before it`);
  await target.openClickFiles();
  process.env.CLICK_DAYS = String(clickDays);
  const workspaces = await store.listWorkspaces();
  const live = new Set(workspaces.filter(({ deletingSince }) => deletingSince === undefined).map(({ id }) => id));
  const noteTail = store.tailNotes();
  const replayed: Replayed = { pieces: 0, notes: 0, clicks: 0, skipped: 0 };
  const clicks = new Map<string, ClickRow[]>();
  for await (const item of itemsOf(table, store.replayedPrefixes)) {
    const workspaceId = store.workspaceOfReplayed(item);
    const { pk } = item;
    const ttl = Number(item.ttl ?? Number.POSITIVE_INFINITY);
    if (ttl * 1_000 < Date.now()) replayed.skipped++;
    else if (pk.startsWith('ERASED#')) {
      if (await store.replayNote(item, live.has(workspaceId), Date.now())) replayed.notes++;
      else replayed.skipped++;
    } else if (!live.has(workspaceId)) replayed.skipped++;
    else if (pk.startsWith('TAIL#')) {
      await noteTail(workspaceId, await store.replayPiece(item));
      replayed.pieces++;
    } else {
      const row = store.replayedRow(item);
      const rows = clicks.get(workspaceId) ?? [];
      if (row) rows.push(row);
      clicks.set(workspaceId, rows);
    }
  }
  for (const [workspaceId, rows] of clicks) replayed.clicks += await keep(workspaceId, rows, store);
  return replayed;
}

/** Stores the clicks that have no row yet and are not erased. @returns how many */
async function keep(workspaceId: string, rows: readonly ClickRow[], store: Store): Promise<number> {
  const { askIds } = await import('../../lambdas/click-log/link-counts.ts');
  const oldest = rows.reduce((oldest, { at }) => (at < oldest ? at : oldest), '~');
  const known = await askIds(workspaceId, Date.parse(oldest));
  const notes = await store.erasedLinks(workspaceId);
  const missing = rows.filter(({ id, linkId, epoch }) => !known.has(id) && epoch >= (notes.get(linkId) ?? 0));
  const noteTail = store.tailNotes();
  for (let from = 0; from < missing.length; from += rowsAtOnce) {
    const some = missing.slice(from, from + rowsAtOnce);
    const bytes = await store.writeTail(workspaceId, some[0]?.shard ?? '', some);
    await noteTail(workspaceId, { bytes, oldest });
  }
  return missing.length;
}

/** The items of a table whose partition keys have one of these prefixes. */
async function* itemsOf(table: string, prefixes: readonly string[]) {
  const { DynamoDBClient, paginateScan } = await import('@aws-sdk/client-dynamodb');
  const { unmarshall } = await import('@aws-sdk/util-dynamodb');
  const client = new DynamoDBClient();
  const FilterExpression = prefixes.map((_, index) => `begins_with(pk, :p${index})`).join(' OR ');
  const ExpressionAttributeValues = Object.fromEntries(prefixes.map((prefix, index) => [`:p${index}`, { S: prefix }]));
  const input = { TableName: table, ConsistentRead: true, FilterExpression, ExpressionAttributeValues };
  try {
    for await (const { Items = [] } of paginateScan({ client }, input)) {
      for (const item of Items) yield unmarshall(item) as { readonly pk: string; readonly sk: string } & Record<string, unknown>;
    }
  } finally {
    client.destroy();
  }
}
