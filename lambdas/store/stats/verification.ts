import { dimensions } from '../../core/click/click.ts';
import { type Day, dayMs, other } from '../../core/click/day.ts';
import { updateExpression } from '../clicks/count-update.ts';
import { attributesOf, toDay } from '../clicks/day-items.ts';
import type { Item } from '../table/client.ts';
import { all, type Expression, hasStill } from '../table/conditions.ts';
import type { Key } from '../table/keys.ts';

// What the comparisons of `verify.ts` and `workspace-days.ts` share.

/** Two numbers that should be equal. */
export type Difference = {
  readonly linkId?: string;
  readonly workspaceId?: string;
  /** Of a domain, if it is a domain's day. */
  readonly host?: string;
  readonly day?: string;
  /** What was compared: `epoch`, `quarters`, a dimension, `clicks`, `clickCount` or `links`. */
  readonly what: string;
  readonly found: number;
  readonly expected: number;
  readonly repaired: boolean;
  /** The repair lowers a total, which `lower` allows. */
  readonly lowers?: true;
};

export type Verification = {
  readonly days: number;
  /** How many days may still change, and were not compared. */
  readonly open: number;
  readonly differences: readonly Difference[];
};

export type VerifyOptions = {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether days that ended less than 26 hours ago are compared, too. */
  readonly settled: boolean;
  readonly repair: boolean;
  /** Whether a repair may lower totals. */
  readonly lower?: boolean;
  /** How many days the records of clicks are kept, and the days themselves. */
  readonly recordDays: number;
  readonly clickDays: number;
};

/** A click may be counted this long after it was recorded, in milliseconds: the stream keeps it for 24 hours. */
const countedWithinMs = 26 * 60 * 60_000;

/** Whether the day may still change. */
export const isOpen = (day: string, { now, settled }: VerifyOptions): boolean =>
  !settled && Date.parse(day) + dayMs + countedWithinMs > now;

/** Whether a repair may set some totals, and if it would lower one of them, the mark that says so. */
export const lowering = (
  totals: readonly { readonly found: number; readonly expected: number }[],
  { repair, lower = false }: VerifyOptions,
) =>
  totals.some(({ found, expected }) => found > expected)
    ? { mayRepair: repair && lower, mark: { lowers: true } as const }
    : { mayRepair: repair, mark: {} };

/** The sums of a day, which should all be its total. */
export const sumsOf = ({ total, quarters, groups }: Day) => [
  { what: 'quarters', found: sum(quarters.values()), expected: total },
  ...dimensions.map((dimension) => ({
    what: dimension as string,
    found: sum(groups[dimension]?.values() ?? []),
    expected: total,
  })),
];

/**
 * The update that replaces what a day counts, and its condition: the day is as it was read. The day keeps its
 * marks.
 */
export function replacement(
  key: Key,
  item: Item | undefined,
  day: Day,
  { set = {}, remove = [] }: { readonly set?: Item; readonly remove?: readonly string[] },
): [update: Expression, condition: Expression] {
  const counts = attributesOf(day);
  const old = Object.keys(attributesOf(toDay(item ?? key)));
  const update = updateExpression({
    set: { ...set, ...counts, total: day.total, names: namesIn(day) },
    remove: [...remove, ...old.filter((name) => !(name in counts))],
  });
  return [update, all(...['total', 'erased', 'epoch', 'names'].map((name) => hasStill(name, item ?? {})))];
}

const namesIn = ({ groups }: Day): number =>
  sum(Object.values(groups).map((values) => [...values.keys()].filter((value) => value !== other).length));

export const sum = (some: Iterable<number>): number => [...some].reduce((total, one) => total + one, 0);
