import type { Template } from '../../template/template.ts';

type Throttle = { readonly BurstLimit: number; readonly RateLimit: number };
type UsagePlanProperties = {
  readonly ApiStages?: readonly { readonly Throttle?: Readonly<Record<string, Throttle>> }[];
  readonly Throttle?: Throttle;
};

export type UsagePlan = {
  /** Takes a token from each of the key's buckets for the method; false if one is empty. */
  allows(apiKey: string, resourcePath: string, method: string): boolean;
};

/**
 * The template's usage plans as token buckets: one for each key and throttled method, and one for each key if the plan
 * as a whole has a limit. Buckets start full. AWS throttles on a best-effort basis; this throttles exactly.
 *
 * @param now the time in milliseconds.
 */
export function usagePlan(template: Template, now: () => number = () => performance.now()): UsagePlan {
  const plans = template.ofType<UsagePlanProperties>('AWS::ApiGateway::UsagePlan').map(({ properties }) => ({
    whole: properties.Throttle,
    methods: Object.assign({}, ...(properties.ApiStages ?? []).map((stage) => stage.Throttle ?? {})) as Record<string, Throttle>,
  }));
  const buckets = new Map<string, { tokens: number; at: number }>();

  function take(id: string, { BurstLimit, RateLimit }: Throttle): boolean {
    const at = now();
    const before = buckets.get(id);
    const tokens = before ? Math.min(BurstLimit, before.tokens + ((at - before.at) / 1000) * RateLimit) : BurstLimit;
    const allowed = tokens >= 1;
    buckets.set(id, { tokens: allowed ? tokens - 1 : tokens, at });
    return allowed;
  }

  return {
    allows: (apiKey, resourcePath, method) =>
      plans.every(({ whole, methods }, plan) => {
        const own = methods[`${resourcePath}/${method}`];
        return (
          (!own || take(`${plan} ${method} ${resourcePath} ${apiKey}`, own)) && (!whole || take(`${plan} * ${apiKey}`, whole))
        );
      }),
  };
}
