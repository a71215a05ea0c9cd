import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it came in. */
export type Received = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** How the server reacts to a request, once it has received it whole. */
type Reaction = (response: ServerResponse, request: Received & { readonly message: IncomingMessage }) => void;

export type FakeDynamoDb = {
  readonly endpoint: string;
  /** The requests since this was called last. */
  received(): Received[];
  /** Sets the reaction to all further requests. The default is `{}` without a `Date`. */
  react(reaction: Reaction): void;
  stop(): Promise<void>;
};

/** Answers with a status, headers and a body, without a `Date`. */
export const answering =
  (status: number, body = '{}', headers: Readonly<Record<string, string>> = {}): Reaction =>
  (response) => {
    response.sendDate = false;
    response.writeHead(status, headers).end(body);
  };

/** A server in DynamoDB's place, whose answers and failures a test controls. */
export async function startFakeDynamoDb(): Promise<FakeDynamoDb> {
  let all: Received[] = [];
  let reaction = answering(200);
  const server = createServer(async (message, response) => {
    const { method, url, headers } = message;
    const received = { method, url, headers, body: await text(message) };
    all.push(received);
    reaction(response, { ...received, message });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => all.splice(0),
    react: (next) => {
      reaction = next;
      all = [];
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
