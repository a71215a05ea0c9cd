import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chromiumPath, newPage, useChromium } from '../../support/http/chromium.ts';
import { type Service, useService } from '../../support/service/service.ts';

// On a machine without Chromium, one skipped test reports that, and nothing fails.
if (!chromiumPath)
  test.skip('The tests of a web page in a real browser are skipped, because there is no Chromium here (set CHROMIUM_PATH).');

describe.runIf(chromiumPath)('A web page that knows a key', () => {
  let service: Service;
  let key: string;
  let browser: Browser;
  // Another site on this machine.
  const others = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hi</h1>'));
  let ports: { service: string; others: number };
  beforeAll(async () => {
    service = await useService();
    ({ key } = await service.newWorkspace());
    // Every name resolves to this machine, as that of a rebound page does.
    browser = await useChromium();
    await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve));
    ports = { service: new URL(service.baseUrl).port, others: (others.address() as AddressInfo).port };
  });
  afterAll(async () => {
    others.closeAllConnections();
    others.close();
  });

  /** The status, or the name of the error, that a page gets if it calls the API at an origin with a valid key. */
  async function call(address: string, origin: string): Promise<unknown> {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const { page } = await newPage(context);
    await page.goto(address);
    const headers = `{ Authorization: 'Bearer ${key}' }`;
    return page.evaluate(`fetch('${origin}/api/v1/tags', { headers: ${headers} }).then((it) => it.status, (it) => it.name)`);
  }

  test('A page of another origin cannot call the API.', async () => {
    expect(await call(`http://evil.example:${ports.others}/`, `http://127.0.0.1:${ports.service}`)).toBe('TypeError');
  });

  test('A page under a name that was rebound to this machine cannot call the API.', async () => {
    const rebound = `http://evil.example:${ports.service}`;
    // The 404 for visitors of an unknown domain. Its policy allows no requests.
    expect(await call(`${rebound}/robots.txt`, rebound)).toBe(404);
  });

  test('A page of the API itself can call the API.', async () => {
    const own = `http://localhost:${ports.service}`;
    expect(await call(own, own)).toBe(200);
  });
});
