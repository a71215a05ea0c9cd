import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isPublicHost } from '../../../lambdas/core/host/public-host.ts';
import { postWebhook } from '../../../lambdas/outbound/post-webhook.ts';
import { mostBytes, publicReach, type Reach } from '../../../lambdas/outbound/public-request.ts';
import { type Certificate, certificateAuthority, selfSigned } from '../../support/http/certificate.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs } from '../../support/run/proof.ts';

type Behaviour<S extends Socket = Socket> = (socket: S) => void;

/** Starts a server with this behaviour for each connection. Returns its port, and its connections. */
async function receiver(behave: Behaviour, { host = '127.0.0.1', tls }: { host?: string; tls?: Certificate } = {}) {
  const sockets: Socket[] = [];
  const accept = (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    behave(socket);
  };
  const server = tls ? createTlsServer(tls, accept) : createServer({ allowHalfOpen: true }, accept);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** Answers with these bytes as soon as the whole request has arrived. */
const answering = (bytes: string | Uint8Array): Behaviour => afterRequest((socket) => socket.end(bytes));

/** Waits for the request, whose body is `{}`. */
function afterRequest(then: Behaviour): Behaviour {
  return (socket) => {
    let received = '';
    socket.on('data', (part) => {
      received += part;
      if (received.endsWith('\r\n\r\n{}')) then(socket);
    });
  };
}

/** Every name resolves to this machine, which counts as public. */
const reach: Reach = {
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  isAllowed: (host) => !host.startsWith('private'),
  isOpen: () => true,
};

/** A timeout that is long enough to connect, and short enough for tests of endless responses. */
const short = { timeoutMs: 300 };

const post = (
  port: number,
  more: Partial<Parameters<typeof postWebhook>[1]> & Partial<Parameters<typeof postWebhook>[0]> = {},
) => {
  const { url = `http://hooks.example.com:${port}/hook`, headers = { 'webhook-id': 'msg_1' }, body = '{}', ...options } = more;
  return postWebhook({ url, headers, body }, { reach, ...options });
};

/** The sockets that this process opened as a client in this test, without TLS. */
let opened: Socket[] = [];
let connected = 0;
const onOpened = (message: unknown) => {
  const { socket } = message as { socket: Socket };
  opened.push(socket);
  socket.on('connect', () => connected++);
};
beforeEach(() => {
  opened = [];
  connected = 0;
  subscribe('net.client.socket', onOpened);
});
afterEach(() => {
  unsubscribe('net.client.socket', onOpened);
  for (const socket of opened) expect(socket.destroyed, 'the connection is closed').toBe(true);
});

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));

describe('The request', () => {
  test('A receiver gets one POST with the signed headers and body, and nothing about this service.', async () => {
    let sent = '';
    const { port } = await receiver((socket) =>
      socket.on('data', (part) => {
        sent += part;
        if (sent.endsWith('"🙂"')) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      }),
    );
    const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_1' };
    const answer = await post(port, { url: `http://hooks.example.com:${port}/a?b=%20c#d`, headers, body: '"🙂"' });
    expect(answer).toEqual({ status: 204, ms: expect.any(Number) });
    const [head = '', body] = sent.split('\r\n\r\n');
    const [first, ...lines] = head.split('\r\n');
    expect(first).toBe('POST /a?b=%20c HTTP/1.1');
    expect(lines.sort()).toEqual([
      'Connection: close',
      'Content-Length: 6',
      `Host: hooks.example.com:${port}`,
      'accept-encoding: identity',
      'content-type: application/json',
      'webhook-id: msg_1',
    ]);
    expect(body).toBe('"🙂"');
  });

  test('Credentials in the URL become no header.', async () => {
    let sent = '';
    const { port } = await receiver((socket) => {
      socket.on('data', (part) => {
        sent += part;
      });
      answering('HTTP/1.1 200 OK\r\n\r\n')(socket);
    });
    expect(await post(port, { url: `http://me:secret@hooks.example.com:${port}/` })).toMatchObject({ status: 200 });
    expect(sent).not.toMatch(/authorization|secret/i);
    expect(sent).toContain(`Host: hooks.example.com:${port}\r\n`);
  });

  test('Each attempt has its own connection, even if the receiver would keep it alive.', async () => {
    const kept = afterRequest((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok'),
    );
    const { port, sockets } = await receiver(kept);
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await post(port)).toMatchObject({ status: 200, response: 'ok' });
      expect(sockets).toHaveLength(attempt);
    }
  });

  test.for([
    '',
    'hooks.example.com',
    '/hook',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:,x',
    'http://[::1',
    'http://a b/',
  ])("Nothing is sent to %j, which isn't an http or https URL.", async (url) => {
    expect(await post(0, { url })).toEqual({ ms: expect.any(Number), error: 'invalid_url' });
    expect(opened).toEqual([]);
  });

  test('Nothing is sent if a header would break out of its line.', async () => {
    const { port, sockets } = await receiver(answering('HTTP/1.1 200 OK\r\n\r\n'));
    for (const value of ['x\r\nHost: other', 'x\ny', 'x\0', '🙂']) {
      expect(await post(port, { headers: { 'webhook-id': value } })).toEqual({ ms: expect.any(Number), error: 'failed' });
    }
    expect(sockets).toEqual([]);
  });
});

describe('The answer', () => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  test.for<[string, string | Uint8Array, object]>([
    ['200 with a body', `${ok}Content-Length: 2\r\n\r\nok`, { status: 200, response: 'ok' }],
    ['200 in chunks', `${ok}Transfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n`, { status: 200, response: 'ok' }],
    ['200 without a length', `${ok}\r\nok`, { status: 200, response: 'ok' }],
    ['202 without a body', 'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n', { status: 202 }],
    ['410', 'HTTP/1.1 410 Gone\r\nContent-Length: 4\r\n\r\nGone', { status: 410, response: 'Gone' }],
    ['500', 'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n', { status: 500 }],
    ['304, which leads nowhere', 'HTTP/1.1 304 Not Modified\r\n\r\n', { status: 304 }],
    ['an interim response and the final one', `HTTP/1.1 100 Continue\r\n\r\n${ok}\r\nok`, { status: 200, response: 'ok' }],
    ['early hints and the final one', `HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n${ok}\r\n`, { status: 200 }],
    ['trailers', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nStatus: 500\r\n\r\n`, { status: 200, response: 'ok' }],
    [
      'a second response, which is ignored',
      `HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno${ok}Content-Length: 2\r\n\r\nok`,
      { status: 500, response: 'no' },
    ],
    [
      'another protocol from now on',
      'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      { error: 'invalid_response' },
    ],
    ['an offer of another protocol', `${ok}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\nok`, { status: 200, response: 'ok' }],
    ['two lengths', `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`, { error: 'invalid_response' }],
    [
      'a length and chunks',
      `${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      { error: 'invalid_response' },
    ],
    ['a header without a colon', `${ok}Hello\r\n\r\n`, { error: 'invalid_response' }],
    ['mail instead of HTTP', '220 mail.example ESMTP\r\n', { error: 'invalid_response' }],
    ['HTTP/2', '\0\0\0\x04\0\0\0\0\0', { error: 'invalid_response' }],
    ['nothing', '', { error: 'reset' }],
    ['half a status line', 'HTTP/1.1 20', { error: 'reset' }],
    ['half of the headers', `${ok}Content-Le`, { error: 'reset' }],
    ['half of the body', `${ok}Content-Length: 10\r\n\r\nhalf`, { status: 200, response: 'half' }],
    ['a broken chunk', `${ok}Transfer-Encoding: chunked\r\n\r\n4\r\ngood\r\nx`, { status: 200, response: 'good' }],
  ])('A response with %s is read as HTTP defines it.', async ([, bytes, expected]) => {
    const { port } = await receiver(answering(bytes));
    expect(await post(port)).toEqual({ ms: expect.any(Number), ...expected });
  });

  test.for([301, 302, 303, 307, 308])('A redirect with %i is a failure, and is not followed.', async (status) => {
    const elsewhere = await receiver(answering('HTTP/1.1 200 OK\r\n\r\n'));
    for (const location of [`http://127.0.0.1:${elsewhere.port}/`, 'http://169.254.169.254/latest/meta-data/', '/again']) {
      const { port, sockets } = await receiver(answering(`HTTP/1.1 ${status} Elsewhere\r\nLocation: ${location}\r\n\r\n`));
      const redirectsTo = new URL(location, `http://hooks.example.com:${port}/hook`).href;
      expect(await post(port)).toEqual({ ms: expect.any(Number), status, error: 'redirect', redirectsTo });
      expect(sockets).toHaveLength(1);
    }
    expect(elsewhere.sockets).toEqual([]);
  });

  test.for([
    ['https://www.example.com/hooks?key=1', 'https://www.example.com/hooks?key=1'],
    ['//www.example.com', 'http://www.example.com/'],
    ['?again', 'http://hooks.example.com:PORT/hook?again'],
    ['https://me:secret@www.example.com/#token=secret', 'https://www.example.com/'],
    ['https://www.example.com/caf\u00c3\u00a9', 'https://www.example.com/caf%C3%A9'],
    ['https://b\u00c3\u00bccher.example/', 'https://xn--bcher-kva.example/'],
    ['https://www.example.com/\u00e2\u0080\u00ae\u001b[31m<b>"', 'https://www.example.com/%E2%80%AE%1B[31m%3Cb%3E%22'],
    [`https://www.example.com/${'a'.repeat(999)}`, `https://www.example.com/${'a'.repeat(999)}`],
    [`https://www.example.com/${'a'.repeat(3_000)}`, `https://www.example.com/${'a'.repeat(997)}…`],
    ['', undefined],
    ['http://[::1', undefined],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['mailto:someone@example.com', undefined],
  ] as const)('A redirect to %j is reported as %j, without possible secrets.', async ([location, expected]) => {
    const { port } = await receiver(
      answering(Buffer.from(`HTTP/1.1 301 Elsewhere\r\nLocation: ${location.replace('\u001b', '')}\r\n\r\n`, 'latin1')),
    );
    const answer = await post(port);
    expect(answer).toMatchObject({ status: 301, error: 'redirect' });
    expect(answer.redirectsTo).toBe(expected?.replace('PORT', String(port)).replace('%1B', ''));
  });

  test('A redirect without a Location, and a Location of another response, are not reported.', async () => {
    for (const head of ['301 Elsewhere', '201 Created\r\nLocation: /made', '300 Choices\r\nLocation: /one']) {
      const { port } = await receiver(answering(`HTTP/1.1 ${head}\r\n\r\n`));
      expect(await post(port)).not.toHaveProperty('redirectsTo');
    }
  });

  test('The address of any redirect is cut to 1 kB of printable text.', async () => {
    let location = Buffer.of();
    const head = Buffer.from('HTTP/1.1 302 Elsewhere\r\nLocation: ');
    const { port } = await receiver(
      afterRequest((socket) => socket.end(Buffer.concat([head, location, Buffer.from('\r\n\r\n')]))),
    );
    const bytes = fc
      .uint8Array({ maxLength: 2_000, size: 'max' })
      .map((any) => Buffer.from(any.filter((byte) => byte >= 0x20 && byte !== 0x7f)));
    const start = fc.constantFrom('', '/', '//', 'https://', 'https://www.example.com/', 'https://me:', '?');
    await fc.assert(
      fc.asyncProperty(start, bytes, async (first, rest) => {
        location = Buffer.concat([Buffer.from(first), rest]);
        const { status, redirectsTo = '' } = await post(port);
        expect(status).toBe(302);
        expect(Buffer.byteLength(redirectsTo)).toBeLessThanOrEqual(1_024);
        expect(redirectsTo).toMatch(/^(https?:\/\/[!-~]+…?)?$/);
        if (redirectsTo) expect(redirectsTo.split('/')[2]).not.toContain('@');
      }),
      { numRuns: runs(40), endOnFailure: true },
    );
  });

  test('Only the first Retry-After of a 429 or 503 is honoured.', async () => {
    const asked = async (head: string) => {
      const { port } = await receiver(answering(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`));
      return (await post(port)).retryAfter;
    };
    for (const status of [429, 503]) {
      expect(await asked(`${status} Busy\r\nRetry-After:  120 `)).toBe('120');
      expect(await asked(`${status} Busy\r\nRetry-After: 120\r\nRetry-After: 240`)).toBe('120');
      expect(await asked(`${status} Busy`)).toBeUndefined();
    }
    for (const status of [200, 301, 400, 413, 500, 502]) {
      expect(await asked(`${status} Other\r\nRetry-After: 120`)).toBeUndefined();
    }
  });

  test.for([
    'Content-Encoding: gzip',
    'Content-Encoding: identity, br',
    'Content-Encoding: gzip\r\nContent-Encoding: gzip',
    'Transfer-Encoding: gzip, chunked',
  ])('A compressed response (%j) is neither decompressed nor kept.', async (header) => {
    const body = header.endsWith('chunked') ? '2\r\nok\r\n0\r\n\r\n' : 'ok';
    const { port } = await receiver(answering(`${ok}${header}\r\n\r\n${body}`));
    expect(await post(port)).toEqual({ ms: expect.any(Number), status: 200 });
  });

  test('A response that arrives before the request was read counts, even if the connection is then reset.', async () => {
    const { port } = await receiver((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno', () => setImmediate(() => socket.resetAndDestroy()));
    });
    const answer = await post(port, { body: 'x'.repeat(20_000_000) });
    expect(answer).toMatchObject({ status: 413 });
  });

  test('Control characters, and those that turn the direction of text, are removed.', async () => {
    const { port } = await receiver(answering(`${ok}\r\n \x1b[31mred\x07\r\n\ttext\x9b \u202egnp.exe\u2066\u2028\ufeff \0`));
    expect((await post(port)).response).toBe('[31mred text gnp.exe');
  });

  test('At most 1 kB of a response is kept, as printable text.', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 3_000, size: 'max' }),
      fc.string({ unit: anyCharacter, maxLength: 2_000, size: 'max' }).map((text) => Buffer.from(text)),
    );
    let body: Uint8Array = Buffer.of();
    const { port } = await receiver(afterRequest((socket) => socket.end(Buffer.concat([Buffer.from(`${ok}\r\n`), body]))));
    await fc.assert(
      fc.asyncProperty(bytes, async (any) => {
        body = any;
        const { status, response = '' } = await post(port);
        expect(status).toBe(200);
        expect(Buffer.byteLength(response)).toBeLessThanOrEqual(1_024);
        expect(response).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        const text = Buffer.from(any).toString();
        if (/^[!-~]*$/.test(text)) expect(response).toBe(text.slice(0, 1_024));
      }),
      { numRuns: runs(40), endOnFailure: true },
    );
  });

  test.for([
    ['a', 5_000, 1_024],
    ['é', 5_000, 512],
    ['€', 5_000, 341],
    ['🙂', 5_000, 256],
  ] as const)('A long response of %j is cut between two characters.', async ([character, sent, kept]) => {
    const { port } = await receiver(answering(`${ok}\r\n${character.repeat(sent)}`));
    expect((await post(port)).response).toBe(character.repeat(kept));
  });

  test('Whatever bytes a receiver responds with, the attempt ends with a status or an error.', async () => {
    const line = fc.constantFrom(
      ...['HTTP/1.1 200 OK', 'HTTP/1.1 100 Continue', 'HTTP/1.0 999 x', 'Content-Length: 5', 'Content-Length: -1', '', '5', '0'],
      ...[
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: identity',
        'Connection: keep-alive',
        'Upgrade: x',
        ' folded',
        'hello',
      ],
    );
    const bytes = fc.oneof(
      fc.array(line).map((lines) => Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}`)),
      fc.uint8Array().map((any) => Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n'), any])),
    );
    let answer = Buffer.of();
    const { port } = await receiver(afterRequest((socket) => socket.end(answer)));
    await fc.assert(
      fc.asyncProperty(bytes, async (any) => {
        answer = any;
        const { status, error } = await post(port);
        if (status === undefined) expect(['invalid_response', 'reset', 'too_large']).toContain(error);
        else expect(status).toBeGreaterThanOrEqual(200);
      }),
      { numRuns: runs(80), endOnFailure: true },
    );
  });
});

describe('A receiver that never ends', () => {
  /** Sends a part again and again as long as the connection accepts it. */
  const flood =
    (first: string, part: string): Behaviour =>
    (socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(part)) {}
      };
      socket.resume().on('drain', more).write(first);
      more();
    };
  const line = `X: ${'x'.repeat(1_000)}\r\n`;
  const ok = 'HTTP/1.1 200 OK\r\n';
  const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n`;

  test.for<[string, Behaviour, object]>([
    ['headers', flood(ok, line), { error: 'too_large' }],
    ['one header', flood(`${ok}X: `, line.slice(3, -2)), { error: 'too_large' }],
    ['a status line', flood('HTTP/1.1 200 ', 'x'.repeat(1_000)), { error: 'too_large' }],
    ['interim responses', flood('', `HTTP/1.1 103 Early Hints\r\n${line}\r\n`), { error: 'too_large' }],
    ['a body', flood(`${ok}\r\nok `, 'x'.repeat(1_000)), { status: 200, response: `ok ${'x'.repeat(1_021)}` }],
    ['parts of chunks without data', flood(`${chunked}1`, `;x="${'x'.repeat(1_000)}"`), { status: 200, response: 'ok' }],
    ['tiny chunks', flood(chunked, '1\r\nx\r\n'.repeat(200)), { status: 200, response: `ok${'x'.repeat(1_022)}` }],
    ['trailers', flood(`${chunked}0\r\n`, line), { status: 200, response: 'ok' }],
    ['bytes after the response', flood(`${ok}Content-Length: 2\r\n\r\nok`, line), { status: 200, response: 'ok' }],
    ['a redirect', flood('HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n', 'x'.repeat(1_000)), { status: 302, error: 'redirect' }],
  ])('Of endless %s, at most 16 kB and what came with them are read.', async ([, behave, expected]) => {
    const { port } = await receiver(behave);
    expect(await post(port)).toEqual(expect.objectContaining(expected));
    expect(opened).toHaveLength(1);
    // Node reads 64 kB at a time.
    expect(opened[0]?.bytesRead).toBeLessThanOrEqual(mostBytes + 65_536);
  });

  /** Sends a byte at a time, so slowly that only the timeout is reached. */
  const trickle =
    (first: string): Behaviour =>
    (socket) => {
      socket.resume().write(first);
      const timer = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(timer));
    };

  test.for<[string, Behaviour, object]>([
    ['does not read', (socket) => void socket.pause(), { error: 'timeout' }],
    ['does not answer', (socket) => void socket.resume(), { error: 'timeout' }],
    ['sends its headers slowly', trickle(`${ok}X: `), { error: 'timeout' }],
    ['sends its status slowly', trickle('HTTP/1.1 200 '), { error: 'timeout' }],
    ['sends only an interim response', (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n'), { error: 'timeout' }],
    ['sends its body slowly', trickle(`${ok}\r\n`), { status: 200, response: expect.stringMatching(/^x+$/) }],
    ['stops in its body', (socket) => void socket.write(`${ok}Content-Length: 9\r\n\r\nhalf`), { status: 200, response: 'half' }],
  ])('An attempt ends in time if the receiver %s.', async ([, behave, expected]) => {
    const { port } = await receiver(behave);
    // The answer must arrive in time even on a busy machine; the other body is larger than the system's buffers.
    const more = 'status' in expected ? { timeoutMs: 2_000 } : { ...short, body: 'x'.repeat(20_000_000) };
    expect(await post(port, more)).toEqual({ ms: expect.any(Number), ...expected });
  });

  test('An attempt ends in time if the DNS never answers, and a late answer makes no connection.', async () => {
    const { port, sockets } = await receiver(answering(`${ok}\r\n`));
    const late = Promise.withResolvers<LookupAddress[]>();
    let isOver = false;
    const lookup: Reach['lookup'] = (_, signal) => {
      signal.addEventListener('abort', () => {
        isOver = true;
      });
      return late.promise;
    };
    expect(await post(port, { ...short, reach: { ...reach, lookup } })).toEqual({ ms: expect.any(Number), error: 'timeout' });
    expect(isOver).toBe(true);
    late.resolve([{ address: '127.0.0.1', family: 4 }]);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect([connected, sockets.length]).toEqual([0, 0]);
  });

  test('An attempt ends in time if the receiver never completes the TLS handshake.', async () => {
    const { port } = await receiver((socket) => void socket.resume());
    expect(await post(port, { ...short, url: `https://hooks.example.com:${port}/` })).toMatchObject({ error: 'timeout' });
  });
});

describe('A receiver that breaks the connection', () => {
  test.for<[string, Behaviour, object]>([
    ['at once', (socket) => socket.resetAndDestroy(), { error: 'reset' }],
    ['after the request', afterRequest((socket) => socket.resetAndDestroy()), { error: 'reset' }],
    ['by closing its side only', (socket) => void socket.end(), { error: 'reset' }],
  ])('A connection that is reset %s is a failure.', async ([, behave, expected]) => {
    const { port } = await receiver(behave);
    expect(await post(port)).toEqual({ ms: expect.any(Number), ...expected });
  });

  test('An attempt at a port without a listener is a failure.', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await post(port)).toEqual({ ms: expect.any(Number), error: 'refused' });
  });
});

describe('Only public addresses', () => {
  const four = (address: string): LookupAddress => ({ address, family: 4 });
  const six = (address: string): LookupAddress => ({ address, family: 6 });
  /** The real rule for addresses, with any port. */
  const strict = (lookup: Reach['lookup']): Reach => ({ ...publicReach, isOpen: () => true, lookup });

  test.for<[string, LookupAddress[]]>([
    ['loopback', [four('127.0.0.1')]],
    ['all interfaces', [four('0.0.0.0')]],
    ['a private network', [four('10.0.0.1')]],
    ['another private network', [four('172.16.0.1')]],
    ['a third private network', [four('192.168.1.1')]],
    ['a carrier’s network', [four('100.64.0.1')]],
    ['the metadata service', [four('169.254.169.254')]],
    ['the credentials of containers', [four('169.254.170.2')]],
    ['the time service', [four('169.254.169.123')]],
    ['the metadata service over IPv6', [six('fd00:ec2::254')]],
    ['loopback over IPv6', [six('::1')]],
    ['all interfaces over IPv6', [six('::')]],
    ['link-local over IPv6', [six('fe80::1')]],
    ['mapped loopback', [six('::ffff:127.0.0.1')]],
    ['the mapped metadata service', [six('::ffff:a9fe:a9fe')]],
    ['a mapped public address', [six('::ffff:8.8.8.8')]],
    ['the metadata service through NAT64', [six('64:ff9b::a9fe:a9fe')]],
    ['a private network through a local NAT64', [six('64:ff9b:1::a00:1')]],
    ['a private network through 6to4', [six('2002:a00:1::1')]],
    ['public, then private', [four('8.8.8.8'), four('127.0.0.1')]],
    ['private, then public', [four('127.0.0.1'), four('8.8.8.8')]],
    ['public, and private over IPv6', [four('8.8.8.8'), six('::1')]],
  ])('No connection is made to a name whose addresses are %s.', async ([, found]) => {
    const { port, sockets } = await receiver(answering('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await post(port, { reach: strict(async () => found) })).toEqual({ ms: expect.any(Number), error: 'not_public' });
    expect([connected, sockets.length]).toEqual([0, 0]);
  });

  test.for([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '169.254.169.254',
    '0xa9fea9fe',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::7f00:1]',
    '[fd00:ec2::254]',
    'localhost',
    'localhost.',
    'a.localhost',
    'metadata',
    'metadata.google.internal',
    'instance-data.ec2.internal',
    '①②⑦.0.0.1',
  ])('No connection is made to a URL with the host %s.', async (host) => {
    const lookup = vi.fn(reach.lookup);
    const { port, sockets } = await receiver(answering('HTTP/1.1 200 OK\r\n\r\n'));
    const answer = await post(port, { url: `http://${host}:${port}/`, reach: strict(lookup) });
    expect(answer).toEqual({ ms: expect.any(Number), error: 'not_public' });
    expect(lookup).not.toHaveBeenCalled();
    expect([connected, sockets.length]).toEqual([0, 0]);
  });

  test.for(['@127.0.0.1', '127.0.0.1@', 'hooks.example.com@127.0.0.1', '127.0.0.1#@hooks.example.com'])(
    'User names and ports around a host (%s) do not change the check.',
    async (text) => {
      const answer = await post(0, { url: `http://${text}`, reach: strict(async () => [four('10.0.0.1')]) });
      expect(answer.error).toMatch(/^(not_public|invalid_url)$/);
      expect(connected).toBe(0);
    },
  );

  test('A name is resolved once, and the connection is made to the address that was checked.', async () => {
    const { port, sockets } = await receiver(answering('HTTP/1.1 200 OK\r\n\r\n'));
    // The first answer counts as public here, and the next one is private.
    const lookup = vi
      .fn<Reach['lookup']>()
      .mockResolvedValueOnce([four('127.0.0.1')])
      .mockResolvedValue([four('10.0.0.1')]);
    const changing: Reach = { lookup, isOpen: () => true, isAllowed: (host) => host === '127.0.0.1' || isPublicHost(host) };
    expect(await post(port, { reach: changing })).toMatchObject({ status: 200 });
    expect([lookup.mock.calls.length, connected]).toEqual([1, 1]);
    expect(sockets).toHaveLength(1);
    // The next attempt resolves the name again.
    expect(await post(port, { reach: changing })).toMatchObject({ error: 'not_public' });
    expect([lookup.mock.calls.length, connected]).toEqual([2, 1]);
  });

  test.for<[string, Reach['lookup']]>([
    ['has no address', async () => []],
    ['cannot be looked up', () => Promise.reject(new Error('ESERVFAIL'))],
  ])('No connection is made to a name that %s.', async ([, lookup]) => {
    expect(await post(443, { reach: strict(lookup) })).toEqual({ ms: expect.any(Number), error: 'dns' });
    expect(connected).toBe(0);
  });

  test.for([
    ['https://10.0.0.1/', 'not_public'],
    ['http://10.0.0.1:443/', 'not_public'],
    ['https://8.8.8.8:22/', 'port_not_allowed'],
    ['https://8.8.8.8:8443/', 'port_not_allowed'],
    ['https://8.8.8.8:0/', 'port_not_allowed'],
    ['http://hooks.example.com:8080/', 'port_not_allowed'],
  ] as const)("Without the tests' own rule, %s is %s.", async ([url, error]) => {
    expect(await postWebhook({ url, headers: {}, body: '{}' })).toEqual({ ms: expect.any(Number), error });
    expect(opened).toEqual([]);
  });

  test.skipIf(!hasIpv6)('A receiver may have only an IPv6 address, or an IPv4 address that answers first.', async () => {
    const { port } = await receiver(answering('HTTP/1.1 200 OK\r\n\r\nsix'), { host: '::1' });
    expect(await post(port, { reach: { ...reach, lookup: async () => [six('::1')] } })).toMatchObject({ response: 'six' });
    expect(await post(port, { url: `http://[::1]:${port}/` })).toMatchObject({ response: 'six' });
    expect(await post(port, { reach: { ...reach, lookup: async () => [four('127.0.0.1'), six('::1')] } })).toMatchObject({
      response: 'six',
    });
  });
});

describe('On a laptop', () => {
  const plain = (url: string) => postWebhook({ url, headers: {}, body: '{}' });
  const allow = (value: string | undefined) => {
    if (value !== undefined) process.env.WEBHOOK_LOOPBACK = value;
    onTestFinished(() => {
      delete process.env.WEBHOOK_LOOPBACK;
    });
  };
  const hosts = ['127.0.0.1', '127.1', 'localhost', 'localhost.', 'hooks.localhost'];

  test('With the setting, a webhook may go to any port of the machine itself, even without TLS.', async () => {
    allow('allowed');
    const { port, sockets } = await receiver(answering('HTTP/1.1 200 OK\r\n\r\n'));
    for (const host of hosts) expect(await plain(`http://${host}:${port}/`), host).toMatchObject({ status: 200 });
    expect(sockets).toHaveLength(hosts.length);
  });

  test.skipIf(!hasIpv6)('With the setting, the machine may listen only on IPv6.', async () => {
    allow('allowed');
    const { port } = await receiver(answering('HTTP/1.1 200 OK\r\n\r\n'), { host: '::1' });
    for (const host of ['[::1]', 'localhost'])
      expect(await plain(`http://${host}:${port}/`), host).toMatchObject({ status: 200 });
  });

  test.for([undefined, '', 'true', 'off'])('With %j for the setting, no webhook goes to the machine itself.', async (value) => {
    allow(value);
    const { port, sockets } = await receiver(answering('HTTP/1.1 200 OK\r\n\r\n'));
    for (const host of [...hosts, '[::1]']) {
      expect(await plain(`http://${host}:${port}/`), host).toMatchObject({ error: 'not_public' });
    }
    expect(sockets).toEqual([]);
  });

  test.for([
    ['http://10.0.0.1:3000/', 'not_public'],
    ['http://0.0.0.0:3000/', 'not_public'],
    ['http://169.254.169.254/', 'not_public'],
    ['http://[::ffff:169.254.169.254]/', 'not_public'],
    ['http://[::ffff:127.0.0.1]:3000/', 'not_public'],
    ['http://localhost.example:3000/', 'not_public'],
    ['http://localhost6/', 'not_public'],
    ['https://8.8.8.8:3000/', 'port_not_allowed'],
  ] as const)('With the setting, %s is still %s.', async ([url, error]) => {
    allow('allowed');
    expect(await plain(url)).toEqual({ ms: expect.any(Number), error });
    expect(opened).toEqual([]);
  });
});

describe('TLS', () => {
  const authority = certificateAuthority();
  setDefaultCACertificates([...getCACertificates('default'), authority.cert]);
  // Environment variables must not matter.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const host = 'hooks.example.com';
  const ok = answering('HTTP/1.1 200 OK\r\n\r\nok');

  test('A receiver with a valid certificate gets the request, with its name in the handshake.', async () => {
    const { port, sockets } = await receiver(ok, { tls: authority.issue(host) });
    expect(await post(port, { url: `https://${host}:${port}/` })).toMatchObject({ status: 200, response: 'ok' });
    expect(sockets.map((socket) => (socket as TLSSocket).servername)).toEqual([host]);
  });

  test.for<[string, Certificate]>([
    ['is self-signed', selfSigned(host)],
    ['is from an unknown authority', certificateAuthority().issue(host)],
    ['has expired', authority.issue(host, new Date('2021-01-01'))],
    ['is for another name', authority.issue('example.com')],
    ['is for the address', authority.issue('127.0.0.1')],
  ])('A receiver gets nothing if its certificate %s.', async ([, tls]) => {
    let received = 0;
    const { port } = await receiver((socket) => socket.on('data', () => received++), { tls });
    expect(await post(port, { url: `https://${host}:${port}/` })).toEqual({ ms: expect.any(Number), error: 'tls' });
    expect(received).toBe(0);
  });

  test('A receiver at an address needs a certificate for the address.', async () => {
    const named = await receiver(ok, { tls: authority.issue(host) });
    expect(await post(named.port, { url: `https://127.0.0.1:${named.port}/` })).toMatchObject({ error: 'tls' });
    const addressed = await receiver(ok, { tls: authority.issue('127.0.0.1') });
    expect(await post(addressed.port, { url: `https://127.0.0.1:${addressed.port}/` })).toMatchObject({ status: 200 });
  });

  test.for<[string, Behaviour]>([
    ['answers without TLS', (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n')],
    ['resets', (socket) => socket.on('data', () => socket.resetAndDestroy())],
    ['closes', (socket) => void socket.end()],
  ])('A receiver that %s during the handshake gets nothing.', async ([, behave]) => {
    const { port } = await receiver(behave);
    expect(await post(port, { url: `https://${host}:${port}/` })).toEqual({ ms: expect.any(Number), error: 'tls' });
  });
});
