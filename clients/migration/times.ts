import { Temporal } from 'temporal-polyfill';
import { parseTimestamp } from '../../lambdas/core/timestamp.ts';

const dateAlone = /^\d{4}-\d\d-\d\d$/;
const withZone = /(Z|T.*[+-]\d\d:\d\d)$/i;
/** An offset of hours and minutes, after a time. */
const offset = /(:\d\d(?:\.\d+)?) ?([+-]\d\d):?(\d\d)?$/;

/**
 * Parses a time with or without a zone, or a date, which is a whole day: a start is the day's beginning, an expiry its
 * end.
 *
 * @param zone the IANA time zone of times and dates without one.
 * @param notes gets an entry if the text is the end of a day.
 * @throws RuleError `invalid_timestamp`
 */
export function timeOf(text: string, bound: 'start' | 'expiry', zone: string, notes: string[]): string {
  if (dateAlone.test(text)) {
    const start = instantOf(`${text}T00:00:00`, zone);
    if (bound === 'start') return start;
    notes.push(`its expiry ${text} is the end of that day in ${zone}`);
    return instantOf(`${Temporal.PlainDate.from(text).add({ days: 1 })}T00:00:00`, zone);
  }
  const iso = text
    .replace(/ (?=\d)/, 'T')
    .replace(offset, (_, time: string, hours: string, minutes = '00') => `${time}${hours}:${minutes}`);
  return withZone.test(iso) ? parseTimestamp(iso) : instantOf(iso, zone);
}

/** The instant at which clocks of a zone show a time: the first one if they show it twice, the next one if never. */
function instantOf(local: string, zone: string): string {
  const inUtc = parseTimestamp(`${local}Z`);
  if (zone === 'UTC') return inUtc;
  const { epochMilliseconds } = Temporal.PlainDateTime.from(inUtc.slice(0, -1)).toZonedDateTime(zone);
  return parseTimestamp(new Date(epochMilliseconds).toISOString());
}
