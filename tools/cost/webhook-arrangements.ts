import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from 'aws-lambda';
import { nothingKnown } from '../../lambdas/core/click/click.ts';
import { handler as createWebhook } from '../../lambdas/endpoints/webhooks/create-webhook.ts';
import { handler as createDeliveries } from '../../lambdas/events/create-deliveries.ts';
import { handler as sendWebhooks } from '../../lambdas/events/send-webhooks.ts';
import { handler as startSenders } from '../../lambdas/events/start-senders.ts';
import { clickKey, dueKey, receiverPk, scheduleKey } from '../../lambdas/store/table/keys.ts';
import { deleteItem, putItem } from '../../lambdas/store/table/writes.ts';
import { dueReceivers } from '../../lambdas/store/webhooks/receivers.ts';
import { apiEvent, invocation, newWorkspace } from '../bench/support/fixtures.ts';
import { newLinks, type Workspace } from './arrangements.ts';

// Prepares and calls operations of webhooks, for docs/cost.md and tools/bench/webhooks.ts.

/** The sender has 60 seconds. */
const sending = { getRemainingTimeInMillis: () => 60_000 } as Context;

/** How many requests the receiver got. */
let received = 0;

/** Starts a receiver that accepts everything until the process ends. */
async function startReceiver(): Promise<string> {
  const server = createServer((_, response) => {
    received++;
    response.writeHead(204).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The URL of a page on this machine. */
export async function pageUrl(): Promise<string> {
  process.env.WEBHOOK_LOOPBACK = 'allowed';
  const server = createServer((_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Page</title>'),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

let receiver: Promise<string> | undefined;

/** The URL of a receiver on this machine that accepts everything. */
export function receiverUrl(): Promise<string> {
  process.env.WEBHOOK_LOOPBACK = 'allowed';
  receiver ??= startReceiver();
  return receiver;
}

let made = 0;

/** The stream's record of a click that a webhook asked for. */
function recordOf({ workspaceId }: Workspace, linkId: string) {
  const { pk, sk } = clickKey({ linkId, at: '2030-01-02T03:04:05.678Z', id: String(++made).padStart(22, '0') });
  const known = Object.entries(nothingKnown).map(([dimension, value]) => [dimension, { S: value }]);
  return {
    eventName: 'INSERT' as const,
    dynamodb: {
      Keys: { pk: { S: pk }, sk: { S: sk } },
      NewImage: { workspaceId: { S: workspaceId }, ...Object.fromEntries(known) },
      SequenceNumber: String(made),
    },
  };
}

/** A workspace with a webhook for clicks, and that many clicks on a link. */
async function clicksFor(clicks: number) {
  // Nothing listens there. A sender that cannot be started is left to the schedule, which is enabled.
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_LAMBDA: 'http://127.0.0.1:9',
    SENDER_FUNCTION: 'send-webhooks',
    SENDER_SCHEDULE: 'senders',
    WEBHOOK_RATE: '10000',
    WEBHOOK_SENDERS: '10',
  });
  await putItem({ ...scheduleKey, isOn: true, at: Date.now() });
  const workspace = await newWorkspace();
  const [linkId = ''] = await newLinks(workspace, 1);
  const url = `${await receiverUrl()}${++made}`;
  await createWebhook(apiEvent(workspace.workspaceId, 'POST', { body: { url, events: ['link.clicked'] } }), invocation);
  return {
    Records: Array.from({ length: clicks }, () => recordOf(workspace, linkId)),
    pk: receiverPk(workspace.workspaceId, url),
  };
}

/** Creates the deliveries of that many clicks of one link, for one webhook. */
export const deliveriesOf = (clicks: number) => async () => {
  const { Records } = await clicksFor(clicks);
  return async () => {
    await createDeliveries({ Records }, invocation);
    return 1;
  };
};

/** Starts a sender that was asked for, by the test of a webhook or by a change of a link. */
export const senderAskedFor = async () => {
  const { pk } = await clicksFor(0);
  const Records = [{ eventName: 'INSERT' as const, dynamodb: { Keys: { pk: { S: pk }, sk: { S: 'WAKE#one' } } } }];
  return async () => {
    await createDeliveries({ Records }, invocation);
    return 1;
  };
};

/** Sends that many deliveries to one URL, which accepts them. */
export const sendingOf = (clicks: number) => async () => {
  const { Records, pk } = await clicksFor(clicks);
  await createDeliveries({ Records }, invocation);
  return async () => {
    const before = received;
    await sendWebhooks({ receivers: [pk] }, sending);
    if (received - before !== clicks) throw new Error(`${received - before} of ${clicks} were sent`);
    return 1;
  };
};

/** The schedule's hourly work if no webhook is due. */
export const nothingDue = async () => {
  for await (const { pk } of dueReceivers()) await deleteItem(dueKey(pk));
  return async () => {
    await startSenders({ isHourly: true }, invocation);
    return 1;
  };
};
