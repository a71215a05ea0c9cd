import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../../support/http/chromium.ts';
import { openConsole, overflowOf, settled, violationsIn } from '../../../support/http/console-page.ts';
import { type Service, useService } from '../../../support/service/service.ts';
import { clickOf, recordClicks } from '../../../support/things/clicks.ts';

// Where the console begins, in a real browser.

const dayMs = 24 * 60 * 60_000;

describe.runIf(chromiumPath)('Home', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  const part = (page: Page, name: string) => page.getByRole('region', { name });

  test('shows the clicks of 30 days with their change, the best links, the newest ones and what needs attention.', async () => {
    const workspace = await service.newWorkspace();
    const { call, domain } = workspace;
    await service.addDomain(workspace.id, `soon.${domain}`, 'PENDING_DNS');
    const expiresAt = new Date(Date.now() + 3 * dayMs).toISOString();
    const links = [
      { url: 'https://example.com/1', customSlug: 'best', title: 'The best' },
      { url: 'https://example.com/2', customSlug: 'second' },
      { url: 'https://example.com/3', customSlug: 'ends', title: 'Ends soon', expiresAt },
      { url: 'https://example.com/4', customSlug: 'later', expiresAt: new Date(Date.now() + 30 * dayMs).toISOString() },
      { url: 'https://example.com/5', customSlug: 'full', title: 'Once only', maxClicks: 1 },
    ];
    expect((await workspace.importLinks(links)).body.failed).toEqual([]);
    expect(await service.visit(domain, 'full')).toBe(302);
    const listed = (await call('GET', '/links')).body.links as { id: string; shortCode: string }[];
    const click = (slug: string, ago: number) => {
      const { id = '' } = listed.find(({ shortCode }) => shortCode === slug) ?? {};
      return clickOf({ id, workspaceId: workspace.id, domain, clickEpoch: 0 }, Date.now() - ago * dayMs, { slug });
    };
    await recordClicks([...[1, 2, 3, 40].map((ago) => click('best', ago)), click('second', 5)]);
    const counted = async () => (await call('GET', '/stats?from=2020-01-01T00:00:00Z&interval=month')).body.total;
    await expect.poll(counted).toBe(6);

    const { page, wrong } = await openConsole(browser, service, workspace, { path: '', withAxe: true });
    await part(page, 'Clicks in the last 30 days').getByText('5', { exact: true }).waitFor();
    await part(page, 'Clicks in the last 30 days').getByText('from 1').waitFor();
    const best = part(page, 'Top links').getByRole('listitem');
    await expect.poll(async () => (await best.allTextContents())[0]).toContain('best');
    const attention = part(page, 'Needs attention');
    await attention.getByRole('listitem').filter({ hasText: 'Ends soon' }).filter({ hasText: 'expires' }).waitFor();
    await attention.getByRole('listitem').filter({ hasText: 'Once only' }).filter({ hasText: 'click limit' }).waitFor();
    await attention
      .getByRole('listitem')
      .filter({ hasText: `soon.${domain}` })
      .waitFor();
    expect(await attention.getByRole('listitem').count()).toBe(3);
    await settled(page);
    expect(await violationsIn(page)).toEqual([]);

    // An idle page sends no requests.
    let asked = 0;
    page.on('request', () => asked++);
    await page.clock.install();
    await page.clock.fastForward(60 * 60_000);
    await settled(page);
    expect(asked).toBe(0);

    await page.getByRole('link', { name: 'All links by clicks' }).click();
    await page.locator('.grid [data-row="0"]', { hasText: 'The best' }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
      `/console/${workspace.id}/links?sort=clicks&range=30d`,
    );
    await page.goBack();
    await attention.getByRole('link', { name: 'Once only' }).click();
    await page.getByRole('complementary', { name: 'Link' }).getByRole('heading', { name: 'Once only' }).waitFor();
    expect(wrong).toEqual([]);

    const { page: phone } = await openConsole(browser, service, workspace, {
      path: '/home',
      width: 390,
      theme: 'dark',
      withAxe: true,
    });
    await settled(phone);
    expect(await overflowOf(phone)).toBe(0);
    expect(await violationsIn(phone)).toEqual([]);
  });

  test('guides a new workspace, makes a link from a pasted address, and never shows dismissed steps again.', async () => {
    const workspace = await service.newWorkspace();
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/home' });
    const steps = part(page, 'First steps');
    await steps.getByText('Make a link').waitFor();
    await part(page, 'Needs attention').getByText('Nothing right now.').waitFor();
    await page.evaluate("navigator.clipboard.writeText('https://example.com/pasted')");
    await page.locator('h1').click();
    await page.keyboard.press('Control+V');
    await page.keyboard.press('Enter');
    await page.getByText('Link created and copied', { exact: true }).waitFor();
    await steps.getByText('Make a link (done)').waitFor();
    await part(page, 'Newest links').getByText('example.com/pasted').waitFor();
    await steps.getByRole('button', { name: 'Dismiss' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await part(page, 'Newest links').getByText('example.com/pasted').waitFor();
    await settled(page);
    expect(await steps.count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  test('leads from the number of links that expire soon to exactly those, which the address keeps.', async () => {
    const workspace = await service.newWorkspace();
    const expiring = (slug: string, days: number) => {
      const expiresAt = new Date(Date.now() + days * dayMs).toISOString();
      return { url: 'https://example.com/', customSlug: slug, expiresAt };
    };
    const links = [1, 2, 3, 7].map((days) => expiring(`soon-${days}`, days));
    await workspace.importLinks([...links, expiring('later', 9), { url: 'https://example.com/', customSlug: 'never' }]);
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/home' });
    await part(page, 'Needs attention').getByRole('link', { name: '4 links' }).click();
    const status = page.getByLabel('Status', { exact: true });
    await page.getByText('soon-7').first().waitFor();
    expect(await status.inputValue()).toBe('7d');
    expect(new URL(page.url()).search).toBe('?expiring=7d');
    expect(await page.locator('[data-row]').count()).toBe(4);
    await page.reload();
    await page.getByText('soon-7').first().waitFor();
    expect(await page.locator('[data-row]').count()).toBe(4);
    await status.selectOption('Expires within 30 days');
    await page.getByText('later').first().waitFor();
    expect(await page.locator('[data-row]').count()).toBe(5);
    await page.getByRole('button', { name: 'Remove the filter Expires within 30 days' }).click();
    await page.getByText('never').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(wrong).toEqual([]);
  });

  test('claims that all is well only if every link was checked.', async () => {
    const workspace = await service.newWorkspace();
    const { page } = await openConsole(browser, service, workspace, { path: '/home' });
    const attention = part(page, 'Needs attention');
    await attention.getByText('Nothing right now').waitFor();
    const unfinished = { links: [], nextCursor: 'more' };
    await page.route(/\/api\/v1\/links\?.*state=blocked/, (route) => route.fulfill({ json: unfinished }));
    await page.reload();
    await attention.getByText('Nothing so far').waitFor();
    expect(await attention.getByText('Nothing right now').count()).toBe(0);
  });

  test('shows only the links to somebody who may not see clicks, and requests nothing else.', async () => {
    const workspace = await service.newWorkspace();
    await workspace.importLinks([{ url: 'https://example.com/1', customSlug: 'one', title: 'One' }]);
    const { key } = await workspace.newKey(['links:read']);
    const refused: string[] = [];
    const { page } = await openConsole(browser, service, workspace, { key, path: '/home' });
    page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
    await part(page, 'Newest links').getByText('One', { exact: true }).waitFor();
    await settled(page);
    expect(await part(page, 'Clicks in the last 30 days').count()).toBe(0);
    await part(page, 'Needs attention').getByText('Nothing so far').waitFor();
    expect(refused.filter((url) => !/\/(domains|tags)/.test(url))).toEqual([]);
  });
});
