import { RequestError } from '../../domain/errors.ts';
import { newVisitId } from '../../domain/ids.ts';
import type { Link } from '../../domain/link.ts';
import { backOff, timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { steadyTime } from '../../runtime/instant.ts';
import type { Item } from '../table/client.ts';
import { all, type Expression, ifConditionFails, is, isAbsent } from '../table/conditions.ts';
import { number } from '../table/fields.ts';
import { capKey, type Key } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { putting, updateItem, type Write } from '../table/writes.ts';

/**
 * The use of a link's cap is an item of its own, so that visitors never hold the link:
 *
 * - `epoch` says which of the link's caps it counts for. The link has the same number.
 * - `used` is the number of the last turn. It never decreases.
 * - `v1` to `v20` are the ids of the last visits that took a turn, newest first.
 *
 * A visit takes a turn with one conditional update, and then reads the link again. It may pass only if that link has
 * the same id and epoch, is still open, and has a `maxClicks` that is not below the turn's number. If not, the turn is
 * lost. Numbers are unique in an epoch, and those of the next epoch are higher. So of all the visits that pass, none
 * exceeds a cap that the link had while it passed.
 *
 * Only setting a cap on a link without one, and deleting the link, write this item as well as the link. All other
 * changes write only the link, for which visitors never compete.
 */
export type Cap = { readonly linkId: string; readonly epoch: number; readonly used: number };

/** The cap is the one that the link has, or had last. */
export const isCapOf = (cap: Cap | undefined, link: Pick<Link, 'id' | 'capEpoch'> | undefined): boolean =>
  cap !== undefined && cap.linkId === link?.id && cap.epoch === link.capEpoch;

/**
 * So many that a retry mostly finds its own turn: at 800 turns a second, 16 more are taken in the mean pause before the
 * first retry, 20 ms. With them the item has some 400 bytes, so that a turn takes one write unit. Each slot is sent and
 * returned with every turn, which takes processor time.
 */
const slots = Array.from({ length: 20 }, (_, place) => `v${place + 1}`);

/** The item of a cap that a link gets, with what is used already. */
const capItem = ({ linkId, epoch, used }: Cap): Key & Item => ({
  ...capKey(linkId),
  epoch,
  used,
  ...Object.fromEntries(slots.map((slot) => [slot, '-'])),
});

const toCap = (linkId: string, item: Item): Cap => ({ linkId, epoch: number(item, 'epoch'), used: number(item, 'used') });

/** How much of a link's cap is used, by the item of its cap. */
export function usedOf(link: Pick<Link, 'id' | 'capEpoch'>, item: Item | undefined): number {
  const cap = item && toCap(link.id, item);
  return cap && isCapOf(cap, link) ? cap.used : 0;
}

/** A link's cap. One read; undefined if the link never had one, or is gone. */
export async function getCap({ id }: Pick<Link, 'id'>): Promise<Cap | undefined> {
  const item = await getItem(capKey(id));
  return item && toCap(id, item);
}

/**
 * The write that gives a link a cap, as part of the transaction that gives the link its next epoch.
 *
 * @param before the cap as it was read; undefined if the link never had one. The write fails if it has changed.
 * @param clickCount the link's clicks so far. The cap starts there, or at what earlier caps have used if that is more.
 */
export const settingCap = (linkId: string, before: Cap | undefined, clickCount: number): Write => {
  const next = { linkId, epoch: (before?.epoch ?? 0) + 1, used: Math.max(before?.used ?? 0, clickCount) };
  return putting(capItem(next), before ? all(is('epoch', before.epoch), is('used', before.used)) : isAbsent);
};

/** For how long a visit begins new attempts to take a turn, in milliseconds. */
const turnBudget = 1_000;

/** How long an attempt may take before the cap is read again, which shows whether it was executed. */
const turnAttempt = 400;

/** Whether a turn was taken, and the cap as it was before that turn; undefined if the link is gone. */
export type Turn = { readonly isTaken: true; readonly cap: Cap } | { readonly isTaken: false; readonly cap: Cap | undefined };

type CappedLink = Pick<Link, 'id' | 'capEpoch' | 'maxClicks'>;

/**
 * Takes a turn of a link's cap, if the cap is the one that the link had when it was read and has a turn left. Its
 * number is `cap.used + 1`. Read the cap first: an update that is refused takes a write unit as well.
 *
 * A visit whose response was lost finds its own id in a slot, and with it the number of its turn. If 20 others took
 * turns in between, it takes another turn, and the first is lost. A write that arrives after that may take a third, if
 * the cap is still the same. No turn is taken by two visits.
 *
 * After an attempt that failed, the cap is read again, so that visitors who come too late use up no write units.
 *
 * @throws RequestError `temporarily_unavailable`; then a turn may be lost.
 */
export async function takeTurn(link: CappedLink): Promise<Turn> {
  const until = steadyTime() + turnBudget;
  const me = newVisitId();
  for (let attempt = 1; ; attempt++) {
    try {
      const left = Math.min(timeLeft(), until - steadyTime());
      return turnOf(link, me, await withDeadline(left, () => takeOnce(link, me), turnAttempt));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
    await backOff(attempt, until);
    const item = await getItem(capKey(link.id));
    const turn = turnOf(link, me, item);
    if (turn.isTaken || !isOpen(link, turn.cap)) return turn;
  }
}

/** Shifts the ids by one, and puts the visit's own first, which must not be among them yet. */
const shifted = slots.map((slot, place) => `#${slot} = ${place === 0 ? ':me' : `#${slots[place - 1]}`}`).join(', ');
const isNew: Expression = { text: slots.map((slot) => `#${slot} <> :me`).join(' AND ') };

/** One attempt to take a turn. Returns the item as it is after it, or as it refused the attempt. */
function takeOnce({ id, capEpoch, maxClicks }: CappedLink, me: string): Promise<Item | undefined> {
  const hasTurns: Expression = { text: '#used < :most', values: { ':most': maxClicks } };
  const write = updateItem(
    capKey(id),
    { text: `SET #used = #used + :one, ${shifted}`, values: { ':one': 1, ':me': me } },
    all(is('epoch', capEpoch), hasTurns, isNew),
    1,
  );
  return ifConditionFails(write, (failed) => failed.items[0]);
}

/** The turn of the visit with this id, by the cap's item. The visits before it in the slots took the next turns. */
function turnOf({ id, capEpoch }: CappedLink, me: string, item: Item | undefined): Turn {
  if (!item) return { isTaken: false, cap: undefined };
  const cap = toCap(id, item);
  const place = slots.findIndex((slot) => item[slot] === me);
  if (place < 0 || cap.epoch !== capEpoch) return { isTaken: false, cap };
  return { isTaken: true, cap: { ...cap, used: cap.used - place - 1 } };
}

const isOpen = ({ capEpoch, maxClicks }: CappedLink, cap: Cap | undefined): boolean =>
  cap?.epoch === capEpoch && cap.used < (maxClicks ?? 0);
