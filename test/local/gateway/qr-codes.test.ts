import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../support/http/chromium.ts';
import { rawRequest } from '../../support/http/raw-request.ts';
import { type Service, useService } from '../../support/service/service.ts';
import { drawSvg, readPng, scan } from '../../support/store/scan.ts';

let service: Service;
let workspace: Awaited<ReturnType<Service['newWorkspace']>>;
let id: string;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
  const { body } = await workspace.call('POST', '/links', {
    domain: workspace.domain,
    url: 'https://example.org/',
    customSlug: 'code',
  });
  id = body.link.id;
});

const getCode = (query: string, accept: string) =>
  fetch(`${service.baseUrl}/api/v1/links/${id}/qr?${query}`, {
    headers: { Authorization: `Bearer ${workspace.key}`, Accept: accept },
  });
const shortUrl = () => `http://${workspace.domain}:3000/code.q`.toUpperCase();

test('A PNG passes the gateway as bytes, and an SVG and a problem document as text.', async () => {
  const png = await getCode('format=png', 'image/png');
  expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(scan(readPng(Buffer.from(await png.arrayBuffer())))).toBe(shortUrl());
  for (const accept of ['image/png', '*/*']) {
    expect(scan(drawSvg(await (await getCode('', accept)).text(), 4))).toBe(shortUrl());
    expect(await (await getCode('size=1', accept)).json()).toMatchObject({ code: 'validation_failed' });
  }
});

test('A body is JSON even for a client that accepts only PNG.', async () => {
  const accept = { Accept: 'image/png' };
  expect((await workspace.call('PATCH', `/links/${id}`, { title: 'Größe' }, accept)).body.link.title).toBe('Größe');
});

test('The bundle on a short domain loads the code that draws from its own folder.', async () => {
  const ask = () => rawRequest(Number(new URL(service.baseUrl).port), ['GET /code.svg HTTP/1.1', `Host: ${workspace.domain}`]);
  expect(await ask()).toMatch(/^HTTP\/1\.1 404 /);
  const domain = (await workspace.call('POST', '/domains', { domain: 'codes.example.com' })).status;
  expect(domain).toBe(201);
  await service.addDomain(workspace.id, 'codes.example.com', 'ACTIVE');
  await workspace.call('PATCH', '/domains/codes.example.com', { publicQr: true });
  await workspace.call('POST', '/links', { domain: 'codes.example.com', url: 'https://example.org/', customSlug: 'code' });
  const answer = await rawRequest(Number(new URL(service.baseUrl).port), ['GET /code.svg HTTP/1.1', 'Host: codes.example.com']);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/^content-type: image\/svg\+xml\r$/im);
  const svg = answer.slice(answer.indexOf('<svg'), answer.indexOf('</svg>') + '</svg>'.length);
  expect(scan(drawSvg(svg, 4))).toContain('HTTP://CODES.EXAMPLE.COM');
});

describe.runIf(chromiumPath)('In a real browser', () => {
  test('A scanner reads an SVG that a browser draws, dark on light and light on dark, small and large.', async () => {
    const images = new Map<string, string>();
    const server = createServer(({ url = '' }, response) => {
      response.setHeader('Content-Type', url === '/' ? 'text/html' : 'image/svg+xml').end(images.get(url) ?? '<canvas>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const page = await (await useChromium()).newPage();
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      for (const size of [100, 333, 1_000]) {
        for (const colors of ['', '&foreground=ffffff&background=000000']) {
          const path = `/${images.size}.svg`;
          images.set(path, await (await getCode(`size=${size}${colors}`, '*/*')).text());
          const drawn: string = await page.evaluate(`(async () => {
            const image = new Image();
            image.src = '${path}';
            await image.decode();
            const { width, height } = image;
            const canvas = Object.assign(document.createElement('canvas'), { width, height });
            canvas.getContext('2d').drawImage(image, 0, 0);
            return canvas.toDataURL('image/png');
          })()`);
          const pixels = readPng(Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64'));
          expect([pixels.width, pixels.height]).toEqual([size, size]);
          expect(scan(pixels)).toBe(shortUrl());
        }
      }
    } finally {
      await page.close();
      server.close();
    }
  });
});
