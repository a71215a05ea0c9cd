import { type RowDimension, rowDimensions } from '../../../lambdas/core/click/click.ts';
import { type Interval, intervals } from '../../../lambdas/core/click/statistics.ts';
import { tagsPerLink, valuesPerFilter } from '../../../lambdas/core/limits.ts';
import { type OwnDays, ownDaysIn, writtenDays } from '../parts/days.ts';

// What the address of the statistics says. Relative ranges stay relative, so that a shared view is always up to date.

/** How many days the ranges have that can be chosen at once, with today. */
export const presets = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const;
/** Ranges of the calendar: those without `last` end today. */
const calendar = ['month', 'last-month', 'year'] as const;
export type Preset = keyof typeof presets | (typeof calendar)[number];

/** In the order in which they are offered. */
export const presetNames: Readonly<Record<Preset, string>> = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  month: 'This month',
  'last-month': 'Last month',
  year: 'This year',
};

/** Days are in the zone of the view. */
export type RangeChoice = Preset | OwnDays;

export type Filters = Readonly<Partial<Record<RowDimension, readonly string[]>>>;

export type StatsView = {
  /** Of one link, which may be deleted; otherwise of all, or of those on a domain and with tags. */
  readonly linkId: string | undefined;
  readonly domain: string | undefined;
  readonly tags: readonly string[];
  readonly match: 'any' | 'all';
  readonly range: RangeChoice;
  /** An IANA zone; undefined for the reader's own. */
  readonly zone: string | undefined;
  readonly isCompared: boolean;
  /** Undefined for the one that suits the range. */
  readonly interval: Interval | undefined;
  readonly filters: Filters;
  readonly metric: 'clicks' | 'unique';
  readonly isTable: boolean;
};

export const plainView: StatsView = {
  linkId: undefined,
  domain: undefined,
  tags: [],
  match: 'any',
  range: '30d',
  zone: undefined,
  isCompared: true,
  interval: undefined,
  filters: {},
  metric: 'clicks',
  isTable: false,
};

/** A range as it is in the address; the usual one if the text makes no sense. */
export function rangeIn(text: string): RangeChoice {
  if (Object.hasOwn(presets, text) || calendar.some((one) => one === text)) return text as Preset;
  return ownDaysIn(text, Number.POSITIVE_INFINITY) ?? plainView.range;
}

/** A zone that this browser knows, under the name that it has in the address; undefined otherwise. */
function zoneIn(text: string | null): string | undefined {
  if (!text) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    return undefined;
  }
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '');

/** Reads the query of an address. What makes no sense is ignored. */
export function parseView(query: string): StatsView {
  const found = new URLSearchParams(query);
  const of = distinct((found.get('of') ?? '').split(','));
  const linkId = of.find((part) => /^lnk_[0-9A-Za-z]+$/.test(part));
  const filters = Object.fromEntries(
    rowDimensions.flatMap((dimension) => {
      const values = distinct(found.getAll(dimension)).slice(0, valuesPerFilter);
      return values.length > 0 ? [[dimension, values]] : [];
    }),
  );
  return {
    linkId,
    domain: linkId === undefined ? of.find((part) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(part)) : undefined,
    tags: linkId === undefined ? of.filter((part) => /^tag_\w+$/.test(part)).slice(0, tagsPerLink) : [],
    match: linkId === undefined && found.get('match') === 'all' ? 'all' : 'any',
    range: rangeIn(found.get('range') ?? ''),
    zone: zoneIn(found.get('tz')),
    isCompared: found.get('compare') !== '0',
    interval: intervals.find((interval) => interval === found.get('by')),
    filters,
    metric: found.get('show') === 'unique' ? 'unique' : 'clicks',
    isTable: found.get('as') === 'table',
  };
}

/** How a range is in the address. */
export const writtenRange = (range: RangeChoice): string => (typeof range === 'string' ? range : writtenDays(range));

/** Writes the query of an address; `parseView` reads it again. Defaults are left out. */
export function writeView(view: StatsView): string {
  const query = new URLSearchParams();
  const of = view.linkId ?? [...(view.domain === undefined ? [] : [view.domain]), ...view.tags].join(',');
  if (of !== '') query.set('of', of);
  if (view.match === 'all') query.set('match', 'all');
  const { range } = view;
  if (range !== plainView.range) query.set('range', writtenRange(range));
  if (view.zone !== undefined) query.set('tz', view.zone);
  if (!view.isCompared) query.set('compare', '0');
  if (view.interval !== undefined) query.set('by', view.interval);
  for (const [dimension, values] of Object.entries(view.filters)) for (const value of values) query.append(dimension, value);
  if (view.metric === 'unique') query.set('show', 'unique');
  if (view.isTable) query.set('as', 'table');
  return query.toString();
}

/** The filters with one value more, or without it if it is there. */
export function toggled(filters: Filters, dimension: RowDimension, value: string): Filters {
  const { [dimension]: before = [], ...others } = filters;
  const values = before.includes(value) ? before.filter((one) => one !== value) : [...before, value];
  return values.length > 0 ? { ...others, [dimension]: values } : others;
}

/** Whether any click is left out. */
export const isFiltered = (filters: Filters): boolean => Object.keys(filters).length > 0;
