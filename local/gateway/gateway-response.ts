import { GatewayError } from './gateway-error.ts';

export type GatewayResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
};

/** Headers that belong to the connection. Functions cannot set them. */
const connectionHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** The error for a function's result that a gateway cannot turn into a response. */
export const malformed = (what: string) => new GatewayError('INTEGRATION_FAILURE', `malformed proxy response: ${what}`);

/**
 * Reads what REST and HTTP APIs have in common in a function's result.
 *
 * @throws GatewayError if the status is not an integer from 200 to 599, or the body is not a string.
 */
export function readResult({ statusCode, body, isBase64Encoded }: Readonly<Record<string, unknown>>) {
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) throw malformed(`statusCode ${JSON.stringify(statusCode)}`);
  if (body !== undefined && body !== null && typeof body !== 'string') throw malformed('body is not a string');
  return { status, body: body ?? '', isBase64Encoded: isBase64Encoded === true };
}

/** The entries of a map of headers that a function returned. @throws GatewayError if it is not an object. */
export function headerEntries(name: string, map: unknown): [string, unknown][] {
  if (map !== undefined && map !== null && typeof map !== 'object') throw malformed(`${name} is not an object`);
  return Object.entries(map ?? {});
}

/**
 * The headers to send. Names that differ only in case are merged under the first spelling, with all their distinct
 * values. The connection's own headers are dropped.
 *
 * @param contentType for a response without a content type.
 * @throws GatewayError if a value is not a string, number or boolean.
 */
export function mergeHeaders(
  entries: Iterable<readonly [string, unknown]>,
  contentType: string | undefined,
): GatewayResponse['headers'] {
  const merged = new Map<string, readonly [string, Set<string>]>();
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    if (connectionHeaders.has(key)) continue;
    if (!merged.has(key)) merged.set(key, [name, new Set()]);
    for (const single of Array.isArray(value) ? value : [value]) {
      if (!['string', 'number', 'boolean'].includes(typeof single)) throw malformed(`header ${name}`);
      merged.get(key)?.[1].add(String(single));
    }
  }
  if (contentType && !merged.has('content-type')) merged.set('content-type', ['Content-Type', new Set([contentType])]);
  return Object.fromEntries(
    [...merged.values()].map(([name, values]) => [name, values.size > 1 ? [...values] : ([...values][0] ?? '')]),
  );
}
