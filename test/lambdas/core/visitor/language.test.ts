import { expect, test } from 'vitest';
import { acceptedLanguages } from '../../../../lambdas/core/visitor/language.ts';

test.for([
  ['', []],
  ['*', []],
  ['de', ['de']],
  ['de-AT,de;q=0.9,en;q=0.8', ['de-at', 'de', 'en']],
  ['en;q=0.5, FR-ca', ['fr-ca', 'en']],
  ['es;q=0, it', ['it']],
  ['it;q=0.3,fr;q=0.3', ['it', 'fr']],
  ['x-klingon, de;q=2, fr;q=x, es', ['es']],
] as const)('The header %j names the languages %j, by preference.', ([header, languages]) => {
  expect(acceptedLanguages(header)).toEqual(languages);
});
