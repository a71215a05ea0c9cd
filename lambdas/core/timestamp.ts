import { RuleError } from './errors.ts';

// RFC 3339, except that seconds are optional, as in ISO 8601, and there are no leap seconds, as in JavaScript.
const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):(\d{2}))$/;

/** A time whose `+` was not escaped in a URL, and arrived as a space. */
const unescapedPlus = /T[\d:.]+ \d{2}:\d{2}$/;

/**
 * Parses an ISO 8601 date and time with a time zone. Returns it in UTC with milliseconds.
 *
 * @throws RuleError `invalid_timestamp`
 */
export function parseTimestamp(text: string): string {
  const [, year, month, day, hour, minute, second, zoneHour, zoneMinute] = pattern.exec(text)?.map(Number) ?? [];
  const invalid = new RuleError(
    'invalid_timestamp',
    unescapedPlus.test(text)
      ? 'must have a + before the offset of its time zone: in a URL, write %2B, because a + there is a space'
      : 'must be an ISO 8601 date and time with a time zone, such as 2030-01-31T12:00:00Z',
  );
  if (year === undefined || month === undefined || day === undefined) throw invalid;
  // Date accepts the 31st of February as the 3rd of March, and its constructor the year 30 as 1930.
  const calendarDay = new Date(0);
  calendarDay.setUTCFullYear(year, month - 1, day);
  if (calendarDay.getUTCMonth() !== month - 1 || calendarDay.getUTCDate() !== day) throw invalid;
  const inRange = (value: number | undefined, max: number) => value === undefined || Number.isNaN(value) || value <= max;
  if (!inRange(hour, 23) || !inRange(minute, 59) || !inRange(second, 59) || !inRange(zoneHour, 23) || !inRange(zoneMinute, 59)) {
    throw invalid;
  }
  const time = new Date(text);
  // The time zone may push the year out of four digits.
  if (Number.isNaN(time.getTime()) || time.toISOString().length !== 24) throw invalid;
  return time.toISOString();
}
