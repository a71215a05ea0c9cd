import { type Click, type Dimension, dimensions, none, unknown } from '../../core/click/click.ts';
import { type ClickGroups, type Day, other, quarterOfDay, quartersOfDay } from '../../core/click/day.ts';
import type { Item } from '../table/client.ts';
import { number } from '../table/fields.ts';
import { dayOf, toKey } from '../table/keys.ts';
import { epochOf } from './counts.ts';

/**
 * The item of a day of a link, a workspace or a domain: how many clicks each quarter of an hour had, and each value of
 * each dimension.
 *
 * - `total` is the number of clicks, `q0` to `q95` those of each quarter of an hour in UTC.
 * - `c:DE` and the like are those of each value of a dimension, by the dimension's letter.
 * - `names` is the number of values that took space.
 * - `erased` is the number of clicks that were erased, and `epoch` how often the link's clicks were erased.
 * - `host` is that of a link's domain, so that a domain's day can be compared with those of its links.
 *
 * Every sum is exact: quarters, and values with `other`, add up to the total. The first values of a day have names, as
 * many as fit; the clicks of later ones are `other`. So a day stays below 2.5 kB without its marks
 * (`marks.ts`), and a month is read with 11 units.
 */

/** The letter of each dimension, and how many bytes its named values may take in a day. Every update pays for them. */
const shapes: Readonly<Record<Dimension, { readonly letter: string; readonly bytes: number }>> = {
  country: { letter: 'c', bytes: 190 },
  referrer: { letter: 'r', bytes: 400 },
  device: { letter: 'd', bytes: 40 },
  browser: { letter: 'b', bytes: 110 },
  os: { letter: 'o', bytes: 80 },
  language: { letter: 'l', bytes: 110 },
  source: { letter: 's', bytes: 30 },
  variant: { letter: 'v', bytes: 400 },
};

const dimensionOf = new Map(dimensions.map((dimension) => [shapes[dimension].letter, dimension]));

/** What a count takes besides its value: the letter, the colon, and a number of up to 8 digits. */
const bytesPerCount = 2 + 5;

/** The longest value with a name, in characters. */
const longestName = 64;

/** Values that always have a name and take no space: most links have them. */
const alwaysNamed: ReadonlySet<string> = new Set([unknown, none, 'direct', other]);

const attributeOf = (dimension: Dimension, value: string) => `${shapes[dimension].letter}:${value}`;

/** The dimension and value that an attribute counts; undefined if it counts something else. */
function namedBy(attribute: string): { readonly dimension: Dimension; readonly value: string } | undefined {
  const dimension = attribute[1] === ':' ? dimensionOf.get(attribute.charAt(0)) : undefined;
  return dimension && { dimension, value: attribute.slice(2) };
}

/** The quarter that an attribute counts; NaN if it counts something else. */
const quarterAt = (attribute: string): number => Number(/^q(\d{1,2})$/.exec(attribute)?.[1] ?? Number.NaN);

/** Whether an attribute counts clicks that were not erased. */
export const isCount = (attribute: string): boolean =>
  ['total', 'names'].includes(attribute) || namedBy(attribute) !== undefined || !Number.isNaN(quarterAt(attribute));

/** The day that an item holds. @param epoch of the link: a day of an earlier one is empty */
export function toDay(item: Item, epoch = 0): Day {
  const { sk } = toKey(item);
  const isCurrent = epochOf(item) >= epoch;
  const quarters = new Map<number, number>();
  const groups: ClickGroups = {};
  for (const attribute of isCurrent ? Object.keys(item) : []) {
    const quarter = quarterAt(attribute);
    if (quarter < quartersOfDay) quarters.set(quarter, number(item, attribute));
    const named = namedBy(attribute);
    if (!named) continue;
    const values = groups[named.dimension] ?? new Map<string, number>();
    groups[named.dimension] = values.set(named.value, number(item, attribute));
  }
  return {
    day: dayOf(sk),
    total: isCurrent ? number(item, 'total', 0) : 0,
    quarters,
    groups,
  };
}

/** How many clicks of a day were erased. @param epoch of the link: all clicks of a day of an earlier one were */
export const erasedOf = (item: Item, epoch: number): number =>
  number(item, 'erased', 0) + (epochOf(item) >= epoch ? 0 : number(item, 'total', 0));

/** The attributes for the quarters and groups of a day. */
export const attributesOf = ({ quarters, groups }: Day): Record<string, number> => ({
  ...Object.fromEntries([...quarters].map(([quarter, clicks]) => [`q${quarter}`, clicks])),
  ...Object.fromEntries(
    dimensions.flatMap((dimension) =>
      [...(groups[dimension] ?? [])].map(([value, clicks]) => [attributeOf(dimension, value), clicks]),
    ),
  ),
});

/**
 * What clicks add to the attributes of a day.
 *
 * @param item the day as it is, which decides how much space is left for names.
 * @returns also how many of the values that were added take space.
 */
export function countsOf(
  clicks: readonly Pick<Click, 'at' | Dimension>[],
  item: Item,
): { readonly counts: Record<string, number>; readonly newNames: number } {
  const counts: Record<string, number> = {};
  const count = (attribute: string) => {
    counts[attribute] = (counts[attribute] ?? 0) + 1;
  };
  const space = spaceIn(item);
  const newNames = new Set<string>();
  for (const click of clicks) {
    count(`q${quarterOfDay(click.at)}`);
    for (const dimension of dimensions) {
      const value = click[dimension];
      const attribute = attributeOf(dimension, value);
      const bytes = bytesOf(value);
      const isNew = !alwaysNamed.has(value) && !(attribute in item) && !newNames.has(attribute);
      if (isNew && (value.length > longestName || bytes > space[dimension])) {
        count(attributeOf(dimension, other));
        continue;
      }
      if (isNew) {
        space[dimension] -= bytes;
        newNames.add(attribute);
      }
      count(attribute);
    }
  }
  return { counts, newNames: newNames.size };
}

const bytesOf = (value: string): number => Buffer.byteLength(value) + bytesPerCount;

/** How many bytes are left for further names of each dimension. */
function spaceIn(item: Item): Record<Dimension, number> {
  const space = Object.fromEntries(dimensions.map((dimension) => [dimension, shapes[dimension].bytes])) as Record<
    Dimension,
    number
  >;
  for (const attribute of Object.keys(item)) {
    const named = namedBy(attribute);
    if (named && !alwaysNamed.has(named.value)) space[named.dimension] -= bytesOf(named.value);
  }
  return space;
}
