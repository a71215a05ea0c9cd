import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Functions } from './functions/functions.ts';
import { turns } from './functions/turns.ts';
import { GatewayError, type ResponseType } from './gateway/gateway-error.ts';
import type { GatewayResponse } from './gateway/gateway-response.ts';
import { httpApi } from './gateway/http/http-api.ts';
import { readRequest } from './gateway/incoming-request.ts';
import { ClientGone, readBody } from './gateway/request-body.ts';
import { gatewayResponses } from './gateway/rest/error-responses.ts';
import { restApi } from './gateway/rest/rest-api.ts';
import { portError } from './net/ports.ts';
import type { Template } from './template/template.ts';

export type Gateway = {
  readonly port: number;
  /** Accepts no more requests and lets those in flight finish; cuts them off after a grace period. */
  stop(): Promise<void>;
};

const watchdogMs = 30_000;
const graceMs = 5_000;
/**
 * Only a limited number of bodies larger than this (in bytes) are read at a time, so that they cannot fill the memory.
 */
const largeBody = 64 * 1024;
const concurrentLargeBodies = { each: 8, all: 48 };
const apiHosts = new Set(['127.0.0.1', 'localhost']);

/**
 * Serves the template's APIs on 127.0.0.1. Requests to `127.0.0.1` or `localhost` go to the REST API, without the stage
 * in the path; requests to any other host go to the HTTP API, if the template has one.
 *
 * Every request gets a response: from its function, from the gateway itself, or from a watchdog after 30 s. (A large
 * body that waited for its turn has 30 s from then on.) Input that is not HTTP gets the response `BAD_REQUEST_BODY`.
 *
 * @throws Error with a one-line message if it cannot listen on the port.
 */
export async function startGateway(
  template: Template,
  functions: Functions,
  port: number,
  log: (line: string) => void,
): Promise<Gateway> {
  const handle = requestHandler(template, functions, log);
  const server = createServer(
    // The watchdog limits the whole request. Node's own limit would send a second response.
    {
      requestTimeout: 0,
      headersTimeout: 15_000,
      requireHostHeader: false,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
    },
    (message, response) => void handle(message, response),
  );
  const unreadable = gatewayResponses(template);
  server.on('clientError', (_error, socket) => {
    // The connection still sends the response to an earlier request, which nothing must interrupt.
    if (!socket.writable || ('_httpMessage' in socket && socket._httpMessage)) return void socket.destroy();
    const { status, headers, body } = unreadable('BAD_REQUEST_BODY', { requestId: randomUUID() });
    const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
    socket.end(`HTTP/1.1 ${status} Bad Request\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
  });
  // A client that closes its side of the connection after the request still gets its response. (Missing in Node's
  // types.)
  Object.assign(server, { httpAllowHalfOpen: true });
  await listen(server, port);
  return { port: (server.address() as { port: number }).port, stop: () => close(server) };
}

function requestHandler(template: Template, functions: Functions, log: (line: string) => void) {
  const rest = restApi(template, functions, log);
  const http = httpApi(template, functions);
  const largeTurn = turns(concurrentLargeBodies);

  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = readRequest(message);
    const isRest = sent.host === '' || apiHosts.has(sent.hostname.toLowerCase());
    // A client of a REST API can choose the id.
    const request = isRest ? { ...sent, id: sent.header('x-amzn-RequestId') || sent.id } : sent;
    const exchange = (isRest || !http ? rest : http)(request);
    const respond = (answered: GatewayResponse) => send(response, answered, { [exchange.requestIdHeader]: request.id });
    const refuse = (type: ResponseType) => respond(exchange.refuse(type));
    let endTurn = () => {};
    let isWaiting = false;
    const watchdog = setTimeout(() => {
      if (response.headersSent) return void message.socket.destroy();
      if (!message.complete) response.setHeader('Connection', 'close');
      // Blame the right side: the client if its request is incomplete, unless it is waiting for its turn here.
      refuse(message.complete || isWaiting ? 'INTEGRATION_TIMEOUT' : 'BAD_REQUEST_BODY');
    }, watchdogMs);
    response.on('close', () => {
      clearTimeout(watchdog);
      endTurn();
    });
    /** Reads the body in its caller's turn. No body is read before the caller is known. */
    const readInTurn = async (caller: string) => {
      if (isLarge(message)) {
        isWaiting = true;
        endTurn = await largeTurn({ caller });
        isWaiting = false;
        watchdog.refresh();
        if (response.destroyed) {
          endTurn();
          throw new ClientGone();
        }
      }
      return readBody(message);
    };
    // A client that disconnects is not an error of ours. Without these listeners it would end the process.
    message.on('error', () => {});
    response.on('error', () => {});
    try {
      // Node's parser also accepts other versions, even HTTP/0.9, which has no headers.
      if (request.host === '' || !/^HTTP\/1\.[01]$/.test(request.protocol)) {
        response.setHeader('Connection', 'close');
        return refuse('BAD_REQUEST_BODY');
      }
      respond(await exchange.respond(readInTurn));
    } catch (error) {
      if (error instanceof ClientGone) return void message.socket.destroy();
      const type = error instanceof GatewayError ? error.type : 'INTEGRATION_FAILURE';
      if ((error as Error).message !== type) log(`${request.id} ${type}: ${(error as Error).message}`);
      refuse(type);
    }
  };
}

/** Whether a request may have a large body. Chunked bodies may, since their length is unknown. */
function isLarge({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > largeBody || headers['transfer-encoding'] !== undefined;
}

/** Sends the response, unless one has been sent. @throws TypeError if a header's name or value is invalid. */
function send(
  response: ServerResponse,
  { status, headers, body }: GatewayResponse,
  further: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) return;
  const bodyless = status === 204 || status === 304;
  response.writeHead(status, {
    ...headers,
    ...further,
    ...(!bodyless && { 'Content-Length': Buffer.byteLength(body) }),
  });
  response.end(bodyless ? undefined : body);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(portError(port, error)));
    server.listen(port, '127.0.0.1', resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const grace = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(grace);
      resolve();
    });
    server.closeIdleConnections();
  });
}
