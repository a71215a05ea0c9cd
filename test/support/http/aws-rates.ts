import type { BrowserContext } from 'playwright-core';
import { bulkRequests } from '../../../lambdas/core/limits.ts';
import { routes, waysTo } from '../../../lib/endpoints.ts';
import { usagePlans } from '../../../local/gateway/rest/usage-plan.ts';
import type { Template } from '../../../local/template/template.ts';
import { ownStage } from '../stacks/stages.ts';

/**
 * Lets a browser send to the API as many requests as AWS does to a workspace of the stage `prod`. The laptop's stage has the
 * limits of imports and look-ups, but takes a hundred times as many other requests, so that tests do not slow each other
 * down.
 *
 * @returns how many requests were refused so far.
 */
export async function withAwsRates(context: BrowserContext): Promise<() => number> {
  const { requestRate, requestBurst } = ownStage('prod').settings;
  const costly = { RateLimit: requestRate / 10, BurstLimit: Math.max(1, Math.floor(requestBurst / 10)) };
  const ways = routes.flatMap((route) => waysTo(route).map(({ method, path }) => ({ method, path, throttled: route.throttled })));
  const properties = {
    Throttle: { RateLimit: requestRate, BurstLimit: requestBurst },
    ApiStages: [
      {
        Throttle: Object.fromEntries(
          ways.filter(({ throttled }) => throttled === 'costly').map(({ method, path }) => [`${path}/${method}`, costly]),
        ),
      },
    ],
  };
  const plan = usagePlans({ ofType: () => [{ name: 'plan', properties }] } as unknown as Template);
  const patterns = ways.map(({ method, path }) => ({
    method,
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\+\}/g, '.+').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }));
  let refused = 0;
  await context.route('**/api/v1/**', async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const way =
      patterns.find((one) => one.method === request.method() && one.path === pathname) ??
      patterns.find((one) => one.method === request.method() && one.pattern.test(pathname));
    if (!way || plan.allows('the workspace', way.path, way.method)) return route.fallback();
    refused++;
    // The gateway has one answer for all limits (lib/gateway/gateway-responses.ts), with the wait of the slowest.
    await route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      headers: { 'Retry-After': String(bulkRequests.windowSeconds) },
      body: JSON.stringify({ status: 429, code: 'rate_limited', detail: 'Too many requests.' }),
    });
  });
  return () => refused;
}
