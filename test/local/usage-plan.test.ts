import { expect, it } from 'vitest';
import type { Template } from '../../local/template.ts';
import { usagePlan } from '../../local/usage-plan.ts';

function planWith(properties: object) {
  let now = 0;
  const template = { ofType: () => [{ properties }] } as unknown as Template;
  const plan = usagePlan(template, () => now);
  return {
    /** How many of so many requests pass. */
    passing: (count: number, key = 'key', path = '/a', method = 'POST') =>
      Array.from({ length: count }, () => plan.allows(key, path, method)).filter(Boolean).length,
    wait: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}
const slow = { RateLimit: 0.05, BurstLimit: 3 };

it('a bucket starts full and fills again at its rate, up to its burst', () => {
  const plan = planWith({ ApiStages: [{ Throttle: { '/a/POST': slow } }] });
  expect(plan.passing(5)).toBe(3);
  plan.wait(19);
  expect(plan.passing(5)).toBe(0);
  plan.wait(1.1);
  expect(plan.passing(5)).toBe(1);
  plan.wait(100_000);
  expect(plan.passing(5)).toBe(3);
});

it('each key and each method has a bucket of its own, and other methods have none', () => {
  const plan = planWith({ ApiStages: [{ Throttle: { '/a/POST': slow, '/b/POST': slow } }] });
  expect([plan.passing(5), plan.passing(5, 'other'), plan.passing(5, 'key', '/b')]).toEqual([3, 3, 3]);
  expect(plan.passing(50, 'key', '/a', 'GET')).toBe(50);
});

it("a plan's own limit counts all methods of a key together", () => {
  const plan = planWith({ Throttle: slow });
  expect(plan.passing(2) + plan.passing(5, 'key', '/b')).toBe(3);
});
