import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startFixture, synthFixture } from '../support/local-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'local-test-'));
let service: Awaited<ReturnType<typeof startFixture>>;
beforeAll(async () => {
  service = await startFixture(synthFixture(folder));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends a request's lines and gives all that comes back. */
function raw(lines: readonly string[], body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const text = [...lines, 'Connection: close', '', body].join('\r\n');
    const socket = connect(service.port, '127.0.0.1', () => socket.end(text, 'latin1'));
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part;
    });
    socket.on('close', () => resolve(answer)).on('error', (error) => (answer ? resolve(answer) : reject(error)));
  });
}

const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);
const eventOf = async (lines: readonly string[], body?: string) => JSON.parse(bodyOf(await raw(lines, body))).event;
const answering = (result: unknown) => raw([`GET /?${encodeURIComponent(JSON.stringify(result))} HTTP/1.1`, 'Host: go.example']);

describe('the event of payload format 2.0', () => {
  test('has what AWS documents', async () => {
    const event = await eventOf([
      'GET /a/b?x=1&y=2&x=%203 HTTP/1.1',
      'Host: go.example:3000',
      'User-Agent: curl/8',
      'X-Two: 1',
      'X-TWO: 2',
      'Cookie: a=1; b=2',
    ]);
    expect(event).toEqual({
      version: '2.0',
      routeKey: '$default',
      rawPath: '/a/b',
      rawQueryString: 'x=1&y=2&x=%203',
      cookies: ['a=1', 'b=2'],
      headers: {
        host: 'go.example:3000',
        'user-agent': 'curl/8',
        'x-two': '1,2',
        connection: 'close',
        'x-forwarded-for': '127.0.0.1',
      },
      queryStringParameters: { x: '1, 3', y: '2' },
      requestContext: {
        accountId: expect.any(String),
        apiId: expect.any(String),
        domainName: 'go.example',
        domainPrefix: 'go',
        http: { method: 'GET', path: '/a/b', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'curl/8' },
        requestId: expect.any(String),
        routeKey: '$default',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      isBase64Encoded: false,
    });
  });

  it.each([
    ['decoded', '/%68ello%20w%C3%B6rld', '/hello wörld'],
    ['as it is where it cannot be decoded', '/%E0%A4%A', '/%E0%A4%A'],
  ])('has the path %s', async (_, path, rawPath) => {
    expect((await eventOf([`GET ${path} HTTP/1.1`, 'Host: go.example'])).rawPath).toBe(rawPath);
  });

  it.each([
    ['text/plain', false],
    ['application/json; charset=utf-8', false],
    ['application/x-www-form-urlencoded', true],
    ['image/png', true],
  ])('has a body of %s in base64: %s', async (type, isBase64Encoded) => {
    const event = await eventOf(['POST / HTTP/1.1', 'Host: go.example', `Content-Type: ${type}`, 'Content-Length: 3'], 'a=1');
    expect([event.isBase64Encoded, event.body]).toEqual([isBase64Encoded, isBase64Encoded ? 'YT0x' : 'a=1']);
  });
});

describe('what a function returns', () => {
  test('is the answer with its status, headers, cookies and body', async () => {
    const answer = await answering({
      statusCode: 201,
      headers: { 'X-Own': 'yes', 'Content-Type': 'text/x-own' },
      cookies: ['a=1', 'b=2; Path=/'],
      body: 'YWJj',
      isBase64Encoded: true,
    });
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer).toContain('x-own: yes');
    expect(answer).toContain('set-cookie: a=1\r\nset-cookie: b=2; Path=/\r\n');
    expect(bodyOf(answer)).toBe('abc');
  });

  test('is a body of JSON where it has no status', async () => {
    const answer = await answering({ any: 'thing' });
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect([answer.includes('content-type: application/json'), bodyOf(answer)]).toEqual([true, '{"any":"thing"}']);
  });

  it.each([
    ['a status that is none', { statusCode: 99 }],
    ['a body that is no text', { statusCode: 200, body: 1 }],
    ['a header that cannot be sent', { statusCode: 200, headers: { location: 'a\r\nb: c' } }],
  ])('is 500 for %s', async (_, result) => {
    const answer = await answering(result);
    expect(answer).toMatch(/^HTTP\/1\.1 500 /);
    expect(bodyOf(answer)).toBe('{"message":"Internal Server Error"}');
  });
});

test('a HEAD has the headers of its answer and no body', async () => {
  const answer = await raw([
    `HEAD /?${encodeURIComponent('{"statusCode":302,"headers":{"Location":"https://example.org"}}')} HTTP/1.1`,
    'Host: go.example',
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 302 /);
  expect([answer.includes('location: https://example.org'), bodyOf(answer)]).toEqual([true, '']);
});
