import type { Functions } from '../../functions/functions.ts';
import type { Template } from '../../template/template.ts';
import { functionOfUri } from '../authorizer.ts';
import { type Exchange, eventText, within } from '../exchange.ts';
import { GatewayError, type ResponseType } from '../gateway-error.ts';
import type { GatewayResponse } from '../gateway-response.ts';
import type { Request } from '../incoming-request.ts';
import { httpApiEvent, httpApiResponse } from './http-api-event.ts';

type RouteProperties = { readonly RouteKey: string; readonly Target?: string; readonly AuthorizationType?: string };
type IntegrationProperties = {
  readonly IntegrationType: string;
  readonly IntegrationUri?: string;
  readonly PayloadFormatVersion?: string;
  readonly TimeoutInMillis?: number;
};
type StageProperties = {
  readonly StageName: string;
  readonly AutoDeploy?: boolean;
  readonly StageVariables?: Readonly<Record<string, string>>;
};

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const integrationLimitMs = 30_000;
/** The limit for the request line plus all header values, in bytes, from the same page. */
const headLimit = 10_240;

const own = (status: number, message: string): GatewayResponse => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ message }),
});

/** An HTTP API's own responses, which the template cannot change. */
const ownResponses: Readonly<Partial<Record<ResponseType, GatewayResponse>>> = {
  BAD_REQUEST_BODY: own(400, 'Bad Request'),
  REQUEST_TOO_LARGE: own(413, 'Request Entity Too Large'),
  INTEGRATION_TIMEOUT: own(503, 'Service Unavailable'),
};
const failed = own(500, 'Internal Server Error');
const headTooLarge = own(431, 'Request Header Fields Too Large');

const unknown = (what: string, id: string) => new Error(`the local host does not support ${what} of an HTTP API (${id})`);

/**
 * The template's HTTP API: a stage at the root, and one function for every method and path.
 *
 * @returns the exchange for a request; undefined if the template has no HTTP API.
 * @throws Error for a part of the API that the local host does not support.
 */
export function httpApi(template: Template, functions: Functions): ((request: Request) => Exchange) | undefined {
  if (!template.ofType('AWS::ApiGatewayV2::Api').length) return undefined;
  const api = template.only<{ readonly ProtocolType?: string }>('AWS::ApiGatewayV2::Api');
  const { ProtocolType } = api.properties;
  if (ProtocolType !== 'HTTP') throw unknown(`the protocol ${ProtocolType}`, api.id);
  const stage = template.only<StageProperties>('AWS::ApiGatewayV2::Stage');
  const { StageName, AutoDeploy, StageVariables } = stage.properties;
  if (StageName !== '$default' || !AutoDeploy) throw unknown('any stage but $default with AutoDeploy', stage.id);
  const { functionArn, timeoutMs } = catchAll(template, functions);

  return (request) => ({
    requestIdHeader: 'apigw-requestid',
    respond: async (readBody) => {
      if (headSize(request) > headLimit) return headTooLarge;
      if (!isHost(request.host)) throw new GatewayError('BAD_REQUEST_BODY');
      // Visitors are anonymous, and hosts and paths can be made up without limit. So all large bodies share one caller.
      const body = await readBody('visitors');
      const event = httpApiEvent(request, { apiId: api.name, stageVariables: StageVariables, body });
      const whose = { caller: request.hostname, line: request.path };
      return httpApiResponse(await within(timeoutMs, functions.invoke(functionArn, eventText(event), whose)));
    },
    refuse: (type) => ownResponses[type] ?? failed,
  });
}

/** The target of the route `$default`. */
function catchAll(template: Template, functions: Functions): { functionArn: string; timeoutMs: number } {
  const route = template.only<RouteProperties>('AWS::ApiGatewayV2::Route');
  const { RouteKey, Target, AuthorizationType = 'NONE' } = route.properties;
  if (RouteKey !== '$default') throw unknown(`the route "${RouteKey}"`, route.id);
  if (AuthorizationType !== 'NONE') throw unknown(`the authorization type ${AuthorizationType}`, route.id);
  const integration = template.only<IntegrationProperties>('AWS::ApiGatewayV2::Integration');
  const { IntegrationType, IntegrationUri = '', PayloadFormatVersion, TimeoutInMillis } = integration.properties;
  if (Target !== `integrations/${integration.name}`) throw unknown(`the target "${Target}"`, route.id);
  if (IntegrationType !== 'AWS_PROXY') throw unknown(`${IntegrationType} integrations`, integration.id);
  if (PayloadFormatVersion !== '2.0') throw unknown(`the payload format ${PayloadFormatVersion}`, integration.id);
  // The URI is either the function's ARN or an invocation path that contains it.
  const named = IntegrationUri.endsWith('/invocations') ? functionOfUri(IntegrationUri) : IntegrationUri;
  return { functionArn: functions.arnOf(named), timeoutMs: TimeoutInMillis ?? integrationLimitMs };
}

/** The size in bytes: Node decodes each byte of the head as one character. */
function headSize({ method, path, rawQuery, protocol, headers }: Request): number {
  const values = Object.values(headers).flat();
  return `${method} ${path}?${rawQuery} ${protocol}`.length + values.reduce((sum, value) => sum + value.length, 0);
}

/** Whether a host is a name or an address, with or without a port. */
const isHost = (host: string) => /^(?:[\w.-]+|\[[\d:.a-f]+\])(?::\d*)?$/i.test(host);
