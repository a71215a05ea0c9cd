import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { handler } from '../../../lambdas/site/site.ts';
import { chromiumPath, newPage, useChromium } from '../../support/http/chromium.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';
import { type Service, useService } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

const written = JSON.parse(readFileSync('openapi.json', 'utf8'));
const get = (path: string, headers = {}) => fetch(`${service.baseUrl}${path}`, { headers });
const everything = ['/docs', '/docs/scalar.js', '/openapi.json'] as const;

test('openapi.json is returned without a key, with the requested address as its only server.', async () => {
  const response = await get('/openapi.json');
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual({ ...written, servers: [{ url: service.baseUrl }] });
});

test('Browsers cache the script of the page until it changes, and revalidate the page each time.', async () => {
  const page = await get('/docs');
  const [, script = ''] = /<script src="([^"]+)">/.exec(await page.text()) ?? [];
  expect(script).toMatch(/^\/docs\/scalar\.js\?[\w-]{22}$/);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect((await get(script)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test.for(everything)('A client that has %s gets 304 without a body, until it changes.', async (path) => {
  const first = await get(path);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const field of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
    const again = await get(path, { 'If-None-Match': field });
    expect([again.status, await again.text()]).toEqual([304, '']);
    for (const name of ['etag', 'cache-control']) expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
  for (const field of ['"another"', etag.slice(1, -1), '']) {
    expect((await get(path, { 'If-None-Match': field })).status).toBe(200);
  }
});

test('The script and the document are sent compressed, a third of their size or less, if Accept-Encoding allows it.', async () => {
  for (const path of ['/docs/scalar.js', '/openapi.json']) {
    const [plain, compressed] = await Promise.all(['identity', 'gzip'].map((coding) => get(path, { 'Accept-Encoding': coding })));
    expect(plain?.headers.get('content-encoding')).toBeNull();
    expect(compressed?.headers.get('content-encoding')).toBe('gzip');
    expect(compressed?.headers.get('vary')).toBe('Accept-Encoding');
    const size = (response?: Response) => Number(response?.headers.get('content-length'));
    expect(size(compressed)).toBeLessThan(size(plain) / 3);
    expect(await compressed?.text()).toBe(await plain?.text());
  }
});

test('With the stage in the path, or on its own domain, page and document use that address.', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'scalar.js'), 'script');
  writeFileSync(join(folder, 'openapi.json'), '{"openapi":"3.1.1"}');
  vi.stubEnv('LAMBDA_TASK_ROOT', folder);
  const ask = async (resource: string, path = resource, Host = 'abc.execute-api.eu-central-1.amazonaws.com', stage = '/dev') =>
    (
      await handler({
        resource,
        headers: { Host, 'X-Forwarded-Proto': 'https' },
        requestContext: { path: `${stage}${path}` },
      } as unknown as APIGatewayProxyEvent)
    ).body;
  const askDomain = (resource: string) => ask(resource, resource, 'api.example.com', '');
  expect(await ask('/docs')).toContain('data-url="/dev/openapi.json"');
  expect(await ask('/docs')).toContain('src="/dev/docs/scalar.js?');
  expect(await ask('/docs', '/docs/')).toBe(await ask('/docs'));
  expect(JSON.parse(await ask('/openapi.json'))).toEqual({
    openapi: '3.1.1',
    servers: [{ url: 'https://abc.execute-api.eu-central-1.amazonaws.com/dev' }],
  });
  expect(await askDomain('/docs')).toContain('data-url="/openapi.json"');
  expect(JSON.parse(await askDomain('/openapi.json')).servers).toEqual([{ url: 'https://api.example.com' }]);
  vi.unstubAllEnvs();
});

if (!chromiumPath) {
  test.skip('The tests of the reference in a real browser are skipped, because there is no Chromium here (set CHROMIUM_PATH).');
}

describe.runIf(chromiumPath)('In a real browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await useChromium();
  });

  test('On a desktop and on a phone, a request can be tried with a key; nothing is loaded from elsewhere or stored.', async () => {
    const { id, key } = await service.newWorkspace();
    for (const width of [1280, 390]) {
      const context = await browser.newContext({ viewport: { width, height: 900 } });
      const { page, wrong } = await newPage(context);
      const asked = new Set<string>();
      page.on('request', (request) => asked.add(new URL(request.url()).origin));
      await page.goto(`${service.baseUrl}/docs`);
      await page.getByPlaceholder('Token').first().fill(key);
      await page.getByRole('button', { name: /^Test Request ?\(get \/api\/v1\/me\)$/ }).click();
      const answered = page.waitForResponse(`${service.baseUrl}/api/v1/me`);
      await page.getByRole('button', { name: /^Send/ }).first().click();
      expect(await (await answered).json()).toMatchObject({ workspace: { id } });
      expect(asked).toEqual(new Set([service.baseUrl]));
      expect(wrong).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const kept = '[...Object.values(localStorage), ...Object.values(sessionStorage), document.cookie].join()';
      expect(await page.evaluate(kept)).not.toContain(key);
      expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
      await context.close();
    }
  });
});
