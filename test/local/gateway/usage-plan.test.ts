import { expect, inject, it } from 'vitest';
import { keyOfPlan, usagePlans } from '../../../local/gateway/rest/usage-plan.ts';
import { loadTemplate, type Template } from '../../../local/template/template.ts';

function planWith(properties: object) {
  let now = 0;
  const template = { ofType: () => [{ name: 'plan', properties }] } as unknown as Template;
  const plan = usagePlans(template, () => now);
  return {
    /** How many of `count` requests pass. */
    passing: (count: number, key = 'key', path = '/a', method = 'POST') =>
      Array.from({ length: count }, () => plan.allows(key, path, method)).filter(Boolean).length,
    wait: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}
const slow = { RateLimit: 0.05, BurstLimit: 3 };

it('A bucket starts full and refills at its rate, up to its burst.', () => {
  const plan = planWith({ ApiStages: [{ Throttle: { '/a/POST': slow } }] });
  expect(plan.passing(5)).toBe(3);
  plan.wait(19);
  expect(plan.passing(5)).toBe(0);
  plan.wait(1.1);
  expect(plan.passing(5)).toBe(1);
  plan.wait(100_000);
  expect(plan.passing(5)).toBe(3);
});

it('Each key and each throttled method has its own bucket, and other methods have none.', () => {
  const plan = planWith({ ApiStages: [{ Throttle: { '/a/POST': slow, '/b/POST': slow } }] });
  expect([plan.passing(5), plan.passing(5, 'other'), plan.passing(5, 'key', '/b')]).toEqual([3, 3, 3]);
  expect(plan.passing(50, 'key', '/a', 'GET')).toBe(50);
});

it('A limit of the plan itself counts all methods of a key together.', () => {
  const plan = planWith({ Throttle: slow });
  expect(plan.passing(2) + plan.passing(5, 'key', '/b')).toBe(3);
});

it("The service's plan allows a workspace 5,000 requests at once and 10,000 a second, and a tenth of that for each list.", () => {
  let now = 0;
  const plan = usagePlans(loadTemplate(inject('service').outdir), () => now);
  const passing = (count: number, path: string, method = 'GET', key = 'key') =>
    Array.from({ length: count }, () => plan.allows(key, path, method)).filter(Boolean).length;
  expect(passing(1_000, '/api/v1/links')).toBe(500);
  expect(passing(9_000, '/api/v1/domains')).toBe(4_500);
  expect(passing(1, '/api/v1/links/{id}', 'PATCH')).toBe(0);
  expect(passing(10, '/api/v1/links', 'GET', 'other workspace')).toBe(10);
  now += 100;
  expect([passing(500, '/api/v1/links'), passing(2_000, '/api/v1/domains')]).toEqual([100, 900]);
});

it('A key that names its plan has the rates of that plan, and any other key those of the first.', () => {
  const template = loadTemplate(inject('service').outdir);
  const plans = usagePlans(template, () => 0);
  const passing = (key: string) =>
    Array.from({ length: 60 }, () => plans.allows(key, '/api/v1/links/bulk', 'POST')).filter(Boolean).length;
  const lifted = template.output('LiftedUsagePlanId');
  expect([passing('key'), passing(keyOfPlan(lifted, 'key')), passing(keyOfPlan('unknown', 'key'))]).toEqual([3, 50, 3]);
});
