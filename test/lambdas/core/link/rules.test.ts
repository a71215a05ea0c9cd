import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Conditions, conditionNames, type RuledVisit, ruleFor } from '../../../../lambdas/core/link/rules.ts';

const now = Date.parse('2030-01-01T00:00:00Z');
const userAgents = {
  iphone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1',
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36',
  curl: 'curl/8.5.0',
};
const visitOf = (more: Partial<RuledVisit & { userAgent: string; platform: string }> = {}): RuledVisit => {
  const { userAgent = userAgents.iphone, platform = '', ...rest } = more;
  return {
    agent: { userAgent, brands: '', platform, mobile: '' },
    languages: 'de-AT,de;q=0.9,en;q=0.5',
    query: 'utm_source=news%20letter&a=1&a=2&empty=',
    now,
    country: () => 'AT',
    ...rest,
  };
};
const holds = (conditions: Conditions, visit = visitOf()) => ruleFor([{ if: conditions, url: 'x' }], visit) !== undefined;

describe('A condition', () => {
  test.for<[string, Conditions, Parameters<typeof visitOf>[0], boolean]>([
    ['a country', { country: ['DE', 'AT'] }, {}, true],
    ['another country', { country: ['DE', 'CH'] }, {}, false],
    ['a country that is unknown', { country: ['AT'] }, { country: () => undefined }, false],
    ['a device', { device: ['mobile'] }, {}, true],
    ['another device', { device: ['desktop'] }, {}, false],
    ['a device that is unknown', { device: ['mobile', 'desktop'] }, { userAgent: userAgents.curl }, false],
    ['a system', { os: ['android', 'ios'] }, {}, true],
    ['another system', { os: ['windows'] }, {}, false],
    ['a system by the client hint', { os: ['macos'] }, { userAgent: userAgents.windows, platform: '"macOS"' }, true],
    ['a system against the client hint', { os: ['windows'] }, { userAgent: userAgents.windows, platform: '"macOS"' }, false],
    [
      'a system that is unknown',
      { os: ['ios', 'android', 'windows', 'macos', 'linux', 'chromeos'] },
      { userAgent: userAgents.curl },
      false,
    ],
    ['a language', { language: ['de'] }, {}, true],
    ['a language and its region', { language: ['de-at'] }, {}, true],
    ['another region', { language: ['de-ch'] }, {}, false],
    ['a region of a visitor who names none', { language: ['de-at'] }, { languages: 'de' }, false],
    ['a language that only starts the same', { language: ['de'] }, { languages: 'den' }, false],
    ['the second preference', { language: ['en'] }, {}, false],
    ['the first preference, which comes second', { language: ['en'] }, { languages: 'de;q=0.5, EN-gb' }, true],
    ['a language, for a visitor who names none', { language: ['de'] }, { languages: '' }, false],
    ['a language, for a visitor who accepts any', { language: ['de'] }, { languages: '*' }, false],
    ['an instant that is now', { after: '2030-01-01T00:00:00.000Z' }, {}, true],
    ['an instant in a millisecond', { after: '2030-01-01T00:00:00.001Z' }, {}, false],
    ['an end in a millisecond', { before: '2030-01-01T00:00:00.001Z' }, {}, true],
    ['an end that is now', { before: '2030-01-01T00:00:00.000Z' }, {}, false],
    ['a parameter', { query: { utm_source: 'news letter' } }, {}, true],
    ['a parameter of another case', { query: { utm_source: 'News letter' } }, {}, false],
    ['a name of another case', { query: { UTM_source: 'news letter' } }, {}, false],
    ['a part of a value', { query: { utm_source: 'news' } }, {}, false],
    ['the second value of a parameter', { query: { a: '2' } }, {}, true],
    ['two parameters', { query: { a: '1', empty: '' } }, {}, true],
    ['two parameters, one of which is missing', { query: { a: '1', b: '' } }, {}, false],
    ['a parameter with a plus', { query: { q: 'a b' } }, { query: 'q=a+b' }, true],
    ['a parameter named like a method', { query: { toString: 'x' } }, {}, false],
    ['two conditions', { country: ['AT'], device: ['mobile'] }, {}, true],
    ['two conditions, one of which fails', { country: ['AT'], device: ['desktop'] }, {}, false],
  ])('%s', ([, conditions, visit, expected]) => {
    expect(holds(conditions, visitOf(visit))).toBe(expected);
  });

  test('A condition that this version does not know never holds, whatever its name.', () => {
    fc.assert(
      fc.property(
        fc.string().filter((name) => !(conditionNames as readonly string[]).includes(name)),
        (name) => {
          expect(holds(Object.fromEntries([[name, ['AT']]]) as Conditions)).toBe(false);
        },
      ),
    );
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(holds(JSON.parse(`{"country":["AT"],"${name}":["AT"]}`))).toBe(false);
    }
  });
});

test('The first rule whose conditions hold decides.', () => {
  const rules = [
    { if: { country: ['DE'] }, url: 'https://example.org/de' },
    { if: { device: ['mobile'] }, url: 'https://example.org/mobile' },
    { if: { country: ['AT'] }, url: 'https://example.org/at' },
  ] as const;
  expect(ruleFor(rules, visitOf())?.url).toBe('https://example.org/mobile');
  expect(ruleFor(rules, visitOf({ userAgent: userAgents.curl }))?.url).toBe('https://example.org/at');
  expect(ruleFor(rules, visitOf({ userAgent: userAgents.curl, country: () => 'FR' }))).toBeUndefined();
});

test('A visitor is not located, and the user agent is not read, unless a rule asks for it.', () => {
  const visit = { ...visitOf(), country: () => expect.unreachable('located') };
  Object.defineProperty(visit, 'agent', { get: () => expect.unreachable('read') });
  expect(holds({ language: ['de'], query: { a: '1' }, after: '2020-01-01T00:00:00.000Z' }, visit)).toBe(true);
});
