import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startFixture, synthFixture } from '../../support/laptop/local-fixture.ts';
import { patience } from '../../support/run/patience.ts';

const folder = mkdtempSync(join(tmpdir(), 'local-test-'));
let service: Awaited<ReturnType<typeof startFixture>>;
beforeAll(async () => {
  service = await startFixture(synthFixture(folder));
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** An upload of `length` bytes, none of which is sent yet, and what comes back for it. */
function startUpload(length: number) {
  const upload = { answer: '', closed: false, socket: undefined as unknown as Socket };
  const connected = new Promise<void>((resolve) => {
    upload.socket = connect(service.port, '127.0.0.1', () =>
      upload.socket.write(`POST /open HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`, () => resolve()),
    );
  });
  upload.socket.setEncoding('utf8').on('data', (text) => {
    upload.answer += text;
  });
  upload.socket.on('close', () => {
    upload.closed = true;
  });
  upload.socket.on('error', () => {});
  return connected.then(() => upload);
}

test('A stalled upload is answered with 400 once, after 30 seconds, and its connection is closed.', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const upload = await startUpload(100);
  upload.socket.write('x'.repeat(50));
  // The only timer is the gateway's watchdog.
  await vi.waitUntil(() => vi.getTimerCount() > 0, { timeout: patience, interval: 0 });
  await vi.advanceTimersByTimeAsync(29_999);
  expect(upload.answer).toBe('');
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  await vi.waitFor(() => expect(upload.closed).toBe(true), patience);
  expect(upload.answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 400']);
  expect(upload.answer).toContain('Connection: close');
});

test('At most 8 large uploads of a caller are read at a time, the next ones wait, and small ones do not.', async () => {
  const body = 'x'.repeat(100_000);
  const halted = await Promise.all(Array.from({ length: 8 }, () => startUpload(body.length)));
  const waiting = await startUpload(body.length);
  waiting.socket.write(body);
  // A later, small upload has been answered by now.
  expect((await service.send('/open', { method: 'POST', body: 'x' })).status).toBe(200);
  expect(waiting.answer).toBe('');
  halted[0]?.socket.destroy();
  await vi.waitFor(() => expect(waiting.answer).toMatch(/^HTTP\/1\.1 200 /), patience);
  for (const { socket } of [...halted, waiting]) socket.destroy();
});

test('A large upload that waited for its turn has 30 seconds from then on.', async () => {
  const body = 'x'.repeat(100_000);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const halted = await Promise.all(Array.from({ length: 8 }, () => startUpload(body.length)));
  await vi.waitUntil(() => vi.getTimerCount() >= 8, { timeout: patience, interval: 0 });
  await vi.advanceTimersByTimeAsync(15_000);
  const waiting = await startUpload(body.length);
  await vi.waitUntil(() => vi.getTimerCount() >= 9, { timeout: patience, interval: 0 });
  await vi.advanceTimersByTimeAsync(15_000);
  await vi.waitFor(() => expect(halted.every(({ closed }) => closed)).toBe(true), { timeout: patience, interval: 0 });
  await vi.advanceTimersByTimeAsync(20_000);
  waiting.socket.write(body);
  vi.useRealTimers();
  await vi.waitFor(() => expect(waiting.answer).toMatch(/^HTTP\/1\.1 200 /), patience);
  waiting.socket.destroy();
});
