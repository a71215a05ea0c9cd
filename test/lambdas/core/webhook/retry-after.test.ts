import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../../lambdas/core/webhook/retry-after.ts';

const now = Date.parse('2030-01-02T03:04:05.678Z');
const minute = 60_000;

test.for([
  ['0', 0],
  ['1', 1_000],
  ['120', 2 * minute],
  ['00120', 2 * minute],
  ['9'.repeat(400), Number.POSITIVE_INFINITY],
  ['Wed, 02 Jan 2030 03:14:05 GMT', 10 * minute - 678],
  ['Wednesday, 02-Jan-30 03:14:05 GMT', 10 * minute - 678],
  ['Wed Jan  2 03:14:05 2030', 10 * minute - 678],
  ['Sun Nov 06 08:49:37 2033', Date.parse('2033-11-06T08:49:37Z') - now],
  ['Wed, 02 Jan 2030 03:04:05 GMT', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
] as const)('Retry-After: %s is read as RFC 9110 defines it.', ([value, ms]) => {
  expect(retryAfterMs(value, now)).toBe(ms);
});

test.for([
  '',
  ' ',
  '-1',
  '+60',
  '1.5',
  '1e3',
  '0x10',
  '60s',
  '1 minute',
  '60, 120',
  '١٢٠',
  'soon',
  '2033-11-06',
  '2033-11-06T08:49:37Z',
  'Wed, 02 Jan 2030 03:14:05 CET',
  'Wed, 02 Jan 2030 03:14:05 +0100',
  'Wed, 99 Xyz 2030 99:99:99 GMT',
  'Wed, 02 Jan 2030 03:14:05',
  'Wed, 02 Jan 2030',
])('Retry-After: %j is ignored.', (value) => {
  expect(retryAfterMs(value, now)).toBe(0);
});

test("Each HTTP date means the same in all three forms, whatever the machine's time zone.", () => {
  const before = process.env.TZ;
  try {
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      process.env.TZ = zone;
      fc.assert(
        fc.property(fc.date({ min: new Date('2030-01-03'), max: new Date('2049-12-31'), noInvalidDate: true }), (date) => {
          const usual = date.toUTCString();
          const [, day, month, year = '', time] = usual.split(' ') as string[];
          const weekday = date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
          const forms = [
            usual,
            `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
            `${weekday.slice(0, 3)} ${month} ${day?.replace(/^0/, ' ')} ${time} ${year}`,
          ];
          const ms = Math.floor(date.getTime() / 1_000) * 1_000 - now;
          expect(forms.map((form) => retryAfterMs(form, now))).toEqual([ms, ms, ms]);
        }),
      );
    }
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

test('Any text gives a time that is not in the past, or is ignored.', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(retryAfterMs(text, now)).toBeGreaterThanOrEqual(0);
    }),
  );
});
