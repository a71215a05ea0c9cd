import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { account } from '../../template/resources.ts';
import { GatewayError } from '../gateway-error.ts';
import { type GatewayResponse, headerEntries, malformed, mergeHeaders, readResult } from '../gateway-response.ts';
import { commonLogTime, type Many, type Request, traceId } from '../incoming-request.ts';

// The payload format 2.0 of HTTP APIs, as AWS documents it
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html).
// docs/aws.md has the sources for what is undocumented or differs from the documentation.

/**
 * The event for a request to the catch-all route.
 *
 * @throws GatewayError if the request target is not a path, or has malformed escapes.
 */
export function httpApiEvent(
  request: Request,
  { apiId, stageVariables, body }: { apiId: string; stageVariables: Record<string, string> | undefined; body: Buffer },
): APIGatewayProxyEventV2 {
  const { cookie, ...headers } = lowerCase(request.headers);
  const query = joined(request.query);
  const path = decodedPath(request.path);
  const isText = isTextual(request.header('content-type'));
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: request.rawQuery,
    ...(cookie && { cookies: cookie.flatMap((one) => one.split(/; */)).filter(Boolean) }),
    headers: {
      ...joined(headers),
      'content-length': String(body.length),
      'x-amzn-trace-id': traceId(request),
      'x-forwarded-for': [request.header('x-forwarded-for'), request.sourceIp].filter(Boolean).join(', '),
      'x-forwarded-port': /:(\d+)$/.exec(request.host)?.[1] ?? '80',
      'x-forwarded-proto': 'http',
    },
    ...(Object.keys(query).length > 0 && { queryStringParameters: query }),
    ...(stageVariables && { stageVariables }),
    requestContext: {
      accountId: account,
      apiId,
      domainName: request.hostname,
      domainPrefix: request.hostname.split('.')[0] ?? '',
      http: {
        method: request.method,
        path,
        protocol: request.protocol,
        sourceIp: request.sourceIp,
        userAgent: request.header('user-agent') ?? '',
      },
      requestId: request.id,
      routeKey: '$default',
      stage: '$default',
      time: commonLogTime(request.receivedAt),
      timeEpoch: request.receivedAt,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Header names in lower case. They stay unique, because different spellings were merged before. */
const lowerCase = <V>(headers: Readonly<Record<string, V>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const joined = (many: Many) => Object.fromEntries(Object.entries(many).map(([name, values]) => [name, values.join(',')]));

/** Decodes the path twice, and cuts it at a question mark that the first round reveals. */
export function decodedPath(path: string): string {
  if (!path.startsWith('/')) throw new GatewayError('BAD_REQUEST_BODY');
  const [once = ''] = decode(path).split('?');
  return decode(once);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new GatewayError('BAD_REQUEST_BODY');
  }
}

function isTextual(contentType = ''): boolean {
  const type = contentType.split(/[;,]/)[0]?.trim().toLowerCase() ?? '';
  return type.startsWith('text/') || /^application\/(?:json|xml|javascript)$/.test(type);
}

/**
 * Turns a function's result into an HTTP response. A result without `statusCode` is the body of a 200.
 *
 * @throws GatewayError if a result with a `statusCode` is malformed.
 */
export function httpApiResponse(payload: string): GatewayResponse {
  const result: unknown = JSON.parse(payload);
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    const body = typeof result === 'string' ? result : payload;
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
  const { headers, cookies = [] } = result as Record<string, unknown>;
  const { status, body, isBase64Encoded } = readResult(result as Record<string, unknown>);
  if (!Array.isArray(cookies) || cookies.some((cookie) => typeof cookie !== 'string')) throw malformed('cookies');
  const single = headerEntries('headers', headers);
  if (single.some(([, value]) => Array.isArray(value))) throw malformed('a header with several values');
  const entries = [...single, ...cookies.map((cookie) => ['Set-Cookie', cookie] as const)];
  // The default content type is from a comparison of AWS's own emulator with AWS:
  // https://github.com/aws/aws-lambda-dotnet/pull/1903
  return {
    status,
    headers: lowerCase(mergeHeaders(entries, body ? 'text/plain; charset=utf-8' : undefined)),
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
}
