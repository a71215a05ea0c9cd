import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { canonicalHost } from '../domain/host.ts';
import { isPublicHost } from '../domain/public-host.ts';

/** What an answer begins with. */
export type Head = { readonly status: number; readonly headers: NodeJS.Dict<string[]> & IncomingHttpHeaders };

/** Who finds addresses, and which of them and of their ports may be reached: public ones at the scheme's own port, but for tests. */
export type Reach = {
  readonly lookup: (host: string, options: { all: true }, done: (error: Error | null, found: LookupAddress[]) => void) => void;
  readonly isPublic: (host: string) => boolean;
  readonly isOpen: (port: string) => boolean;
};

/**
 * Asks the DNS for addresses. The system's own look-up waits in one of four threads: names whose DNS is silent would hold up whatever else
 * needs them, and it could be told from how long that takes.
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

const refused = (host: string) => new Error(`${host} is not a public address, or not at its port`);

/**
 * Sends a GET to a public address and gives what its answer begins with; the body is not read. Redirects are not followed.
 *
 * What is checked is the address that is connected to, not the name alone: a name that leads to any address that is not
 * public is refused, and it is looked up once.
 *
 * @throws Error where the address is not public, the port is not 80 or 443, or there is no answer until the signal ends it.
 */
export function requestHead(url: URL, signal: AbortSignal, { lookup, isPublic, isOpen }: Reach = publicReach): Promise<Head> {
  const host = canonicalHost(url.hostname);
  // An address is connected to without being looked up.
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
