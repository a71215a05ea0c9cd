import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { canonicalHost } from '../domain/host.ts';
import { isPublicHost } from '../domain/public-host.ts';

/** The head of a response. */
export type Head = { readonly status: number; readonly headers: NodeJS.Dict<string[]> & IncomingHttpHeaders };

/** How names are resolved, and which addresses and ports may be reached. Tests replace it. */
export type Reach = {
  readonly lookup: (host: string, options: { all: true }, done: (error: Error | null, found: LookupAddress[]) => void) => void;
  readonly isPublic: (host: string) => boolean;
  readonly isOpen: (port: string) => boolean;
};

/**
 * Queries the DNS for addresses. The system's own lookup blocks one of four threads, so names with a silent DNS would
 * delay everything else that needs them, and the delay would be observable.
 */
const resolve: Reach['lookup'] = async (host, _, done) => {
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [v4, v6].flatMap((answer, place) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: place === 0 ? 4 : 6 })) : [],
  );
  done(null, found);
};

const publicReach: Reach = { lookup: resolve, isPublic: isPublicHost, isOpen: (port) => port === '' };

const refused = (host: string) => new Error(`${host} is not a public address, or the port is not the default one`);

/**
 * Sends a GET to a public address and returns the head of the response. The body is not read, redirects are not
 * followed.
 *
 * The check applies to the address that the socket connects to, not only to the name: the name is resolved once, and
 * refused if any of its addresses isn't public.
 *
 * @throws Error if the address isn't public, the port isn't the scheme's default, or the signal ends it before a
 *   response.
 */
export function requestHead(url: URL, signal: AbortSignal, { lookup, isPublic, isOpen }: Reach = publicReach): Promise<Head> {
  const host = canonicalHost(url.hostname);
  // IP addresses are checked here, because they are not looked up.
  if (!isPublic(host) || !isOpen(url.port)) return Promise.reject(refused(host));
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
      // A redirect may have put credentials into the URL.
      auth: null,
      agent: false,
      lookup: lookUp,
      signal,
      headers: { 'User-Agent': 'links/1 (framing check)', Accept: 'text/html' },
    });
    request.on('error', reject);
    // A response of 101 closes without an error. After a response this has no effect.
    request.on('close', () => reject(new Error('closed without a response')));
    request.on('response', (response: IncomingMessage) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headersDistinct as Head['headers'] });
      response.destroy();
    });
    request.end();
  });
}
