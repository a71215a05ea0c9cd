import { GatewayError } from './gateway-error.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
};

/** What the connection itself decides; a function has no say in it. */
const connectionHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** The error for what a function returned and no gateway can make sense of. */
export const malformed = (what: string) => new GatewayError('INTEGRATION_FAILURE', `malformed proxy response: ${what}`);

/** The status, body and `isBase64Encoded` that a function returned, as far as all gateways agree on them. @throws GatewayError */
export function readResult({ statusCode, body, isBase64Encoded }: Readonly<Record<string, unknown>>) {
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) throw malformed(`statusCode ${JSON.stringify(statusCode)}`);
  if (body !== undefined && body !== null && typeof body !== 'string') throw malformed('body is no string');
  return { status, body: body ?? '', isBase64Encoded: isBase64Encoded === true };
}

/** The entries of a map of headers that a function returned. @throws GatewayError when it is none. */
export function headerEntries(name: string, map: unknown): [string, unknown][] {
  if (map !== undefined && map !== null && typeof map !== 'object') throw malformed(`${name} is no object`);
  return Object.entries(map ?? {});
}

/**
 * Headers to be sent: of names that differ in case alone the first one's, with all their values, and without what is the
 * connection's. `contentType` is for an answer that names none.
 *
 * @throws GatewayError for a value that is none.
 */
export function mergeHeaders(entries: Iterable<readonly [string, unknown]>, contentType: string | undefined): Answer['headers'] {
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
