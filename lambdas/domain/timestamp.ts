import { RuleError } from './errors.ts';

// RFC 3339, with the seconds left out as ISO 8601 allows, and no leap second: JavaScript has none.
const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):(\d{2}))$/;

/**
 * Reads a point in time given as ISO 8601 with its zone; gives it in UTC with milliseconds.
 *
 * @throws RuleError `invalid_timestamp`
 */
export function parseTimestamp(text: string): string {
  const [, year, month, day, hour, minute, second, zoneHour, zoneMinute] = pattern.exec(text)?.map(Number) ?? [];
  const invalid = new RuleError(
    'invalid_timestamp',
    'must be an ISO 8601 date and time with a time zone, such as 2030-01-31T12:00:00Z',
  );
  if (year === undefined || month === undefined || day === undefined) throw invalid;
  // Date takes the 31st of February for the 3rd of March, and in its constructor the year 30 for 1930.
  const calendarDay = new Date(0);
  calendarDay.setUTCFullYear(year, month - 1, day);
  if (calendarDay.getUTCMonth() !== month - 1 || calendarDay.getUTCDate() !== day) throw invalid;
  const inRange = (value: number | undefined, max: number) => value === undefined || Number.isNaN(value) || value <= max;
  if (!inRange(hour, 23) || !inRange(minute, 59) || !inRange(second, 59) || !inRange(zoneHour, 23) || !inRange(zoneMinute, 59)) {
    throw invalid;
  }
  const time = new Date(text);
  // The zone may carry a date over the edge of four-digit years.
  if (Number.isNaN(time.getTime()) || time.toISOString().length !== 24) throw invalid;
  return time.toISOString();
}
