import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { responseIn } from '../../../../lambdas/store/table/http-response.ts';
import { runs } from '../../../support/proof.ts';

const crlf = '\r\n';
const status = fc.integer({ min: 200, max: 599 }).filter((one) => one !== 204 && one !== 304);
const visible = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 12 });
const header = fc.tuple(
  fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/).map((name) => `x-${name}`),
  visible,
);
const others = fc.uniqueArray(header, { selector: ([name]) => name, maxLength: 3 });
const body = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '{}', `a${crlf}${crlf}b`, '0\r\n\r\n'));
const lines = (headers: readonly (readonly [string, string])[]) =>
  headers.map(([name, value]) => `${name}: ${value}${crlf}`).join('');

const sized = fc
  .tuple(status, others, body, fc.constantFrom('Content-Length', 'content-length'))
  .map(([code, headers, content, name]) =>
    Buffer.from(
      `HTTP/1.1 ${code} Some Text${crlf}${lines([...headers, [name, String(Buffer.byteLength(content))]])}${crlf}${content}`,
    ),
  );

/** The body in chunks that end anywhere, also inside a character, with a trailer or without. */
const chunked = fc
  .tuple(status, others, body, fc.infiniteStream(fc.integer({ min: 1, max: 20 })), fc.boolean())
  .map(([code, headers, content, sizes, hasTrailer]) => {
    const parts: Buffer[] = [
      Buffer.from(`HTTP/1.1 ${code}${crlf}${lines([['Transfer-Encoding', 'chunked'], ...headers])}${crlf}`),
    ];
    for (let left = Buffer.from(content); left.length > 0; ) {
      const size = Math.min(sizes.next().value, left.length);
      parts.push(Buffer.from(`${size.toString(16)}${crlf}`), left.subarray(0, size), Buffer.from(crlf));
      left = left.subarray(size);
    }
    parts.push(Buffer.from(`0${crlf}${hasTrailer ? `x-after: 1${crlf}` : ''}${crlf}`));
    return Buffer.concat(parts);
  });
const valid = fc.oneof(sized, chunked);

/** A server that answers each connection with the bytes, and hangs up. */
let server: Server;
let answer: Uint8Array = Buffer.alloc(0);
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

/** What Node's own client reads of the bytes; undefined if it finds that they are broken. */
async function byNode(bytes: Buffer) {
  answer = bytes;
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string } | undefined>((resolve) => {
    const broken = () => resolve(undefined);
    const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: false }, (incoming) => {
      const { statusCode: status, headers } = incoming;
      text(incoming).then((body) => resolve({ status, headers, body }), broken);
    });
    sent.on('error', broken).end();
  });
}

describe('A response', () => {
  test("is read as Node's own client reads it.", async () => {
    await fc.assert(
      fc.asyncProperty(valid, async (bytes) => {
        const found = responseIn(bytes);
        if (!('response' in found)) throw new Error('it is all there');
        expect(found.length).toBe(bytes.length);
        expect(found.response).toEqual(await byNode(bytes));
      }),
      { numRuns: runs(200) },
    );
  });

  test('is found once it is all there, wherever it is cut, and whatever comes after it.', () => {
    fc.assert(
      fc.property(valid, fc.string(), (bytes, more) => {
        const whole = responseIn(bytes);
        for (let cut = 0; cut < bytes.length; cut++) {
          const found = responseIn(bytes.subarray(0, cut));
          if (!('needed' in found)) throw new Error(`found in the first ${cut} of ${bytes.length} bytes`);
          expect(found.needed).toBeGreaterThan(cut);
          expect(found.needed).toBeLessThanOrEqual(bytes.length);
        }
        expect(responseIn(Buffer.concat([bytes, Buffer.from(more)]))).toEqual(whole);
      }),
      { numRuns: runs(100) },
    );
  });

  test("that was damaged is refused, or read as Node's own client reads it.", async () => {
    const bytes = fc.oneof(fc.constantFrom(...Buffer.from('\r\n\0 :;0159aAfT,-')), fc.integer({ min: 0, max: 255 }));
    const damage = fc.record({ place: fc.nat(), removed: fc.nat(3), added: fc.array(bytes, { maxLength: 3 }) });
    await fc.assert(
      fc.asyncProperty(valid, fc.array(damage, { minLength: 1, maxLength: 2 }), async (whole, damages) => {
        let damaged = whole;
        for (const { place, removed, added } of damages) {
          const at = place % (damaged.length + 1);
          damaged = Buffer.concat([damaged.subarray(0, at), Buffer.from(added), damaged.subarray(at + removed)]);
        }
        const found = accepted(damaged);
        if (found) expect(await byNode(damaged.subarray(0, found.length))).toMatchObject(essence(found.response));
      }),
      { numRuns: runs(1_000) },
    );
  });
});

/** What has been found, if it is whole. */
function accepted(bytes: Buffer) {
  try {
    const found = responseIn(bytes);
    return 'response' in found ? found : undefined;
  } catch {
    return undefined;
  }
}

/** What must be equal. Node joins headers that come twice, and knows some that cannot. */
const essence = ({ status, body }: { status: number; body: string }) => ({ status, body });

const head = (...headers: readonly string[]) => ['HTTP/1.1 200 OK', ...headers, '', ''].join(crlf);
test.for([
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
  ['another version', head('Content-Length: 0').replace('1.1', '2.0')],
  ['a status that is not final', head('Content-Length: 0').replace('200 OK', '100 Continue')],
  ['a status without a body', head('Content-Length: 0').replace('200', '204')],
  ['a status of two digits', head('Content-Length: 0').replace('200', '20')],
  ['no length', head('Content-Type: text/plain')],
  ['two lengths', head('Content-Length: 1', 'Content-Length: 1')],
  ['a length and chunks', head('Content-Length: 1', 'Transfer-Encoding: chunked')],
  ['a length that is no number', head('Content-Length: 1e3')],
  ['a negative length', head('Content-Length: -1')],
  ['two lengths in one', head('Content-Length: 1, 1')],
  ['a coding that nobody asked for', head('Transfer-Encoding: gzip, chunked')],
  ['two codings', head('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')],
  ['a folded header', head('Content-Length: 0', ' more')],
  ['a space before the colon', head('Content-Length : 0')],
  ['a line without a colon', head('Content-Length: 0', 'more')],
  ['a bare line feed', head('Content-Length: 0', 'a: b\nc: d')],
  ['a zero byte', head('Content-Length: 0', 'a: \0')],
  ['a chunk without a size', `${head('Transfer-Encoding: chunked')}\r\n{}\r\n0\r\n\r\n`],
  ['a chunk that is longer than its size', `${head('Transfer-Encoding: chunked')}1\r\n{}\r\n0\r\n\r\n`],
  ['a malformed trailer', `${head('Transfer-Encoding: chunked')}0\r\nmore\r\n\r\n`],
  ['a head without an end', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(3_000)}`],
  ['a head that is too long', `${head(`a: ${'b'.repeat(17_000)}`, 'Content-Length: 0')}`],
] as const)('A response with %s is refused.', ([, response]) => {
  expect(() => responseIn(Buffer.from(response))).toThrow();
});

test.for([
  ['HTTP/1.1', 'keep-alive', false],
  ['HTTP/1.1', 'close', true],
  ['HTTP/1.1', 'Upgrade, Close', true],
  ['HTTP/1.1', undefined, false],
  ['HTTP/1.0', undefined, true],
  ['HTTP/1.0', 'Keep-Alive', false],
] as const)(
  'After a response by %s with "Connection: %s", the server closes the connection: %s.',
  ([version, connection, isLast]) => {
    const headers = ['Content-Length: 2', ...(connection === undefined ? [] : [`Connection: ${connection}`])];
    expect(responseIn(Buffer.from(`${head(...headers).replace('HTTP/1.1', version)}{}`))).toMatchObject({ isLast });
  },
);
