import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, startChromium } from '../../support/http/chromium.ts';
import { openConsole } from '../../support/http/console-page.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

// What somebody has written or made is not lost, and what others have done is not overwritten, in a real browser, in
// `npm run proof`. What was done is asked of the API.

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

describe.runIf(chromiumPath && sized(false, true))('In the console', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), startChromium()]);
  });
  afterAll(() => browser?.close());

  const withLinks = async (links: readonly object[]) => {
    const workspace = await service.newWorkspace();
    expect((await workspace.importLinks(links)).body.failed).toEqual([]);
    const listed = (await workspace.call('GET', '/links?limit=100')).body.links as { id: string; shortCode: string }[];
    const idOf = (slug: string) => listed.find(({ shortCode }) => shortCode === slug)?.id ?? '';
    const linkOf = async (slug: string) => (await workspace.call('GET', `/links/${idOf(slug)}`)).body.link;
    return { ...workspace, idOf, linkOf };
  };

  test('Esc, however often, closes neither a key that is shown once nor the message that the session has ended.', async () => {
    const workspace = await service.newWorkspace();
    const { page } = await openConsole(browser, service, workspace, { path: '/keys' });
    const pressEscape = async () => {
      for (let n = 0; n < 4; n++) await page.keyboard.press('Escape');
    };
    await button(page, 'Create a key').click();
    await page.getByLabel('Name').press('Enter');
    const secret = page.locator('dialog output.secret');
    await secret.waitFor();
    await pressEscape();
    expect(await secret.isVisible()).toBe(true);
    await button(page, 'I have stored it').click();
    await secret.waitFor({ state: 'detached' });

    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 401, json: { code: 'unauthorized', detail: 'No.' } }));
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    const ended = page.getByText('Your session has ended');
    await ended.waitFor();
    await pressEscape();
    expect(await ended.isVisible()).toBe(true);
    expect(await page.getByLabel('API key').isEditable()).toBe(true);
  });

  test('Each link is in the list once, also after one was made and the pages around it were dropped and fetched again.', async () => {
    const workspace = await service.newWorkspace();
    const all = Array.from({ length: 1_400 }, (_, n) => ({ url: `https://example.com/${n}`, customSlug: `n${n}` }));
    for (const part of [all.slice(0, 1_000), all.slice(1_000)]) await workspace.importLinks(part);
    const { page } = await openConsole(browser, service, workspace);
    await page.locator('[data-row="0"]').waitFor();
    await page.getByRole('textbox', { name: 'Long address' }).fill('https://example.com/new');
    await page.keyboard.press('Enter');
    await page.locator('.created-head').waitFor();
    const height = (await page.locator('[data-row="0"]').boundingBox())?.height ?? 0;
    /** The links of the rows that are shown there, once all of them are. */
    const linksAt = async (row: number) => {
      const scrolled = async () => {
        await page.locator('.grid-rows').evaluate((rows, top) => rows.scrollTo({ top }), row * height);
        return page.locator(`[data-row="${row}"]`).count();
      };
      await expect.poll(scrolled, { timeout: 30_000 }).toBe(1);
      await page.locator('.row.waiting').first().waitFor({ state: 'detached' });
      return page.locator('[data-row]').evaluateAll((rows) => rows.map((one) => `${one.querySelector('a')?.textContent}`));
    };
    const seen = new Set<string>();
    for (let row = 0; row <= 1_400; row += 10) await linksAt(row);
    for (let row = 0; row <= 1_400; row += 10) for (const link of await linksAt(row)) seen.add(link);
    expect(seen.size).toBe(1_401);
    await page.getByText('1,401 links.').waitFor();
  });

  test('A tag that is ticked while another one is being made stays ticked.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    await workspace.newTag('old');
    const path = `/links/${workspace.idOf('one')}?edit=1`;
    const { page } = await openConsole(browser, service, workspace, { path });
    let answer = () => {};
    await page.route('**/api/v1/tags', async (route) => {
      if (route.request().method() === 'POST') await new Promise<void>((resolve) => (answer = resolve));
      await route.continue();
    });
    await button(page, 'Choose').click();
    await page.getByLabel('Find or create a tag').fill('new');
    const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/tags'));
    await page.keyboard.press('Enter');
    await asked;
    await page.getByLabel('Find or create a tag').fill('');
    await page.getByRole('dialog', { name: 'Tags' }).getByLabel('old', { exact: true }).check();
    answer();
    for (const name of ['old', 'new']) await button(page, `Remove the tag ${name}`).waitFor();
  });
});
