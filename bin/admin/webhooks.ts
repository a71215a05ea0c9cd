import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command, Option } from 'commander';
import { redirectAdvice, webhookEvents } from '../../lambdas/core/webhook/webhook.ts';
import { signWebhook } from '../../lambdas/core/webhook/webhook-signature.ts';
import { positiveNumber } from '../shared/arguments.ts';
import { existingWorkspace, type Store } from '../shared/store.ts';

/** What the commands of the operator share: how an action runs, and how it prints. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store) => Promise<object>) => (options: O) => Promise<void>;
  readonly print: (text: string) => Promise<void>;
  readonly workspaceOption: () => Option;
  readonly options: () => { readonly stage: string; readonly dataDir: string; readonly json?: true };
};

type ListenOptions = { readonly workspace?: string; readonly port: number; readonly count?: number };

/** Adds the commands that list the webhooks of a workspace, and that show webhooks on a laptop as they arrive. */
export function addWebhookCommands(program: Command, { run, print, options, workspaceOption }: Shared): void {
  const webhooks = program.command('webhooks').description('webhooks of a workspace, and those that arrive on a laptop');
  webhooks
    .command('list')
    .description('list the webhooks of a workspace, and how their URLs are doing')
    .addOption(workspaceOption())
    .action(run(async ({ workspace }: { workspace: string }, store) => ({ webhooks: await withStatus(store, workspace) })));
  webhooks
    .command('listen')
    .description('show webhooks as they arrive, until Ctrl-C')
    .option('--workspace <id>', 'the workspace; the default is the one of the demo')
    .option('--port <number>', 'the port to listen on; the default is a free one', positiveNumber, 0)
    .option('--count <number>', 'end after this many webhooks', positiveNumber)
    .action(
      run(async ({ workspace, port, count = Number.POSITIVE_INFINITY }: ListenOptions, store) => {
        const { stage, dataDir, json } = options();
        if (stage !== 'local') throw new Error('only a service on this machine can reach the listener: leave out --stage');
        const { id: workspaceId } = await existingWorkspace(store, workspace ?? demoWorkspace(dataDir));
        return listen(store, workspaceId, {
          port,
          count,
          show: (received) => print(`${json ? JSON.stringify(received) : line(received)}\n`),
        });
      }),
    );
}

/** The webhooks of a workspace, oldest first, each with the status of its URL, and what to do if it redirects. */
async function withStatus(store: Store, workspace: string): Promise<object[]> {
  const { id: workspaceId } = await existingWorkspace(store, workspace);
  return Promise.all(
    (await store.webhooksOf(workspaceId)).map(async ({ id, url, active }) => {
      const { state, since, error, redirectsTo, backlog } = await store.statusOfUrl(workspaceId, url);
      const advice = redirectsTo && redirectAdvice(redirectsTo);
      return { id, url, active, state, since, error, redirectsTo, oldestDueAt: backlog?.oldestDueAt ?? null, advice };
    }),
  );
}

/** The workspace of the demo. @throws Error with a one-line message for the operator */
function demoWorkspace(dataDir: string): string {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')).workspaceId;
  } catch {
    throw new Error(`${dataDir} has no demo workspace: choose one with --workspace`);
  }
}

/** A webhook as it arrived, and whether one of its signatures is valid. */
type Received = { readonly id: string; readonly isSigned: boolean; readonly body: { readonly type?: string } };

/** The listener's address, which is shown before anything arrives. */
type Ready = { readonly listening: string; readonly webhookId: string };

const line = (shown: Received | Ready): string =>
  'listening' in shown
    ? `listening at ${shown.listening}; clicks follow within a minute, everything else at once`
    : `${shown.id} ${shown.isSigned ? 'signed' : 'NOT SIGNED'} ${JSON.stringify(shown.body)}`;

type Listening = { readonly port: number; readonly count: number; readonly show: (shown: Received | Ready) => Promise<void> };

/**
 * Creates a webhook for all events, shows what arrives, and deletes the webhook at the end.
 *
 * @returns how many webhooks have arrived.
 */
async function listen(store: Store, workspaceId: string, { port, count, show }: Listening): Promise<object> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  let received = 0;
  const server = createServer(async (request, response) => {
    // The first webhooks may arrive before `changeWebhooks` returns the secret.
    const { secret } = await created.promise;
    const webhook = await read(request, [secret.secret, ...(await store.validSecrets(workspaceId, null, Date.now()))]);
    // Anybody on this machine may send anything.
    if (!webhook) return void response.writeHead(400).end();
    await show(webhook);
    response.writeHead(204).end();
    if (++received >= count) response.once('close', stop);
  });
  const created = Promise.withResolvers<Awaited<ReturnType<Store['createWebhook']>>>();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const made = await store.changeWebhooks(workspaceId, () =>
      store.createWebhook(workspaceId, { url, events: [...webhookEvents], active: true }),
    );
    try {
      await show({ listening: url, webhookId: made.webhook.id });
      created.resolve(made);
      process.once('SIGINT', stop).once('SIGTERM', stop);
      if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
    } finally {
      await store.changeWebhooks(workspaceId, () => store.deleteWebhook(workspaceId, made.webhook.id));
    }
  } finally {
    server.closeAllConnections();
    server.close();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  return { received };
}

/** Reads a webhook, and checks its signatures with the secrets. Undefined if the body isn't JSON. */
async function read(request: IncomingMessage, secrets: readonly string[]): Promise<Received | undefined> {
  const body = await text(request);
  const header = (name: string) => String(request.headers[`webhook-${name}`] ?? '');
  const message = { id: header('id'), timestamp: Number(header('timestamp')), body };
  const right = signWebhook(message, secrets).split(' ');
  const isSigned = header('signature')
    .split(' ')
    .some((signature) => right.includes(signature));
  try {
    return { id: message.id, isSigned, body: JSON.parse(body) };
  } catch {
    return undefined;
  }
}
