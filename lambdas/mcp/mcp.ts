import middy from '@middy/core';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { mcpServer, type Session } from '../../clients/mcp/server.ts';
import { unexpectedError } from '../core/alarms.ts';
import { accessLog } from '../http/access-log.ts';
import { type ApiEvent, callerOf, type Internal } from '../http/api-event.ts';
import { finishResponse } from '../http/finish-response.ts';
import { bodyText } from '../http/parse-body.ts';
import { refuseExpiredKey } from '../http/refuse-expired-key.ts';
import { commonHeaders } from '../http/reply.ts';
import { inRequestContext } from '../http/request-context.ts';
import { loggedRequest } from '../runtime/logged-request.ts';
import { setting } from '../runtime/settings.ts';
import { stackOf } from '../runtime/stack.ts';

// `/mcp`: the Model Context Protocol over HTTP, without sessions. Its tools call the API over HTTP with the caller's
// key, so this function needs no permissions, and a tool can do nothing that the key couldn't do directly.

/** How much of an invocation's time is reserved for the response, in milliseconds. */
const reserve = 2_000;

/** How deeply a body may be nested. The arguments of the tools have six levels. */
const mostLevels = 32;

const steps = middy<ApiEvent, APIGatewayProxyResult, Error, Context, Internal>()
  .use(accessLog())
  .use(finishResponse())
  .use(refuseExpiredKey())
  .handler(serve);

export const handler = (event: ApiEvent, context: Context): Promise<APIGatewayProxyResult> =>
  inRequestContext(event, context, () => steps(event, context));

const logMistake = (error: unknown): void => {
  const { name, ...rest } = error instanceof Error ? { name: error.name, stack: stackOf(error) } : { name: typeof error };
  console.error({ message: unexpectedError, ...loggedRequest(), name, ...rest });
};

/** The session comes from the request, which the authorizer has checked. */
const serverFor = ({ authInfo }: McpRequestContext) => mcpServer(authInfo?.extra?.session as Session);

const modern = createMcpHandler(serverFor, {
  // There is nothing to subscribe to, and an open stream would only use up the function's time.
  maxSubscriptions: 0,
});

async function serve(event: ApiEvent, context: Context): Promise<APIGatewayProxyResult> {
  const { headers, httpMethod: method } = event;
  const body = bodyText(event);
  const baseUrl = setting('API_URL');
  const { keyId, permissions } = callerOf(event);
  const request = new Request(new URL('/mcp', baseUrl), {
    method,
    headers: headersOf(headers),
    body: method === 'POST' ? body : null,
  });
  const refused = originValidationResponse(request, [new URL(baseUrl).hostname]) ?? refuseShape(body);
  if (refused) return resultOf(refused);
  const apiKey = (request.headers.get('Authorization') ?? '').replace(/^bearer +/i, '');
  const until = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - reserve));
  const session: Session = { baseUrl, apiKey, keyId, permissions, until, onMistake: logMistake };
  const authInfo = { token: apiKey, clientId: keyId, scopes: [...permissions], extra: { session } };
  const isEarlier = method === 'POST' && (await isLegacyRequest(request));
  return resultOf(await (isEarlier ? serveEarlier(request, session) : modern.fetch(request, { authInfo })));
}

/**
 * Serves protocol versions before 2026-07-28. Unlike the library's own fallback, it responds with JSON, not a stream.
 */
async function serveEarlier(request: Request, session: Session): Promise<Response> {
  const server = mcpServer(session);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}

/**
 * Refuses batches, in which each request would be a call to the API, and deeply nested bodies, which only cost time.
 */
function refuseShape(body: string): Response | undefined {
  const isBatch = /^\s*\[/.test(body);
  if (!isBatch && levelsOf(body) <= mostLevels) return undefined;
  const message = isBatch
    ? 'Send one request at a time, not a batch.'
    : `The body is nested more than ${mostLevels} levels deep.`;
  return Response.json({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null }, { status: 400 });
}

/** How deeply a text of JSON is nested. Linear in its length, because it may have megabytes. */
function levelsOf(text: string): number {
  let level = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isInString = !isInString;
    else if (isInString) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++level);
    else if (character === ']' || character === '}') level--;
  }
  return deepest;
}

/** The headers that the library reads. Others may validly have characters that the Fetch API refuses. */
const relevant = /^(accept|authorization|content-type|origin|mcp-[\w-]+)$/i;

function headersOf(sent: ApiEvent['headers']): Headers {
  const entries = Object.entries(sent).filter(([name]) => relevant.test(name));
  return new Headers(entries.map(([name, value = '']) => [name, value.replace(/[^\t\x20-\x7e]/g, '?')]));
}

async function resultOf(response: Response): Promise<APIGatewayProxyResult> {
  return {
    statusCode: response.status,
    headers: { ...commonHeaders, ...Object.fromEntries(response.headers) },
    body: await response.text(),
  };
}
