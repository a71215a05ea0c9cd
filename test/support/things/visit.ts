import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { vi } from 'vitest';
import { contextWith } from '../http/invoke.ts';

let made = 0;

export type VisitOptions = {
  readonly method?: string;
  readonly host: string;
  /** Including the query, as a visitor types it. */
  readonly path: string;
  /** By names in lower case. `User-Agent` and `Accept` are a browser's by default. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** A form, or any text. */
  readonly body?: string;
  readonly sourceIp?: string;
  /** When the gateway received the request, in milliseconds since 1970; now by default. */
  readonly receivedAt?: number;
  /** Milliseconds for its store calls; the default is 20,000. */
  readonly budget?: number;
};

/** The address that visits come from by default. */
export const visitorIp = '192.0.2.1';

/** The headers of a browser whose user opens a link. */
export const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
};
export const curl = { 'user-agent': 'curl/8.10.1', accept: '*/*' };

/** The event that the HTTP API passes to the redirect's function. */
export function visitEvent(options: VisitOptions): APIGatewayProxyEventV2 {
  const { method = 'GET', host, path, headers = {}, cookies, body, sourceIp = visitorIp, receivedAt = Date.now() } = options;
  const [rawPath = '/', ...query] = path.split('?');
  const all: Record<string, string> = {
    ...browser,
    ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...headers,
  };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: query.join('?'),
    ...(cookies && { cookies: [...cookies] }),
    headers: { host, ...all },
    requestContext: {
      domainName: host,
      requestId: `visit-${++made}`,
      stage: '$default',
      timeEpoch: receivedAt,
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent: all['user-agent'] ?? '' },
    } as APIGatewayProxyEventV2['requestContext'],
    ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined,
  };
}

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;
type Visited = APIGatewayProxyStructuredResultV2 & { headers: Record<string, string> };

async function visitBy(handler: Handler, options: VisitOptions): Promise<Visited> {
  const result = await handler(visitEvent(options), contextWith(options.budget ?? 20_000));
  return { ...result, headers: result.headers as Record<string, string> };
}

/** Visits a short link in this process. Must be called after the test file's store is loaded. */
export async function visit(options: VisitOptions): Promise<Visited> {
  const { handler } = await import('../../../lambdas/redirect/redirect.ts');
  return visitBy(handler, options);
}

/** A visit, repeated while the function answers 503, which it also does on a busy machine. */
export async function untilAvailable<V extends { statusCode?: number | undefined }>(visitOnce: () => Promise<V>): Promise<V> {
  for (;;) {
    const answer = await visitOnce();
    if (answer.statusCode !== 503) return answer;
  }
}

let started = 0;

const real = { wall: Date.now, steady: process.hrtime.bigint };

/**
 * Moves the clocks of this process's functions to so many milliseconds after the real ones, as if that time had passed.
 * `vi.restoreAllMocks` ends it.
 */
export function pass(milliseconds: number): void {
  vi.spyOn(Date, 'now').mockImplementation(() => real.wall() + milliseconds);
  vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => real.steady() + BigInt(milliseconds) * 1_000_000n);
}

/** The same with a function that has just started, and remembers nothing yet. */
export async function startVisits(): Promise<(options: VisitOptions) => Promise<Visited>> {
  // A module with another address is loaded anew.
  const address = `../../../lambdas/redirect/redirect.ts?started=${++started}`;
  const { handler } = await import(address);
  return (options) => visitBy(handler, options);
}
