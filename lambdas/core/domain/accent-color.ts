import { RuleError } from '../errors.ts';
import { parseColor } from '../tag/tag.ts';

/** The background of pages in light and dark mode, which is the console's. */
export const pageBackgrounds = { light: '#ffffff', dark: '#14181d' } as const;

/**
 * The backgrounds on which an accent colour must be visible. The dark one is the background of earlier pages, so that
 * every colour that was accepted then still is.
 */
export const accentBackgrounds = [pageBackgrounds.light, '#121212'] as const;

/**
 * The contrast that parts of a user interface need, such as buttons and focus outlines: WCAG 2.2,
 * success criterion 1.4.11. Texts are not in the accent colour.
 *
 * @see https://www.w3.org/TR/WCAG22/#non-text-contrast
 */
const leastContrast = 3;

/**
 * Parses an accent colour, which must be visible on pages in light and dark mode.
 *
 * @returns it in lower case.
 * @throws RuleError `accent_contrast`, and those of a colour
 */
export function parseAccentColor(text: string): string {
  const color = parseColor(text);
  for (const background of accentBackgrounds) {
    const ratio = contrast(color, background);
    if (ratio < leastContrast) {
      // Rounded down, so that it never looks like enough.
      const shown = Math.floor(ratio * 100) / 100;
      throw new RuleError(
        'accent_contrast',
        `must have a contrast of at least ${leastContrast}:1 with ${accentBackgrounds.join(' and ')}, a light and a dark page; with ${background} it is ${shown}:1`,
      );
    }
  }
  return color;
}

/** Black or white, whichever is better to read on a colour: at least 4.5:1, as texts need (1.4.3). */
export const textOn = (color: string): string =>
  contrast(color, '#000000') > contrast(color, '#ffffff') ? '#000000' : '#ffffff';

/** The contrast of two colours, from 1 to 21. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
