import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTable } from '../../../../clients/console/import/pasted.ts';
import { chromiumPath, useChromium } from '../../../support/http/chromium.ts';
import { openConsole, overflowOf, violationsIn } from '../../../support/http/console-page.ts';
import { someOf } from '../../../support/run/proof.ts';
import { type Service, useService, type Workspace } from '../../../support/service/service.ts';

const [a, b] = ['https://example.com/a', 'https://example.com/b'];

test.for([
  ['a list', `${a}\r\nwww.iana.org\r\n`, [{ url: a }, { url: 'https://www.iana.org' }]],
  ['a list on one line', `${a}, ${b}`, [{ url: a }, { url: b }]],
  ['a row of cells', `${a}\t${b}`, [{ url: a }, { url: b }]],
  [
    'slugs',
    `${a}\tone\nexample.com/b\t\n`,
    [
      { url: a, slug: 'one' },
      { url: b, slug: '' },
    ],
  ],
  [
    'titles before',
    `Ready, go\t${a}\nOne\t${b}`,
    [
      { title: 'Ready, go', url: a },
      { title: 'One', url: b },
    ],
  ],
  [
    'titles, slugs and dates',
    `${a}\tMy one\tone\t1 May\n${b}\t"A ""b"""\ttwo\t2 May`,
    [
      { url: a, title: 'My one', slug: 'one', 'column 4': '1 May' },
      { url: b, title: 'A "b"', slug: 'two', 'column 4': '2 May' },
    ],
  ],
  ['names of columns', `Address\tTitle\tOwner\n${a}\tOne\tAnn`, [{ url: a, title: 'One', owner: 'Ann' }]],
  [
    'a bad first line',
    `not an address\tone\n${a}\ttwo`,
    [
      { url: 'not an address', slug: 'one' },
      { url: a, slug: 'two' },
    ],
  ],
  ['empty columns', `\t${a}\t\n\t${b}\t`, [{ url: a }, { url: b }]],
] as const)('A pasted text with %s is read row by row.', ([, text, values]) => {
  expect(readTable(text).rows.map((row) => row.values)).toEqual(values);
});

test('A column beside the addresses is read as slugs if all its cells could be slugs, unless the person chooses titles.', () => {
  const text = `${a}\tSpring\n${b}\tAutumn`;
  expect(readTable(text)).toMatchObject({ beside: 'slug', dialect: 'pasted text (url, slug)' });
  expect(readTable(text, 'title')).toMatchObject({ beside: 'title', dialect: 'pasted text (url, title)' });
  expect(readTable(`${a}\n${b}`).beside).toBeUndefined();
});

describe.runIf(chromiumPath)('In a browser, pasted addresses', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  const field = (page: Page) => page.getByRole('textbox', { name: 'Long address' });
  const paste = async (page: Page, text: string) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.keyboard.press('Control+V');
  };
  const linksOf = async ({ call }: Workspace) =>
    (await call('GET', '/links')).body.links
      .map(({ url, shortCode, title, domain, tags }: Record<string, unknown> & { tags: { name: string }[] }) => ({
        ...{ url, shortCode, title, domain },
        tags: tags.map(({ name }) => name).toSorted(),
      }))
      .toSorted((one: { url: string }, other: { url: string }) => one.url.localeCompare(other.url));

  test("become links of a domain, with old and new tags, with one press; a line that isn't an address is named and left out.", async () => {
    const workspace = await service.newWorkspace();
    await workspace.newTag('Mail');
    const { page, wrong } = await openConsole(browser, service, workspace);
    await page.getByText('No links yet.').waitFor();
    await page.evaluate('document.activeElement.blur()');
    await paste(page, `${a}\nnot an address\nwww.example.com/b\n`);
    await page.getByText('2 links ready · 1 cannot be imported').waitFor();
    await page.getByText(/Row 2: url must/).waitFor();
    expect(await page.getByLabel('To the domain').inputValue()).toBe(workspace.domain);
    await page.getByRole('button', { name: 'Make a tag for them' }).click();
    await page.getByRole('button', { name: 'Choose', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Mail' }).check();
    await page.getByRole('searchbox').fill('spring');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('checkbox', { name: 'spring' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Import 2 links' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await page.getByText('with the tags Mail, spring, Pasted addresses').waitFor();
    // For the cells beside those that were copied: a line for each row.
    await page.getByRole('button', { name: 'Copy short links' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const { links } = (await workspace.call('GET', '/links')).body as { links: { url: string; shortUrl: string }[] };
    const shortOf = (wanted: string) => links.find(({ url }) => url === wanted)?.shortUrl;
    const copied = [shortOf(a), '', shortOf('https://www.example.com/b')].join('\n');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(copied);
    const made = { shortCode: expect.any(String), domain: workspace.domain, tags: ['Mail', 'Pasted addresses', 'spring'] };
    expect(await linksOf(workspace)).toMatchObject([
      { ...made, url: a },
      { ...made, url: 'https://www.example.com/b' },
    ]);
    expect(await page.getByRole('link', { name: 'Show the links with these tags' }).getAttribute('href')).toContain('match=all');
    // The report makes way for the next pasted addresses, also after a reload, and whatever is open.
    const next = () => paste(page, `${a}/next\n${b}/next\n${b}/last`);
    await page.reload();
    await page.getByRole('heading', { name: 'Done' }).click();
    await next();
    await page.getByText('3 links ready').waitFor();
    // An unfinished import is kept until the person ends it.
    const { promise: isPaused, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/links/bulk', async (route) => {
      await isPaused;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Import 3 links' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('heading', { name: /^Pausing/ }).click();
    await next();
    await page.getByText('The addresses that you pasted will open here when you end this import.').waitFor();
    release();
    await page.getByRole('heading', { name: 'Paused' }).waitFor();
    await page.getByRole('button', { name: 'End the import' }).click();
    await page.getByText('3 links ready').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText('Drop a file').waitFor();
    expect(wrong).toEqual([]);
  });

  const looks = [
    ['light', 1_400],
    ['dark', 390],
  ] as const;

  test.for(someOf(looks, 'looks of pasted titles'))(
    'with titles from a spreadsheet open the check from the field, too: %s, %i pixels.',
    async ([theme, width]) => {
      const workspace = await service.newWorkspace();
      const { page, wrong } = await openConsole(browser, service, workspace, { theme, width, withAxe: true });
      await field(page).click();
      await paste(page, `${a}\tSpring\r\n${b}\tAutumn\r\n`);
      await page.getByText('2 links ready').waitFor();
      expect(await field(page).inputValue()).toBe('');
      await page.getByText(`${workspace.domain}/Spring`).waitFor();
      await page.getByLabel('The column beside the address is the').selectOption('Title');
      await page.getByText(`${workspace.domain}/…`).first().waitFor();
      expect(await violationsIn(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole('button', { name: 'Import 2 links' }).click();
      await page.getByRole('heading', { name: 'Done' }).waitFor();
      expect(await linksOf(workspace)).toMatchObject([
        { url: a, title: 'Spring' },
        { url: b, title: 'Autumn' },
      ]);
      expect(wrong).toEqual([]);
    },
  );

  test('stay text in the field if there is only one, or if they are within a text.', async () => {
    const workspace = await service.newWorkspace();
    const { page, wrong } = await openConsole(browser, service, workspace);
    for (const text of [a, `Look at ${a} and ${b}`]) {
      await field(page).fill('');
      await paste(page, text);
      expect(await field(page).inputValue()).toBe(text);
    }
    expect(await page.getByRole('heading', { name: 'Links' }).count()).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});
