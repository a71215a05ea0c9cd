import { Temporal } from 'temporal-polyfill';
import { ownZone } from '../parts/time.ts';
import type { listQuery } from '../service/address.ts';
import { periodOf } from '../statistics/ranges.ts';
import { rangeIn } from '../statistics/view.ts';

// Converts the days of a list's filters to instants, in the reader's own zone. Loaded only if a list has any.

const iso = (instant: number): string => new Date(instant).toISOString();

/** A range that ends today has no end, so that new clicks are included. */
function timesOf(range: string, now: number, zone: string): { readonly from?: string; readonly to?: string } {
  if (range === '') return {};
  const { from, to, isRunning } = periodOf(rangeIn(range), now, zone);
  return { from: iso(from), ...(!isRunning && { to: iso(to) }) };
}

/** The midnight at which a day begins, or the first of some days up to today. */
function startOf(unclicked: string, now: number, zone: string): string {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  const [year = 0, month = 0, day = 0] = unclicked.split('-').map(Number);
  // A day that the month lacks becomes its last day.
  const date = unclicked.endsWith('d')
    ? today.subtract({ days: Number.parseInt(unclicked, 10) - 1 })
    : Temporal.PlainDate.from({ year, month: Math.max(1, month), day: Math.max(1, day) });
  return iso(date.toZonedDateTime(zone).epochMilliseconds);
}

/** The midnight at which this many days from tomorrow end. */
const endOf = (days: string, now: number, zone: string): string =>
  iso(
    Temporal.Instant.fromEpochMilliseconds(now)
      .toZonedDateTimeISO(zone)
      .toPlainDate()
      .add({ days: Number.parseInt(days, 10) + 1 })
      .toZonedDateTime(zone).epochMilliseconds,
  );

/** The query that a list sends, with its days as times. */
export function askedOf(query: ReturnType<typeof listQuery>, now = Date.now(), zone = ownZone()) {
  const { unclicked = '', expiring = '', range = '', ...others } = query;
  const since = unclicked === '' ? undefined : startOf(unclicked, now, zone);
  return {
    ...others,
    ...timesOf(range, now, zone),
    // Newer links cannot have been without a click for so long.
    ...(since !== undefined && { notClickedSince: since, createdBefore: since }),
    ...(expiring !== '' && { expiresBefore: endOf(expiring, now, zone) }),
  };
}
