import type { Browser, Page } from 'playwright-core';
import { Temporal } from 'temporal-polyfill';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../../support/http/chromium.ts';
import { openConsole, settled, violationsIn } from '../../../support/http/console-page.ts';
import { type Service, useService } from '../../../support/service/service.ts';
import { clickOf, recordClicks } from '../../../support/things/clicks.ts';

// Links in the order of their clicks, in a real browser.

const dayMs = 24 * 60 * 60_000;

describe.runIf(chromiumPath)('The list of links', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  /** A workspace with links that were clicked so many days ago. */
  async function clicked(daysAgo: Readonly<Record<string, readonly number[]>>) {
    const workspace = await service.newWorkspace();
    const links = Object.keys(daysAgo).map((customSlug) => ({
      url: 'https://example.com/',
      customSlug,
      title: `Of ${customSlug}`,
    }));
    expect((await workspace.importLinks(links)).body.failed).toEqual([]);
    const listed: { readonly id: string; readonly shortCode: string; readonly clickCount: number }[] = [];
    const list = async () => {
      const page = (await workspace.call('GET', '/links?limit=100')).body;
      const more = page.nextCursor ? (await workspace.call('GET', `/links?limit=100&cursor=${page.nextCursor}`)).body.links : [];
      return [...page.links, ...more] as typeof listed;
    };
    listed.push(...(await list()));
    const idOf = (slug: string) => listed.find(({ shortCode }) => shortCode === slug)?.id ?? '';
    const click = (slug: string, ago: number) => {
      const link = { id: idOf(slug), workspaceId: workspace.id, domain: workspace.domain, clickEpoch: 0 };
      return clickOf(link, Date.now() - ago * dayMs - 60_000, { slug });
    };
    const clicks = Object.entries(daysAgo).flatMap(([slug, days]) => days.map((ago) => click(slug, ago)));
    await recordClicks(clicks);
    const counted = async () => (await list()).reduce((sum, { clickCount }) => sum + clickCount, 0);
    await expect.poll(counted).toBe(clicks.length);
    return { ...workspace, idOf, click };
  }

  /** Makes a link at a time of the past, which the API does not. */
  async function makeAt(createdAt: string, host: string, customSlug: string) {
    const { getDomain } = await import('../../../../lambdas/store/domains/domains.ts');
    const { createLinks } = await import('../../../../lambdas/store/links/imports.ts');
    const domain = await getDomain(host);
    if (!domain) throw new Error('the workspace has no domain');
    const lease = { requestId: `req_${customSlug}`, salt: customSlug, createdAt, isRecorded: false, resumed: false };
    await createLinks(domain, [{ index: 0, url: 'https://example.com/', customSlug }], new Map(), lease);
  }

  const few = { often: [40, 41, 42], lately: [1, 2], once: [10], never: [] };
  const slugs = async (page: Page) =>
    (await page.locator('.grid [data-row] .short > bdi').allTextContents()).map((path) => path.slice(1));
  /** The column of clicks, by slug. */
  const numbers = async (page: Page): Promise<Record<string, string>> => {
    const shown = await page.locator('.grid [data-row] > .number').allInnerTexts();
    return Object.fromEntries((await slugs(page)).map((slug, row) => [slug, shown[row] ?? '']));
  };
  const order = (page: Page) => page.getByLabel('Order', { exact: true });
  const search = (page: Page) => new URL(page.url()).search;

  test('sorts by clicks and by the last click, of all time or of some days, as its address says, and Back undoes it.', async () => {
    const workspace = await clicked(few);
    const { page, wrong } = await openConsole(browser, service, workspace, { withAxe: true });
    await settled(page);
    await order(page).selectOption('Most clicks first');
    await expect.poll(() => slugs(page)).toEqual(['often', 'lately', 'once', 'never']);
    expect(search(page)).toBe('?sort=clicks');
    await page.getByLabel('Count the clicks of').selectOption('30 days');
    await expect.poll(async () => (await slugs(page)).slice(0, 2)).toEqual(['lately', 'once']);
    expect(search(page)).toBe('?sort=clicks&range=30d');
    await page.getByText('Most clicks first: 30 days').waitFor();
    await page.getByRole('columnheader', { name: 'Clicks 30 days' }).waitFor();
    expect(await numbers(page)).toEqual({ lately: '2', once: '1', never: '0', often: '0' });
    // A change of a link leaves the number.
    await page.getByRole('button', { name: /^Actions for .*often$/ }).click();
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await page.getByText('often is switched off.').waitFor();
    expect(await numbers(page)).toMatchObject({ lately: '2', often: '0' });
    await order(page).selectOption('Latest click first');
    await page.getByRole('columnheader', { name: 'Last click 30 days' }).waitFor();
    await page.locator('.grid [data-row]', { hasText: 'Of often' }).getByText('None').waitFor();
    await page.goBack();
    expect(await violationsIn(page)).toEqual([]);
    await page.goBack();
    await expect.poll(() => slugs(page)).toEqual(['often', 'lately', 'once', 'never']);
    await order(page).selectOption('Latest click first');
    await expect.poll(() => slugs(page)).toEqual(['lately', 'once', 'often', 'never']);
    await page.getByRole('columnheader', { name: 'Last click' }).waitFor();
    await order(page).selectOption('Earliest click first');
    await expect.poll(() => slugs(page)).toEqual(['often', 'once', 'lately', 'never']);
    expect(search(page)).toBe('?sort=lastClickedAt&order=asc');
    await page.reload();
    await expect.poll(() => slugs(page)).toEqual(['often', 'once', 'lately', 'never']);
    await page.getByRole('button', { name: /^Remove the filter Earliest click first/ }).click();
    await expect.poll(() => search(page)).toBe('');
    await expect.poll(async () => (await slugs(page)).toSorted()).toEqual(['lately', 'never', 'often', 'once']);
    expect(wrong).toEqual([]);
  });

  test('shows the older links without a click in some days or since a day, which begin at midnight here, in any order.', async () => {
    const workspace = await clicked(few);
    await makeAt('2026-01-01T00:00:00.000Z', workspace.domain, 'old');
    const timezoneId = 'America/St_Johns';
    const { page, wrong } = await openConsole(browser, service, workspace, { timezoneId });
    await settled(page);
    const lastClick = page.getByLabel('Last click', { exact: true });
    const asked = async (path: string, act: () => Promise<unknown>) => {
      const waiting = page.waitForRequest((request) => new URL(request.url()).pathname === `/api/v1${path}`);
      await act();
      const { searchParams } = new URL((await waiting).url());
      expect(searchParams.get('createdBefore')).toBe(searchParams.get('notClickedSince'));
      return searchParams.get('notClickedSince');
    };
    const midnight = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime(timezoneId).epochMilliseconds).toISOString();
    const today = Temporal.Now.plainDateISO(timezoneId);
    expect(await asked('/links', () => lastClick.selectOption('No click in 60 days'))).toBe(
      midnight(today.subtract({ days: 59 })),
    );
    await expect.poll(() => slugs(page)).toEqual(['old']);
    expect(search(page)).toBe('?unclicked=60d');
    await lastClick.selectOption('No click since…');
    await page.getByLabel('Day', { exact: true }).fill('2026-03-09');
    const show = page.getByRole('button', { name: 'Show', exact: true });
    expect(await asked('/links', () => show.click())).toBe(midnight(Temporal.PlainDate.from('2026-03-09')));
    expect(search(page)).toBe('?unclicked=2026-03-09');
    const sorts = () => order(page).selectOption('Most clicks first');
    expect(await asked('/links/ranked', sorts)).toBe(midnight(Temporal.PlainDate.from('2026-03-09')));
    await expect.poll(() => slugs(page)).toEqual(['old']);
    await page.getByRole('button', { name: 'Remove the filter No click since 2026-03-09' }).click();
    await expect.poll(() => slugs(page)).toEqual(['often', 'lately', 'once', 'never', 'old']);
    expect(search(page)).toBe('?sort=clicks');
    expect(wrong).toEqual([]);
  });

  test('shows links that are made, changed, deleted and brought back while it is sorted; panel, keys and selection work.', async () => {
    const workspace = await clicked(few);
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/links?sort=clicks' });
    await expect.poll(() => slugs(page)).toEqual(['often', 'lately', 'once', 'never']);
    await page.locator('.grid [data-row="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Link' });
    await panel.getByRole('heading', { name: 'Of lately' }).waitFor();
    expect(search(page)).toBe('?sort=clicks');
    await panel.getByRole('button', { name: 'Edit' }).click();
    await panel.getByLabel('Title').fill('Changed');
    await page.keyboard.press('Control+Enter');
    await page.locator('.grid [data-row="1"]', { hasText: 'Changed' }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('textbox', { name: 'Long address' }).fill('https://example.com/new');
    await page.keyboard.press('Enter');
    await page.getByText('Link created and copied', { exact: true }).waitFor();
    await expect.poll(async () => (await slugs(page)).slice(0, 3)).toEqual(['often', 'lately', 'once']);
    await expect.poll(async () => (await slugs(page)).length).toBe(5);
    await page.getByRole('button', { name: /^Actions for .*often$/ }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete link' }).click();
    await expect.poll(async () => (await slugs(page)).slice(0, 2)).toEqual(['lately', 'once']);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    // It is another link, without clicks.
    await expect.poll(async () => (await slugs(page)).slice(2)).toContain('often');
    await expect.poll(async () => (await slugs(page)).slice(0, 2)).toEqual(['lately', 'once']);

    // Shift with an arrow continues from a checkbox as from its row.
    await page.locator('.grid [data-row="1"]').getByRole('checkbox').check();
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Clear the selection' }).click();
    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await page.getByText('5 selected').waitFor();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('5 links switched off.').waitFor();
    await expect.poll(() => page.locator('.grid [data-row] .state-word', { hasText: 'Off' }).count()).toBe(5);
    expect((await slugs(page)).slice(0, 2)).toEqual(['lately', 'once']);
    expect(wrong).toEqual([]);
  });

  test('pages through a ranking without a gap or a repetition while clicks arrive.', async () => {
    const names = Array.from({ length: 130 }, (_, n) => `link-${n}`);
    const workspace = await clicked(Object.fromEntries(names.map((name, n) => [name, n < 120 ? [n % 5, 1] : []])));
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/links?sort=lastClickedAt&range=30d' });
    await page.getByText('100 links so far').waitFor();
    await recordClicks(['link-4', 'link-125', 'link-9'].map((slug) => workspace.click(slug, 0)));
    await page.locator('.grid [data-row="0"]').focus();
    await page.keyboard.press('End');
    await page.getByText('130 links.').waitFor();
    await page.keyboard.press('Home');
    const seen = new Set<string>();
    for (let n = 0; n < 40 && seen.size < 130; n++) {
      for (const slug of await slugs(page)) seen.add(slug);
      await page.keyboard.press('PageDown');
      await settled(page);
    }
    expect([...seen].toSorted()).toEqual(names.toSorted());
    expect(wrong).toEqual([]);
  });

  test('says what to do if there are too many clicks to sort by, and if somebody may not see clicks.', async () => {
    const workspace = await clicked({ one: [] });
    const { page } = await openConsole(browser, service, workspace);
    await settled(page);
    await page.route('**/links/ranked?*', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 422, code: 'too_much_to_read', detail: 'A request reads at most …' }),
      }),
    );
    await order(page).selectOption('Most clicks first');
    await page.getByText('There are too many clicks to sort by.').waitFor();
    await page.unroute('**/links/ranked?*');
    await page.getByRole('button', { name: 'Count only 30 days' }).click();
    await expect.poll(() => search(page)).toBe('?sort=clicks&range=30d');
    await expect.poll(() => slugs(page)).toEqual(['one']);

    const { key } = await workspace.newKey(['links:read', 'tags:read', 'domains:read']);
    const { page: other } = await openConsole(browser, service, workspace, { key, path: '/links?sort=clicks' });
    await other.getByText('You need permission to view statistics').waitFor();
    await order(other).selectOption('Newest first');
    await expect.poll(() => slugs(other)).toEqual(['one']);
    expect(await order(other).locator('option').count()).toBe(2);
  });

  test('says that all links are archived if none is left besides, shows them with one press, and undoes that.', async () => {
    const workspace = await clicked({ one: [], two: [] });
    const { page, wrong } = await openConsole(browser, service, workspace);
    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('All links are archived. They still work.').waitFor();
    await page.getByRole('button', { name: 'Show archived links' }).click();
    await expect.poll(async () => (await slugs(page)).toSorted()).toEqual(['one', 'two']);
    expect(search(page)).toBe('?archived=1');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => slugs(page)).toEqual([]);
    const { links } = (await workspace.call('GET', '/links')).body;
    expect(links).toMatchObject([{ isArchived: false }, { isArchived: false }]);
    expect(wrong).toEqual([]);
  });
});
