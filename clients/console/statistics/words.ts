import { addressDimensions, type RowDimension } from '../../../lambdas/core/click/click.ts';
import type { Interval } from '../../../lambdas/core/click/statistics.ts';
import { count } from '../parts/time.ts';
import type { Period } from './ranges.ts';

// Texts of the statistics: counts in full, shares and changes beside them, times in the zone of the view.

const format = (zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });

const dayAndMonth = { day: 'numeric', month: 'short' } as const;
const clock = { hour: '2-digit', minute: '2-digit' } as const;

/** The local time in a zone, such as 11:27. */
export const clockTime = (instant: number, zone: string): string => format(zone, clock).format(instant);

/** The start of a point of a series, as precise as its interval. */
export function pointName(start: number, interval: Interval, zone: string): string {
  switch (interval) {
    case 'hour':
      return format(zone, { ...dayAndMonth, ...clock }).format(start);
    case 'day':
      return format(zone, { weekday: 'short', ...dayAndMonth }).format(start);
    case 'week':
      return `Week of ${format(zone, dayAndMonth).format(start)}`;
    case 'month':
      return format(zone, { month: 'long', year: 'numeric' }).format(start);
  }
}

/** A short form for below a plot. @param isOneDay whether all points are of one day */
export function shortPointName(start: number, interval: Interval, zone: string, isOneDay: boolean): string {
  if (interval === 'hour' && isOneDay) return clockTime(start, zone);
  if (interval === 'month') return format(zone, { month: 'short', year: '2-digit' }).format(start);
  return format(zone, dayAndMonth).format(start);
}

const dayOf = (day: string, options: Intl.DateTimeFormatOptions): string =>
  format('UTC', { ...dayAndMonth, ...options }).format(Date.parse(day));

/** The days of a period, with the year if necessary, and the time if it ends before its last day does. */
export function periodName({ days: { from, to }, to: end, isRunning }: Period, zone: string, hasTime = false): string {
  const year = { year: 'numeric' } as const;
  const last = `${dayOf(to, year)}${hasTime && isRunning ? `, ${clockTime(end, zone)}` : ''}`;
  return from === to ? last : `${dayOf(from, from.slice(0, 4) === to.slice(0, 4) ? {} : year)} – ${last}`;
}

/** The name of the period to compare with, which ends at the same time of day if the other one is still running. */
export const comparedName = (before: Period, zone: string): string =>
  `${periodName(before, zone)}${before.isRunning ? ', up to this time' : ''}`;

/** A short form of a count, for beside a plot. */
export const shortCount = (number: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(number).toLowerCase();

const minus = '−';
const signed = (number: number, text: string): string => `${number > 0 ? '+' : number < 0 ? minus : '±'}${text}`;

/** The difference from a former number in percent. */
function percentOf(now: number, before: number): string {
  const percent = (100 * Math.abs(now - before)) / before;
  const digits = percent < 1_000 ? 1 : 0;
  return percent.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** How a number has changed, such as `+924 (+8.0 %)`. Without a former number, there is no percentage. */
export function changeText(now: number, before: number): string {
  const difference = now - before;
  const absolute = signed(difference, count(Math.abs(difference)));
  if (before === 0 || difference === 0) return absolute;
  return `${absolute} (${signed(difference, percentOf(now, before))} %)`;
}

/** How a number has changed, from what. */
export const comparisonText = (now: number, before: number): string => `${changeText(now, before)} from ${count(before)}`;

/** The same at a glance, such as `↑ 8.0 %`. */
export function trendText(now: number, before: number): string {
  if (now === before) return 'No change';
  const arrow = now > before ? '↑' : '↓';
  return `${arrow} ${before === 0 ? count(now) : `${percentOf(now, before)} %`}`;
}

/** A part of a sum, such as `34 %`. Below 1 % it has a decimal, and only exact values are `0 %` and `100 %`. */
export function shareText(part: number, sum: number): string {
  if (sum === 0 || part === 0) return '0 %';
  const percent = (100 * part) / sum;
  if (percent < 0.05) return '<0.1 %';
  if (percent < 0.95) return `${percent.toFixed(1)} %`;
  return part < sum && percent >= 99.5 ? '>99 %' : `${Math.round(percent)} %`;
}

/** The dimensions, as headings. */
export const dimensionNames: Readonly<Record<RowDimension, string>> = {
  country: 'Countries',
  referrer: 'Referrers',
  device: 'Devices',
  browser: 'Browsers',
  os: 'Operating systems',
  language: 'Languages',
  source: 'Opened by',
  variant: 'A/B variants',
  slug: 'Slugs',
  path: 'Extra paths',
  utmSource: 'UTM sources',
  utmMedium: 'UTM mediums',
  utmCampaign: 'UTM campaigns',
};

const names: Readonly<Partial<Record<RowDimension, Readonly<Record<string, string>>>>> = {
  referrer: { direct: 'Direct' },
  browser: { 'google-app': 'Google app', linkedin: 'LinkedIn', tiktok: 'TikTok', wechat: 'WeChat', duckduckgo: 'DuckDuckGo' },
  os: { ios: 'iOS', macos: 'macOS', chromeos: 'ChromeOS' },
  source: { link: 'Link', qr: 'QR code' },
  variant: { none: 'No variant' },
  path: { none: 'No extra path' },
};
const others: Readonly<Record<string, string>> = { unknown: 'Unknown', none: 'None' };

const display = { country: 'region', language: 'language' } as const;

const capitalised = (text: string): string =>
  text.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => `${dash === '' ? '' : ' '}${letter.toUpperCase()}`);

const fromElsewhere: readonly RowDimension[] = ['referrer', 'variant', ...addressDimensions];

/** The name of a value. Names from elsewhere, such as referrers and variants, stay as they are. */
export function valueName(dimension: RowDimension, value: string): string {
  // A variant may be called `constructor`.
  for (const known of [names[dimension] ?? {}, others]) if (Object.hasOwn(known, value)) return known[value] ?? value;
  if (dimension === 'country' || dimension === 'language') {
    try {
      return new Intl.DisplayNames('en', { type: display[dimension] }).of(value) ?? value;
    } catch {
      return value;
    }
  }
  return fromElsewhere.includes(dimension) ? value : capitalised(value);
}
