import type { Template } from '../../template/template.ts';

type Throttle = { readonly BurstLimit: number; readonly RateLimit: number };
type UsagePlanProperties = {
  readonly ApiStages?: readonly { readonly Throttle?: Readonly<Record<string, Throttle>> }[];
  readonly Throttle?: Throttle;
};

export type UsagePlans = {
  /** Takes a token from each of the key's buckets for the method; false if one is empty. */
  allows(apiKey: string, resourcePath: string, method: string): boolean;
};

/** A key of the plan with that id. The text must be unique. */
export const keyOfPlan = (planId: string, text: string): string => `${planId}/${text}`;

/**
 * The template's usage plans as token buckets: one for each key and throttled method, and one for each key if the plan
 * as a whole has a limit. Buckets start full. AWS throttles on a best-effort basis; this throttles exactly.
 *
 * On AWS, keys are added to plans, and a key can be in only one plan of an API's stage
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html). Here, a key may name
 * its plan (`keyOfPlan`). All others belong to the first one.
 *
 * @param now the time in milliseconds.
 */
export function usagePlans(template: Template, now: () => number = () => performance.now()): UsagePlans {
  const plans = template.ofType<UsagePlanProperties>('AWS::ApiGateway::UsagePlan').map(({ name, properties }) => ({
    id: name,
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
    allows: (apiKey, resourcePath, method) => {
      const plan = plans.find(({ id }) => apiKey.startsWith(keyOfPlan(id, ''))) ?? plans[0];
      const own = plan?.methods[`${resourcePath}/${method}`];
      return (!own || take(`${method} ${resourcePath} ${apiKey}`, own)) && (!plan?.whole || take(`* ${apiKey}`, plan.whole));
    },
  };
}
