import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import { fingerprintOf, looksLikeApiKey } from '../domain/api-key.ts';
import { hasExpired } from '../domain/key-expiry.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { findApiKey, recordUse } from '../store/api-keys.ts';

/** How long a caller waits for the use of the key to be written down, in milliseconds: long for one write on an open connection. */
const useBudget = 200;

/** What the usage plan throttles by itself, and the permission that it takes: the rows of `lib/endpoints.ts` that are `throttled`. */
const throttled = [
  { requests: '*/api/v1/links/bulk', permission: 'links:write' },
  { requests: 'GET/api/v1/links', permission: 'links:read' },
  { requests: 'GET/api/v1/tags/*/links', permission: 'links:read' },
  { requests: 'GET/api/v1/tags', permission: 'tags:read' },
] as const;

/** What makes the gateway answer 401; any other error is a failure of ours. Lambda logs it: it needs no stack, and no map is read for it. */
const unauthorized = () => Object.assign(new Error('Unauthorized'), { stack: 'Error: Unauthorized' });

/**
 * Turns a bearer key into its workspace and permissions. A key whose checksum is wrong costs no read.
 *
 * The policy is about the whole stage, since the gateway keeps it for all routes under the same token. Which operation a key is good for
 * is each endpoint's to check, and so is when it expires within the minute for which the gateway remembers it. Only what the usage plan
 * throttles by itself is denied here, so that a key that may not use it takes none of its workspace's tokens for it.
 *
 * The use is written down before the answer: once that is given, Lambda freezes the process, and what was begun may never end
 * (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html).
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
export const handler = (
  { authorizationToken, methodArn }: APIGatewayTokenAuthorizerEvent,
  context: Context,
): Promise<APIGatewayAuthorizerResult> =>
  withinInvocation(context, async () => {
    const key = authorizationToken.replace(/^bearer +/i, '');
    if (!looksLikeApiKey(key)) throw unauthorized();
    const apiKey = await findApiKey(fingerprintOf(key));
    const now = Date.now();
    if (!apiKey || apiKey.revokedAt || hasExpired(apiKey.expiresAt, now)) throw unauthorized();
    await recordUse(apiKey, now, useBudget);
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
        ...(apiKey.expiresAt !== undefined && { expiresAt: apiKey.expiresAt }),
      },
      usageIdentifierKey: apiKey.gatewayKey,
    };
  });
