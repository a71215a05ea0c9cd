import { encode } from 'uqr';
import { RuleError } from '../errors.ts';

/** How much of a code may be damaged: about 7, 15, 25 or 30 percent (ISO/IEC 18004). */
export const eccLevels = ['L', 'M', 'Q', 'H'] as const;
export type EccLevel = (typeof eccLevels)[number];

/** The limits of an image's size in pixels, and of the margin in modules. */
export const qrSize = { least: 64, unlessAsked: 512, most: 2_048 } as const;
/** ISO/IEC 18004 requires a quiet zone of 4 modules. An image on a background of the same colour needs less. */
export const qrMargin = { unlessAsked: 4, most: 16 } as const;

/** How a code is drawn. */
export type QrStyle = {
  /** The side of the image, in pixels. */
  readonly size: number;
  /** In modules. */
  readonly margin: number;
  /** The colours of the dark and of the light modules: `#rrggbb`, lower case. */
  readonly foreground: string;
  readonly background: string;
};

export const plainStyle: QrStyle = {
  size: qrSize.unlessAsked,
  margin: qrMargin.unlessAsked,
  foreground: '#000000',
  background: '#ffffff',
};

/** The modules of a code, without a margin: rows from the top, `true` for a dark one. */
export type QrModules = readonly (readonly boolean[])[];

/**
 * The code of a link. It holds `{shortUrl}.q`, and nothing of the destination.
 *
 * In capital letters, characters take 5.5 bits instead of 8, so the code has fewer modules, and larger ones. Scheme and
 * host are case-insensitive (RFC 3986, section 6.2.2.1), and so are slugs. Phones compare hosts without case too; an
 * app that opens links by their path sees capitals. The alphabet has no underscore, so a slug with one is not
 * capitalised.
 *
 * @param ecc the least level. A higher one is used if the code does not get larger.
 */
export function qrModules(shortUrl: string, ecc: EccLevel = 'M'): QrModules {
  const capitals = `${shortUrl}.q`.toUpperCase();
  const isAlphanumeric = /^[0-9A-Z $%*+\-./:]*$/.test(capitals);
  return encode(isAlphanumeric ? capitals : `${shortUrl}.q`, { ecc, boostEcc: true, border: 0 }).data;
}

/**
 * How many pixels a module takes in an image of the style's size.
 *
 * @throws RuleError `too_small` if it is fewer than 2, which readers cannot tell apart.
 */
export function pixelsPerModule(modules: QrModules, { size, margin }: QrStyle): number {
  const side = modules.length + 2 * margin;
  if (size < 2 * side) throw new RuleError('too_small', `must be at least ${2 * side} pixels for this code`);
  return Math.floor(size / side);
}

/** A code as an SVG image. Its modules are neither blurred nor separated by gaps at any size. */
export function qrSvg(modules: QrModules, { size, margin, foreground, background }: QrStyle): string {
  const side = modules.length + 2 * margin;
  const path = modules.flatMap((row, y) =>
    runsOf(row).map(([x, length]) => `M${x + margin} ${y + margin}h${length}v1h-${length}z`),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
    `<rect width="${side}" height="${side}" fill="${background}"/>`,
    `<path fill="${foreground}" d="${path.join('')}"/></svg>`,
  ].join('');
}

/** The runs of dark modules in a row: where each starts, and how long it is. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last && last[0] + last[1] === x) last[1]++;
    else runs.push([x, 1]);
  });
  return runs;
}

/** A colour with or without its `#`, which has to be escaped in a query. @throws RuleError `invalid_color` */
export function parseQrColor(text: string): string {
  const [, digits] = /^#?([0-9A-Fa-f]{6})$/.exec(text) ?? [];
  if (digits === undefined) throw new RuleError('invalid_color', 'must be 6 hexadecimal digits, such as 1a2b3c');
  return `#${digits.toLowerCase()}`;
}

/**
 * The least symbol contrast, which is the difference in reflectance of the colours: grade C of ISO/IEC 15415 (A from
 * 0.7, B from 0.55, C from 0.4, D from 0.2), the least that is commonly accepted in print. WCAG's ratio doesn't fit: it
 * is high for two dark colours, which a camera cannot tell apart.
 *
 * @see https://barcode-test.com/barcode-quality-training/using-the-verification-report-to-improve-2d-barcode-quality-2/
 */
const leastContrast = 0.4;

/**
 * The highest brightness of the darker colour, relative to the other one. Readers based on ZXing take an area without
 * contrast for the background, and half its brightness for the threshold of dark. With light on dark, this applies to
 * the dark background, so it has to be almost black. With these limits, jsQR reads every code; without them, it
 * doesn't. Some scanners cannot read light codes on dark backgrounds at all.
 *
 * @see https://github.com/zxing-js/browser/issues/80, https://github.com/mchehab/zbar/issues/173
 * @see https://github.com/zxing/zxing/blob/master/core/src/main/java/com/google/zxing/common/HybridBinarizer.java
 */
const mostBrightness = { darkOnLight: 1 / 2, lightOnDark: 1 / 8 } as const;

/**
 * Checks that scanners can tell the colours apart. The foreground may be the lighter one.
 *
 * @throws RuleError `low_contrast`
 */
export function checkContrast({ foreground, background }: Pick<QrStyle, 'foreground' | 'background'>): void {
  const [front, ground] = [channelsOf(foreground), channelsOf(background)];
  const isDarkOnLight = weighted(front) <= weighted(ground);
  const [dark, light] = isDarkOnLight ? [front, ground] : [ground, front];
  const contrast = weighted(light.map(linear)) - weighted(dark.map(linear));
  const part = weighted(dark) / weighted(light);
  if (contrast >= leastContrast && part < mostBrightness[isDarkOnLight ? 'darkOnLight' : 'lightOnDark']) return;
  throw new RuleError(
    'low_contrast',
    `must differ more from the other colour, because scanners could not read the code${isDarkOnLight ? '' : '; if the code is light on dark, the dark colour must be almost black'}`,
  );
}

/** The red, green and blue of a colour, each from 0 to 1. */
const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);

/** How much of the light a channel stands for: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** A colour's brightness from its channels, or its luminance from linear channels. */
const weighted = ([red = 0, green = 0, blue = 0]: readonly number[]): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
