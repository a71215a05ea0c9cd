import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, expect, test, vi } from 'vitest';
import { sendClick } from '../../../lambdas/outbound/waiting-clicks.ts';
import { timeForAttempt, withDeadline } from '../../../lambdas/runtime/deadline.ts';
import { startAwsApi } from '../../../local/aws-api.ts';
import { useWebServer } from '../../support/http/web-server.ts';

// Calls of SQS, to the laptop's stand-in behind a proxy with faults.

const server = await useWebServer();
vi.stubEnv('AWS_ENDPOINT_URL_SQS', `http://127.0.0.1:${server.port}`);
vi.stubEnv('AWS_REGION', 'eu-central-1');
vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
const url = 'https://sqs.eu-central-1.amazonaws.com/111122223333/waiting-clicks';
vi.stubEnv('WAITING_CLICKS_QUEUE', url);

let sent: string[] = [];
const api = await startAwsApi();
api.serve({
  invokeLater: () => undefined,
  setRuleEnabled: () => undefined,
  sendMessage: (queueUrl, body) => {
    expect(queueUrl).toBe(url);
    sent.push(body);
    return { messageId: String(sent.length), md5OfBody: createHash('md5').update(body).digest('hex') };
  },
});

async function answer(request: IncomingMessage, response?: ServerResponse) {
  const body = Buffer.concat(await Array.fromAsync(request));
  const { headers } = request;
  const names = ['x-amz-target', 'authorization', 'content-type'];
  const passed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  const answered = await fetch(api.endpoint, { method: 'POST', headers: passed, body });
  response?.writeHead(answered.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(await answered.text());
}

/** Faults of an attempt. */
const faults = {
  'a lost request': (request: IncomingMessage) => void request.socket.destroy(),
  'a lost answer': async (request: IncomingMessage) => {
    await answer(request);
    request.socket.destroy();
  },
  'a refusal': (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    response.writeHead(403, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ __type: 'com.amazonaws.sqs#RequestThrottled', message: 'no' }));
  },
  'no answer': (request: IncomingMessage) => void request.resume(),
};
let next: (keyof typeof faults)[] = [];
beforeEach(() => {
  [sent, next] = [[], []];
  server.answer = (request, response) => {
    const fault = next.shift();
    return fault ? faults[fault](request, response) : answer(request, response);
  };
});

const message = JSON.stringify({ pk: 'CLICK#1', slug: 'größe \u2028"' });

const deliver = () => sendClick(message, timeForAttempt);
/** Runs work with the deadline of a visit. */
const send = () => withDeadline(5_000, deliver, 2_000);

test('A click is sent unchanged, with one call.', async () => {
  await send();
  expect(sent).toEqual([message]);
});

test.for<[keyof typeof faults, number]>([
  ['a lost request', 1],
  ['a refusal', 1],
  // The click is in the queue twice, which is harmless.
  ['a lost answer', 2],
])('After %s, a click is sent once more.', async ([fault, times]) => {
  next = [fault];
  await send();
  expect(sent).toEqual(Array(times).fill(message));
});

test('A click that the queue refuses twice is refused.', async () => {
  next = ['a refusal', 'a refusal'];
  await expect(send()).rejects.toThrow();
  expect([sent, next]).toEqual([[], []]);
});

test('A queue that does not answer delays a visitor no longer than allowed, and the first attempt leaves time for a second one.', async () => {
  next = ['no answer', 'no answer'];
  await expect(withDeadline(150, deliver, 50)).rejects.toThrow();
  expect(next).toEqual([]);
  next = ['no answer'];
  await withDeadline(5_000, deliver, 300);
  expect(sent).toEqual([message]);
  await expect(withDeadline(0, deliver)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
});
