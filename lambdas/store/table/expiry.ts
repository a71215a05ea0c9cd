import type { Item } from './client.ts';
import { tableTime } from './clock.ts';
import { number } from './fields.ts';

/**
 * Whether an item hasn't expired. The table removes expired ones by their `ttl`, up to some days late
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html), so everything that shows or replaces
 * such an item checks this.
 *
 * @param now in milliseconds since 1970.
 */
export const isKept = (item: Item, now = tableTime()): boolean => item.ttl === undefined || number(item, 'ttl') * 1_000 > now;
