import { type Exchange, eventText, within } from './exchange.ts';
import type { Functions } from './functions.ts';
import { type Answer, GatewayError, type ResponseType } from './gateway-responses.ts';
import { commonLogTime, type Request } from './proxy.ts';
import { account } from './resources.ts';
import type { Template } from './template.ts';

type RouteProperties = { readonly RouteKey: string; readonly Target: string; readonly AuthorizationType?: string };
type IntegrationProperties = {
  readonly IntegrationType: string;
  readonly IntegrationUri: string;
  readonly PayloadFormatVersion?: string;
  readonly TimeoutInMillis?: number;
};

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const integrationLimitMs = 30_000;

/** What an HTTP API answers itself; it has no responses of the template's own. */
const ownAnswers: Readonly<Partial<Record<ResponseType, readonly [status: number, message: string]>>> = {
  BAD_REQUEST_BODY: [400, 'Bad Request'],
  REQUEST_TOO_LARGE: [413, 'Request Entity Too Large'],
  INTEGRATION_TIMEOUT: [503, 'Service Unavailable'],
};

/**
 * The template's HTTP API, by the request: one function for every method and path. Undefined where the template has none.
 *
 * @throws Error for a route or an integration that the host does not know.
 */
export function httpApi(template: Template, functions: Functions): ((request: Request) => Exchange) | undefined {
  const [api] = template.ofType('AWS::ApiGatewayV2::Api');
  if (!api) return undefined;
  const { RouteKey, Target, AuthorizationType = 'NONE' } = template.only<RouteProperties>('AWS::ApiGatewayV2::Route').properties;
  if (RouteKey !== '$default' || AuthorizationType !== 'NONE') {
    throw new Error(`the local host knows the open route $default of an HTTP API only, not ${RouteKey}`);
  }
  const integration = template.only<IntegrationProperties>('AWS::ApiGatewayV2::Integration');
  const { IntegrationType, IntegrationUri, PayloadFormatVersion, TimeoutInMillis } = integration.properties;
  if (IntegrationType !== 'AWS_PROXY' || PayloadFormatVersion !== '2.0' || Target !== `integrations/${integration.name}`) {
    throw new Error('the local host knows functions behind an HTTP API only, by payload format 2.0');
  }

  return (request) => ({
    answer: async (readBody) => {
      const event = eventText(eventOf(request, api.name, await readBody()));
      return answerOf(await within(TimeoutInMillis ?? integrationLimitMs, functions.invoke(IntegrationUri, event)));
    },
    refuse: (type) => {
      const [status, message] = ownAnswers[type] ?? [500, 'Internal Server Error'];
      return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ message }) };
    },
  });
}

/**
 * The event of payload format 2.0: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 *
 * The path comes decoded, although it is called raw, and the query as it was sent (docs/decisions.md).
 */
function eventOf(request: Request, apiId: string, body: Buffer): object {
  const { method, protocol, sourceIp, receivedAt } = request;
  const host = request.host.replace(/:\d*$/, '');
  const path = decodePath(request.path);
  const { cookie, ...headers } = Object.fromEntries(
    Object.entries(request.headers).map(([name, values]) => [name.toLowerCase(), values.join(',')]),
  );
  const isText = /^(text\/|application\/(json|javascript|xml)\b)/i.test(headers['content-type'] ?? '');
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: request.rawQuery,
    ...(cookie && { cookies: cookie.split(/;\s*/) }),
    headers: { ...headers, 'x-forwarded-for': [headers['x-forwarded-for'], sourceIp].filter(Boolean).join(', ') },
    ...(Object.keys(request.query).length > 0 && {
      queryStringParameters: Object.fromEntries(Object.entries(request.query).map(([name, values]) => [name, values.join(',')])),
    }),
    requestContext: {
      accountId: account,
      apiId,
      domainName: host,
      domainPrefix: host.split('.')[0],
      http: { method, path, protocol, sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId: request.id,
      routeKey: '$default',
      stage: '$default',
      time: commonLogTime(receivedAt),
      timeEpoch: receivedAt,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

type Result = {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
};

/** What a function returned as an HTTP answer: one without a status is a body of JSON. @throws GatewayError where it is none. */
function answerOf(payload: string): Answer {
  const result = JSON.parse(payload) as Result | string | null;
  if (typeof result !== 'object' || result?.statusCode === undefined) {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: typeof result === 'string' ? result : payload };
  }
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result;
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599 || typeof body !== 'string') {
    throw new GatewayError('INTEGRATION_FAILURE', 'the function returned no answer');
  }
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return {
    status: statusCode,
    headers: {
      ...(body !== '' && { 'content-type': 'text/plain; charset=utf-8' }),
      ...Object.fromEntries(named),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
}
