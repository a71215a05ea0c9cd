import type { StageSettings } from './settings.ts';

// Settings as functions read them from their environment, if several stacks or tests need them.

/**
 * What the redirect's environment says about `countryFrom`: `table` if there is a table of countries beside its bundle, or
 * the headers of a network. Nothing if it is off.
 */
export function countryFromInEnvironment({ countryFrom }: Pick<StageSettings, 'countryFrom'>): {
  readonly COUNTRY_FROM?: string;
} {
  if (countryFrom === 'off') return {};
  return { COUNTRY_FROM: JSON.stringify('files' in countryFrom ? 'table' : countryFrom) };
}

/** The setting `uniqueClicks` as functions read it: it is left out if it is off. */
export const uniqueClicksInEnvironment = ({ uniqueClicks }: StageSettings): Readonly<Record<string, string>> =>
  uniqueClicks === 'off' ? {} : { UNIQUE_CLICKS: uniqueClicks };
