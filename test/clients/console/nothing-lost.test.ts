import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, startChromium } from '../../support/http/chromium.ts';
import { openConsole, settled } from '../../support/http/console-page.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

// What somebody has written or made is not lost, and what others have done is not overwritten, in a real browser, in
// `npm run proof`. What was done is asked of the API.

const panel = (page: Page) => page.getByRole('complementary', { name: 'Link' });
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

  test('Keys do what they say: Esc ends the innermost, G D leaves, Shift+↓ begins here, and all work on a Cyrillic keyboard.', async () => {
    const slugs = ['a', 'b', 'c', 'd', 'e'];
    const workspace = await withLinks(slugs.map((customSlug) => ({ url: `https://example.com/${customSlug}`, customSlug })));
    const { page, wrong } = await openConsole(browser, service, workspace);
    const row = (n: number) => page.locator(`[data-row="${n}"]`);
    await page.getByPlaceholder('Search slug, address, title, note').fill('example');
    await button(page, 'Clear all').waitFor();
    await row(1).click();
    await panel(page).waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await button(page, 'Clear all').waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Clear all').waitFor({ state: 'detached' });
    await settled(page);

    await row(1).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    expect(
      await page.locator('[aria-selected=true]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-row'))),
    ).toEqual(['2', '3']);
    await page.keyboard.press('Escape');

    await row(0).focus();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForURL('**/domains');
    const type = (key: string, code: string) =>
      page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {
        key: '${key}', code: '${code}', bubbles: true, cancelable: true }))`);
    await type('п', 'KeyG');
    await type('д', 'KeyL');
    await page.waitForURL('**/links');
    await row(0).focus();
    await type('у', 'KeyE');
    await page.waitForURL('**edit=1');
    expect(wrong).toEqual([]);
  });

  test('If one row of the list changes, no other one is drawn again.', async () => {
    const workspace = await withLinks(Array.from({ length: 20 }, (_, n) => ({ url: `https://example.com/${n}` })));
    const { page } = await openConsole(browser, service, workspace);
    await page.locator('[data-row="19"]').waitFor();
    // Each drawing of a row writes its time in full.
    await page.evaluate(`(() => {
      window.drawn = 0;
      const write = Date.prototype.toLocaleString;
      Date.prototype.toLocaleString = function (...all) { window.drawn++; return write.apply(this, all); };
    })()`);
    await page.locator('[data-row="3"]').getByRole('checkbox').check();
    await page.getByText('1 selected').waitFor();
    expect(await page.evaluate('window.drawn')).toBeGreaterThan(0);
    // The row itself, and the one that had the focus.
    expect(await page.evaluate('window.drawn')).toBeLessThan(6);
  });
});
