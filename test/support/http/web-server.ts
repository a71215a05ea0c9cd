import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach } from 'vitest';

type WebServer = {
  readonly port: number;
  /** How it responds. A test may set it. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** The requests of this test. */
  requests: IncomingMessage[];
};

/** Starts a web server for the tests of a file. */
export async function useWebServer(): Promise<WebServer> {
  const server = createServer((request, response) => {
    site.requests.push(request);
    site.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const site: WebServer = { port, answer: (_, response) => response.end(), requests: [] };
  beforeEach(() => {
    site.requests = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return site;
}
