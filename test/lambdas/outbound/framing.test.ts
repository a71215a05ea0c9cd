import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isPublicHost } from '../../../lambdas/domain/public-host.ts';
import { framingAllowed } from '../../../lambdas/outbound/framing.ts';
import type { Reach } from '../../../lambdas/outbound/public-request.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let answer: Answer = (_, response) => response.end();
let requests: IncomingMessage[] = [];
const server: Server = createServer((request, response) => {
  requests.push(request);
  answer(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
beforeEach(() => {
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const page = 'http://go.example.com';
/** Every name leads to the server of this test, which passes for public. */
const reach: Reach = {
  lookup: (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  isPublic: (host) => !host.startsWith('private'),
  isOpen: () => true,
};
const pageUrl = new URL(page);
/** How long the function waits. */
const inTime = () => AbortSignal.timeout(1_500);
const ask = (path = '/', more: Partial<Reach> = {}) =>
  framingAllowed(new URL(`http://site.example:${port}${path}`), pageUrl, inTime(), { ...reach, ...more });
const answering = (status: number, headers: Record<string, string | string[]>) => {
  answer = (_, response) => response.writeHead(status, headers).end('a page');
};

describe('a destination', () => {
  test.for([
    ['that says nothing', 200, {}, true],
    ['that refuses', 200, { 'X-Frame-Options': 'DENY' }, false],
    [
      'that refuses in one of two policies',
      200,
      { 'Content-Security-Policy': ['frame-ancestors *', "frame-ancestors 'none'"] },
      false,
    ],
    // Browsers show none in a sandboxed frame.
    ['that is a PDF', 200, { 'Content-Type': 'Application/PDF; x=y' }, false],
    ['that is a page', 200, { 'Content-Type': 'text/html; charset=utf-8' }, true],
    ['that is not found', 404, {}, true],
    ['that is down', 503, {}, undefined],
    ['that leads elsewhere', 302, { Location: 'http://other.example/' }, false],
    ['that leads to another scheme', 301, { Location: 'https://site.example/' }, false],
    ['that leads nowhere', 302, {}, true],
  ] as const)('%s', async ([, status, headers, may]) => {
    answering(status, headers as Record<string, string>);
    expect(await ask()).toBe(may);
  });

  test('is followed within its own origin, three times', async () => {
    answer = ({ url = '' }, response) => {
      const left = Number(url.slice(1));
      if (left > 0) response.writeHead(302, { Location: `/${left - 1}` }).end();
      else response.writeHead(200, { 'X-Frame-Options': 'DENY' }).end();
    };
    expect(await ask('/3')).toBe(false);
    expect(await ask('/4')).toBeUndefined();
  });

  test('is told who asks, and given no cookie or credentials, not even its own', async () => {
    answer = ({ url }, response) =>
      void response.writeHead(url === '/' ? 302 : 200, { Location: `http://user:password@site.example:${port}/next` }).end();
    await ask();
    expect(requests).toHaveLength(2);
    expect(Object.keys(requests[1]?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
    expect(Object.keys(requests[0]?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
  });
});

describe('what is not public is not connected to, and nothing is known of it:', () => {
  const address = (found: string, family = 4): Partial<Reach> => ({
    lookup: (_, __, done) => done(null, [{ address: found, family }]),
    isPublic: (host) => host !== found && host !== `[${found}]`,
  });

  test.for([
    ['a name that leads there', '/', address('127.0.0.1')],
    ['a name that leads there in IPv6', '/', address('::1', 6)],
    [
      'a name that leads there too',
      '/',
      {
        lookup: ((_, __, done) =>
          done(null, [
            { address: '127.0.0.1', family: 4 },
            { address: '10.0.0.1', family: 4 },
          ])) as Reach['lookup'],
        isPublic: (host: string) => host !== '10.0.0.1',
      },
    ],
    ['a name that leads nowhere', '/', { lookup: ((_, __, done) => done(null, [])) as Reach['lookup'] }],
    ['a name that cannot be looked up', '/', { lookup: ((_, __, done) => done(new Error('ENOTFOUND'), [])) as Reach['lookup'] }],
  ] as const)('%s', async ([, path, more]) => {
    answering(200, {});
    expect(await ask(path, more)).toBeUndefined();
    expect(requests).toEqual([]);
  });

  test('an address in the place of a name', async () => {
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '10.0.0.1']) {
      const { lookup, isOpen } = reach;
      const url = new URL(`http://${host}:${port}/`);
      expect(await framingAllowed(url, pageUrl, inTime(), { lookup, isOpen, isPublic: isPublicHost })).toBeUndefined();
    }
    expect(requests).toEqual([]);
  });

  test('another port than that of its scheme', async () => {
    answering(200, {});
    expect(await ask('/', { isOpen: (asked) => asked === '' })).toBeUndefined();
    expect(requests).toEqual([]);
  });

  test('a redirect to it within the same name: what is checked is what is connected to', async () => {
    answer = (_, response) => response.writeHead(302, { Location: '/next' }).end();
    const lookup = vi
      .fn<Reach['lookup']>()
      .mockImplementationOnce((_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]))
      .mockImplementation((_, __, done) => done(null, [{ address: '127.0.0.2', family: 4 }]));
    expect(await ask('/', { lookup, isPublic: (host) => host !== '127.0.0.2' })).toBeUndefined();
    expect(requests).toHaveLength(1);
  });
});

describe('a destination that does not come to an end is given up with the signal:', () => {
  test.for([
    ['it never answers', () => {}],
    ['its headers never end', (_: IncomingMessage, response: ServerResponse) => response.socket?.write('HTTP/1.1 200 OK\r\nX: ')],
  ] as const)('%s', async ([, never]) => {
    answer = never;
    expect(await ask()).toBeUndefined();
  });

  test.for([
    ['it changes the protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['it says nothing and hangs up', ''],
    ['it speaks something else', '220 mail.example ESMTP\r\n'],
  ] as const)('at once where %s', async ([, bytes]) => {
    answer = (_, response) => void response.socket?.end(bytes);
    expect(await ask()).toBeUndefined();
  });

  test('headers of more than 16 kB are given up at once', async () => {
    answering(200, { 'X-Much': 'x'.repeat(40_000) });
    expect(await ask()).toBeUndefined();
  });
});
