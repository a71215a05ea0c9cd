import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Method, RestApi, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { bulkChanges, bulkRequests, liftedImports, metadataRequests, type RateLimit } from '../../lambdas/core/limits.ts';
import type { StageSettings } from '../stages/settings.ts';

/** Rates of certain routes. `costly` is for requests that may read hundreds of units, or wait for other servers. */
export type OwnRate = 'bulk' | 'bulk-changes' | 'metadata' | 'costly';

/** A method with a rate of its own. */
export type Throttled = { readonly method: Method; readonly limit: OwnRate };

/**
 * Adds the usage plans, which limit how many requests per second a workspace may send. Its gateway key is in one of
 * them.
 */
export function addUsagePlans(api: RestApi, throttled: readonly Throttled[], settings: StageSettings): void {
  const throttles = throttlesOf(settings);
  const plan = api.addUsagePlan('workspace-plan', {
    description: `Request rates of a workspace, enforced on a best-effort basis; the table enforces ${bulkRequests.quota} imports, ${bulkChanges.quota} bulk updates and deletions and ${metadataRequests.quota} requests for metadata a minute exactly`,
    throttle: throttles.all,
  });
  addThrottles(plan, api, throttled, throttles);
  const lifted = api.addUsagePlan('lifted-imports-plan', {
    description: `The same for workspaces whose imports are lifted for a time: up to ${liftedImports.perMinute} a minute`,
    throttle: throttles.all,
  });
  const bulk = exactly({ ...bulkRequests, quota: liftedImports.perMinute });
  addThrottles(lifted, api, throttled, { ...throttles, bulk });

  const stack = Stack.of(api);
  new CfnOutput(stack, 'UsagePlanId', {
    value: plan.usagePlanId,
    description: 'The usage plan for the gateway keys of workspaces',
  });
  new CfnOutput(stack, 'LiftedUsagePlanId', {
    value: lifted.usagePlanId,
    description: 'The usage plan for workspaces whose imports are lifted',
  });
}

/** The rate of the gateway for a limit that the table enforces exactly. */
const exactly = ({ quota, windowSeconds }: RateLimit) => ({ rateLimit: quota / windowSeconds, burstLimit: quota });

type Throttles = ReturnType<typeof throttlesOf>;

/** Applies the rates of a usage plan to the methods of the API. */
function addThrottles(plan: UsagePlan, api: RestApi, throttled: readonly Throttled[], throttles: Throttles): void {
  const perMethod = throttled.map(({ method, limit }) => ({ method, throttle: throttles[limit] }));
  plan.addApiStage({ stage: api.deploymentStage, throttle: perMethod });
}

/** The rates of a workspace: for all requests, and for routes with rates of their own. */
function throttlesOf({ requestRate, requestBurst }: StageSettings) {
  return {
    all: { rateLimit: requestRate, burstLimit: requestBurst },
    costly: { rateLimit: requestRate / 10, burstLimit: Math.max(1, Math.floor(requestBurst / 10)) },
    bulk: exactly(bulkRequests),
    'bulk-changes': exactly(bulkChanges),
    metadata: exactly(metadataRequests),
  };
}
