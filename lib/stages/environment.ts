import type { StageSettings } from './settings.ts';

// Settings in the environment of functions, if several stacks or tests need them.

/**
 * `countryFrom` in the redirect's environment: `table` if there is a table of countries beside its bundle, or the
 * headers of a network. Nothing if it is off.
 */
export function countryFromInEnvironment({ countryFrom }: Pick<StageSettings, 'countryFrom'>): {
  readonly COUNTRY_FROM?: string;
} {
  if (countryFrom === 'off') return {};
  return { COUNTRY_FROM: JSON.stringify('files' in countryFrom ? 'table' : countryFrom) };
}

/** `uniqueClicks` in the environment of functions. Nothing if it is off. */
export const uniqueClicksInEnvironment = ({ uniqueClicks }: StageSettings): Readonly<Record<string, string>> =>
  uniqueClicks === 'off' ? {} : { UNIQUE_CLICKS: uniqueClicks };
