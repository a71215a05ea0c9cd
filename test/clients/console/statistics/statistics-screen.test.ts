import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { Temporal } from 'temporal-polyfill';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, startChromium, useChromium } from '../../../support/http/chromium.ts';
import { openConsole, overflowOf, settled, violationsIn } from '../../../support/http/console-page.ts';
import { sized } from '../../../support/run/proof.ts';
import { type Service, useService } from '../../../support/service/service.ts';
import { clickOf, recordClicks } from '../../../support/things/clicks.ts';

// The statistics in a real browser, compared with the API and with the clicks.

const hourMs = 60 * 60_000;
const countries = ['DE', 'DE', 'AT', 'CH', 'US', 'FR', 'GB', 'NL', 'PL', 'IT', 'ES', 'unknown'];

/** Only in `npm run proof`. */
const thorough = test.runIf(sized(false, true));

describe.runIf(chromiumPath)('The statistics', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  /** A workspace with two links and clicks at these times. */
  async function lively(times = Array.from({ length: 400 }, (_, n) => Date.now() - ((n * 7) % 960) * hourMs - n * 1_000)) {
    const workspace = await service.newWorkspace();
    await workspace.importLinks([
      { url: 'https://example.com/1', customSlug: 'one', title: 'One' },
      { url: 'https://example.com/2', customSlug: 'two', title: '<b>Two</b>' },
    ]);
    const { links } = (await workspace.call('GET', '/links')).body;
    const clicks = times.map((at, n) => {
      const { id, shortCode } = links[n % 3 === 0 ? 1 : 0];
      const link = { id, workspaceId: workspace.id, domain: workspace.domain, clickEpoch: 0 };
      return clickOf(link, at, {
        country: countries[Math.floor(n / 3) % countries.length] ?? 'DE',
        device: Math.floor(n / 5) % 4 === 0 ? 'desktop' : 'mobile',
        referrer: n % 5 === 0 ? 'news.example.com' : `site-${n % 50}.example.com`,
        slug: shortCode,
        utmSource: n % 7 === 0 ? 'a,b' : 'none',
        visitor: `visitor-${n % 90}`,
      });
    });
    await recordClicks(clicks);
    const all = {
      from: '2020-01-01T00:00:00Z',
      to: new Date(Date.now() + hourMs).toISOString().replace(/\.\d+/, ''),
      interval: 'month',
    };
    const counted = async () => (await workspace.call('GET', `/stats?${new URLSearchParams(all)}`)).body.total;
    await expect.poll(counted).toBe(clicks.length);
    const one = links.find(({ shortCode }: { shortCode: string }) => shortCode === 'one').id as string;
    return { workspace, one };
  }

  /** The page's last request to the API, with its answer. */
  async function answers(page: Page, part: string, act: () => Promise<unknown>) {
    const waiting = page.waitForResponse((response) => response.url().includes(part) && response.ok());
    await act();
    const response = await waiting;
    return { url: new URL(response.url()), body: await response.json() };
  }

  const number = (text: string | null | undefined) => Number((text ?? '').replace(/[^\d]/g, ''));
  const figure = async (page: Page, name: string) =>
    number(await page.locator('.figure', { hasText: name }).first().locator('.figure-value').textContent());

  const numbersIn = async (page: Page, selector: string) => (await page.locator(selector).allTextContents()).map(number);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

  test.for(sized(['America/St_Johns'], ['America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia']))(
    'In %s, plot and panels add up to the clicks of each range, whose days are calendar days there.',
    async (timezoneId) => {
      const today = Temporal.Now.zonedDateTimeISO(timezoneId);
      const changes: Temporal.ZonedDateTime[] = [];
      for (let at = today.getTimeZoneTransition('previous'); at && changes.length < 2; at = at.getTimeZoneTransition('previous'))
        if (today.since(at, { largestUnit: 'days' }).days < 1_000) changes.push(at);
      const times = [
        ...Array.from({ length: 330 }, (_, n) => today.epochMilliseconds - n * 7 * hourMs),
        ...changes.flatMap((at) => Array.from({ length: 150 }, (_, n) => at.epochMilliseconds + (n - 75) * (hourMs / 2))),
      ];
      const dates = times.map((at) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezoneId).toPlainDate());
      const { workspace } = await lively(times);
      const { page, wrong } = await openConsole(browser, service, workspace, {
        timezoneId,
        path: '/statistics',
        hasAwsRates: false,
      });
      const back = (days: number) => today.toPlainDate().subtract({ days: days - 1 });
      const ranges: readonly (readonly [range: string, from: Temporal.PlainDate, to: Temporal.PlainDate])[] = [
        ['today', back(1), back(1)],
        ['7d', back(7), back(1)],
        ['30d', back(30), back(1)],
        ['90d', back(90), back(1)],
        ...changes.map((at) => {
          const [first, last] = [at.toPlainDate().subtract({ days: 1 }), at.toPlainDate().add({ days: 1 })];
          return [`${first}..${last}`, first, last] as const;
        }),
      ];
      for (const [range, from, to] of sized(ranges.slice(-3), ranges)) {
        for (const by of { today: ['hour'], '90d': ['day', 'week'] }[range] ?? ['day']) {
          await page.goto(`${service.baseUrl}/console/${workspace.id}/statistics?range=${range}&by=${by}`);
          await settled(page);
          const { days } = from.until(to);
          const expected = Array.from(
            { length: days + 1 },
            (_, n) => dates.filter((date) => date.equals(from.add({ days: n }))).length,
          );
          const total = await figure(page, 'Clicks');
          expect(total, range).toBe(sum(expected));
          const points = await numbersIn(page, '.plot-table tbody td:nth-child(2)');
          expect(sum(points), `${range} by ${by}`).toBe(total);
          if (by === 'day') expect(points, range).toEqual(expected);
          expect(sum(await numbersIn(page, '.plot-table tbody td:nth-child(3)'))).toBe(await figure(page, 'Unique clicks'));
          if (total > 0) await page.getByRole('region', { name: 'Top links' }).locator('.bar-row').first().waitFor();
          const panels = await page.locator('.stats-panel').all();
          for (const panel of panels) {
            const clicks = (await panel.locator('.number:not(.share)').allTextContents()).map(number);
            expect(sum(clicks), `${range}: ${await panel.innerText()}`).toBe(total);
          }
          expect(panels.length).toBe(total === 0 ? 0 : 10);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  test('The plot shows the days of its range, and the line under the pointer is at the point whose numbers are shown.', async () => {
    const { workspace } = await lively();
    const { page } = await openConsole(browser, service, workspace, { path: '/links' });
    await page.addInitScript(`window.labels = [];
      const draw = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        window.labels.push(text);
        return draw.call(this, text, ...rest);
      };`);
    const days = (range: string) => page.goto(`${service.baseUrl}/console/${workspace.id}/statistics?range=${range}&tz=UTC`);
    // There are no clicks in these ranges, so both plots have the same scale.
    await days('2025-03-02..2025-03-08');
    await settled(page);
    await page.getByRole('button', { name: 'Earlier' }).click();
    await expect.poll(() => page.evaluate('window.labels')).toContain('23 Feb');
    await days('7d');
    await settled(page);
    const area = await page.locator('.u-over').boundingBox();
    if (!area) throw new Error('the plot has no area');
    for (const part of [0.02, 0.46, 0.98]) {
      await page.mouse.move(area.x + part * area.width, area.y + 50);
      const line = await page.locator('.u-cursor-x').boundingBox();
      const place = Math.round(part * 6);
      expect(Math.abs((line?.x ?? 0) + (line?.width ?? 0) - area.x - (place / 6) * area.width)).toBeLessThan(2);
      const name = await page.locator('.plot-table tbody th').nth(place).textContent();
      expect(await page.locator('.plot-tip p').first().textContent()).toContain(name);
    }
  });

  test('If the browser knows no time zone, days are in UTC, and the page says so.', async () => {
    const { workspace } = await lively();
    const unsure = await startChromium('Etc/Unknown');
    try {
      const { page, wrong } = await openConsole(unsure, service, workspace, { path: '/statistics' });
      await settled(page);
      expect(await page.getByLabel('Time zone').locator('option:checked').textContent()).toMatch(/^UTC.*knows no time zone/);
      expect(await figure(page, 'Clicks')).toBeGreaterThan(0);
      expect(wrong).toEqual([]);
    } finally {
      await unsure.close();
    }
  });

  test("Top links show how their clicks have changed, and a download has the screen's numbers in a form that Excel reads.", async () => {
    const now = Date.now();
    // One link has 2 clicks in this week and 4 in the week before, the other one 1 and 2.
    const { workspace, one } = await lively(
      [...[1, 2, 3], ...[170, 171, 172, 173, 174, 175]].map((hours) => now - hours * hourMs),
    );
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/statistics?range=7d&tz=UTC' });
    const ranking = page.getByRole('region', { name: 'Top links' });
    const changes = ranking.locator('.figure-change');
    await expect.poll(() => changes.count()).toBe(2);
    expect(await changes.first().textContent()).toMatch(/^↓ 50.0 %−2 \(−50.0 %\) from 4, in the period before$/);
    const downloaded = async () => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download CSV' }).click(),
      ]);
      const text = readFileSync(await download.path(), 'utf8');
      expect(text.startsWith('\ufeffpart,value,clicks,uniqueClicks,clicksBefore,title\r\n')).toBe(true);
      const rows = text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(','));
      return { name: download.suggestedFilename(), of: (part: string) => rows.filter(([first]) => first === part) };
    };
    const file = await downloaded();
    expect(file.name).toMatch(/^statistics \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.csv$/);
    expect(file.of('total').map(([, , clicks, , before]) => [clicks, before])).toEqual([['3', '6']]);
    expect(sum(file.of('time').map(([, , clicks]) => Number(clicks)))).toBe(3);
    expect(sum(file.of('time').map(([, , , , before]) => Number(before)))).toBe(6);
    for (const part of ['country', 'referrer', 'device', 'browser'])
      expect(sum(file.of(part).map(([, , clicks]) => Number(clicks))), part).toBe(3);
    const links = file.of('link').map(([, url, clicks, , before]) => ({ path: new URL(url ?? '').pathname, clicks, before }));
    expect(links.map(({ path }) => path).sort()).toEqual(['/one', '/two']);
    const titles = file.of('link').map(([, , , , , title]) => title);
    expect(titles.toSorted()).toEqual(['<b>Two</b>', 'One']);
    expect(await ranking.locator('.bar-label').allTextContents()).toEqual(titles);
    expect(links).toMatchObject([
      { clicks: '2', before: '4' },
      { clicks: '1', before: '2' },
    ]);

    // Top links show no change without a comparison, and the statistics of one link have no top links.
    await page.keyboard.press('x');
    await expect.poll(() => changes.count()).toBe(0);
    expect((await downloaded()).of('link').map(([, , clicks, , before]) => [clicks, before])).toEqual([
      ['2', ''],
      ['1', ''],
    ]);
    await page.goto(`${service.baseUrl}/console/${workspace.id}/statistics?range=7d&of=${one}`);
    const ofOne = await downloaded();
    expect([ofOne.of('total')[0]?.[2], ofOne.of('link')]).toEqual([links.find(({ path }) => path === '/one')?.clicks, []]);
    expect(wrong).toEqual([]);
  });

  test('A print has the whole page in light colours, as wide as the paper, without buttons and navigation.', async () => {
    const { workspace } = await lively();
    const { page } = await openConsole(browser, service, workspace, { theme: 'dark', path: '/statistics?country=DE&country=AT' });
    await page.locator('.plot canvas').waitFor();
    await page.getByRole('region', { name: 'Top links' }).locator('.bar-row').first().waitFor();
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
    expect(pages?.length).toBeGreaterThan(1);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1_000 });
    await settled(page);
    const shape = await page.evaluate(`(() => {
      const [screen, canvas] = [document.querySelector('.stats'), document.querySelector('.plot canvas')];
      return {
        isWhole: screen.scrollHeight === screen.clientHeight,
        isOnPage: screen.getBoundingClientRect().bottom + scrollY <= document.documentElement.scrollHeight,
        canvas: canvas.getBoundingClientRect().right <= innerWidth,
        page: getComputedStyle(document.body).backgroundColor,
      };
    })()`);
    expect(shape).toEqual({ isWhole: true, isOnPage: true, canvas: true, page: 'rgb(255, 255, 255)' });
    expect(await overflowOf(page)).toBe(0);
    const pressed = page.locator(
      '.nav a, .top button, .segments button, .chips button, .stats-about button, .range-steps button',
    );
    for (const control of await pressed.all()) expect(await control.isVisible()).toBe(false);
    await page.getByText('Countries: Germany').waitFor();
    await page.getByText(/^Compare with /).waitFor();
  });

  thorough('The sum, each point and each bar on the screen are exactly the API’s numbers.', async () => {
    const { workspace, one } = await lively();
    const { page, wrong, asked } = await openConsole(browser, service, workspace, { path: '/statistics' });
    await page.locator('.plot canvas').waitFor();
    for (const [path, width] of [
      ['/statistics', 30],
      ['/statistics?range=7d&tz=Asia/Kathmandu', 7],
      [`/statistics?of=${one}&tz=America/New_York`, 30],
      [`/statistics?of=${one}&range=7d&country=DE&country=AT&device=mobile`, 7],
      [`/statistics?of=${workspace.domain}&as=table&utmSource=a%2Cb`, 30],
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
          .locator('.bar-row .number:not(.share)')
          .allTextContents();
        const clicks = body.groups[dimension].slice(0, 8).map(({ clicks }: { clicks: number }) => clicks);
        const rest = body.total - sum(clicks);
        expect(shown.map(number), `${path} ${title}`).toEqual(rest === 0 ? clicks : [...clicks, rest]);
      }
    }
    expect(wrong).toEqual([]);
    expect([...asked]).toEqual([service.baseUrl]);
  });

  thorough('Everything can be chosen by keyboard, is in the address, and can be removed again.', async () => {
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
    await page.getByRole('button', { name: '33 more of Referrers' }).press('Enter');
    const all = page.getByRole('dialog').locator('.bar-row');
    await expect.poll(() => all.count()).toBe(41);
    await page.getByRole('searchbox', { name: 'Search referrers' }).fill('site-13');
    expect(await all.count()).toBe(1);
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

  thorough('The search field above 41 values of a panel keeps its height.', async () => {
    const { workspace, one } = await lively();
    const { page } = await openConsole(browser, service, workspace, { path: `/statistics?of=${one}&range=90d` });
    await page.getByRole('button', { name: '33 more of Referrers' }).click();
    await expect.poll(() => page.getByRole('dialog').locator('.bar-row').count()).toBe(41);
    const field = await page.getByRole('searchbox', { name: 'Search referrers' }).boundingBox();
    expect(field?.height).toBeGreaterThanOrEqual(32);
  });

  thorough('A part that fails says so in its own place, and can be retried.', async () => {
    const { workspace } = await lively();
    const { page } = await openConsole(browser, service, workspace, { path: '/statistics' });
    await page.locator('.plot canvas').waitFor();
    const refuse = (status: number, code: string) => (route: { fulfill: (answer: object) => Promise<void> }) =>
      route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ code, status, detail: 'No.' }) });
    await page.route('**/stats/top-links**', refuse(500, 'internal_error'));
    await page.reload();
    const ranking = page.getByRole('region', { name: /^Top links/ });
    await ranking.getByText('Statistics could not be loaded.').waitFor();
    await page.locator('.plot canvas').waitFor();
    await page.unroute('**/stats/top-links**');
    await ranking.getByRole('button', { name: 'Try again' }).click();
    await ranking.locator('.bar-row').first().waitFor();
    await page.route('**/api/v1/stats?**', refuse(422, 'too_much_to_read'));
    await page.keyboard.press('9');
    await page.getByText('There are too many clicks to count at once. Choose a shorter range.').first().waitFor();
    await page.route('**/api/v1/stats?**', refuse(503, 'temporarily_unavailable'));
    await page.keyboard.press('t');
    await page.getByText('The service cannot do this now. Try again in a minute.').first().waitFor();
    const { key } = await workspace.newKey(['links:read']);
    const other = await openConsole(browser, service, workspace, { path: '/statistics', key });
    await other.page.getByText('You need permission to view statistics (stats:read). Ask an owner.').first().waitFor();
  });

  thorough.for(['light', 'dark'] as const)(
    'While new figures load, the former ones can be read in %s colours.',
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

  thorough.for([
    ['light', 1_400],
    ['dark', 360],
    ['dark', 1_400],
    ['light', 360],
  ] as const)('In %s colours at %i pixels, axe finds nothing, and nothing is wider than the page.', async ([theme, width]) => {
    const { workspace, one } = await lively();
    const { page } = await openConsole(browser, service, workspace, { theme, width, path: '/statistics', withAxe: true });
    for (const path of ['/statistics', '/statistics?as=table', `/statistics?of=${one}&country=DE&country=AT`]) {
      await page.goto(`${service.baseUrl}/console/${workspace.id}${path}`);
      await page.locator('.bar-row').first().waitFor();
      await page.locator('.plot canvas, .table-frame').first().waitFor();
      expect(await violationsIn(page), path).toEqual([]);
      expect(await overflowOf(page), path).toBe(0);
    }
  });
});
