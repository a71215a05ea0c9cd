import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import { alarming } from '../core/alarms.ts';
import { encodedName } from '../core/history/author.ts';
import { fingerprintOf, gatewayKeyAt, looksLikeApiKey } from '../core/key/api-key.ts';
import { hasExpired } from '../core/key/key-expiry.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { findApiKey, recordUse } from '../store/api-keys/api-keys.ts';
import { standsByMember } from '../store/members/belonging.ts';

/**
 * How long a caller waits for the key's use to be recorded, in milliseconds: ample for one write on an open connection.
 */
const useBudget = 200;

/**
 * The routes with throttles of their own, and the permissions they need: the rows of `lib/endpoints.ts` with
 * `throttled`.
 */
const throttled = [
  { requests: '*/api/v1/links/bulk*', permission: 'links:write' },
  { requests: 'GET/api/v1/metadata', permission: 'links:write' },
  { requests: 'GET/api/v1/links', permission: 'links:read' },
  { requests: 'GET/api/v1/links/ranked', permission: 'links:read' },
  { requests: 'GET/api/v1/tags/*/links', permission: 'links:read' },
  { requests: 'GET/api/v1/tags', permission: 'tags:read' },
  { requests: 'GET/api/v1/templates', permission: 'tags:read' },
  { requests: 'GET/api/v1/links/*/clicks', permission: 'stats:read' },
  { requests: 'GET/api/v1/links/*/stats', permission: 'stats:read' },
  { requests: 'PATCH/api/v1/domains/*', permission: 'domains:write' },
  { requests: 'DELETE/api/v1/domains/*', permission: 'domains:write' },
  { requests: 'POST/api/v1/domains/*/verify', permission: 'domains:write' },
  { requests: 'GET/api/v1/history', permission: 'history:read' },
  { requests: 'GET/api/v1/webhook-deliveries', permission: 'webhooks:read' },
  { requests: 'GET/api/v1/clicks', permission: 'stats:read' },
  { requests: 'GET/api/v1/stats', permission: 'stats:read' },
  { requests: 'GET/api/v1/stats/top-links', permission: 'stats:read' },
] as const;

/**
 * The error that makes the gateway answer 401; any other error becomes a 503. Lambda logs it without a stack, which
 * would need the source map.
 */
const refused = 'Unauthorized';
const unauthorized = () => Object.assign(new Error(refused), { stack: `Error: ${refused}` });

/**
 * Resolves a bearer key to its workspace and permissions. A key with a wrong checksum costs no read.
 *
 * The policy covers the whole stage, because the gateway caches it for all routes under the same token. Each endpoint
 * checks its permission itself, and whether the key has expired while the gateway had it cached. The policy denies only
 * routes with throttles of their own, so that a key without the permission does not use up its workspace's tokens.
 *
 * A key of a sign-in takes one more call, which reads the member and the sign-in. Its uses are not recorded, because
 * such keys are not listed.
 *
 * The use is recorded before the response: afterwards Lambda freezes the process, and the write might never finish
 * (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html).
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
export const handler = (
  { authorizationToken, methodArn }: APIGatewayTokenAuthorizerEvent,
  context: Context,
): Promise<APIGatewayAuthorizerResult> =>
  withinInvocation(context, () => authorize(authorizationToken, methodArn)).catch((error: Error) => {
    // Both are errors to Lambda, so only this line tells a failure from a refused key.
    if (error.message !== refused) console.error({ message: alarming.keyNotChecked, name: error.name });
    throw error;
  });

async function authorize(token: string, methodArn: string): Promise<APIGatewayAuthorizerResult> {
  const key = token.replace(/^bearer +/i, '');
  if (!looksLikeApiKey(key)) throw unauthorized();
  const apiKey = await findApiKey(fingerprintOf(key));
  const now = Date.now();
  if (!apiKey || apiKey.revokedAt || hasExpired(apiKey.expiresAt, now)) throw unauthorized();
  const { signIn } = apiKey;
  if (!signIn) await recordUse(apiKey, now, useBudget);
  else if (!(await standsByMember(apiKey))) throw unauthorized();
  const [api, stage] = methodArn.split('/');
  const statement = (Effect: 'Allow' | 'Deny', requests: string) => ({
    Effect,
    Action: 'execute-api:Invoke',
    Resource: `${api}/${stage}/${requests}`,
  });
  const denied = throttled.filter(({ permission }) => !apiKey.permissions.includes(permission));
  return {
    principalId: apiKey.id,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [statement('Allow', '*'), ...denied.map(({ requests }) => statement('Deny', requests))],
    },
    context: {
      workspaceId: apiKey.workspaceId,
      permissions: apiKey.permissions.join(' '),
      ...(signIn && { memberId: signIn.memberId }),
      ...(apiKey.name !== null && { keyName: encodedName(apiKey.name) }),
      ...(apiKey.expiresAt !== undefined && { expiresAt: apiKey.expiresAt }),
    },
    usageIdentifierKey: gatewayKeyAt(apiKey, now),
  };
}
