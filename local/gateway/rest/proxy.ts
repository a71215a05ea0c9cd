import { account } from '../../template/resources.ts';
import { type GatewayResponse, headerEntries, malformed, mergeHeaders, readResult } from '../gateway-response.ts';
import { commonLogTime, type Many, type Request, traceId } from '../incoming-request.ts';
import type { Context } from './error-responses.ts';
import { reachesFunction, towardsClient } from './header-rules.ts';
import type { Route } from './routes.ts';

const lastOf = (many: Many) => Object.fromEntries(Object.entries(many).map(([name, values]) => [name, values.at(-1)]));
const orNull = <T extends object>(value: T) => (Object.keys(value).length ? value : null);

/** The `requestContext` of a proxy event. `$context` variables are looked up in it too. */
export function contextOf(request: Request, apiId: string, stage: string, route?: Route, authorizer?: Context): Context {
  const agent = request.header('user-agent') ?? null;
  return {
    accountId: account,
    apiId,
    ...(authorizer && { authorizer }),
    domainName: request.hostname,
    domainPrefix: request.hostname.split('.')[0],
    extendedRequestId: request.id,
    httpMethod: request.method,
    identity: {
      accessKey: null,
      accountId: null,
      caller: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.sourceIp,
      user: null,
      userAgent: agent,
      userArn: null,
    },
    path: request.path,
    protocol: request.protocol,
    requestId: request.id,
    requestTime: commonLogTime(request.receivedAt),
    requestTimeEpoch: request.receivedAt,
    ...(route && { resourceId: route.resourceId, resourcePath: route.resourcePath }),
    stage,
  };
}

/** Whether a media type is one of the API's binary types, in which `*` matches anything. */
export function isBinary(binaryTypes: readonly string[], mediaType = ''): boolean {
  const type = mediaType.split(/[;,]/)[0]?.trim().toLowerCase() ?? '';
  return binaryTypes.some((binary) => {
    const [whole, main] = [binary.toLowerCase(), binary.toLowerCase().replace(/\/\*$/, '/')];
    return whole === '*/*' || whole === type || (whole.endsWith('/*') && type.startsWith(main));
  });
}

/** The event for a REST API's Lambda proxy integration. */
export function proxyEvent(
  request: Request,
  {
    resourcePath,
    pathParameters,
    stageVariables,
    requestContext,
    body,
    binary,
  }: {
    resourcePath: string;
    pathParameters: Readonly<Record<string, string>> | null;
    stageVariables: Readonly<Record<string, string>> | null;
    requestContext: Context;
    body: Buffer;
    binary: boolean;
  },
): object {
  const headers: Many = {
    ...Object.fromEntries(Object.entries(request.headers).filter(([name]) => reachesFunction(name))),
    'X-Amzn-Trace-Id': [traceId(request)],
    'X-Forwarded-For': [[request.header('x-forwarded-for'), request.sourceIp].filter(Boolean).join(', ')],
    'X-Forwarded-Proto': ['http'],
  };
  return {
    resource: resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: orNull(lastOf(request.query)),
    multiValueQueryStringParameters: orNull(request.query),
    pathParameters,
    stageVariables,
    requestContext,
    body: body.length ? body.toString(binary ? 'base64' : 'utf8') : null,
    isBase64Encoded: binary && body.length > 0,
  };
}

/** Turns a function's result into an HTTP response. @throws GatewayError if it doesn't fit the proxy integration. */
export function proxyResponse(payload: string, decodeBase64: boolean): GatewayResponse {
  const result = JSON.parse(payload) as Record<string, unknown> | null;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) throw malformed('not an object');
  const { status, body, isBase64Encoded } = readResult(result);
  const { headers, multiValueHeaders } = result;
  const entries = [...headerEntries('multiValueHeaders', multiValueHeaders), ...headerEntries('headers', headers)];
  return {
    status,
    headers: mergeHeaders(towardsClient(entries), status === 204 ? undefined : 'application/json'),
    body: isBase64Encoded && decodeBase64 ? Buffer.from(body, 'base64') : body,
  };
}
