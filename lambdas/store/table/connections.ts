import type { Socket } from 'node:net';
import { type Response, responseIn } from './http-response.ts';

/** Where to connect to. */
export type Origin = { readonly isSecure: boolean; readonly hostname: string; readonly port: number };

/** A connection on which one request at a time is answered. */
export type Connection = {
  /** Whether it is still being opened. */
  readonly isConnecting: () => boolean;
  /** Calls back when it is open. */
  readonly onConnect: (callback: () => void) => void;
  /**
   * Sends a request, and reads the whole response. Then the connection is free for the next request.
   *
   * @param request head and body.
   * @throws Node's error with its `code`; `ECONNRESET` if the connection ends too early, and `EPROTO` if what comes is
   *   not HTTP.
   */
  readonly exchange: (request: string) => Promise<Response>;
  /** Ends the connection. An exchange that is under way fails with the error. */
  readonly fail: (error: Error) => void;
};

/** After how many idle milliseconds TCP probes a connection, as with Node's own client. */
const probeAfter = 1_000;

/**
 * Connections to one origin, which stay open for later requests. There is no limit: a function makes a few requests at a
 * time. With Node's own HTTP client, a plain visit takes the redirect 1.4 times the processor time.
 *
 * @returns a function that returns a free connection, or opens one. The caller must use it at once, or end it.
 */
export function connectionsTo(origin: Origin): () => Connection {
  const free: Connection[] = [];
  // A new connection resumes the latest TLS session, which saves a round trip and the check of a certificate.
  const session: { latest?: Buffer } = {};
  return () => free.pop() ?? connect(origin, session, free);
}

function connect(origin: Origin, session: { latest?: Buffer }, free: Connection[]): Connection {
  const socket = socketTo(origin, session);
  socket.setNoDelay(true).setKeepAlive(true, probeAfter);
  // The time limit of an exchange keeps the process alive, and an idle connection must not.
  socket.unref();

  let current: { readonly resolve: (response: Response) => void; readonly reject: (error: Error) => void } | undefined;
  let chunks: Buffer[] = [];
  let size = 0;
  /** How many bytes there must be before it makes sense to look for the response again. */
  let needed = 0;

  const connection: Connection = {
    isConnecting: () => socket.connecting,
    onConnect: (callback) => void socket.once('connect', callback),
    exchange: (request) =>
      new Promise((resolve, reject) => {
        current = { resolve, reject };
        socket.write(request);
      }),
    fail,
  };

  function fail(error: Error): void {
    const place = free.indexOf(connection);
    if (place >= 0) free.splice(place, 1);
    socket.destroy();
    current?.reject(error);
    current = undefined;
  }

  socket.on('error', fail);
  const hangUp = () => fail(coded('ECONNRESET', 'the connection ended before the response'));
  socket.on('end', hangUp);
  socket.on('close', hangUp);
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size < needed) return;
    try {
      take(chunks.length === 1 ? chunk : Buffer.concat(chunks));
    } catch (error) {
      fail(coded('EPROTO', (error as Error).message));
    }
  });

  /** Takes what has come so far. @throws Error if nobody asked for it, or if it is not HTTP. */
  function take(received: Buffer): void {
    if (!current) throw new Error('a response that nobody has asked for');
    const found = responseIn(received);
    if ('needed' in found) {
      chunks = [received];
      needed = found.needed;
      return;
    }
    const { resolve } = current;
    current = undefined;
    chunks = [];
    size = 0;
    needed = 0;
    if (found.isLast || found.length < received.length) socket.destroy();
    else free.push(connection);
    resolve(found.response);
  }

  return connection;
}

function socketTo({ isSecure, hostname, port }: Origin, session: { latest?: Buffer }): Socket {
  const net = process.getBuiltinModule('node:net');
  if (!isSecure) return net.connect({ host: hostname, port });
  const socket = process.getBuiltinModule('node:tls').connect({
    host: hostname,
    port,
    ALPNProtocols: ['http/1.1'],
    // Only names are sent, no addresses (RFC 6066, section 3). Either way, the certificate must be for the host.
    ...(net.isIP(hostname) === 0 && { servername: hostname }),
    ...(session.latest && { session: session.latest }),
  });
  return socket.on('session', (latest) => {
    session.latest = latest;
  });
}

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });
