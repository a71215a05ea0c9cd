import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startFixture, synthFixture } from '../../support/laptop/local-fixture.ts';
import { patience } from '../../support/run/patience.ts';

// The requests of one caller never end, while those of others are answered.

const folder = mkdtempSync(join(tmpdir(), 'local-test-'));
let service: Awaited<ReturnType<typeof startFixture>>;
beforeAll(async () => {
  service = await startFixture(synthFixture(folder));
});
// Time stands still, so that no waiting request is given up.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** More requests than are admitted at once. */
const crowd = 60;
const large = 'x'.repeat(100_000);

type Sent = { readonly path: string; readonly host?: string; readonly token?: string; readonly body?: string };

/** A request on its own connection, which stalls within the body if `halts`, and what has come back so far. */
async function send({ path, host = 'localhost', token = '', body = '' }: Sent, halts = false) {
  const exchange = { answer: '' };
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Length: ${body.length}`,
    token && `Authorization: Token ${token}`,
  ];
  const sent = `${lines.filter(Boolean).join('\r\n')}\r\n\r\n${halts ? body.slice(0, -1) : body}`;
  const socket = connect(service.port, '127.0.0.1', () => socket.write(sent));
  socket.setEncoding('utf8').on('data', (text) => {
    exchange.answer += text;
  });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return exchange;
}

/** Sends a crowd of requests, and waits until the gateway has all of them: each has a watchdog. */
async function sendCrowd(request: (index: number) => Sent, halt = false) {
  const exchanges = await Promise.all(Array.from({ length: crowd }, (_, index) => send(request(index), halt)));
  await vi.waitUntil(() => vi.getTimerCount() >= crowd, { timeout: patience, interval: 0 });
  return exchanges;
}

async function expectAnswered(request: Sent): Promise<void> {
  const exchange = await send(request);
  await vi.waitFor(() => expect(exchange.answer).toMatch(/^HTTP\/1\.1 200 /), { timeout: patience, interval: 0 });
}

test('Visitors of one domain do not wait for slow links of another.', async () => {
  const path = (index: number) => `/slow-${index}?${encodeURIComponent('{"does":"wait"}')}`;
  const slow = await sendCrowd((index) => ({ host: 'go.example', path: path(index) }));
  await expectAnswered({ host: 'other.example', path: '/fast' });
  expect(slow.map(({ answer }) => answer).join('')).toBe('');
});

test('A key does not wait for the slow requests of another key.', async () => {
  const slow = await sendCrowd(() => ({ path: '/guarded', token: 'allow-slow', body: '{"does":"wait"}' }));
  await expectAnswered({ path: '/guarded', token: 'allow-other', body: '{"answer":{"statusCode":200}}' });
  expect(slow.map(({ answer }) => answer).join('')).toBe('');
});

test.for([
  ['another key', () => ({ path: '/guarded', token: 'allow-halted', body: large })],
  ['visitors', (index: number) => ({ host: `go${index}.example`, path: `/${index}`, body: large })],
] as const)('A key does not wait for stalled uploads of %s.', async ([, halted]) => {
  const slow = await sendCrowd(halted, true);
  await expectAnswered({
    path: '/guarded',
    token: 'allow-other',
    body: `${JSON.stringify({ answer: { statusCode: 200 } })}${' '.repeat(100_000)}`,
  });
  expect(slow.map(({ answer }) => answer).join('')).toBe('');
});
