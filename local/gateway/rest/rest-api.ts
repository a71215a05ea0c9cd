import type { Functions } from '../../functions/functions.ts';
import { account, region } from '../../template/resources.ts';
import type { Template } from '../../template/template.ts';
import { authorizers, type Identity } from '../authorizer.ts';
import { type Exchange, eventText, within } from '../exchange.ts';
import { GatewayError } from '../gateway-error.ts';
import type { GatewayResponse } from '../gateway-response.ts';
import type { Request } from '../incoming-request.ts';
import { compressed } from './compression.ts';
import { gatewayResponses } from './error-responses.ts';
import { contextOf, isBinary, proxyEvent, proxyResponse } from './proxy.ts';
import { type Match, routeTable } from './routes.ts';
import { usagePlans } from './usage-plan.ts';

type ApiProperties = {
  readonly ApiKeySourceType?: string;
  readonly BinaryMediaTypes?: readonly string[];
  readonly MinimumCompressionSize?: number;
};
type StageProperties = { readonly StageName: string; readonly Variables?: Readonly<Record<string, string>> };

/**
 * The template's REST API: returns the exchange for a request.
 *
 * @throws Error for a part that the local host does not support.
 */
export function restApi(template: Template, functions: Functions, log: (line: string) => void): (request: Request) => Exchange {
  const api = template.only<ApiProperties>('AWS::ApiGateway::RestApi');
  const { StageName: stage, Variables = null } = template.only<StageProperties>('AWS::ApiGateway::Stage').properties;
  const { ApiKeySourceType = 'HEADER', BinaryMediaTypes = [], MinimumCompressionSize } = api.properties;
  const routeFor = routeTable(template);
  const authorize = authorizers(template, functions, log);
  const plans = usagePlans(template);
  const own = gatewayResponses(template);

  /**
   * The caller, according to the authorizer; undefined if the method has none.
   *
   * @throws GatewayError if it denies access.
   */
  function identify(request: Request, { route }: Match): Promise<Identity> | undefined {
    const methodArn = `arn:aws:execute-api:${region}:${account}:${api.name}/${stage}/${request.method}${request.path}`;
    return route.authorizerId === undefined ? undefined : authorize(route.authorizerId, request.header, methodArn);
  }

  /**
   * Takes a token of the usage plan if the method requires an API key.
   *
   * @throws GatewayError if there is no key or token.
   */
  function throttle(request: Request, { route }: Match, identity: Identity | undefined): void {
    if (!route.apiKeyRequired) return;
    const apiKey = ApiKeySourceType === 'AUTHORIZER' ? identity?.usageIdentifierKey : request.header('x-api-key');
    if (!apiKey) throw new GatewayError('INVALID_API_KEY');
    if (!plans.allows(apiKey, route.resourcePath, request.method)) throw new GatewayError('THROTTLED');
  }

  async function respond(
    request: Request,
    match: Match,
    readBody: (caller: string) => Promise<Buffer>,
  ): Promise<GatewayResponse> {
    const { route, pathParameters } = match;
    const identity = await identify(request, match);
    const authorizer = identity && { ...identity.context, principalId: identity.principalId };
    const requestContext = contextOf(request, api.name, stage, route, authorizer);
    const caller = identity?.principalId ?? '';
    const body = await readBody(caller);
    // After the body: an aborted request takes no token.
    throttle(request, match, identity);
    const event = eventText(
      proxyEvent(request, {
        resourcePath: route.resourcePath,
        pathParameters,
        stageVariables: Variables,
        requestContext,
        body,
        binary: isBinary(BinaryMediaTypes, request.header('content-type')),
      }),
    );
    const payload = await within(route.timeoutMs, functions.invoke(route.functionArn, event, { caller }));
    const response = proxyResponse(payload, isBinary(BinaryMediaTypes, request.header('accept')));
    return compressed(response, MinimumCompressionSize, request.header('accept-encoding'));
  }

  return (request) => {
    const match = routeFor(request.method, request.path);
    return {
      requestIdHeader: 'x-amzn-RequestId',
      respond: async (readBody) => {
        if (!match) throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
        return respond(request, match, readBody);
      },
      refuse: (type) => own(type, contextOf(request, api.name, stage, match?.route)),
    };
  };
}
