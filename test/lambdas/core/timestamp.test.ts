import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTimestamp } from '../../../lambdas/core/timestamp.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs } from '../../support/run/proof.ts';

const refused = expect.objectContaining({ name: 'RuleError', code: 'invalid_timestamp' });
const two = (value: number) => String(value).padStart(2, '0');

/** A time in milliseconds, and a way to write it in some zone. */
const written = fc
  .record({
    // A day within the years 0 to 9999, so that no zone moves the date out of them.
    time: fc.integer({ min: Date.parse('0000-01-02T00:00:00Z'), max: Date.parse('9999-12-30T23:59:59.999Z') }),
    offset: fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }),
    digits: fc.integer({ min: 0, max: 9 }),
    seconds: fc.boolean(),
  })
  .map(({ time, offset, digits, seconds }) => {
    const unit = seconds ? (digits === 0 ? 1000 : digits >= 3 ? 1 : 10 ** (3 - digits)) : 60_000;
    const exact = Math.floor(time / unit) * unit;
    const local = new Date(exact + offset * 60_000).toISOString();
    const fraction = digits === 0 ? '' : `.${local.slice(20, 23).padEnd(9, '0').slice(0, digits)}`;
    const minutes = Math.abs(offset);
    const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
    return { exact, text: seconds ? `${local.slice(0, 19)}${fraction}${zone}` : `${local.slice(0, 16)}${zone}` };
  });

test('A time in any zone, with or without seconds and fractions, is returned in UTC with milliseconds.', () => {
  fc.assert(
    fc.property(written, ({ exact, text }) => {
      expect(parseTimestamp(text)).toBe(new Date(exact).toISOString());
    }),
    { numRuns: runs(1_000) },
  );
});

test('A returned timestamp is accepted again and stays the same.', () => {
  fc.assert(fc.property(written, ({ text }) => parseTimestamp(parseTimestamp(text)) === parseTimestamp(text)));
});

test('A date is accepted exactly if it is in the calendar.', () => {
  fc.assert(
    fc.property(fc.nat(9999), fc.nat(15), fc.nat(35), (year, month, day) => {
      const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
      const days = [0, 31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
      const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
      if (day >= 1 && day <= days) expect(parseTimestamp(`${date}T12:00:00Z`)).toBe(`${date}T12:00:00.000Z`);
      else expect(() => parseTimestamp(`${date}T12:00:00Z`)).toThrow(refused);
    }),
    { numRuns: runs(2_000) },
  );
});

test('A time of day is accepted exactly if a clock can show it.', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(70), fc.nat(70), fc.nat(30), fc.nat(70), (hour, minute, second, zoneHour, zoneMinute) => {
      const text = `2030-06-15T${two(hour)}:${two(minute)}:${two(second)}+${two(zoneHour)}:${two(zoneMinute)}`;
      if (hour < 24 && minute < 60 && second < 60 && zoneHour < 24 && zoneMinute < 60) {
        const utc = Date.UTC(2030, 5, 15, hour - zoneHour, minute - zoneMinute, second);
        expect(parseTimestamp(text)).toBe(new Date(utc).toISOString());
      } else expect(() => parseTimestamp(text)).toThrow(refused);
    }),
    { numRuns: runs(1_000) },
  );
});

describe('An accepted timestamp', () => {
  test.for([
    ['29 February of a leap year', '2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['29 February 2000, of a century that is a leap year', '2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['the first moment of a year, from the year before', '2029-12-31T22:30:00-01:30', '2030-01-01T00:00:00.000Z'],
    ['the last moment of a year, from the year after', '2031-01-01T00:59:59.999+01:00', '2030-12-31T23:59:59.999Z'],
    ['the first millisecond of year 0', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['the last millisecond of year 9999', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['a year below 100', '0099-03-01T00:00:00Z', '0099-03-01T00:00:00.000Z'],
    ['a past time', '1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['a zone of minus zero', '2030-01-01T00:00:00-00:00', '2030-01-01T00:00:00.000Z'],
    ['nanoseconds, which it cuts off', '2030-01-01T00:00:00.123999999Z', '2030-01-01T00:00:00.123Z'],
    ['a time without seconds', '2030-01-01T00:00+05:45', '2029-12-31T18:15:00.000Z'],
  ] as const)('parseTimestamp accepts %s.', ([, text, utc]) => {
    expect(parseTimestamp(text)).toBe(utc);
  });
});

describe('A refused timestamp', () => {
  test.for([
    ['an empty text', ''],
    ['a time without a zone', '2030-01-01T00:00:00'],
    ['a date without a time', '2030-01-01'],
    ['29 February of another year', '2030-02-29T00:00:00Z'],
    ['29 February 1900', '1900-02-29T00:00:00Z'],
    ['31 April', '2030-04-31T00:00:00Z'],
    ['day 0', '2030-01-00T00:00:00Z'],
    ['month 13', '2030-13-01T00:00:00Z'],
    ['24:00', '2030-01-01T24:00:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['a zone of 24 hours', '2030-01-01T00:00:00+24:00'],
    ['a zone without minutes', '2030-01-01T00:00:00+01'],
    ['a zone without a colon', '2030-01-01T00:00:00+0100'],
    ['a named zone', '2030-01-01T00:00:00 CET'],
    ['a year of five digits', '10000-01-01T00:00:00Z'],
    ['a signed year', '+002030-01-01T00:00:00Z'],
    ['a time that its zone moves before year 0', '0000-01-01T00:00:00+00:01'],
    ['a time that its zone moves after year 9999', '9999-12-31T23:59:59-00:01'],
    ['a space instead of the T', '2030-01-01 00:00:00Z'],
    ['small letters', '2030-01-01t00:00:00z'],
    ['a comma before the fraction', '2030-01-01T00:00:00,5Z'],
    ['a fraction without digits', '2030-01-01T00:00:00.Z'],
    ['ten digits of a fraction', '2030-01-01T00:00:00.1234567890Z'],
    ['a fraction of minutes', '2030-01-01T00:00.5Z'],
    ['week dates', '2030-W01-1T00:00:00Z'],
    ['seconds since 1970', '1893456000'],
    ['a text that Date would parse', 'Tue, 01 Jan 2030 00:00:00 GMT'],
    ['a space before it', ' 2030-01-01T00:00:00Z'],
    ['a line break after it', '2030-01-01T00:00:00Z\n'],
    ['digits of another script', '٢٠٣٠-01-01T00:00:00Z'],
    ['NUL', '2030-01-01T00:00:00Z\0'],
  ] as const)('parseTimestamp refuses %s.', ([, text]) => {
    expect(() => parseTimestamp(text)).toThrow(refused);
  });

  test('If the + of a zone has arrived as a space, the refusal says how to send it.', () => {
    for (const text of ['2030-01-01T00:00:00 02:00', '2030-01-01T00:00 02:00', '2030-01-01T00:00:00.5 00:00'])
      expect(() => parseTimestamp(text)).toThrow('%2B');
    expect(() => parseTimestamp('2030-01-01 02:00')).toThrow('such as 2030-01-31T12:00:00Z');
  });

  test('Any other text is refused by the rule, and never causes another error.', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(() => parseTimestamp(text)).toThrow(refused);
      }),
    );
  });
});
