import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { canonicalHost } from '../domain/host.ts';
import { isPublicHost } from '../domain/public-host.ts';

/** What an answer begins with. */
export type Head = { readonly status: number; readonly headers: NodeJS.Dict<string[]> & IncomingHttpHeaders };

/** Who finds addresses, and which of them may be reached: the system's and public ones, but for tests. */
export type Reach = {
  readonly lookup: (host: string, options: { all: true }, done: (error: Error | null, found: LookupAddress[]) => void) => void;
  readonly isPublic: (host: string) => boolean;
};

const publicReach: Reach = { lookup: systemLookup, isPublic: isPublicHost };

const refused = (host: string) => new Error(`${host} is not a public address`);

/**
 * Sends a GET to a public address and gives what its answer begins with; the body is not read. Redirects are not followed.
 *
 * What is checked is the address that is connected to, not the name alone: a name that leads to any address that is not
 * public is refused, and it is looked up once.
 *
 * @throws Error where the address is not public, or there is no answer until the signal ends it.
 */
export function requestHead(url: URL, signal: AbortSignal, { lookup, isPublic }: Reach = publicReach): Promise<Head> {
  const host = canonicalHost(url.hostname);
  // An address is connected to without being looked up.
  if (!isPublic(host)) return Promise.reject(refused(host));
  const lookUp: LookupFunction = (name, options, done) =>
    lookup(name, { all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) return done(error ?? refused(name), '');
      if (!found.every(({ address, family }) => isPublic(family === 6 ? `[${address}]` : address)))
        return done(refused(name), '');
      if (options.all) return done(null, found);
      return done(null, first.address, first.family);
    });
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, {
      // A redirect may have put a user's name into the URL.
      auth: null,
      agent: false,
      lookup: lookUp,
      signal,
      headers: { 'User-Agent': 'links/1 (framing check)', Accept: 'text/html' },
    });
    request.on('error', reject);
    // An answer of 101 ends without an error. After an answer this comes to nothing.
    request.on('close', () => reject(new Error('closed without an answer')));
    request.on('response', (response: IncomingMessage) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headersDistinct as Head['headers'] });
      response.destroy();
    });
    request.end();
  });
}
