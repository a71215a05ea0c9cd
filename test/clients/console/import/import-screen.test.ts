import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../../support/http/chromium.ts';
import { openConsole, overflowOf, violationsIn } from '../../../support/http/console-page.ts';
import { sized, someOf } from '../../../support/run/proof.ts';
import { type Service, useService, type Workspace } from '../../../support/service/service.ts';

// The import in a real browser. It waits for the limit on imports, so it runs in `npm run proof`.

const choose = (page: Page, name: string, text: string) =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Makes a tag in the picker of a check. */
async function addTag(page: Page, name: string) {
  await page.getByRole('button', { name: 'Choose', exact: true }).click();
  await page.getByRole('searchbox').fill(name);
  await page.getByRole('searchbox').press('Enter');
  await page.getByRole('checkbox', { name }).waitFor();
  await page.keyboard.press('Escape');
}

/** All links of a workspace. */
async function allLinks({ call }: Workspace) {
  const links: { url: string; shortCode: string; tags: { name: string }[] }[] = [];
  let cursor = '';
  do {
    const { body } = await call('GET', `/links?limit=100${cursor && `&cursor=${cursor}`}`);
    links.push(...body.links);
    cursor = body.nextCursor;
  } while (cursor);
  return links;
}

describe.runIf(chromiumPath)('Before an import', () => {
  const looks = [
    ['light', 1_400],
    ['dark', 390],
  ] as const;

  test.for(someOf(looks, 'looks of the import'))(
    "the page names the dialect, refuses only malformed rows, checks the API's rules, and ends a day in the chosen zone: %s, %i pixels.",
    async ([theme, width]) => {
      const [service, browser] = await Promise.all([useService(), useChromium()]);
      const workspace = await service.newWorkspace();
      const options = { path: '/import', theme, width, timezoneId: 'Europe/Berlin', withAxe: true } as const;
      const { page, wrong } = await openConsole(browser, service, workspace, options);
      const rows = [
        'sep=;',
        'URL;Short URL;Expires at;Notes',
        'https://example.org/1;go.example.com/sale;2031-12-31;NULL',
        'https://example.org/2;go.example.com/open;;"never closed',
        `https://example.org/3;go.example.com/long;;${'x'.repeat(200_000)}`,
        'https://example.org/4;go.example.com/fine;;5" nails',
      ];
      await choose(page, 'sheet.csv', rows.join('\r\n'));
      await page.getByText('2 links ready · 2 cannot be imported · 1 will differ from the file').waitFor();
      await page.getByText('Read as semicolon CSV.').waitFor();
      await page.getByText('Row 4, open: its quotes do not match').waitFor();
      await page.getByText('Row 5, long: notes must have at most 1000 characters.').waitFor();
      await page.getByText('its expiry 2031-12-31 is the end of that day in UTC').waitFor();
      await page.getByText('expires 1 Jan 2032, 01:00 Europe/Berlin').waitFor();
      await page.getByLabel('Time zone for times that have none').selectOption('Europe/Berlin');
      await page.getByText('expires 1 Jan 2032, 00:00 Europe/Berlin').waitFor();
      expect(await violationsIn(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      expect(wrong).toEqual([]);
    },
  );
});

describe.runIf(chromiumPath)('A template', () => {
  test('is chosen before an import, shows what it adds, and applies to the links; an added tag replaces its tags.', async () => {
    const [service, browser] = await Promise.all([useService(), useChromium()]);
    const workspace = await service.newWorkspace();
    await workspace.call('POST', '/templates', {
      name: 'Newsletter',
      tagIds: [await workspace.newTag('Mail')],
      utmSource: 'mail',
      redirectType: 'PERMANENT_301',
      blockBots: true,
    });
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/import', withAxe: true });
    const importAll = async (name: string, urls: readonly string[]) => {
      await choose(page, name, `url\n${urls.join('\n')}\n`);
      await page.getByLabel('Template').selectOption('Newsletter');
    };
    await importAll('few.csv', ['https://example.com/1', 'https://example.com/2?utm_source=own']);
    await page.getByText('https://example.com/1?utm_source=mail', { exact: true }).waitFor();
    await page.getByText('https://example.com/2?utm_source=own', { exact: true }).waitFor();
    await page.getByText('Values in the file take priority.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import 2 links' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await page.getByRole('button', { name: 'Import another file' }).click();
    await importAll('more.csv', ['https://example.com/3']);
    await addTag(page, 'Own');
    await page.getByText('They replace the tags of the template.').waitFor();
    await page.getByRole('button', { name: 'Import 1 link' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    const { links } = (await workspace.call('GET', '/links')).body;
    expect(
      links
        .map(
          ({
            url,
            tags,
            redirectType,
            blockBots,
          }: {
            url: string;
            tags: { name: string }[];
            redirectType: string;
            blockBots: boolean;
          }) => [url, tags.map(({ name }) => name).join(), redirectType, blockBots],
        )
        .sort(),
    ).toEqual([
      ['https://example.com/1?utm_source=mail', 'Mail', 'PERMANENT_301', true],
      ['https://example.com/2?utm_source=own', 'Mail', 'PERMANENT_301', true],
      ['https://example.com/3?utm_source=mail', 'Own', 'PERMANENT_301', true],
    ]);
    expect(wrong).toEqual([]);
  });
});

describe.runIf(chromiumPath && sized(false, true))('The import', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  test('of 5,000 rows, half of them without slugs, survives reloads and a pause, and makes no link twice.', async () => {
    const workspace = await service.newWorkspace();
    const { page, wrong, asked } = await openConsole(browser, service, workspace, { path: '/import' });
    const urls = Array.from({ length: 5_000 }, (_, n) => `https://example.com/${n}`);
    const lines = urls.map((url, n) => `${url},${n % 2 === 0 ? `n${n}` : ''},Title ${n}`);
    await choose(page, 'many.csv', `url,slug,title\n${lines.join('\n')}\nnot an address,x,\n`);
    await page.getByText('5,000 links ready').waitFor();
    await addTag(page, 'from a file');
    // The page is reloaded during a request, which is carried out, and whose answer never arrives.
    let bulk = 0;
    await page.route('**/links/bulk', async (route) => {
      if (++bulk !== 2) return route.continue();
      await route.fetch();
      await page.reload().catch(() => {});
    });
    await page.getByRole('button', { name: 'Import 5,000 links' }).press('Enter');
    // After three requests, the limit is used up.
    await page.getByText(/too many requests, next in \d+ s/).waitFor();
    await page.reload();
    await page.getByText(/too many requests, next in \d+ s/).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('heading', { name: 'Paused' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor({ timeout: 5 * 60_000 });
    await page.getByText('5,001 of 5,001 rows · 5,000 created · 0 already existed · 1 refused').waitFor();

    const links = await allLinks(workspace);
    expect(links.map(({ url }) => url).sort()).toEqual(urls.toSorted());
    expect(links.every(({ tags }) => tags.map(({ name }) => name).join() === 'from a file')).toBe(true);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download report' }).click(),
    ]);
    const report = readFileSync(await download.path(), 'utf8');
    expect(report.split('\r\n').filter((line) => line.includes(',created,'))).toHaveLength(5_000);
    expect(report).toContain('5002,x,not an address,refused,url must');

    // A finished import that is closed leaves nothing in the browser.
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByText('Drop a file').waitFor();
    await page.reload();
    await page.getByText('Drop a file').waitFor();
    expect(wrong).toEqual([]);
    expect([...asked]).toEqual([service.baseUrl]);
  });

  test('in two tabs is carried out once: neither replaces the import of the other, and a pause is one for both.', async () => {
    const workspace = await service.newWorkspace();
    const { page, context, wrong } = await openConsole(browser, service, workspace, { path: '/import' });
    const other = await context.newPage();
    await other.goto(`${service.baseUrl}/console/${workspace.id}/import#key=${workspace.key}`);
    const rows = Array.from({ length: 4_000 }, (_, n) => `https://example.com/${n},n${n}`);
    await choose(other, 'other.csv', 'url,slug\nhttps://example.com/other,other\n');
    await other.getByText('1 link ready').waitFor();
    await choose(page, 'many.csv', `url,slug\n${rows.join('\n')}\n`);
    await page.getByRole('button', { name: 'Import 4,000 links' }).click();
    await page.getByText(/too many requests, next in \d+ s/).waitFor();
    await other.getByRole('button', { name: 'Import 1 link' }).click();
    await other.getByText('Another tab has started an import.').waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Importing in another tab: many.csv' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Paused: many.csv' }).waitFor();
    await other.getByRole('button', { name: 'End the import' }).click();
    await choose(other, 'other.csv', 'url,slug\nhttps://example.com/other,other\n');
    await other.getByRole('button', { name: 'Import 1 link' }).click();
    // The limit on imports is used up.
    await other.getByText(/next in \d+ s/).waitFor();
    // The first tab still shows its ended import.
    await page.getByRole('button', { name: 'End the import' }).click();
    await page.getByText('Drop a file').waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Done: other.csv' }).waitFor({ timeout: 2 * 60_000 });
    expect((await allLinks(workspace)).filter(({ shortCode }) => shortCode === 'other')).toHaveLength(1);
    expect(wrong).toEqual([]);
  });

  test.for([
    ['light', 1_400],
    ['dark', 360],
    ['dark', 1_400],
    ['light', 360],
  ] as const)('In %s colours at %i pixels, axe finds nothing, and everything works by keyboard.', async ([theme, width]) => {
    const workspace = await service.newWorkspace();
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/import', theme, width, withAxe: true });
    const check = async (where: string) => {
      expect(await violationsIn(page), where).toEqual([]);
      expect(await overflowOf(page), where).toBe(0);
    };
    await page.getByText('Drop a file').waitFor();
    await check('choose');
    await choose(page, 'nothing.csv', 'name,place\na,b\n');
    await page.getByText('does not look like any of the formats').waitFor();
    await page.getByRole('button', { name: 'Read as CSV' }).press('Enter');
    await page.getByText('there is no column "url"').waitFor();
    await check('refused');
    await choose(page, 'empty.csv', 'url,slug\n');
    await page.getByText('empty.csv has no rows.').waitFor();
    const long = 'Averylongwordwithoutanyspaces'.repeat(8);
    await choose(page, 'few.csv', `url,slug,title,tags\nhttps://example.com/${long},a,${long},x|y\nftp://x,${long},,\n`);
    await page.getByText('1 link ready · 1 cannot be imported').waitFor();
    await check('check');
    await page.keyboard.press('Escape');
    await page.getByText('Drop a file').waitFor();
    await choose(page, 'few.csv', 'url,slug\nhttps://example.com/,a\n');
    await page.getByRole('button', { name: 'Import 1 link' }).press('Enter');
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await check('done');
    // Nothing tells these links from others.
    await page.getByText('the list cannot show only them').waitFor();
    expect(await page.getByRole('link', { name: /^Show the links/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Import another file' }).press('Enter');
    await choose(page, 'spring (1).csv', 'url,slug\nhttps://example.com/b,b\n');
    await page.getByRole('button', { name: 'Name a tag after the file' }).press('Enter');
    await page.getByRole('button', { name: 'Import 1 link' }).press('Enter');
    await page.getByRole('link', { name: 'Show the links with this tag' }).press('Enter');
    await page.getByText('1 link.', { exact: true }).waitFor();
    expect((await allLinks(workspace)).map(({ shortCode, tags }) => [shortCode, ...tags.map(({ name }) => name)]).sort()).toEqual(
      [['a'], ['b', 'spring 1']],
    );
    expect(wrong).toEqual([]);
  });
});
