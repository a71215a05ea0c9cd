import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The response of a receiver: a status, and optionally headers. */
type Answer = number | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

/** A request as a receiver of webhooks got it. */
export type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

export type WebhookReceiver = {
  /** Its address, for a path of one's own. */
  readonly url: string;
  /** All requests so far. */
  readonly received: readonly Received[];
  /** The webhook-ids that had two requests at the same time. */
  readonly doubled: ReadonlySet<string>;
  /** The most requests that were under way for one path at the same time. */
  readonly mostConcurrent: () => number;
  stop(): Promise<void>;
};

/**
 * A server that receives webhooks on this machine.
 *
 * @param answer returns what a request gets; a promise that never ends is a receiver that hangs.
 */
export async function startReceiver(answer: (request: Received) => Answer | Promise<Answer>): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const open = new Set<string>();
  const doubled = new Set<string>();
  const underWay = new Map<string, number>();
  let most = 0;
  const server = createServer(async (message, response) => {
    const id = String(message.headers['webhook-id']);
    if (open.has(id)) doubled.add(id);
    open.add(id);
    const path = message.url ?? '';
    const count = (more: number) => underWay.set(path, (underWay.get(path) ?? 0) + more);
    count(1);
    most = Math.max(most, underWay.get(path) ?? 0);
    response.on('close', () => {
      open.delete(id);
      count(-1);
    });
    const request = { path, headers: message.headers, body: await text(message) };
    received.push(request);
    const given = await answer(request);
    const { status, headers } = typeof given === 'number' ? { status: given, headers: {} } : given;
    response.writeHead(status, headers).end('thank you');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    doubled,
    mostConcurrent: () => most,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
