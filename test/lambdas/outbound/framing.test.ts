import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { isPublicHost } from '../../../lambdas/core/host/public-host.ts';
import { framingAllowed } from '../../../lambdas/outbound/framing.ts';
import type { Reach } from '../../../lambdas/outbound/public-request.ts';
import { useWebServer } from '../../support/http/web-server.ts';

const site = await useWebServer();
const { port } = site;

const page = 'http://go.example.com';

/** Every name resolves to this test's server, which counts as public. */
const reach: Reach = {
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  isAllowed: (host) => !host.startsWith('private'),
  isOpen: () => true,
};
const pageUrl = new URL(page);
/** The function's deadline. */
const inTime = () => AbortSignal.timeout(1_500);
const ask = (path = '/', more: Partial<Reach> = {}) =>
  framingAllowed(new URL(`http://site.example:${port}${path}`), pageUrl, inTime(), { ...reach, ...more });
const answering = (status: number, headers: Record<string, string | string[]>) => {
  site.answer = (_, response) => response.writeHead(status, headers).end('a page');
};

describe('A destination', () => {
  test.for([
    ['without framing rules may be framed', 200, {}, true],
    ['that refuses may not be framed', 200, { 'X-Frame-Options': 'DENY' }, false],
    [
      'that refuses in one of two policies may not be framed',
      200,
      { 'Content-Security-Policy': ['frame-ancestors *', "frame-ancestors 'none'"] },
      false,
    ],
    // Browsers show no PDF in a sandboxed frame.
    ['that is a PDF may not be framed', 200, { 'Content-Type': 'Application/PDF; x=y' }, false],
    ['that is a page may be framed', 200, { 'Content-Type': 'text/html; charset=utf-8' }, true],
    ['that is not found may be framed', 404, {}, true],
    ['that is down stays unknown', 503, {}, undefined],
    ['that redirects to another host may not be framed', 302, { Location: 'http://other.example/' }, false],
    ['that redirects to another scheme may not be framed', 301, { Location: 'https://site.example/' }, false],
    ['that redirects without a location may be framed', 302, {}, true],
  ] as const)('A destination %s.', async ([, status, headers, may]) => {
    answering(status, headers as Record<string, string>);
    expect(await ask()).toBe(may);
  });

  test("Up to three redirects within a destination's own origin are followed.", async () => {
    site.answer = ({ url = '' }, response) => {
      const left = Number(url.slice(1));
      if (left > 0) response.writeHead(302, { Location: `/${left - 1}` }).end();
      else response.writeHead(200, { 'X-Frame-Options': 'DENY' }).end();
    };
    expect(await ask('/3')).toBe(false);
    expect(await ask('/4')).toBeUndefined();
  });

  test('A destination gets no cookie and no credentials, not even those in its own redirect.', async () => {
    site.answer = ({ url }, response) =>
      void response.writeHead(url === '/' ? 302 : 200, { Location: `http://user:password@site.example:${port}/next` }).end();
    await ask();
    expect(site.requests).toHaveLength(2);
    expect(Object.keys(site.requests[1]?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
    expect(Object.keys(site.requests[0]?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
  });
});

describe('A destination that is not public', () => {
  const address = (found: string, family = 4): Partial<Reach> => ({
    lookup: async () => [{ address: found, family }],
    isAllowed: (host) => host !== found && host !== `[${found}]`,
  });

  test.for([
    ['a name with a private address', '/', address('127.0.0.1')],
    ['a name with a private IPv6 address', '/', address('::1', 6)],
    [
      'a name with a public and a private address',
      '/',
      {
        lookup: async () => [
          { address: '127.0.0.1', family: 4 },
          { address: '10.0.0.1', family: 4 },
        ],
        isAllowed: (host: string) => host !== '10.0.0.1',
      },
    ],
    ['a name without an address', '/', { lookup: async () => [] }],
    ['a name that cannot be looked up', '/', { lookup: () => Promise.reject(new Error('ENOTFOUND')) }],
  ] as const)('No connection is made to %s, and the result stays unknown.', async ([, path, more]) => {
    answering(200, {});
    expect(await ask(path, more)).toBeUndefined();
    expect(site.requests).toEqual([]);
  });

  test('No connection is made if the URL itself has a private address, and the result stays unknown.', async () => {
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '10.0.0.1']) {
      const { lookup, isOpen } = reach;
      const url = new URL(`http://${host}:${port}/`);
      expect(await framingAllowed(url, pageUrl, inTime(), { lookup, isOpen, isAllowed: isPublicHost })).toBeUndefined();
    }
    expect(site.requests).toEqual([]);
  });

  test('No connection is made to a port that is not open for its scheme, and the result stays unknown.', async () => {
    answering(200, {});
    expect(await ask('/', { isOpen: (asked) => asked === '' })).toBeUndefined();
    expect(site.requests).toEqual([]);
  });

  test('A redirect within the same name is not followed if the name now leads to a private address.', async () => {
    site.answer = (_, response) => response.writeHead(302, { Location: '/next' }).end();
    const lookup = vi
      .fn<Reach['lookup']>()
      .mockImplementationOnce(async () => [{ address: '127.0.0.1', family: 4 }])
      .mockImplementation(async () => [{ address: '127.0.0.2', family: 4 }]);
    expect(await ask('/', { lookup, isAllowed: (host) => host !== '127.0.0.2' })).toBeUndefined();
    expect(site.requests).toHaveLength(1);
  });
});

describe('A destination that never finishes', () => {
  test.for([
    ['response never comes', () => {}],
    ['headers never end', (_: IncomingMessage, response: ServerResponse) => response.socket?.write('HTTP/1.1 200 OK\r\nX: ')],
  ] as const)('A destination whose %s is given up at the deadline.', async ([, never]) => {
    site.answer = never;
    expect(await ask()).toBeUndefined();
  });

  test.for([
    ['switches the protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['closes the connection without a response', ''],
    ['speaks another protocol', '220 mail.example ESMTP\r\n'],
  ] as const)('A destination that %s is given up.', async ([, bytes]) => {
    site.answer = (_, response) => void response.socket?.end(bytes);
    expect(await ask()).toBeUndefined();
  });

  test('A destination with headers of more than 16 kB is given up.', async () => {
    answering(200, { 'X-Much': 'x'.repeat(40_000) });
    expect(await ask()).toBeUndefined();
  });
});
