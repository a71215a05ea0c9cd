import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Fault } from './faults.ts';

/**
 * What happens to a store call on its way to the engine: nothing, a fault, or `slow`: it is executed, but the response
 * comes only after the client has given up.
 */
export type Passage = 'pass' | 'slow' | Exclude<Fault, `dead-${string}`>;

export type FaultProxy = {
  readonly endpoint: string;
  /**
   * Plans what happens to the next store calls, one each, in order. Calls after them pass. `met` is called when the
   * plan is used up.
   */
  plan(passages: readonly Passage[], met?: () => void): void;
  stop(): Promise<void>;
};

/** The operations that functions call. The local host's own operations, on tables and streams, always pass. */
const reads = new Set(['BatchGetItem', 'GetItem', 'Query']);
const writes = new Set(['BatchExecuteStatement', 'DeleteItem', 'PutItem', 'TransactWriteItems', 'UpdateItem']);

/** Longer than the 2 s that the store's client waits. */
const slowMs = 2_300;

/** A proxy between functions and their DynamoDB endpoint, for faults that reach them over the wire. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  let planned: Passage[] = [];
  let whenMet = () => {};

  /** What happens to a call. A planned conflict waits for the next write, since reads have no conflicts. */
  function passageOf(operation: string): Passage {
    if (!reads.has(operation) && !writes.has(operation)) return 'pass';
    if (planned[0] === 'conflict' && reads.has(operation)) return 'pass';
    const passage = planned.shift();
    if (passage && planned.length === 0) whenMet();
    return passage ?? 'pass';
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(message);
    const operation = String(message.headers['x-amz-target']).split('.').at(-1) ?? '';
    const passage = passageOf(operation);
    if (passage === 'lost-before') return void message.socket.destroy();
    if (passage === 'throttle') return refuse(response, 'ProvisionedThroughputExceededException');
    if (passage === 'conflict') return conflict(response, operation, body);
    const answer = await forward(message, body);
    if (passage === 'lost-after') return void message.socket.destroy();
    if (passage === 'slow') await new Promise((resolve) => setTimeout(resolve, slowMs));
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  const forward = (message: IncomingMessage, body: Buffer) =>
    new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
      const headers = { ...message.headers, host: new URL(target).host };
      const onward = request(target, { method: 'POST', path: message.url, agent, headers }, (answer) => {
        buffer(answer).then(
          (whole) => resolve({ status: answer.statusCode ?? 502, headers: withLength(answer.headers, whole), body: whole }),
          reject,
        );
      });
      onward.on('error', reject);
      onward.end(body);
    });

  const server = createServer({ keepAliveTimeout: 65_000 }, (message, response) => {
    // The client or the engine has disconnected, so there is no response.
    handle(message, response).catch(() => message.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan: (passages, met = () => {}) => {
      planned = [...passages];
      whenMet = met;
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

function withLength({ 'transfer-encoding': _, ...headers }: IncomingMessage['headers'], body: Buffer) {
  return { ...headers, 'content-length': `${body.length}` };
}

function refuse(response: ServerResponse, name: string, more: object = {}): void {
  send(response, 400, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: `injected ${name}`, ...more });
}

function send(response: ServerResponse, status: number, answer: object): void {
  const body = JSON.stringify(answer);
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Responds that another transaction holds the items. For a batch, this is a 200 with an error for each statement. */
function conflict(response: ServerResponse, operation: string, body: Buffer): void {
  const { TransactItems = [], Statements = [] } = JSON.parse(body.toString()) as Record<string, object[] | undefined>;
  switch (operation) {
    case 'BatchExecuteStatement': {
      const held = { Error: { Code: 'TransactionConflict', Message: 'injected' } };
      send(response, 200, { Responses: Statements.map(() => held) });
      break;
    }
    case 'TransactWriteItems': {
      // Only the first item is held.
      const CancellationReasons = TransactItems.map((_, index) => ({ Code: index === 0 ? 'TransactionConflict' : 'None' }));
      refuse(response, 'TransactionCanceledException', { CancellationReasons });
      break;
    }
    default:
      refuse(response, 'TransactionConflictException');
  }
}
