import { countryCodes } from '../../../../lambdas/core/visitor/country.ts';

// Names for the values of conditions.

type Choice = { readonly value: string; readonly name: string };

const byName = (choices: readonly Choice[]): readonly Choice[] =>
  choices.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));

const named = (type: 'region' | 'language', codes: readonly string[]): readonly Choice[] => {
  const names = new Intl.DisplayNames('en', { type });
  return byName(codes.map((value) => ({ value, name: names.of(value) ?? value })));
};

let countryChoices: readonly Choice[] | undefined;
export const countries = (): readonly Choice[] => {
  countryChoices ??= named('region', countryCodes);
  return countryChoices;
};

/** The offered languages. Others can be typed, as language ranges of RFC 4647. */
const languageCodes =
  'ar bg bn ca cs da de el en es et fa fi fr gl he hi hr hu id it ja ko lt lv ms nb nl nn pl pt pt-br ro ru sk sl sr sv th tr uk ur vi zh zh-cn zh-tw';
let languageChoices: readonly Choice[] | undefined;
export const languages = (): readonly Choice[] => {
  languageChoices ??= named('language', languageCodes.split(' '));
  return languageChoices;
};

export const devices: readonly Choice[] = [
  { value: 'mobile', name: 'Phones and tablets' },
  { value: 'desktop', name: 'Computers' },
];

export const systems: readonly Choice[] = [
  { value: 'ios', name: 'iOS' },
  { value: 'android', name: 'Android' },
  { value: 'windows', name: 'Windows' },
  { value: 'macos', name: 'macOS' },
  { value: 'linux', name: 'Linux' },
  { value: 'chromeos', name: 'ChromeOS' },
];
