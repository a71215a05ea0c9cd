import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accentBackgrounds, contrast, parseAccentColor, textOn } from '../../../../lambdas/core/domain/accent-color.ts';
import { RuleError } from '../../../../lambdas/core/errors.ts';

const colors = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

// As https://webaim.org/resources/contrastchecker/ computes them.
test.for([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#0000ff', '#ffffff', 8.59],
  ['#ff0000', '#000000', 5.25],
] as const)('The contrast of %s and %s is %d:1, in either order.', ([one, other, ratio]) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 1);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

test('A colour is accepted exactly if it has a contrast of 3:1 with a light and a dark page.', () => {
  fc.assert(
    fc.property(colors, (color) => {
      const isSeen = accentBackgrounds.every((background) => contrast(color, background) >= 3);
      if (isSeen) expect(parseAccentColor(color.toUpperCase())).toBe(color);
      else expect(() => parseAccentColor(color)).toThrow(RuleError);
    }),
  );
});

test('The text on a button has a contrast of at least 4.5:1, whatever its colour.', () => {
  fc.assert(fc.property(colors, (color) => contrast(color, textOn(color)) >= 4.5));
});

test.for([
  ['#ffff00', 'accent_contrast', 'with #ffffff it is 1.07:1'],
  ['#001133', 'accent_contrast', 'with #121212 it is 1'],
  ['red', 'invalid_color', ''],
  ['#12345', 'invalid_color', ''],
] as const)('The colour %s is refused as %s.', ([color, code, says]) => {
  expect(() => parseAccentColor(color)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(says) }));
});
