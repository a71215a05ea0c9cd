import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** A proxy in front of an emulator's gateways. */
export type Front = { readonly baseUrl: string; readonly stop: () => void };

/**
 * Starts a proxy that passes requests on to an emulator. Requests to the proxy's own name go to the REST API. Requests
 * to other names are passed on unchanged, so that the emulator finds the API of that name.
 *
 * Requests to the REST API get the gateway's key. On AWS, API Gateway takes it from the authorizer's
 * `usageIdentifierKey`.
 *
 * @param apiUrl the URL of the REST API's stage.
 */
export async function startFront(port: number, apiUrl: string, gatewayKey: () => Promise<string | undefined>): Promise<Front> {
  const api = new URL(apiUrl);
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const isApi = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(incoming.headers.host ?? '');
    const key = isApi ? await gatewayKey() : undefined;
    const passed = request(
      {
        hostname: api.hostname,
        port: api.port,
        method: incoming.method,
        path: isApi ? `${api.pathname}${incoming.url}` : incoming.url,
        headers: { ...incoming.headers, ...(key !== undefined && { 'x-api-key': key }) },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(passed);
  };
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
