import type { Click } from '../domain/click.ts';
import { setting } from '../env.ts';
import type { Item } from './client.ts';
import { clickKey, type Key } from './keys.ts';
import { putItem } from './writes.ts';

const daySeconds = 24 * 60 * 60;

/** The item of a click, which is kept for as many days as the stage says. */
export const clickItem = ({ id, ...click }: Click): Key & Item => ({
  ...clickKey(id),
  ...click,
  ttl: Math.ceil(Date.parse(click.at) / 1_000) + Number(setting('CLICK_DAYS')) * daySeconds,
});

/** Records a click. */
export const recordClick = (click: Click): Promise<void> => putItem(clickItem(click));
