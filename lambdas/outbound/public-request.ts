import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { canonicalHost } from '../core/host/host.ts';
import { isPublicHost } from '../core/host/public-host.ts';

/** How names are resolved, and which hosts, addresses and ports may be reached. Tests replace it. */
export type Reach = {
  /** The addresses of a name; none if it has none, or if the DNS does not answer. */
  readonly lookup: (name: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;
  /** Whether a name or an address may be reached. IPv6 is in brackets. */
  readonly isAllowed: (host: string) => boolean;
  /** Whether the port of a URL may be reached; empty if it is the scheme's own. */
  readonly isOpen: (port: string) => boolean;
};

/** Why there was no response. */
export type RequestFailure =
  /** The name has no address, or the DNS did not answer. */
  | 'dns'
  /** The request could not be made, such as with a header that HTTP does not allow. */
  | 'failed'
  /** What came back isn't HTTP, or switches to another protocol. */
  | 'invalid_response'
  /** The host is, or resolves to, an address that isn't public. */
  | 'not_public'
  /** The port may not be reached. */
  | 'port_not_allowed'
  /** Nothing listens there. */
  | 'refused'
  /** The connection ended before the response. */
  | 'reset'
  /** The signal ended it. */
  | 'timeout'
  /** The handshake failed, or the certificate isn't valid for the host. */
  | 'tls'
  /** More than may be read came before the end of the headers. */
  | 'too_large'
  /** No address could be connected to. */
  | 'unreachable';

/** Why there was no response, for people: each completes a sentence. */
const failureTexts: Readonly<Record<RequestFailure, string>> = {
  dns: 'the host has no address in the DNS',
  failed: 'the request could not be sent',
  invalid_response: 'the server does not respond in HTTP',
  not_public: 'the host is not at a public address',
  port_not_allowed: 'the port must be the usual one of http or https',
  refused: 'the server refuses the connection',
  reset: 'the server ends the connection before it responds',
  timeout: 'the server does not respond in time',
  tls: 'the TLS handshake fails, or the certificate is not valid for the host',
  too_large: 'the headers of the response are too large',
  unreachable: 'the server cannot be reached',
};

/**
 * The most bytes that are read of a response, plus those of the body to keep if they are more: headers, interim
 * responses, and the part of a short body that isn't kept.
 */
export const mostBytes = 16_384;

/**
 * Tries all addresses of a name, each for a second before the next. Node's default of 250 ms is too short for servers
 * on the other side of the world: https://nodejs.org/api/net.html#socketconnectoptions-connectlistener
 */
const connecting = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 };

/**
 * Queries the DNS for addresses. The system's own lookup blocks one of four threads, so names with a silent DNS would
 * delay everything else that needs them, and the delay would be observable.
 */
const resolve: Reach['lookup'] = async (name, signal) => {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  signal.removeEventListener('abort', cancel);
  return [v4, v6].flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
};

/** Public addresses, at the scheme's own port. */
export const publicReach: Reach = { lookup: resolve, isAllowed: isPublicHost, isOpen: (port) => port === '' };

/** What is sent. `Host`, `Connection` and `Content-Length` are added. */
type PublicRequest = {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type PublicResponse = {
  readonly status: number;
  /** Each header with all its values. */
  readonly headers: IncomingMessage['headersDistinct'];
  /** The beginning of the body, as far as it came, and as it was sent: nothing is decompressed. */
  readonly body: Buffer;
  /** The whole body has come, even if not all of it was kept. */
  readonly isComplete: boolean;
};

const errorOf = (failure: RequestFailure, cause?: unknown) =>
  Object.assign(new Error(`the request ended with ${failure}`, { cause }), { failure });

/** Why `sendPublicly` failed. */
export const failureOf = (error: unknown): RequestFailure => (error as Partial<ReturnType<typeof errorOf>>).failure ?? 'failed';

/** The same in words, to complete a sentence. */
export const failureText = (error: unknown): string => failureTexts[failureOf(error)];

/**
 * Sends a request to a public address. Once the headers of the response are complete, it succeeds, whatever happens to
 * the body, which is read until it ends, breaks off, reaches the limit, or the signal ends it. Redirects are not
 * followed. Each request has its own connection, without credentials, cookies, or sessions of earlier ones.
 *
 * The check applies to the address that the socket connects to, not only to the name: the name is resolved once, and
 * refused if any of its addresses isn't public.
 *
 * @param keep how many bytes of the response's body to keep. If it is 0, the body is not read.
 * @param signal ends the request. There is no other limit on its time.
 * @throws an error whose reason `failureOf` returns.
 */
export async function sendPublicly(
  url: URL,
  { method, headers, body }: PublicRequest,
  keep: number,
  signal: AbortSignal,
  reach: Reach,
): Promise<PublicResponse> {
  // IP addresses are checked here, because they are not looked up.
  if (!reach.isAllowed(canonicalHost(url.hostname))) throw errorOf('not_public');
  if (!reach.isOpen(url.port)) throw errorOf('port_not_allowed');
  const isSecure = url.protocol === 'https:';
  const most = keep > mostBytes ? keep + mostBytes : mostBytes;
  /** What an error means at this stage. */
  let stage: RequestFailure = 'unreachable';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method,
      headers,
      // Credentials in the URL, such as in one that a server redirects to, are not sent.
      auth: null,
      agent: false,
      lookup: lookUpWithin(reach, signal),
      ...connecting,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
      maxHeaderSize: mostBytes,
      signal,
    });
    const parts: Buffer[] = [];
    let kept = 0;
    let response: IncomingMessage | undefined;
    /** Succeeds if there is a response, however it broke off. Only the first call has an effect. */
    const end = (failure: RequestFailure, cause?: unknown) => {
      // Passes on what came with the headers.
      while (response?.read()) {}
      if (!response) reject(errorOf(failure, cause));
      else {
        const { statusCode = 0, headersDistinct: headers, complete: isComplete } = response;
        resolve({ status: statusCode, headers, body: Buffer.concat(parts), isComplete });
      }
      request.destroy();
    };
    request.on('error', (error) => end(signal.aborted ? 'timeout' : failureAt(stage, error), error));
    // A response of 101 closes without an error.
    request.on('close', () => end('invalid_response'));
    request.on('response', (found) => {
      response = found;
      // Without a listener, an error would be thrown.
      response.on('error', () => end('reset'));
      if (keep === 0) return end('reset');
      response.on('end', () => end('reset'));
      response.on('data', (bytes: Buffer) => {
        const part = bytes.subarray(0, keep - kept);
        kept += part.length;
        parts.push(part);
      });
    });
    request.on('socket', (socket) => {
      socket.on('connect', () => {
        stage = isSecure ? 'tls' : 'reset';
      });
      socket.on('secureConnect', () => {
        stage = 'reset';
      });
      // Interim responses, trailers and the parts of chunks that aren't data have no other limit.
      let received = 0;
      socket.on('data', (bytes: Buffer) => {
        received += bytes.length;
        if (received > most) end('too_large');
      });
    });
    request.end(body);
  });
}

/** Looks up a name for a socket. Fails if the name has no address, or one that may not be reached. */
function lookUpWithin({ lookup, isAllowed }: Reach, signal: AbortSignal): LookupFunction {
  const addressesOf = async (name: string) => {
    const found = await lookup(name, signal);
    if (found.length === 0) throw errorOf('dns');
    const hosts = found.map(({ address, family }) => (family === 6 ? `[${address}]` : address));
    if (!hosts.every(isAllowed)) throw errorOf('not_public');
    return [...found];
  };
  return (name, _, done) => {
    addressesOf(name).then(
      (found) => done(null, found),
      (error) => done('failure' in error ? error : errorOf('dns', error), []),
    );
  };
}

/** Why a request failed, by how far it had come. */
function failureAt(stage: RequestFailure, error: NodeJS.ErrnoException): RequestFailure {
  const { code = '' } = error;
  if ('failure' in error) return failureOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') return 'too_large';
  if (code.startsWith('HPE_')) return 'invalid_response';
  // A server may refuse a handshake after it is complete for the client.
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'tls';
  if (stage !== 'unreachable') return stage;
  return code === 'ECONNREFUSED' ? 'refused' : code === 'ECONNRESET' ? 'reset' : stage;
}

/** Which redirects to follow. */
type Following = {
  readonly schemes: readonly string[];
  /** How many at most. */
  readonly most: number;
  readonly reachFor: (host: string) => Reach;
  /** The error if there is no last response. @param why completes a sentence */
  readonly refused: (why: string) => Error;
};

/**
 * Sends a request as `sendPublicly` does, and follows redirects. Each target is checked like the first address.
 *
 * @returns the last response, and where it came from.
 * @throws what `refused` returns
 */
export async function followPublicly(
  from: URL,
  request: PublicRequest,
  keep: number,
  signal: AbortSignal,
  { schemes, most, reachFor, refused }: Following,
): Promise<{ readonly response: PublicResponse; readonly at: URL }> {
  let at = from;
  for (let redirects = 0; redirects <= most; redirects++) {
    const response = await sendPublicly(at, request, keep, signal, reachFor(canonicalHost(at.hostname))).catch((error) => {
      throw refused(failureText(error));
    });
    const [target] = response.status >= 300 && response.status < 400 ? (response.headers.location ?? []) : [];
    if (target === undefined) return { response, at };
    const next = URL.parse(target, at.href);
    if (!next || !schemes.includes(next.protocol.slice(0, -1)))
      throw refused(`it redirects to a URL without ${schemes.join(' or ')}`);
    at = next;
  }
  throw refused(`it redirects more than ${most} times`);
}
