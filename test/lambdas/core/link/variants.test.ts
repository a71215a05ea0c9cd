import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Variant, variantFor } from '../../../../lambdas/core/link/variants.ts';
import { runs, sized } from '../../../support/run/proof.ts';

const linkOf = (weights: readonly number[], more: Partial<{ id: string; creationMark: string }> = {}) => ({
  id: 'lnk_x',
  creationMark: 'req_x#0',
  variants: weights.map((weight, place): Variant => ({ id: `v${place}`, url: `https://example.org/${place}`, weight })),
  ...more,
});
const visitorsCount = sized(20_000, 100_000);
const visitors = Array.from({ length: visitorsCount }, (_, place) => ({
  sourceIp: `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`,
  agent: { userAgent: `Mozilla/5.0 (${place % 7})` },
}));
const choices = (weights: readonly number[], more = {}, count = visitorsCount) => {
  const link = linkOf(weights, more);
  return visitors.slice(0, count).map((visitor) => link.variants.indexOf(variantFor(link, visitor) as Variant));
};
/** The test statistic of Pearson's test of these choices against the weights. */
function chiSquared(chosen: readonly number[], weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.reduce((statistic, weight, place) => {
    const expected = (chosen.length * weight) / sum;
    return statistic + (chosen.filter((choice) => choice === place).length - expected) ** 2 / expected;
  }, 0);
}
/**
 * The value that the statistic exceeds in one of 1,000 cases, by degrees of freedom
 * (https://www.itl.nist.gov/div898/handbook/eda/section3/eda3674.htm). The visitors and the key are fixed, so the tests
 * always have the same result.
 */
const critical = [0, 10.828, 13.816, 16.266, 18.467, 20.515, 22.458, 24.322, 26.125, 27.877];

describe(`${visitorsCount} visitors`, () => {
  test.for([[[1, 1]], [[1, 3]], [[1, 999]], [[5, 3, 2]], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]], [[1000, 1, 500, 1]]])(
    'Visitors are divided by the weights %j.',
    ([weights = []]) => {
      expect(chiSquared(choices(weights), weights)).toBeLessThan(critical[weights.length - 1] ?? 0);
    },
  );

  test('A variant whose weight is 0 is never chosen, and the only one with a weight always is.', () => {
    expect(new Set(choices([3, 0, 1], {}, 20_000))).toEqual(new Set([0, 2]));
    expect(new Set(choices([0, 7, 0], {}, 20_000))).toEqual(new Set([1]));
  });

  test.for([
    [
      [1, 1],
      [1, 3],
    ],
    [
      [5, 3, 2],
      [2, 3, 5],
    ],
    [
      [1, 1, 1, 1],
      [1, 1, 1, 0],
    ],
    [
      [10, 20, 30],
      [10, 20, 31],
    ],
  ])(
    'If the weights %j become %j, hardly more visitors move than necessary, and none from a raised to a lowered weight.',
    ([before = [], after = []]) => {
      const share = (weights: readonly number[], place: number) =>
        (weights[place] ?? 0) / weights.reduce((total, weight) => total + weight, 0);
      const [old, young] = [choices(before, {}, 20_000), choices(after, {}, 20_000)];
      const moved = old.filter((choice, place) => choice !== young[place]).length / old.length;
      const least = before.reduce((sum, _, place) => sum + Math.max(0, share(before, place) - share(after, place)), 0);
      // Changing one weight moves only the least possible share. Changing several can move up to twice as many.
      const changed = before.filter((weight, place) => weight !== after[place]).length;
      expect(moved).toBeGreaterThan(least - 0.01);
      expect(moved).toBeLessThan(changed === 1 ? least + 0.01 : 2 * least);
      const raised = before.flatMap((weight, place) => ((after[place] ?? 0) >= weight ? [place] : []));
      // Visitors move to a variant whose weight was raised or kept, or from one whose weight was lowered.
      const pairs = new Set(old.map((choice, place) => `${choice} ${young[place]}`));
      for (const [from = 0, to = 0] of [...pairs].map((pair) => pair.split(' ').map(Number))) {
        if (from !== to) expect(raised.includes(to) || !raised.includes(from)).toBe(true);
      }
    },
  );

  test('Removing a variant moves only its visitors.', () => {
    const link = linkOf([1, 2, 3]);
    const without = { ...link, variants: link.variants.slice(1) };
    const moved = visitors.slice(0, 20_000).filter((visitor) => {
      const before = variantFor(link, visitor)?.id;
      return before !== 'v0' && variantFor(without, visitor)?.id !== before;
    });
    expect(moved).toEqual([]);
  });

  test('The variants of one link, or under one key, are independent of those of another.', () => {
    const first = choices([1, 1]);
    for (const more of [{ id: 'lnk_y' }, { creationMark: 'req_y#0' }]) {
      const other = choices([1, 1], more);
      const both = [0, 1, 2, 3].map((pair) => first.filter((choice, place) => 2 * choice + (other[place] ?? 0) === pair).length);
      const pairs = both.flatMap((count, pair) => Array.from({ length: count }, () => pair));
      expect(chiSquared(pairs, [1, 1, 1, 1])).toBeLessThan(critical[3] ?? 0);
    }
  });
});

test('The same visitor always gets the same variant, whatever the order of the variants.', () => {
  const anyVisitor = fc.record({ sourceIp: fc.ipV6(), agent: fc.record({ userAgent: fc.string() }) });
  const anyWeights = fc
    .array(fc.integer({ min: 0, max: 1_000 }), { minLength: 2, maxLength: 10 })
    .filter((all) => all.some(Boolean));
  fc.assert(
    fc.property(anyWeights, anyVisitor, (weights, visitor) => {
      const link = linkOf(weights);
      const chosen = variantFor(link, visitor);
      expect(chosen?.weight).toBeGreaterThan(0);
      expect(variantFor(link, { ...visitor })).toBe(chosen);
      expect(variantFor({ ...link, variants: link.variants.toReversed() }, visitor)?.id).toBe(chosen?.id);
    }),
    { numRuns: runs(500) },
  );
});

test('A link without variants has none for anybody.', () => {
  expect(variantFor(linkOf([]), { sourceIp: '192.0.2.7', agent: { userAgent: '' } })).toBeUndefined();
});
