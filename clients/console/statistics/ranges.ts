import { Temporal } from 'temporal-polyfill';
import { daysIn, type OwnDays } from '../parts/days.ts';
import { presets, type RangeChoice } from './view.ts';

// Which instants a chosen range stands for. Days start at midnight in the zone of the view, whatever its clocks do.

const quarterMs = 15 * 60_000;

/** Instants are in milliseconds since 1970. */
export type Period = {
  readonly from: number;
  readonly to: number;
  /** The days that it is of. */
  readonly days: OwnDays;
  /** Whether it ends today, before the day does. */
  readonly isRunning: boolean;
};

/** The end of the quarter of an hour that somebody is in: the newest click is before it, and a page asks anew after it. */
export const endOfQuarter = (now: number): number => quarterMs * (Math.floor(now / quarterMs) + 1);

const dateAt = (instant: number, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate();

const startOf = (date: Temporal.PlainDate, zone: string): number => date.toZonedDateTime(zone).epochMilliseconds;

const earlier = (one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate =>
  Temporal.PlainDate.compare(one, other) <= 0 ? one : other;

/** The days that a choice stands for now. Days that have not begun are left out. */
export function daysOf(choice: RangeChoice, now: number, zone: string): OwnDays {
  const today = dateAt(now, zone);
  if (typeof choice === 'string') return { from: today.subtract({ days: presets[choice] - 1 }).toString(), to: today.toString() };
  const [from, to] = [choice.from, choice.to].map((day) => earlier(Temporal.PlainDate.from(day), today).toString());
  return { from: from ?? choice.from, to: to ?? choice.to };
}

/** What a choice stands for now: up to the end of its last day, or of the present quarter of an hour. */
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

/** The same number of days before a period, up to the same time of the clock on the last of them. */
export function periodBefore({ to, days, isRunning }: Period, zone: string): Period {
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

/**
 * The range before or after a choice, of the same length. The one that ends today becomes the choice that always does.
 *
 * @returns undefined if it would begin after today.
 */
export function nextRange(choice: RangeChoice, direction: 1 | -1, now: number, zone: string): RangeChoice | undefined {
  const today = dateAt(now, zone).toString();
  const days = daysOf(choice, now, zone);
  const length = daysIn(days);
  if (direction === 1 && days.to === today) return undefined;
  const next = moved(days, direction * length);
  const last = next.to > today ? moved(next, 1 - daysIn({ from: today, to: next.to })) : next;
  const preset = Object.entries(presets).find(([, count]) => count === length)?.[0];
  return last.to === today && preset !== undefined ? (preset as RangeChoice) : last;
}
