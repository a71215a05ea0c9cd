import type { Click } from '../../domain/click.ts';
import { setting } from '../../runtime/settings.ts';
import type { Item } from '../table/client.ts';
import { clickKey, type Key } from '../table/keys.ts';
import { putItem } from '../table/writes.ts';

const daySeconds = 24 * 60 * 60;

/** The item of a click, kept for as many days as the stage sets. */
export const clickItem = ({ id, ...click }: Click): Key & Item => ({
  ...clickKey(id),
  ...click,
  ttl: Math.ceil(Date.parse(click.at) / 1_000) + Number(setting('CLICK_DAYS')) * daySeconds,
});

export const recordClick = (click: Click): Promise<void> => putItem(clickItem(click));
