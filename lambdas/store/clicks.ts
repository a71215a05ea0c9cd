import type { Click } from '../domain/click.ts';
import type { Item } from './client.ts';
import { clickKey, type Key } from './keys.ts';
import { putItem } from './writes.ts';

/** For how long a click is kept, in seconds. */
const keptSeconds = 30 * 24 * 60 * 60;

export const clickItem = ({ id, ...click }: Click): Key & Item => ({
  ...clickKey(id),
  ...click,
  ttl: Math.ceil(Date.parse(click.at) / 1_000) + keptSeconds,
});

/** Records a click. */
export const recordClick = (click: Click): Promise<void> => putItem(clickItem(click));
