import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newWebhookSecret, webhookHeaders } from '../lambdas/core/webhook/webhook-signature.ts';
import { postWebhook } from '../lambdas/outbound/post-webhook.ts';
import { rawRequest } from './support/http/raw-request.ts';
import { patience } from './support/run/patience.ts';
import { runs } from './support/run/proof.ts';

// The two receivers of docs/webhooks.md, copied unchanged.

const hasPython = spawnSync('python3', ['--version']).status === 0;
const notice = hasPython ? '' : ' (skipped: there is no python3)';

/** The only block of code in a language. */
function codeIn(language: string): string {
  const blocks = [...readFileSync('docs/webhooks.md', 'utf8').matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))];
  expect(blocks).toHaveLength(1);
  return blocks[0]?.[1] ?? '';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const now = () => Math.floor(Date.now() / 1000);
let made = 0;
const newMessage = (body: unknown = { type: 'link.clicked', timestamp: new Date().toISOString(), data: {} }) => ({
  id: `msg_${++made}`,
  timestamp: now(),
  body: JSON.stringify(body),
});

const receivers = [
  { name: 'Node', language: 'js', file: 'receiver.mjs', command: process.execPath, isSkipped: false },
  { name: `Python${notice}`, language: 'python', file: 'receiver.py', command: 'python3', isSkipped: !hasPython },
];

describe.for(receivers)('The receiver in $name', ({ language, file, command, isSkipped }) => {
  const it = test.skipIf(isSkipped);
  const secret = newWebhookSecret();
  let port = 0;
  let printed = '';
  let stop = async () => {};

  beforeAll(async () => {
    process.env.WEBHOOK_LOOPBACK = 'allowed';
    if (isSkipped) return;
    const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
    const path = join(folder, file);
    writeFileSync(path, codeIn(language));
    port = await freePort();
    const child = spawn(command, [path], { env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) } });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    child.stderr.resume();
    const ended = once(child, 'close');
    stop = async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    };
    await vi.waitFor(async () => expect(await send(newMessage(), [newWebhookSecret()])).toBe(401), { timeout: patience });
  });
  afterAll(async () => {
    delete process.env.WEBHOOK_LOOPBACK;
    await stop();
  });

  type Message = ReturnType<typeof newMessage>;

  /** Sends a webhook as the service does, or with some of its parts changed after it was signed. Returns the status. */
  const send = async (message: Message, secrets = [secret], changed: Record<string, string> = {}, body = message.body) => {
    const headers = { ...webhookHeaders(message, secrets), ...changed };
    return (await postWebhook({ url: `http://127.0.0.1:${port}/hooks`, headers, body })).status;
  };

  /** The ids of processed webhooks, in order, once this one is among them. */
  const processed = async () => {
    const last = newMessage();
    expect(await send(last)).toBe(204);
    await vi.waitFor(() => expect(printed).toContain(`${last.id} link.clicked\n`), patience);
    return printed.split('\n').flatMap((line) => line.split(' ')[0] || []);
  };

  it('It has at most 15 lines.', () => {
    expect(codeIn(language).trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });

  it('It processes a webhook of each type once, even if it is sent again.', async () => {
    const types = ['clicked', 'cap_reached', 'created', 'updated', 'deleted'].map((name) => `link.${name}`);
    const messages = [...types, 'webhook.test'].map((type) => newMessage({ type, data: {} }));
    for (const message of [...messages, ...messages]) expect(await send({ ...message, timestamp: now() })).toBe(204);
    const ids = await processed();
    for (const { id } of messages) expect(ids.filter((one) => one === id)).toEqual([id]);
  });

  it('It accepts any body that was signed.', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), async (data) => {
        const message = newMessage({ type: 'link.created', data });
        expect(await send(message)).toBe(204);
        expect(await send(message, [secret], {}, `${message.body} `)).toBe(401);
      }),
      { numRuns: runs(20) },
    );
  });

  it('It accepts a webhook that is signed with its secret and a newer or older one, but with no other secret alone.', async () => {
    const other = newWebhookSecret();
    expect(await send(newMessage(), [other, secret])).toBe(204);
    expect(await send(newMessage(), [secret, other])).toBe(204);
    const forged = newMessage();
    expect(await send(forged, [other])).toBe(401);
    expect(await processed()).not.toContain(forged.id);
  });

  it('It refuses a webhook of which a part was changed after signing.', async () => {
    const message = newMessage();
    const other = newMessage();
    expect(await send(message, [secret], {}, message.body.replace('clicked', 'deleted'))).toBe(401);
    expect(await send(message, [secret], {}, '')).toBe(401);
    expect(await send(message, [secret], { 'webhook-id': other.id })).toBe(401);
    expect(await send(message, [secret], { 'webhook-timestamp': String(now() + 1) })).toBe(401);
    const ids = await processed();
    expect(ids).not.toContain(message.id);
    expect(ids).not.toContain(other.id);
  });

  it('It refuses a webhook whose time is more than five minutes in the past or future, and accepts others.', async () => {
    for (const [seconds, status] of [
      [-3_600, 401],
      [-320, 401],
      [-280, 204],
      [280, 204],
      [320, 401],
      [3_600, 401],
    ] as const) {
      expect(await send({ ...newMessage(), timestamp: now() + seconds }), `${seconds} s`).toBe(status);
    }
  });

  it('It refuses malformed signatures, and keeps running.', async () => {
    const { 'webhook-signature': right = '' } = webhookHeaders(newMessage(), [secret]);
    const signatures = ['', ' ', ',', 'v1', 'v1,', right.slice(0, -1), `${right}=`, right.replace('v1', 'v2'), right.slice(3)];
    for (const signature of [...signatures, 'v1,'.repeat(2_000)]) {
      expect(await send(newMessage(), [secret], { 'webhook-signature': signature }), signature).toBe(401);
    }
    for (const time of ['', 'NaN', 'Infinity', '1e3', '-1']) {
      expect(await send(newMessage(), [secret], { 'webhook-timestamp': time }), time).toBe(401);
    }
    // As many characters as a signature, but more bytes in UTF-8.
    for (const signature of ['\xff'.repeat(47), `v1,${'\xff'.repeat(44)}`]) {
      const named = ['id: \xff', 'timestamp: \xb2', `signature: ${signature}`].map((header) => `webhook-${header}`);
      expect(await rawRequest(port, ['POST / HTTP/1.1', 'Host: x', 'Content-Length: 2', ...named], '{}')).toMatch(
        /^HTTP\S+ 401 /,
      );
    }
    expect(await processed()).not.toContain('');
  });

  it('It refuses a body of more than a megabyte, even if it is signed.', async () => {
    const large = newMessage({ type: 'link.created', data: 'x'.repeat(1_000_000) });
    expect(await send(large)).toBe(401);
    expect(await processed()).not.toContain(large.id);
  });

  it('It requests a retry if processing a webhook failed, and keeps running.', async () => {
    const message = { ...newMessage(), body: 'no JSON' };
    for (let attempt = 1; attempt <= 2; attempt++) expect([500, undefined]).toContain(await send(message));
    expect(await processed()).not.toContain(message.id);
  });

  it('It keeps running after requests that are broken off, empty or much too large.', async () => {
    const head = (length: string) => `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${length}\r\n`;
    for (const text of [
      `${head('Content-Length: 1000\r\n')}{`,
      head('Content-Length: 1000000000000\r\n'),
      head('Content-Length: -1\r\n'),
      head('Content-Length: x\r\n'),
      head(''),
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'hello\r\n\r\n',
    ]) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.resume().end(text);
      await once(socket, 'close');
    }
    expect((await processed()).length).toBeGreaterThan(0);
  });
});
