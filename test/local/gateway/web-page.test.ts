import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, newPage, startChromium } from '../../support/chromium.ts';
import { type Service, useService } from '../../support/service.ts';

if (!chromiumPath) test.skip('a web page in a real browser: skipped, there is no Chromium here (CHROMIUM_PATH names one)');

describe.runIf(chromiumPath)('a web page that knows a key', () => {
  let service: Service;
  let key: string;
  let browser: Browser;
  // Another site on this machine.
  const others = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hi</h1>'));
  let ports: { service: string; others: number };
  beforeAll(async () => {
    service = await useService();
    ({ key } = await service.newWorkspace());
    // Every name leads to this machine, as the name of a rebound page does.
    browser = await startChromium();
    await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve));
    ports = { service: new URL(service.baseUrl).port, others: (others.address() as AddressInfo).port };
  });
  afterAll(async () => {
    others.closeAllConnections();
    others.close();
    await browser?.close();
    await service?.stop();
  });

  /** What the page at an address gets when it calls the API at an origin with a good key: a status, or the name of an error. */
  async function call(address: string, origin: string): Promise<unknown> {
    const { page } = await newPage(await browser.newContext());
    await page.goto(address);
    const headers = `{ Authorization: 'Bearer ${key}' }`;
    return page.evaluate(`fetch('${origin}/api/v1/tags', { headers: ${headers} }).then((it) => it.status, (it) => it.name)`);
  }

  test('cannot call the API from another origin', async () => {
    expect(await call(`http://evil.example:${ports.others}/`, `http://127.0.0.1:${ports.service}`)).toBe('TypeError');
  });

  test('cannot call it under a name that was rebound to this machine', async () => {
    const rebound = `http://evil.example:${ports.service}`;
    // The visitors' 404 on a domain that is unknown. Its policy allows no requests.
    expect(await call(`${rebound}/robots.txt`, rebound)).toBe(404);
  });

  test('can call it from the API itself', async () => {
    const own = `http://localhost:${ports.service}`;
    expect(await call(own, own)).toBe(200);
  });
});
