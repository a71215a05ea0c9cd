import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { linksAsCsv } from '../../../clients/migration/own.ts';
import { chromiumPath, useChromium } from '../../support/http/chromium.ts';
import { openConsole, violationsIn } from '../../support/http/console-page.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

// Exports in a real browser, in `npm run proof`.

/** Chooses an item of the menu, and reads the file that it saves. */
async function exported(page: Page, item: string): Promise<{ name: string; text: string }> {
  await page.getByRole('button', { name: 'Export' }).press('Enter');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item, exact: true }).press('Enter'),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

describe.runIf(chromiumPath && sized(false, true))('The console', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  test('exports links and clicks as `npm run export` does, with a byte order mark for Excel, those of the filter or all.', async () => {
    const workspace = await service.newWorkspace();
    const links = Array.from({ length: 130 }, (_, n) => ({
      url: `https://example.com/${n}`,
      customSlug: `n${n}`,
      title: `=${n}`,
    }));
    await workspace.importLinks(links);
    await service.visit(workspace.domain, 'n7');
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/links?q=n7', withAxe: true });
    await page.getByText('11 links.').waitFor();
    const shown = await exported(page, 'Links as shown');
    expect(shown.name).toMatch(/^links \d{4}-\d\d-\d\d\.csv$/);
    const { body } = await workspace.call('GET', '/links?q=n7&order=asc');
    // Excel needs the byte order mark; programs read what the command line writes, which has none.
    expect(shown.text).toBe(`\ufeff${linksAsCsv(body.links)}`);
    await page.getByText('11 links exported.').waitFor();
    expect((await exported(page, 'All links')).text.split('\r\n')).toHaveLength(130 + 2);

    // A wait, and an error that a second attempt overcomes.
    let refused = 0;
    await page.route('**/api/v1/links?**', (route) => {
      if (!new URL(route.request().url()).search.includes('order=asc') || ++refused > 2) return route.continue();
      const status = refused === 1 ? 429 : 403;
      return route.fulfill({ status, contentType: 'application/problem+json', body: '{"code":"forbidden","detail":"No."}' });
    });
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'All links', exact: true }).click();
    await page.getByText('You need permission to view links (links:read).').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.unroute('**/api/v1/links?**');

    await expect.poll(async () => (await workspace.call('GET', '/clicks')).body.clicks.length).toBe(1);
    const clicks = await exported(page, 'Clicks of all links');
    expect(clicks.text).toMatch(/^\ufeffid,at,linkId,.*\r\n[^\r]+\r\n$/);
    expect(wrong).toEqual([]);
  });
});
