import type { APIGatewayClient } from '@aws-sdk/client-api-gateway';

// The keys by which the gateway counts the requests of workspaces. They are in no stack: the operator's command makes them.

/** A key of the gateway. `createdAt` is in milliseconds since 1970. */
export type GatewayKey = {
  readonly id: string;
  readonly workspaceId: string;
  readonly value: string;
  readonly createdAt: number;
};

/** The name of a workspace's gateway key. All stages of an account and region share the list of keys. */
export const gatewayKeyName = (stage: string, workspaceId: string): string => `links-${stage}-${workspaceId}`;

/** The gateway keys of a stage's workspaces, including deleted workspaces. */
export async function gatewayKeysOf(stage: string, client: APIGatewayClient): Promise<GatewayKey[]> {
  const { paginateGetApiKeys } = await import('@aws-sdk/client-api-gateway');
  // With the prefix of workspaces' ids, so that keys of the preview `pr-1-2` are not taken for keys of `pr-1`.
  const nameQuery = gatewayKeyName(stage, 'ws_');
  const keys: GatewayKey[] = [];
  for await (const { items = [] } of paginateGetApiKeys({ client, pageSize: 500 }, { nameQuery, includeValues: true })) {
    for (const { id = '', name = '', value = '', createdDate } of items) {
      if (!name.startsWith(nameQuery)) continue;
      keys.push({ id, workspaceId: name.slice(gatewayKeyName(stage, '').length), value, createdAt: createdDate?.getTime() ?? 0 });
    }
  }
  return keys;
}
