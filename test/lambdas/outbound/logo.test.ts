import { expect, test } from 'vitest';
import { fetchLogo } from '../../../lambdas/outbound/logo.ts';
import type { Reach } from '../../../lambdas/outbound/public-request.ts';
import { useWebServer } from '../../support/http/web-server.ts';

const site = await useWebServer();
const { port } = site;

/** Every name resolves to this test's server, which counts as public. */
const reach: Reach = {
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  isAllowed: (host) => !host.startsWith('private'),
  isOpen: () => true,
};
const fetchAt = (path = '/logo', signal = AbortSignal.timeout(1_500)) =>
  fetchLogo(`http://site.example:${port}${path}`, signal, reach);
const refusal = (code: string, says = '') => expect.objectContaining({ code, message: expect.stringContaining(says) });

const png = (length: number) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(length - 8)]);
const sending = (body: Buffer | string, headers = {}) => {
  site.answer = (_, response) => response.writeHead(200, headers).end(body);
};

test('A logo becomes a data URL of its real type, whatever type its server sends.', async () => {
  sending(png(100), { 'Content-Type': 'text/html' });
  expect(await fetchAt()).toBe(`data:image/png;base64,${png(100).toString('base64')}`);
  expect(site.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
  expect(site.requests[0]?.headers.cookie).toBeUndefined();
});

test('A logo of 65,536 bytes is fetched, in one piece or in chunks, and a larger one is refused.', async () => {
  for (const headers of [{}, { 'Content-Length': '65536' }]) {
    sending(png(65_536), headers);
    expect(Buffer.from((await fetchAt()).split(',')[1] ?? '', 'base64')).toEqual(png(65_536));
  }
  for (const length of [65_537, 100_000, 5_000_000]) {
    sending(png(length));
    await expect(fetchAt()).rejects.toEqual(refusal('logo_too_large', '65,536 bytes'));
  }
});

test.for<[string, string]>([
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['a page', '<!doctype html><title>x</title>'],
  ['nothing', ''],
])('A logo that is %s is refused.', async ([, body]) => {
  sending(body, { 'Content-Type': 'image/png' });
  await expect(fetchAt()).rejects.toEqual(refusal('logo_not_image'));
});

test('A logo that cannot be fetched is refused, and the message says why.', async () => {
  site.answer = (_, response) => response.writeHead(404).end(png(100));
  await expect(fetchAt()).rejects.toEqual(refusal('logo_unreachable', 'the server responds with 404'));
  // Ends early.
  site.answer = (_, response) => {
    response.writeHead(200, { 'Content-Length': '1000' });
    response.write(png(100), () => response.destroy());
  };
  await expect(fetchAt()).rejects.toEqual(refusal('logo_unreachable', 'is incomplete'));
  // Never ends.
  site.answer = (_, response) => response.writeHead(200).write(png(100));
  await expect(fetchAt('/', AbortSignal.timeout(300))).rejects.toEqual(refusal('logo_unreachable', 'is incomplete'));
  site.answer = () => {};
  await expect(fetchAt('/', AbortSignal.timeout(300))).rejects.toEqual(refusal('logo_unreachable', 'does not respond in time'));
  await expect(fetchLogo('https://private.example/', AbortSignal.timeout(300), reach)).rejects.toEqual(
    refusal('logo_unreachable', 'not at a public address'),
  );
});

test('A redirect is followed only over https, and never to a private address.', async () => {
  const to = (location: string) => {
    site.answer = (_, response) => response.writeHead(302, { Location: location }).end();
  };
  for (const location of ['/other', `http://other.example:${port}/`, 'ftp://other.example/', 'https://[']) {
    to(location);
    await expect(fetchAt()).rejects.toEqual(refusal('logo_unreachable', 'https'));
  }
  to('https://private.example/');
  await expect(fetchAt()).rejects.toEqual(refusal('logo_unreachable', 'not at a public address'));
  expect(site.requests).toHaveLength(5);
});
