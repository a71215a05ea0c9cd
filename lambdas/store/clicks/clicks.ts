import { type Click, type Dimension, dimensions } from '../../core/click/click.ts';
import { recordedAs } from '../../core/click/recorded.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { Item } from '../table/client.ts';
import { maybeText } from '../table/fields.ts';
import { clickAt, clickKey, type Key, linkOfClick, toKey } from '../table/keys.ts';
import { deleteItem, putItem } from '../table/writes.ts';

/**
 * How many days the record of a click is kept: longer than the queue, the stream and what is put aside can take
 * together before the click has a row.
 */
export const recordDays = 17;

/** The item that records a click. Its key says link, time and id. An epoch of 0 is left out. */
export const clickItem = ({ id, linkId, at, epoch, ...click }: Click): Key & Item => ({
  ...clickKey({ linkId, at, id }),
  ...click,
  ...(epoch > 0 && { epoch }),
  ttl: Math.ceil(Date.parse(at) / 1_000) + recordDays * 24 * 60 * 60,
});

/** What a click's item says about its visitor. */
export const recordedDimensions = (item: Item): Record<Dimension, string> =>
  recordedAs(dimensions, (dimension) => maybeText(item, dimension));

/** A click as its item has it, and as webhooks report it. */
export type RecordedClick = Pick<Click, 'id' | 'at' | 'linkId' | Dimension>;

/** The click of an item. */
export const toRecordedClick = (linkId: string, item: Item): RecordedClick => ({
  ...clickAt(toKey(item).sk),
  linkId,
  ...recordedDimensions(item),
});

/** Records a click. Repeating it is harmless, because its key follows from the click. */
export const recordClick = (click: Click): Promise<void> => putItem(clickItem(click));

/**
 * The message for the queue of clicks that wait for the table: the whole item, so that its reader needs no other
 * settings.
 */
export const clickMessage = (click: Click): string => JSON.stringify(clickItem(click));

/** The item in such a message; undefined if there is none. */
export function readClickMessage(message: string): (Key & Item) | undefined {
  try {
    const { pk, sk, ...more } = JSON.parse(message);
    const isClick = typeof pk === 'string' && typeof sk === 'string' && linkOfClick(pk) !== undefined && clickAt(sk).id !== '';
    return isClick ? { pk, sk, ...more } : undefined;
  } catch {
    return undefined;
  }
}

/** Records a click that has waited. Repeating it is harmless, as for `recordClick`. */
export const recordWaitingClick = (item: Key & Item): Promise<void> => putItem(item);

/** Deletes the records of clicks. Repeating it is harmless. */
export const deleteClicks = async (clicks: readonly { readonly itemPk: string; readonly itemSk: string }[]): Promise<void> => {
  await inParallel(clicks, 25, ({ itemPk, itemSk }) => deleteItem({ pk: itemPk, sk: itemSk }));
};
