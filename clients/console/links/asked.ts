import { Temporal } from 'temporal-polyfill';
import { ownZone } from '../parts/time.ts';
import type { listQuery } from '../service/address.ts';
import { periodOf } from '../statistics/ranges.ts';
import { rangeIn } from '../statistics/view.ts';

// Which instants the days of a list stand for now, in the reader's own zone. It is loaded when a list has any.

const iso = (instant: number): string => new Date(instant).toISOString();

/** A range that ends today has no end: clicks that come in meanwhile count. */
function timesOf(range: string, now: number, zone: string): { readonly from?: string; readonly to?: string } {
  if (range === '') return {};
  const { from, to, isRunning } = periodOf(rangeIn(range), now, zone);
  return { from: iso(from), ...(!isRunning && { to: iso(to) }) };
}

/** The midnight with which some days begin, the last of which is today, or with which a day does. */
function startOf(unclicked: string, now: number, zone: string): string {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  const [year = 0, month = 0, day = 0] = unclicked.split('-').map(Number);
  // A day that no month has is the last one that it has.
  const date = unclicked.endsWith('d')
    ? today.subtract({ days: Number.parseInt(unclicked, 10) - 1 })
    : Temporal.PlainDate.from({ year, month: Math.max(1, month), day: Math.max(1, day) });
  return iso(date.toZonedDateTime(zone).epochMilliseconds);
}

/** The midnight with which the last of so many days from tomorrow ends. */
const endOf = (days: string, now: number, zone: string): string =>
  iso(
    Temporal.Instant.fromEpochMilliseconds(now)
      .toZonedDateTimeISO(zone)
      .toPlainDate()
      .add({ days: Number.parseInt(days, 10) + 1 })
      .toZonedDateTime(zone).epochMilliseconds,
  );

/** The query that a list sends, with times. */
export function askedOf(query: ReturnType<typeof listQuery>, now = Date.now(), zone = ownZone()) {
  const { unclicked = '', expiring = '', range = '', ...others } = query;
  const since = unclicked === '' ? undefined : startOf(unclicked, now, zone);
  return {
    ...others,
    ...timesOf(range, now, zone),
    // Nobody can have left a link alone for longer than it has existed.
    ...(since !== undefined && { notClickedSince: since, createdBefore: since }),
    ...(expiring !== '' && { expiresBefore: endOf(expiring, now, zone) }),
  };
}
