import { pixelIdLength } from '../limits.ts';

/** The shape of the id of a Meta pixel, a number: https://developers.facebook.com/docs/meta-pixel */
export const metaPixelPattern = `^[0-9]{1,${pixelIdLength}}$`;

/**
 * The shape of a measurement id of Google Analytics, which starts with `G-`:
 * https://support.google.com/analytics/answer/9539598
 */
export const googleTagPattern = `^G-[A-Z0-9]{1,${pixelIdLength}}$`;
