import type { Item } from '../../lambdas/store/table/client.ts';
import { countKey, linkKeyOf } from '../../lambdas/store/table/keys.ts';
import { getItems, query } from '../../lambdas/store/table/reads.ts';
import { newWorkspace } from '../bench/support/fixtures.ts';
import { changedLinks, clickedTwentyTimes } from './arrangements.ts';

/**
 * DynamoDB's size of a value:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
function bytesOfValue(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).replaceAll(/\D/g, '').length / 2) + 1;
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  const parts =
    value instanceof Set || Array.isArray(value) ? [...value].map((one) => ['', one] as const) : Object.entries(value);
  return parts.reduce((sum, [name, one]) => sum + Buffer.byteLength(name) + bytesOfValue(one) + 1, 3);
}

const bytesOfAttributes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOfValue(value), 0);

/** The size of an item and its copy in the index. AWS adds 100 bytes to each. */
function bytesOf(item: Item): number {
  const { pk, sk, gsi1pk, gsi1sk } = item;
  return bytesOfAttributes(item) + 100 + (gsi1pk === undefined ? 0 : bytesOfAttributes({ pk, sk, gsi1pk, gsi1sk }) + 100);
}

const sumOf = (items: readonly Item[]): number => items.reduce((sum, item) => sum + bytesOf(item), 0);

/** The stored bytes of a short link that was clicked, with its counter and one entry of the history. */
export async function storedLinkBytes(): Promise<number> {
  const workspace = await newWorkspace();
  const { id } = await changedLinks(1)(workspace);
  await clickedTwentyTimes(workspace, id);
  const [link = {}] = await getItems([linkKeyOf(id)]);
  const allOf = (pk: string) => Array.fromAsync(query({ pk, between: [' ', '~'] }));
  const history = await allOf(`HISTORY#${id}`);
  return sumOf([link, ...history, ...(await allOf(countKey(id).pk))]);
}
