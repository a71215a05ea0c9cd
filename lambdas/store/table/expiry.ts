import type { Item } from './client.ts';
import { tableTime } from './clock.ts';
import { number } from './fields.ts';

/**
 * Whether an item still counts. The table removes expired ones by their `ttl`, up to some days late
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html), so everybody who shows or replaces such an
 * item asks this.
 *
 * @param now in milliseconds since 1970.
 */
export const isKept = (item: Item, now = tableTime()): boolean => item.ttl === undefined || number(item, 'ttl') * 1_000 > now;
