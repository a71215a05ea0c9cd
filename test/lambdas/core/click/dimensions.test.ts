import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dimensions } from '../../../../lambdas/core/click/click.ts';
import { type Arrival, dimensionsOf } from '../../../../lambdas/core/click/dimensions.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';
import { runs } from '../../../support/run/proof.ts';

const arrivalOf = (arrival: Partial<Arrival>): Arrival => ({
  agent: { userAgent: '', brands: '', platform: '', mobile: '' },
  host: 'go.example.com',
  referrer: undefined,
  languages: '',
  source: 'link',
  ...arrival,
});

test.for<[string | undefined, string]>([
  [undefined, 'direct'],
  ['', 'direct'],
  ['https://example.org/', 'example.org'],
  ['https://example.org/a/secret?token=secret#secret', 'example.org'],
  ['https://www.example.org', 'example.org'],
  ['https://www2.example.org', 'www2.example.org'],
  ['https://news.www.example.org', 'news.www.example.org'],
  ['HTTPS://Example.ORG:8443/', 'example.org'],
  ['https://secret:secret@example.org/', 'example.org'],
  ['https://example.org./', 'example.org'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['android-app://com.google.android.gm/', 'com.google.android.gm'],
  [`https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.example/`, 'unknown'],
  // The form of a password, or a preview.
  ['https://go.example.com/slug', 'unknown'],
  ['https://www.com/', 'unknown'],
  ['https://localhost/', 'unknown'],
  ['https://intranet/wiki', 'unknown'],
  ['https://192.0.2.1/', 'unknown'],
  ['https://0x7f.1/', 'unknown'],
  ['https://[2001:db8::1]/', 'unknown'],
  ['https://under_score.example.org/', 'unknown'],
  ['about:blank', 'unknown'],
  ['data:text/html,secret', 'unknown'],
  ['example.org', 'unknown'],
  ['https://', 'unknown'],
  ['https://exa mple.org/', 'unknown'],
  ['\0', 'unknown'],
  ['null', 'unknown'],
  [`https://example.org/${'a'.repeat(9_000)}`, 'example.org'],
  [`https://${'a.'.repeat(4_000)}org/`, 'unknown'],
])('The referrer %j is recorded as %s.', ([referrer, recorded]) => {
  expect(dimensionsOf(arrivalOf({ referrer }), undefined).referrer).toBe(recorded);
});

test.for<[string, string]>([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-at,en;q=0.5', 'de'],
  ['en-US,en;q=0.9,de;q=0.8', 'en'],
  ['en;q=0.5,de', 'de'],
  ['en;q=0.5,de;q=0.5', 'en'],
  ['en;q=0.8, fr;q=0.9', 'fr'],
  ['en ; q=0.1,fr; q=0.2 ', 'fr'],
  ['zh-Hans-CN', 'zh'],
  ['haw-US', 'haw'],
  ['de_DE', 'de'],
  ['en;q=0', 'unknown'],
  ['en;q=0,de;q=0.001', 'de'],
  ['*', 'unknown'],
  ['*,de;q=0.5', 'de'],
  ['', 'unknown'],
  [',,,', 'unknown'],
  ['english', 'unknown'],
  ['x-klingon', 'unknown'],
  ['i-default', 'unknown'],
  ['12', 'unknown'],
  ['en;q=2', 'unknown'],
  ['en;q=,de', 'de'],
  ['en;level=1,de;q=0.1', 'de'],
  ['\0de', 'unknown'],
  ['ſt', 'unknown'],
  [`${'e-'.repeat(4_000)}`, 'unknown'],
  [`${'en-a'.repeat(4_000)};`, 'unknown'],
  ['de;q=0.1;q=1,en;q=0.1', 'en'],
  ['\u212aw', 'unknown'],
])('Accept-Language %j is recorded as %s.', ([languages, recorded]) => {
  expect(dimensionsOf(arrivalOf({ languages }), undefined).language).toBe(recorded);
});

test('Country and source are recorded as they are, and a missing country as unknown.', () => {
  expect(dimensionsOf(arrivalOf({ source: 'qr' }), 'DE')).toMatchObject({ country: 'DE', source: 'qr' });
  expect(dimensionsOf(arrivalOf({}), undefined)).toMatchObject({ country: 'unknown', source: 'link' });
});

test('Whatever a visitor sends, every dimension has a value of its list, and none has more than 253 characters.', () => {
  const pieces = fc.constantFrom(
    'https://',
    'www.',
    'a',
    'é',
    '.',
    ',',
    ';q=',
    '0.5',
    '-',
    '"',
    '\0',
    '\ud800',
    ' ',
    '%',
    '[',
    '1',
  );
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.webUrl(),
    fc.array(pieces, { maxLength: 300 }).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(text, text, text, text, text, text, (referrer, languages, userAgent, brands, platform, mobile) => {
      const recorded = dimensionsOf(
        arrivalOf({ referrer, languages, agent: { userAgent, brands, platform, mobile } }),
        undefined,
      );
      expect(Object.keys(recorded).sort()).toEqual([...dimensions].sort());
      expect(recorded.referrer).toMatch(/^(?:direct|unknown|(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+)$/);
      expect(recorded.referrer).not.toMatch(/^www\.|^[\d.]+$/);
      expect(recorded.language).toMatch(/^(?:unknown|[a-z]{2,3})$/);
    }),
    { numRuns: runs(200) },
  );
});
