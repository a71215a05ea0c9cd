import { type RowDimension, rowDimensions } from '../../../lambdas/core/click/click.ts';
import { type Interval, intervals } from '../../../lambdas/core/click/statistics.ts';
import { tagsPerLink, valuesPerFilter } from '../../../lambdas/core/limits.ts';
import { type OwnDays, ownDaysIn, writtenDays } from '../parts/days.ts';

// The state of the statistics screen in its address. Relative ranges stay relative, so that a shared view is always up
// to date.

/** The offered ranges in days, including today. */
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
  /** One link, which may be deleted; otherwise all links, or those on a domain and with tags. */
  readonly linkId: string | undefined;
  readonly domain: string | undefined;
  readonly tags: readonly string[];
  readonly match: 'any' | 'all';
  readonly range: RangeChoice;
  /** An IANA zone; undefined for the reader's own. */
  readonly zone: string | undefined;
  readonly isCompared: boolean;
  /** Undefined chooses the one that suits the range. */
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

/** A range as it is in the address; the default one if the text is invalid. */
export function rangeIn(text: string): RangeChoice {
  if (Object.hasOwn(presets, text) || calendar.some((one) => one === text)) return text as Preset;
  return ownDaysIn(text, Number.POSITIVE_INFINITY) ?? plainView.range;
}

/** A zone of the address, if this browser knows it. */
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

/** Reads the query of an address. Invalid parts are ignored. */
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

/** A range as it is in the address. */
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

/** The filters with a value added, or removed if it was there. */
export function toggled(filters: Filters, dimension: RowDimension, value: string): Filters {
  const { [dimension]: before = [], ...others } = filters;
  const values = before.includes(value) ? before.filter((one) => one !== value) : [...before, value];
  return values.length > 0 ? { ...others, [dimension]: values } : others;
}

/** Whether any filter is set. */
export const isFiltered = (filters: Filters): boolean => Object.keys(filters).length > 0;
