import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, startChromium } from '../../../support/http/chromium.ts';
import { openConsole, overflowOf, violationsIn } from '../../../support/http/console-page.ts';
import { sized } from '../../../support/run/proof.ts';
import { type Service, useService } from '../../../support/service/service.ts';
import { clickOf, makeClicks } from '../../../support/things/clicks.ts';

// The statistics in a real browser, only in `npm run proof`. What they show is compared with the API.

const hourMs = 60 * 60_000;
const countries = ['DE', 'DE', 'AT', 'CH', 'US', 'FR', 'GB', 'NL', 'PL', 'IT', 'ES', 'unknown'];

describe.runIf(chromiumPath && sized(false, true))('The statistics', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), startChromium()]);
  });
  afterAll(() => browser?.close());

  /** A workspace with two links and clicks of 40 days. */
  async function lively() {
    const workspace = await service.newWorkspace();
    await workspace.importLinks([
      { url: 'https://example.com/1', customSlug: 'one', title: 'One' },
      { url: 'https://example.com/2', customSlug: 'two', title: '<b>Two</b>' },
    ]);
    const { links } = (await workspace.call('GET', '/links')).body;
    const clicks = Array.from({ length: 400 }, (_, n) => {
      const { id } = links[n % 3 === 0 ? 1 : 0];
      const link = { id, workspaceId: workspace.id, domain: workspace.domain, clickEpoch: 0 };
      return clickOf(link, Date.now() - ((n * 7) % 960) * hourMs - n * 1_000, {
        country: countries[Math.floor(n / 3) % countries.length] ?? 'DE',
        device: Math.floor(n / 5) % 4 === 0 ? 'desktop' : 'mobile',
        referrer: n % 5 === 0 ? 'news.example.com' : 'direct',
      });
    });
    await makeClicks(clicks);
    const one = links.find(({ shortCode }: { shortCode: string }) => shortCode === 'one').id as string;
    await expect.poll(async () => (await workspace.call('GET', `/links/${one}`)).body.link.clickCount).toBeGreaterThan(100);
    return { workspace, one };
  }

  /** What the page asked the API last, with its answer. */
  async function answers(page: Page, part: string, act: () => Promise<unknown>) {
    const waiting = page.waitForResponse((response) => response.url().includes(part) && response.ok());
    await act();
    const response = await waiting;
    return { url: new URL(response.url()), body: await response.json() };
  }

  const number = (text: string | null | undefined) => Number((text ?? '').replace(/[^\d]/g, ''));
  const figure = async (page: Page, name: string) =>
    number(await page.locator('.figure', { hasText: name }).first().locator('.figure-value').textContent());

  test('Every number on the screen is the API’s, to the click: of the sum, of each point, and of each bar.', async () => {
    const { workspace, one } = await lively();
    const { page, wrong, asked } = await openConsole(browser, service, workspace, { path: '/statistics' });
    await page.locator('.plot canvas').waitFor();
    for (const [path, width] of [
      ['/statistics', 30],
      ['/statistics?range=7d&tz=Asia/Kathmandu', 7],
      [`/statistics?of=${one}&tz=America/New_York`, 30],
      [`/statistics?of=${one}&range=7d&country=DE,AT&device=mobile`, 7],
      [`/statistics?of=${workspace.domain}&as=table`, 30],
    ] as const) {
      const { body } = await answers(page, 'groupBy', () => page.goto(`${service.baseUrl}/console/${workspace.id}${path}`));
      expect(body.total, path).toBeGreaterThan(0);
      expect(body.series).toHaveLength(width);
      await page.locator('.figure').first().waitFor();
      expect(await figure(page, 'Clicks'), path).toBe(body.total);
      const cells = await page.locator('.plot-table tbody tr td:nth-child(2)').allTextContents();
      expect(cells.map(number)).toEqual(body.series.map(({ clicks }: { clicks: number }) => clicks));
      for (const [title, dimension] of [
        ['Countries', 'country'],
        ['Devices', 'device'],
        ['Referrers', 'referrer'],
      ] as const) {
        const shown = await page
          .getByRole('region', { name: new RegExp(`^${title}`) })
          .locator('.bar-row .number:nth-child(2)')
          .allTextContents();
        expect(shown.map(number)).toEqual(body.groups[dimension].slice(0, 8).map(({ clicks }: { clicks: number }) => clicks));
      }
    }
    expect(wrong).toEqual([]);
    expect([...asked]).toEqual([service.baseUrl]);
  });

  test('Everything is chosen by keyboard, stands in the address, and goes away again.', async () => {
    const { workspace, one } = await lively();
    const { page, wrong } = await openConsole(browser, service, workspace, { path: `/statistics?of=${one}&range=7d` });
    await page.locator('.plot canvas').waitFor();
    const search = () => new URL(page.url()).search;
    for (const [key, query] of [
      ['t', `?of=${one}&range=today`],
      ['7', `?of=${one}&range=7d`],
      ['9', `?of=${one}&range=90d`],
      ['3', `?of=${one}`],
      ['x', `?of=${one}&compare=0`],
      ['x', `?of=${one}`],
      ['v', `?of=${one}&as=table`],
      ['v', `?of=${one}`],
      ['7', `?of=${one}&range=7d`],
    ] as const) {
      await page.keyboard.press(key);
      expect(search()).toBe(query);
    }
    await page.keyboard.press('ArrowLeft');
    expect(search()).toMatch(/range=\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/);
    await page.keyboard.press('ArrowRight');
    expect(search()).toBe(`?of=${one}&range=7d`);

    // A bar filters, its chip takes the filter away, and Back brings it back.
    await page.getByRole('link', { name: 'Germany' }).press('Enter');
    expect(search()).toBe(`?of=${one}&range=7d&country=DE`);
    const chip = page.getByRole('button', { name: 'Remove the filter Countries: Germany' });
    await chip.press('Enter');
    expect(search()).toBe(`?of=${one}&range=7d`);
    await page.goBack();
    await chip.waitFor();
    await page.keyboard.press('Escape');
    expect(search()).toBe(`?of=${one}&range=7d`);

    // All values, and an own range.
    await page.keyboard.press('9');
    await page.getByRole('button', { name: /^All \d+ of Countries$/ }).press('Enter');
    await page.getByRole('searchbox', { name: 'Search countries' }).fill('switz');
    expect(await page.getByRole('dialog').locator('.bar-row').count()).toBe(1);
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await page.getByRole('button', { name: 'Custom…' }).press('Enter');
    await page.getByLabel('First day').fill('2026-01-02');
    await page.getByLabel('Last day').fill('2026-01-01');
    await page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
    await page.getByText('The first day must not be after the last one.').waitFor();
    await page.getByLabel('Last day').fill('2026-01-31');
    await page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
    expect(search()).toContain('range=2026-01-02..2026-01-31');
    await page.getByText('No clicks from 2 Jan to 31 Jan 2026.').waitFor();
    await page.getByRole('button', { name: 'Show 90 days' }).press('Enter');
    expect(search()).toContain('range=90d');
    expect(wrong).toEqual([]);
  });

  test('What fails says so in its own place, and can be tried again.', async () => {
    const { workspace } = await lively();
    const { page } = await openConsole(browser, service, workspace, { path: '/statistics' });
    await page.locator('.plot canvas').waitFor();
    const refuse = (status: number, code: string) => (route: { fulfill: (answer: object) => Promise<void> }) =>
      route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ code, status, detail: 'No.' }) });
    await page.route('**/stats/top-links**', refuse(500, 'internal_error'));
    await page.reload();
    const ranking = page.getByRole('region', { name: /^Top links/ });
    await ranking.getByText('Could not be counted.').waitFor();
    await page.locator('.plot canvas').waitFor();
    await page.unroute('**/stats/top-links**');
    await ranking.getByRole('button', { name: 'Try again' }).click();
    await ranking.locator('.bar-row').first().waitFor();
    await page.route('**/api/v1/stats?**', refuse(422, 'too_much_to_read'));
    await page.keyboard.press('9');
    await page.getByText('Too much at once. Choose a shorter range or fewer tags.').first().waitFor();
    const { key } = await workspace.newKey(['links:read']);
    const other = await openConsole(browser, service, workspace, { path: '/statistics', key });
    await other.page.getByText('You need the permission stats:read. Ask an owner.').first().waitFor();
  });

  test.for(['light', 'dark'] as const)(
    'While they are counted again, the figures before can be read in %s colours.',
    async (theme) => {
      const { workspace } = await lively();
      const { page } = await openConsole(browser, service, workspace, { theme, path: '/statistics', withAxe: true });
      await page.locator('.bar-row').first().waitFor();
      await page.route('**/api/v1/stats**', () => {});
      await page.keyboard.press('7');
      await page.locator('.old').first().waitFor();
      expect(await violationsIn(page)).toEqual([]);
    },
  );

  test.for([
    ['light', 1_400],
    ['dark', 360],
    ['dark', 1_400],
    ['light', 360],
  ] as const)('In %s colours at %i pixels, axe finds nothing, and nothing is wider than the page.', async ([theme, width]) => {
    const { workspace, one } = await lively();
    const { page } = await openConsole(browser, service, workspace, { theme, width, path: '/statistics', withAxe: true });
    for (const path of ['/statistics', '/statistics?as=table', `/statistics?of=${one}&country=DE,AT`]) {
      await page.goto(`${service.baseUrl}/console/${workspace.id}${path}`);
      await page.locator('.bar-row').first().waitFor();
      await page.locator('.plot canvas, .table-frame').first().waitFor();
      expect(await violationsIn(page), path).toEqual([]);
      expect(await overflowOf(page), path).toBe(0);
    }
  });
});
