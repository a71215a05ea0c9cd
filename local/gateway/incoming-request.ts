import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Several values under each name. */
export type Many = Readonly<Record<string, readonly string[]>>;

/** A request without its body. */
export type Request = {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly receivedAt: number;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** '' if there is no host or more than one. Both must be refused (RFC 9112, section 3.2). */
  readonly host: string;
  /** The host without its port. */
  readonly hostname: string;
  readonly protocol: string;
  readonly sourceIp: string;
  /** By name as sent; a header that was sent twice has two values. */
  readonly headers: Many;
  /** As sent, without the `?`. */
  readonly rawQuery: string;
  readonly query: Many;
  /** The last value of a header, whatever its case. */
  readonly header: (name: string) => string | undefined;
};

/** Reads the head of a request; never throws. */
export function readRequest(message: IncomingMessage): Request {
  // In the absolute form, which proxies use, the target's host overrides the header.
  const [, authority, target = '/'] = /^(?:https?:\/\/([^/?#]*))?(.*)$/is.exec(message.url ?? '/') ?? [];
  const [path = '/', ...query] = target.split('?');
  const headers = group(pairs(message.rawHeaders), (name) => name.toLowerCase());
  const valuesOf = (name: string) => {
    const sent = Object.keys(headers).find((it) => it.toLowerCase() === name.toLowerCase());
    return (sent && headers[sent]) || [];
  };
  const [host = '', ...furtherHosts] = valuesOf('host');
  const named = furtherHosts.length ? '' : (authority ?? host);
  return {
    id: randomUUID(),
    receivedAt: Date.now(),
    method: message.method ?? 'GET',
    path: path || '/',
    host: named,
    hostname: named.replace(/:\d*$/, ''),
    protocol: `HTTP/${message.httpVersion}`,
    sourceIp: message.socket.remoteAddress ?? '127.0.0.1',
    headers,
    rawQuery: query.join('?'),
    query: group(new URLSearchParams(query.join('?')), (name) => name),
    header: (name) => valuesOf(name).at(-1),
  };
}

function* pairs(flat: readonly string[]): Generator<readonly [string, string]> {
  for (let i = 0; i + 1 < flat.length; i += 2) yield [flat[i] as string, flat[i + 1] as string];
}

/** Groups entries by the `identity` of their names, under the first name of each group. */
function group(entries: Iterable<readonly [string, string]>, identity: (name: string) => string): Many {
  const groups = new Map<string, readonly [string, string[]]>();
  for (const [name, value] of entries) {
    const known = groups.get(identity(name));
    if (known) known[1].push(value);
    else groups.set(identity(name), [name, [value]]);
  }
  return Object.fromEntries(groups.values());
}

/** `05/Nov/2025:13:04:09 +0000` */
export function commonLogTime(time: number): string {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}

/** An `X-Amzn-Trace-Id` for a request. */
export function traceId({ receivedAt }: Request): string {
  return `Root=1-${Math.floor(receivedAt / 1000).toString(16)}-${randomBytes(12).toString('hex')}`;
}
