import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkContrast,
  eccLevels,
  parseQrColor,
  pixelsPerModule,
  plainStyle,
  type QrStyle,
  qrModules,
  qrSvg,
} from '../../../../lambdas/core/qr/qr-code.ts';
import { qrPng } from '../../../../lambdas/core/qr/qr-png.ts';
import { runs } from '../../../support/run/proof.ts';
import { drawSvg, onGround, readPng, scan } from '../../../support/store/scan.ts';

const inverted = { foreground: '#ffffff', background: '#000000' };

/** A short URL of this many characters. */
const shortUrlOf = (length: number) => {
  const slug = 'a-b'.repeat(22).slice(0, Math.min(64, length - 20));
  return `https://${'h'.repeat(length - 'https:///'.length - slug.length)}/${slug}`;
};

/** Expects a code to lead to this short URL, in any case. */
const expectShortUrl = (text: string | undefined, shortUrl: string) =>
  expect(text?.toLowerCase()).toBe(`${shortUrl}.q`.toLowerCase());

describe('A code is read by a scanner', () => {
  // From the shortest URL to one of the longest host and slug.
  const lengths = [22, 40, 60, 90, 130, 180, 240, 300, 319];
  test.for(eccLevels.flatMap((ecc) => lengths.map((length) => [ecc, length] as const)))(
    'at level %s with a URL of %i characters, dark on light and light on dark, as the smallest PNG and as an SVG.',
    ([ecc, length]) => {
      const shortUrl = shortUrlOf(length);
      const modules = qrModules(shortUrl, ecc);
      const size = 2 * (modules.length + 8);
      for (const colors of [{}, inverted]) {
        const style = { ...plainStyle, size, ...colors };
        expectShortUrl(scan(readPng(qrPng(modules, style))), shortUrl);
        expectShortUrl(scan(drawSvg(qrSvg(modules, style), 2)), shortUrl);
      }
    },
  );

  test('in every size, with every margin, and in all colours that are accepted.', () => {
    // Dark and light colours, because most other pairs have too little contrast.
    const colorOf = (min: number, max: number) => {
      const channel = fc.integer({ min, max }).map((value) => value.toString(16).padStart(2, '0'));
      return fc.tuple(channel, channel, channel).map((channels) => `#${channels.join('')}`);
    };
    const color = fc.oneof(colorOf(0, 255), colorOf(0, 63), colorOf(160, 255));
    const style = fc.record({
      size: fc.integer({ min: 64, max: 1_024 }),
      margin: fc.integer({ min: 0, max: 16 }),
      foreground: color,
      background: color,
    });
    fc.assert(
      fc.property(style, fc.constantFrom(...eccLevels), fc.integer({ min: 22, max: 319 }), (style, ecc, length) => {
        const shortUrl = shortUrlOf(length);
        const modules = qrModules(shortUrl, ecc);
        fc.pre(isAccepted(style) && style.size >= 2 * (modules.length + 2 * style.margin));
        const png = readPng(qrPng(modules, style));
        expect([png.width, png.height]).toEqual([style.size, style.size]);
        // A code with a smaller margin than the four modules of ISO/IEC 18004 must stand on a plain ground.
        const scanned = (image: Parameters<typeof onGround>[0], pixels: number) =>
          scan(onGround(image, style.background, 4 * pixels));
        expectShortUrl(scanned(png, pixelsPerModule(modules, style)), shortUrl);
        expectShortUrl(scanned(drawSvg(qrSvg(modules, style), 3), 3), shortUrl);
      }),
      { numRuns: runs(10) },
    );
  });

  test('in the largest size.', () => {
    expectShortUrl(scan(readPng(qrPng(qrModules(shortUrlOf(22)), { ...plainStyle, size: 2_048 }))), shortUrlOf(22));
  });
});

const isAccepted = (style: Pick<QrStyle, 'foreground' | 'background'>): boolean => {
  try {
    checkContrast(style);
    return true;
  } catch {
    return false;
  }
};

test("A URL that fits QR's alphanumeric mode is encoded in capital letters, which takes fewer modules.", () => {
  expect(scan(readPng(qrPng(qrModules('https://go.example.com/rwk6zzd'), plainStyle)))).toBe('HTTPS://GO.EXAMPLE.COM/RWK6ZZD.Q');
  expect(qrModules('https://go.example.com/rwk6zzd')).toHaveLength(25);
  expect(qrModules('https://go.example.com/rwk_zzd')).toHaveLength(29);
});

test('A slug with an underscore stays as it is.', () => {
  expect(scan(readPng(qrPng(qrModules('https://go.example.com/Summer_Sale'), plainStyle)))).toBe(
    'https://go.example.com/Summer_Sale.q',
  );
});

test('The level is raised if that does not enlarge the code, and never lowered.', () => {
  for (const [index, ecc] of eccLevels.entries()) {
    const modules = qrModules('https://go.example.com/rwk6zzd', ecc);
    for (const lower of eccLevels.slice(0, index)) {
      const other = qrModules('https://go.example.com/rwk6zzd', lower);
      if (other.length === modules.length) expect(other).toEqual(modules);
      else expect(other.length).toBeLessThan(modules.length);
    }
  }
});

test('All modules of a PNG have the same size, and the margin is at least as wide as requested.', () => {
  const modules = qrModules('https://go.example.com/rwk6zzd');
  fc.assert(
    fc.property(fc.integer({ min: 66, max: 300 }), fc.integer({ min: 0, max: 4 }), (size, margin) => {
      const style = { ...plainStyle, size, margin };
      const scale = pixelsPerModule(modules, style);
      const { data } = readPng(qrPng(modules, style));
      const isDark = (x: number, y: number) => data[4 * (y * size + x)] === 0;
      const start = Math.floor((size - scale * modules.length) / 2);
      expect(start).toBeGreaterThanOrEqual(scale * margin);
      for (let y = 0; y < size; y++) {
        for (let x = 0; x < size; x++) {
          const expected = modules[Math.floor((y - start) / scale)]?.[Math.floor((x - start) / scale)] ?? false;
          if (isDark(x, y) !== expected) throw new Error(`the pixel ${x}, ${y} of ${JSON.stringify(style)}`);
        }
      }
    }),
    { numRuns: runs(20) },
  );
});

test('A PNG with fewer than two pixels for a module is refused, and says how many it needs.', () => {
  const modules = qrModules('https://go.example.com/rwk6zzd');
  const least = 2 * (modules.length + 8);
  expect(() => qrPng(modules, { ...plainStyle, size: least })).not.toThrow();
  expect(() => qrPng(modules, { ...plainStyle, size: least - 1 })).toThrow(`must be at least ${least}`);
});

describe('The contrast of', () => {
  // The grades are those of ISO/IEC 15415, by the difference in reflectance.
  test.for([
    ['#000000', '#ffffff', 'A', true, true],
    ['#0000ff', '#ffff00', 'A', true, true],
    ['#102030', '#ffffff', 'A', true, true],
    ['#202020', '#ffffff', 'A', true, false],
    ['#ff0000', '#ffffff', 'A', true, false],
    ['#767676', '#ffffff', 'A', true, false],
    ['#808080', '#ffffff', 'A', false, false],
    ['#aaaaaa', '#ffffff', 'B', false, false],
    ['#000000', '#bbbbbb', 'C', true, true],
    ['#000000', '#a8a8a8', 'D', false, false],
    ['#cccccc', '#ffffff', 'D', false, false],
    ['#ffff00', '#ffffff', 'F', false, false],
    ['#ffffff', '#ffffff', 'F', false, false],
    ['#000000', '#000000', 'F', false, false],
    // WCAG's ratio of 4.6 to 1 would be enough for text.
    ['#000000', '#767676', 'F', false, false],
    ['#ff0000', '#00c000', 'F', false, false],
  ] as const)(
    '%s and %s has grade %s; accepted dark on light: %j, light on dark: %j.',
    ([dark, light, , darkOnLight, lightOnDark]) => {
      expect(isAccepted({ foreground: dark, background: light })).toBe(darkOnLight);
      expect(isAccepted({ foreground: light, background: dark })).toBe(lightOnDark);
    },
  );
});

test.for([
  ['1A2b3C', '#1a2b3c'],
  ['#1A2b3C', '#1a2b3c'],
] as const)('The colour %s is %s.', ([text, color]) => {
  expect(parseQrColor(text)).toBe(color);
});

test.for(['', '#', '1a2', '1a2b3c4', '##1a2b3c', 'red', '1a2b3g', '1a2b3c\n', '"/><script>'])(
  'The colour %j is refused.',
  (text) => {
    expect(() => parseQrColor(text)).toThrow('must be 6 hexadecimal digits');
  },
);
