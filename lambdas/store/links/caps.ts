import { RequestError } from '../../core/errors.ts';
import { newVisitId } from '../../core/ids.ts';
import type { Link } from '../../core/link/link.ts';
import { backOff, timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { steadyTime } from '../../runtime/instant.ts';
import type { Item } from '../table/client.ts';
import { all, type Expression, ifConditionFails, is, isAbsent } from '../table/expressions.ts';
import { number } from '../table/fields.ts';
import { capKey, type Key } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { putting, updateItem, type Write } from '../table/writes.ts';

/**
 * The use of a link's cap is an item of its own, so that visitors never hold the link:
 *
 * - `generation` says which of the link's caps the item counts for. The link has the same number as `capGeneration`.
 * - `used` is the number of the last claim. It never decreases.
 * - `v1` to `v20` are the ids of the last visits that claimed one, newest first.
 *
 * With one conditional update, a visit claims one of the visits that the cap allows. Then it reads the link again. It
 * may pass only if that link has the same id and generation, is still open, and has a `maxClicks` that is not below the
 * claim's number. Otherwise the claim is lost. Numbers are unique in a generation, and those of the next are higher. So
 * of all the visits that pass, none exceeds a cap that the link had while it passed.
 *
 * For example, a link with `maxClicks` 10, nine of which are used:
 *
 *     visit A     update: used 9 -> 10, v1 = A     (the response is lost)
 *     visit B     update: used is not below 10, refused; the visitor gets "used up"
 *     visit A     reads the cap: v1 = A, so A has claim 10
 *     owner       sets maxClicks to 8
 *     visit A     reads the link: 10 exceeds 8, so A is refused, too, and claim 10 is lost
 *
 * Had A died after its update, the claim would be lost as well: one visitor fewer passes, never one too many.
 *
 * Only setting a cap on a link without one, and deleting the link, write this item as well as the link. All other
 * changes write only the link, for which visitors never compete.
 */
export type Cap = { readonly linkId: string; readonly generation: number; readonly used: number };

/** Whether the cap is the one that the link has, or had last. */
export const isCapOf = (cap: Cap | undefined, link: Pick<Link, 'id' | 'capGeneration'> | undefined): boolean =>
  cap !== undefined && cap.linkId === link?.id && cap.generation === link.capGeneration;

/**
 * The attributes with the ids of the last visits. There are enough that a retry usually finds its own claim: at 800
 * claims a second, 16 others are made in the mean pause before the first retry, 20 ms. With them the item has some 400
 * bytes, so that a claim takes one write unit. More would cost processor time, because each is sent and returned with
 * every claim.
 */
const visitNames = Array.from({ length: 20 }, (_, index) => `v${index + 1}`);

export const toCap = (linkId: string, item: Item): Cap => ({
  linkId,
  generation: number(item, 'generation'),
  used: number(item, 'used'),
});

/** How much of a link's cap is used, by the item of its cap. */
export function usedOf(link: Pick<Link, 'id' | 'capGeneration'>, item: Item | undefined): number {
  const cap = item && toCap(link.id, item);
  return cap && isCapOf(cap, link) ? cap.used : 0;
}

/** A link's cap. One read; undefined if the link never had one, or is gone. */
export async function getCap({ id }: Pick<Link, 'id'>): Promise<Cap | undefined> {
  const item = await getItem(capKey(id));
  return item && toCap(id, item);
}

/**
 * The write that gives a link a cap, as part of the transaction that gives the link its next generation. That is later
 * than the generations of both: after a restoration, the link and its cap may be from different moments.
 *
 * @param link as it was read: `capGeneration` is its generation so far.
 * @param before the cap as it was read; undefined if the link never had one. The write fails if it has changed.
 * @param clickCount the link's clicks so far. The cap starts there, or at what earlier caps have used if that is more.
 */
export function settingCap(
  { id: linkId, capGeneration }: Pick<Link, 'id' | 'capGeneration'>,
  before: Cap | undefined,
  clickCount: number,
): { readonly generation: number; readonly write: Write } {
  const generation = Math.max(capGeneration, before?.generation ?? 0) + 1;
  const used = Math.max(before?.used ?? 0, clickCount);
  const isAsRead = before ? all(is('generation', before.generation), is('used', before.used)) : isAbsent;
  return { generation, write: putting(newCapItem({ linkId, generation, used }), isAsRead) };
}

/** The item of a new cap. No visit has claimed anything of it yet. */
const newCapItem = ({ linkId, generation, used }: Cap): Key & Item => ({
  ...capKey(linkId),
  generation,
  used,
  ...Object.fromEntries(visitNames.map((name) => [name, '-'])),
});

/** How long a visit begins new attempts to claim, in milliseconds. */
const claimBudgetMs = 1_000;

/** How long an attempt may take before the cap is read again, which shows whether it was executed. */
const claimAttemptMs = 400;

/** Whether a visit was claimed, and the cap as it was before that; undefined if the link is gone. */
export type Claim =
  | { readonly isClaimed: true; readonly cap: Cap }
  | { readonly isClaimed: false; readonly cap: Cap | undefined };

type CappedLink = Pick<Link, 'id' | 'capGeneration' | 'maxClicks'>;

/**
 * Claims a visit of a link's cap, if the cap is the one that the link had when it was read and is not used up. The
 * claim's number is `cap.used + 1`. Read the cap first: an update that is refused takes a write unit as well.
 *
 * After an attempt that failed, the cap is read again, so that visitors who come too late use up no write units. A
 * visit whose response was lost finds its own id there, and with it the number of its claim. If 20 others claimed in
 * between, it claims again, and the first claim is lost. A write that arrives after that may make a third claim, if the
 * cap is still the same. No two visits have the same claim.
 *
 * @throws RequestError `temporarily_unavailable`; then a claim may be lost.
 */
export async function claimVisit(link: CappedLink): Promise<Claim> {
  const until = steadyTime() + claimBudgetMs;
  const visitId = newVisitId();
  for (let attempt = 1; ; attempt++) {
    try {
      const left = Math.min(timeLeft(), until - steadyTime());
      return claimIn(await withDeadline(left, () => tryToClaim(link, visitId), claimAttemptMs), link, visitId);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
    await backOff(attempt, until);
    const claim = claimIn(await getItem(capKey(link.id)), link, visitId);
    if (claim.isClaimed || !isOpen(link, claim.cap)) return claim;
  }
}

/** One attempt to claim a visit. Returns the item after it, or the item that refused it. */
function tryToClaim({ id, capGeneration, maxClicks }: CappedLink, visitId: string): Promise<Item | undefined> {
  const isNotUsedUp: Expression = { text: '#used < :most', values: { ':most': maxClicks } };
  const write = updateItem(
    capKey(id),
    { text: `SET #used = #used + :one, ${shiftVisits}`, values: { ':one': 1, ':me': visitId } },
    all(is('generation', capGeneration), isNotUsedUp, isNewVisit),
    1,
  );
  return ifConditionFails(write, (failed) => failed.items[0]);
}

/** Shifts the ids by one, and puts the visit's own first, which must not be among them yet. */
const shiftVisits = visitNames.map((name, index) => `#${name} = ${index === 0 ? ':me' : `#${visitNames[index - 1]}`}`).join(', ');
const isNewVisit: Expression = { text: visitNames.map((name) => `#${name} <> :me`).join(' AND ') };

/** The claim of a visit, by the cap's item. The visits before it in the list made the next claims. */
function claimIn(item: Item | undefined, { id, capGeneration }: CappedLink, visitId: string): Claim {
  if (!item) return { isClaimed: false, cap: undefined };
  const cap = toCap(id, item);
  const later = visitNames.findIndex((name) => item[name] === visitId);
  if (later < 0 || cap.generation !== capGeneration) return { isClaimed: false, cap };
  return { isClaimed: true, cap: { ...cap, used: cap.used - later - 1 } };
}

const isOpen = ({ capGeneration, maxClicks }: CappedLink, cap: Cap | undefined): boolean =>
  cap?.generation === capGeneration && cap.used < (maxClicks ?? 0);
