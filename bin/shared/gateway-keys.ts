import type { APIGatewayClient } from '@aws-sdk/client-api-gateway';

// The keys with which the gateway counts the requests of workspaces. They are in no stack: the operator's command makes
// them.

/**
 * The usage plan that a key is in: the usual one, or the one that lets more imports pass for a time. A key can be in
 * only one plan of an API's stage
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html), so a workspace may
 * have two keys.
 */
export const gatewayPlans = ['usual', 'lifted'] as const;
export type GatewayPlan = (typeof gatewayPlans)[number];

/** A key of the gateway. `createdAt` is in milliseconds since 1970. */
export type GatewayKey = {
  readonly id: string;
  readonly workspaceId: string;
  readonly plan: GatewayPlan;
  readonly value: string;
  readonly createdAt: number;
};

/** The name of a workspace's gateway key. All stages of an account and region share the list of keys. */
export const gatewayKeyName = (stage: string, workspaceId: string, plan: GatewayPlan): string =>
  `links-${stage}-${workspaceId}${plan === 'lifted' ? liftedSuffix : ''}`;
const liftedSuffix = '-lifted';

/** The gateway keys of a stage's workspaces, including deleted workspaces. */
export async function gatewayKeysOf(stage: string, client: APIGatewayClient): Promise<GatewayKey[]> {
  const { paginateGetApiKeys } = await import('@aws-sdk/client-api-gateway');
  // With the prefix of workspaces' ids, so that keys of the preview `pr-1-2` are not taken for keys of `pr-1`.
  const nameQuery = gatewayKeyName(stage, 'ws_', 'usual');
  const keys: GatewayKey[] = [];
  for await (const { items = [] } of paginateGetApiKeys({ client, pageSize: 500 }, { nameQuery, includeValues: true })) {
    for (const { id = '', name = '', value = '', createdDate } of items) {
      if (!name.startsWith(nameQuery)) continue;
      const plan = name.endsWith(liftedSuffix) ? 'lifted' : 'usual';
      const workspaceId = name.slice(gatewayKeyName(stage, '', 'usual').length).replace(liftedSuffix, '');
      keys.push({ id, workspaceId, plan, value, createdAt: createdDate?.getTime() ?? 0 });
    }
  }
  return keys;
}
