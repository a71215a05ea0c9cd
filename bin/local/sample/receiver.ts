import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A receiver of webhooks on this machine, as long as this process runs: `/hooks` accepts everything, `/broken` nothing.
 */
export async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    const isBroken = request.url?.startsWith('/broken');
    request.once('end', () => response.writeHead(isBroken ? 503 : 204).end(isBroken ? 'try again later' : undefined));
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
