import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { permissions } from '../lambdas/domain/permissions.ts';
import { createApiKey } from '../lambdas/store/api-keys.ts';
import { addDomain, getDomain } from '../lambdas/store/domains.ts';
import { createWorkspace } from '../lambdas/store/workspaces.ts';

let made = 0;

/** A workspace with an active domain and a key for everything. */
export async function newWorkspace() {
  const workspace = await createWorkspace('Bench', async () => `gateway-${++made}`);
  const host = `go${made}.example.com`;
  await addDomain(workspace.id, host, 'ACTIVE');
  const domain = await getDomain(host);
  if (!domain) throw new Error('the domain was not added');
  const { key } = await createApiKey(workspace, { name: null, permissions });
  return { workspaceId: workspace.id, host, domain, key };
}

/** What API Gateway hands to the function of an endpoint, as far as the functions look at it. */
export const apiEvent = (
  workspaceId: string,
  httpMethod: string,
  { id, body, headers = {} }: { id?: string; body?: unknown; headers?: Record<string, string> } = {},
) =>
  ({
    httpMethod,
    path: '/',
    pathParameters: id === undefined ? null : { id },
    headers: {},
    multiValueHeaders: Object.fromEntries(
      Object.entries({ 'Content-Type': 'application/json', ...headers }).map(([name, value]) => [name, [value]]),
    ),
    multiValueQueryStringParameters: null,
    body: body === undefined ? null : JSON.stringify(body),
    requestContext: {
      requestId: `bench-${++made}`,
      authorizer: { workspaceId, permissions: permissions.join(' ') },
    },
  }) as unknown as APIGatewayProxyEvent & { requestContext: { authorizer: { workspaceId: string; permissions: string } } };

export const invocation = { getRemainingTimeInMillis: () => 25_000 } as Context;
