import type { OwnSettings } from './own.ts';
import { flagOf, textOf } from './text.ts';

/** Reads a cell of a row by its name; undefined if it is missing, empty or false. */
type Cell = (name: string) => unknown;

/** At Dub and Shlink, a parameter of the visit replaces the destination's. Here, the destination's stays. */
const passingOn = (cell: Cell, urlColumns: readonly string[], notes: string[]): OwnSettings => {
  const [url] = urlColumns.map(cell).filter((one) => one !== undefined);
  const named = new Set(URL.parse(textOf(url))?.searchParams.keys());
  if (named.size > 0) notes.push(`parameters of a visit are passed on, but do not replace ${[...named].join(', ')} of its URL`);
  return { forwardParameters: true };
};

/**
 * Dub passes all parameters on: https://github.com/dubinc/dub (get-final-url.ts). A disabled link leads to its domain's
 * URL for unknown links: https://github.com/dubinc/dub-python (linkschema.py).
 */
export const dubSettings = (cell: Cell, notes: string[]): OwnSettings => ({
  ...passingOn(cell, ['destination url', 'url'], notes),
  ...(cell('disabledAt') !== undefined && { isActive: false }),
  ...archivedSettings(cell),
});

/** Dub and Bitly archive links as this service does: they still work. */
export const archivedSettings = (cell: Cell): OwnSettings => (flagOf(cell('archived')) ? { isArchived: true } : {});

/**
 * Shlink passes parameters on unless a short URL says `forwardQuery: false`, which its CSV does not contain:
 * https://github.com/shlinkio/shlink (ShortUrlRedirectionBuilder.php).
 */
export const shlinkSettings = (cell: Cell, notes: string[], isSaidFalse: boolean): OwnSettings =>
  isSaidFalse ? {} : passingOn(cell, ['longUrl'], notes);

/** Texts and flags that have the same names at Brevr. */
const brevrTexts = ['description', 'image', 'metaPixelId', 'googleTagId', 'webhookUrls'] as const;
const brevrFlags = ['cloaked', 'forwardParameters', 'blockBots', 'hideReferrer'] as const;

export const brevrColumns: readonly string[] = [...brevrTexts, ...brevrFlags, 'isActive'];

/** Brevr's links: https://www.brevr.co/docs (the link detail object). */
export const brevrSettings = (cell: Cell, isInactive: boolean): OwnSettings => ({
  ...Object.fromEntries(brevrTexts.flatMap((name) => (textOf(cell(name)) === '' ? [] : [[name, textOf(cell(name))]]))),
  ...Object.fromEntries(brevrFlags.flatMap((name) => (flagOf(cell(name)) ? [[name, true]] : []))),
  ...(isInactive && { isActive: false }),
});
