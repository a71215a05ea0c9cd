import { Temporal } from 'temporal-polyfill';
import { daysIn, type OwnDays } from '../parts/days.ts';
import { type Preset, presets, type RangeChoice } from './view.ts';

// Converts chosen ranges to instants. Days start at midnight in the zone of the view, whatever its clocks do.

const quarterMs = 15 * 60_000;

/** Instants are in milliseconds since 1970. */
export type Period = {
  readonly from: number;
  readonly to: number;
  readonly days: OwnDays;
  /** Whether it ends today, before the end of the day. */
  readonly isRunning: boolean;
};

/** The end of the current quarter of an hour: all clicks so far are before it, and a page asks again after it. */
export const endOfQuarter = (now: number): number => quarterMs * (Math.floor(now / quarterMs) + 1);

const dateAt = (instant: number, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate();

const startOf = (date: Temporal.PlainDate, zone: string): number => date.toZonedDateTime(zone).epochMilliseconds;

const earlier = (one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate =>
  Temporal.PlainDate.compare(one, other) <= 0 ? one : other;

/** The unit by which a range is moved and compared: days, or the month or year that it is, or will be when complete. */
type Unit = 'day' | 'month' | 'year';

const wholeOf = (date: Temporal.PlainDate, unit: 'month' | 'year'): OwnDays => {
  const first = date.with(unit === 'month' ? { day: 1 } : { month: 1, day: 1 });
  return {
    from: first.toString(),
    to: first
      .add({ [`${unit}s`]: 1 })
      .subtract({ days: 1 })
      .toString(),
  };
};

export function unitOf(choice: RangeChoice): Unit {
  if (typeof choice === 'string') return choice === 'year' ? 'year' : choice.endsWith('month') ? 'month' : 'day';
  const first = Temporal.PlainDate.from(choice.from);
  return (['month', 'year'] as const).find((unit) => isSame(wholeOf(first, unit), choice)) ?? 'day';
}

const isSame = (one: OwnDays, other: OwnDays): boolean => one.from === other.from && one.to === other.to;

/** The days of a named choice. */
function namedDays(choice: Preset, today: Temporal.PlainDate): OwnDays {
  if (choice === 'last-month') return wholeOf(today.subtract({ months: 1 }), 'month');
  if (choice === 'month' || choice === 'year') return { from: wholeOf(today, choice).from, to: today.toString() };
  return { from: today.subtract({ days: presets[choice] - 1 }).toString(), to: today.toString() };
}

/** The current days of a choice. Future days are left out. */
export function daysOf(choice: RangeChoice, now: number, zone: string): OwnDays {
  const today = dateAt(now, zone);
  if (typeof choice === 'string') return namedDays(choice, today);
  const [from, to] = [choice.from, choice.to].map((day) => earlier(Temporal.PlainDate.from(day), today).toString());
  return { from: from ?? choice.from, to: to ?? choice.to };
}

/** The current period of a choice: up to the end of its last day, or of the current quarter of an hour. */
export function periodOf(choice: RangeChoice, now: number, zone: string): Period {
  const days = daysOf(choice, now, zone);
  const end = startOf(Temporal.PlainDate.from(days.to).add({ days: 1 }), zone);
  const to = Math.min(end, endOfQuarter(now));
  return { from: startOf(Temporal.PlainDate.from(days.from), zone), to, days, isRunning: to < end };
}

const moved = ({ from, to }: OwnDays, by: number): OwnDays => ({
  from: Temporal.PlainDate.from(from).add({ days: by }).toString(),
  to: Temporal.PlainDate.from(to).add({ days: by }).toString(),
});

/**
 * The previous period, up to the same time on its last day: the same number of days, or the same part of the previous
 * month or year.
 */
export function periodBefore(period: Period, zone: string, unit: Unit = 'day'): Period {
  const { to, days, isRunning } = period;
  if (unit !== 'day') return calendarBefore(period, zone, unit);
  const length = daysIn(days);
  const before = moved(days, -length);
  const end = Temporal.Instant.fromEpochMilliseconds(to).toZonedDateTimeISO(zone).subtract({ days: length });
  return {
    from: startOf(Temporal.PlainDate.from(before.from), zone),
    to: end.epochMilliseconds,
    days: before,
    isRunning,
  };
}

function calendarBefore({ to, days, isRunning }: Period, zone: string, unit: 'month' | 'year'): Period {
  const [first, last] = [days.from, days.to].map((day) => Temporal.PlainDate.from(day).subtract({ [`${unit}s`]: 1 }));
  if (!first || !last) throw new RangeError('a period has a first and a last day');
  const whole = wholeOf(first, unit);
  const isWhole = isSame(wholeOf(Temporal.PlainDate.from(days.from), unit), days);
  const end = isWhole ? Temporal.PlainDate.from(whole.to) : last;
  const plainTime = Temporal.Instant.fromEpochMilliseconds(to).toZonedDateTimeISO(zone).toPlainTime();
  return {
    from: startOf(first, zone),
    to: isRunning ? end.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds : startOf(end.add({ days: 1 }), zone),
    days: { from: whole.from, to: end.toString() },
    isRunning,
  };
}

/** The previous or next month or year, by its name if it has one. */
function nextInCalendar(from: string, direction: 1 | -1, today: Temporal.PlainDate, unit: 'month' | 'year') {
  const first = Temporal.PlainDate.from(from).add({ [`${unit}s`]: direction });
  const next = wholeOf(first, unit);
  if (next.from > today.toString()) return undefined;
  if (isSame(next, wholeOf(today, unit))) return unit;
  return isSame(next, namedDays('last-month', today)) ? 'last-month' : next;
}

/**
 * The previous or next range of the same length. One that ends today becomes the choice that always does.
 *
 * @returns undefined if it would begin after today.
 */
export function nextRange(choice: RangeChoice, direction: 1 | -1, now: number, zone: string): RangeChoice | undefined {
  const date = dateAt(now, zone);
  const today = date.toString();
  const days = daysOf(choice, now, zone);
  const unit = unitOf(choice);
  if (unit !== 'day') return nextInCalendar(days.from, direction, date, unit);
  const length = daysIn(days);
  if (direction === 1 && days.to === today) return undefined;
  const next = moved(days, direction * length);
  const last = next.to > today ? moved(next, 1 - daysIn({ from: today, to: next.to })) : next;
  const preset = Object.entries(presets).find(([, count]) => count === length)?.[0];
  return last.to === today && preset !== undefined ? (preset as RangeChoice) : last;
}
