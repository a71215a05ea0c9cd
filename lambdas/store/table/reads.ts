import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { RequestError } from '../../core/errors.ts';
import { backOff, isVisit } from '../../runtime/deadline.ts';
import { setting } from '../../runtime/settings.ts';
import { call, type Item } from './client.ts';
import { BatchGetItem, GetItem, Query, send } from './dynamodb.ts';
import { type Key, keyOf, toKey } from './keys.ts';
import { firstReadTimeout, type Input } from './operations.ts';
import { type Table, tableNameOf, tableSettings } from './tables.ts';

/** Reads one item, strongly consistent. In a visit, the first attempt takes at most `firstReadTimeout`. */
export async function getItem(itemKey: Key): Promise<Item | undefined> {
  const { Item } = await call(
    (options) => send(GetItem, { TableName: tableNameOf(itemKey), Key: keyOf(itemKey), ConsistentRead: true }, options),
    isVisit() ? { firstMs: firstReadTimeout } : {},
  );
  return Item;
}

/** Adds up the read units that reads consume. Once `most` is reached, a query reads no further page. */
export type Meter = { units: number; readonly most: number };

/** Requests the consumed capacity if there is a meter. */
const asking = (meter: Meter | undefined) => (meter ? { ReturnConsumedCapacity: 'TOTAL' as const } : {});

export const isFull = (meter: Meter | undefined): boolean => meter !== undefined && meter.units >= meter.most;

function addTo(meter: Meter | undefined, consumed: ConsumedCapacity | ConsumedCapacity[] = []): void {
  if (!meter) return;
  for (const { CapacityUnits = 0 } of [consumed].flat()) meter.units += CapacityUnits;
}

/** How items are read. @property consistent false reads for half the price, but may return outdated items */
export type Reading = { readonly consistent?: boolean; readonly meter?: Meter };

/**
 * Reads items of any tables, 100 per call. The result has one entry for each key, in order; undefined if there is no
 * item.
 */
export const getItems = (keys: readonly Key[], reading: Reading = {}): Promise<(Item | undefined)[]> =>
  inPages(keys, async (page, found) => {
    for (let attempt = 0; page.length > 0; attempt++) {
      if (attempt > 0) await backOff(attempt);
      page = await readPage(page, found, reading);
    }
  });

/**
 * The same, but for half the price, and with only one attempt. Items may be outdated, or undefined because the table
 * was busy.
 */
export const tryGetItems = (keys: readonly Key[]): Promise<(Item | undefined)[]> =>
  inPages(keys, async (page, found) => {
    await readPage(page, found, { consistent: false }, 1).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
    });
  });

/** Items by their keys, each as one text. */
type Found = Map<string, Item>;
const nameOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

async function inPages(keys: readonly Key[], read: (page: Key[], found: Found) => Promise<void>): Promise<(Item | undefined)[]> {
  const found: Found = new Map();
  const distinct = [...new Map(keys.map((itemKey) => [nameOf(itemKey), keyOf(itemKey)])).values()];
  await Promise.all(chunks(distinct, 100).map((page) => read(page, found)));
  return keys.map((itemKey) => found.get(nameOf(itemKey)));
}

/** Reads items with one call. Returns the keys of those that the table was too busy for. */
async function readPage(
  page: readonly Key[],
  found: Found,
  { consistent = true, meter }: Reading,
  attempts?: number,
): Promise<Key[]> {
  const RequestItems = Object.fromEntries(
    [...Map.groupBy(page, tableNameOf)].map(([table, Keys]) => [table, { Keys, ConsistentRead: consistent }]),
  );
  const result = await call((options) => send(BatchGetItem, { RequestItems, ...asking(meter) }, options), { attempts });
  addTo(meter, result.ConsumedCapacity);
  for (const item of Object.values(result.Responses ?? {}).flat()) found.set(nameOf(toKey(item)), item);
  return Object.values(result.UnprocessedKeys ?? {}).flatMap(({ Keys = [] }) => Keys.map(toKey));
}

/** Splits a list into lists of at most `size`. */
export const chunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, page) => list.slice(page * size, (page + 1) * size));

/** A partition, and the part of it to read. */
type Partition =
  | { readonly pk: string; readonly skPrefix: string }
  /** From the first sort key to the last, with both. */
  | { readonly pk: string; readonly between: readonly [first: string, last: string] }
  /** The same for the index. */
  | (Index & {
      readonly between: readonly [first: string, last: string];
      readonly before?: undefined;
      readonly after?: undefined;
    })
  /** Of the index: the items before `before`, or after `after`, or all of them. */
  | (Index & { readonly before?: string | undefined; readonly after?: undefined })
  | (Index & { readonly before?: undefined; readonly after: string | undefined });

/** A partition of a table's index. The default is that of Links. */
type Index = { readonly gsi1pk: string; readonly of?: Table };

function conditionOf(from: Partition, consistent: boolean): Partial<Input<'Query'>> {
  if ('skPrefix' in from) {
    return {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': from.pk, ':sk': from.skPrefix },
      ConsistentRead: consistent,
    };
  }
  if ('between' in from) {
    const [first, last] = from.between;
    const [name, ofTable] = 'pk' in from ? ['', { ConsistentRead: consistent }] : ['gsi1', { IndexName: 'gsi1' }];
    return {
      KeyConditionExpression: `${name}pk = :pk AND ${name}sk BETWEEN :first AND :last`,
      ExpressionAttributeValues: { ':pk': 'pk' in from ? from.pk : from.gsi1pk, ':first': first, ':last': last },
      ...ofTable,
    };
  }
  const { gsi1pk, before, after } = from;
  const bound = before ?? after;
  return {
    IndexName: 'gsi1',
    KeyConditionExpression: `gsi1pk = :pk${bound === undefined ? '' : ` AND gsi1sk ${before === undefined ? '>' : '<'} :bound`}`,
    ExpressionAttributeValues: { ':pk': gsi1pk, ...(bound !== undefined && { ':bound': bound }) },
  };
}

/**
 * Reads the items of a partition in the order of their sort keys, one page at a time as they are consumed. Reads of the
 * table are strongly consistent; the index lags a moment behind.
 *
 * @param after the key to continue after, only for the table. Its item may be gone.
 * @param limit the most items to return.
 * @param pageSize the most items to read with one call.
 * @param consistent false reads the table for half the price, but may return outdated items.
 * @param meter ends the query after the page that fills it.
 */
export async function* query(
  from: Partition,
  {
    after,
    limit,
    pageSize = 1_000,
    backwards = false,
    consistent = true,
    meter,
  }: {
    after?: Key | undefined;
    limit?: number;
    pageSize?: number;
    backwards?: boolean;
    consistent?: boolean;
    meter?: Meter | undefined;
  } = {},
): AsyncGenerator<Item> {
  let start: Item | undefined = after && keyOf(after);
  let left = limit ?? Number.POSITIVE_INFINITY;
  do {
    const page = await call((options) =>
      send(
        Query,
        {
          TableName: 'pk' in from ? tableNameOf(from) : setting(tableSettings[from.of ?? 'Links']),
          ...conditionOf(from, consistent),
          ScanIndexForward: !backwards,
          ExclusiveStartKey: start,
          Limit: limit || pageSize < 1_000 ? Math.min(left, pageSize) : undefined,
          ...asking(meter),
        },
        options,
      ),
    );
    addTo(meter, page.ConsumedCapacity);
    yield* page.Items ?? [];
    left -= page.Items?.length ?? 0;
    start = page.LastEvaluatedKey;
  } while (start && left > 0 && !isFull(meter));
}
