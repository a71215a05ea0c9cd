import { globSync, readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, startChromium } from '../../support/http/chromium.ts';
import { openConsole } from '../../support/http/console-page.ts';
import { type Start, walk } from '../../support/http/console-walk.ts';
import { addressesIn, cut, fillWithHostile, hostileTexts } from '../../support/http/hostile-content.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

// Everything that opens in the console: menus, pickers, dialogs and forms, full of hostile content, in `npm run proof`.

const [markup = '', bidi = '', emoji = '', long = '', address = ''] = hostileTexts;

/**
 * Answers for the API where it must not do what is asked for, because the walk presses everything, and where hostile texts
 * come from elsewhere. It does so inside the page: routes of Playwright's would switch off the browser's cache, and each
 * loading would fetch everything. https://playwright.dev/docs/api/class-page#page-route
 */
const answersFor = (text: string) => `{
  const text = ${JSON.stringify(text)};
  const original = window.fetch;
  const problem = (status, code, headers = {}) => Response.json(
    { status, code, detail: text, requestId: 'req_of_the_walk' },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  );
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith('/api/v1/')) return original(request);
    if (pathname.endsWith('/links/bulk') && request.method === 'POST') {
      const { links } = await request.json();
      if (links.length > 100) return problem(429, 'rate_limited', { 'Retry-After': '60' });
      const failed = links.map(({ url, customSlug = null }, index) => ({ index, url, customSlug, code: 'unknown', message: text }));
      return Response.json({ created: 0, activeCount: 0, pendingCount: 0, failed, links: [] });
    }
    if (pathname.includes('/links/bulk')) {
      const { ids } = await request.json();
      const failed = ids.map((id, index) => ({ index, id, code: 'unknown', message: text }));
      return Response.json({ updated: 0, deleted: 0, failed });
    }
    // An export that works closes its dialog at once. Only those of links ask for archived ones, too, from the oldest.
    const isExport = pathname.endsWith('/clicks') || (searchParams.get('archived') === 'any' && searchParams.get('order') === 'asc');
    if (isExport || /PATCH|PUT|DELETE/.test(request.method)) return problem(403, 'forbidden');
    if (pathname.endsWith('/metadata'))
      return Response.json({ url: searchParams.get('url'), title: text, description: text, image: 'https://example.com/x.png' });
    return original(request);
  };
}`;

/** Files that somebody may be sent, for each step of an import. */
function importsOf(text: string): readonly Start[] {
  const cell = (value: string) => `"${value.replaceAll('"', '""')}"`;
  const choose = (content: string) => (page: Page) =>
    page.setInputFiles('input[type=file]', {
      name: `${text.replaceAll('/', '')}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    });
  const good = (n: number) => `https://example.com/${n},n${n},${cell(cut(text, 200))},a tag,\n`;
  const bad = `${cell(text)},${cell(text)},,,\n`;
  const head = `url,slug,title,tags,${cell(text)}\n`;
  const then = (content: string, name: RegExp, shown: string) => async (page: Page) => {
    await choose(content)(page);
    await page.getByRole('button', { name }).press('Enter');
    await page.getByRole('heading', { name: shown }).waitFor();
  };
  const path = '/import';
  return [
    { path, prepare: choose(`${cell(text)},place\na,b\n`) },
    { path, prepare: choose('url,slug\n') },
    { path, prepare: choose(head + good(1) + bad) },
    { path, prepare: choose(head + good(1) + bad.repeat(20)) },
    { path, prepare: then(head + Array.from({ length: 200 }, (_, n) => good(n)).join(''), /^Import 200 links/, 'Importing') },
    { path, prepare: then(head + good(1) + bad, /^Import 1 link/, 'Done') },
  ];
}

/** How many pages walk at the same time. Each mostly waits for frames and answers. */
const walkers = 3;

const starts = (text: string): readonly Start[] => [
  {
    path: '/links',
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Long address' }).fill(`https://example.com/?${Math.random()}`);
      await page.keyboard.press('Enter');
      await page.locator('.created-head').waitFor();
    },
  },
  {
    path: '/new',
    prepare: async (page) => {
      await page.getByLabel('Destination', { exact: true }).fill('https://example.com/');
      await page.keyboard.press('Tab');
      await page.getByText('From the page.').waitFor();
    },
  },
  {
    path: '/webhooks',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add a webhook' }).press('Enter');
      const address = page.getByRole('dialog').getByLabel('Address');
      await address.fill(`https://hooks.example.com/${encodeURIComponent(cut(text, 100))}`);
      await page.keyboard.press('Enter');
      await page.getByText('Copy it now.').waitFor();
    },
  },
  {
    path: '/members',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Invite someone' }).press('Enter');
      await page.getByLabel('Email address').fill(`${Math.random()}@example.com`);
      await page.keyboard.press('Enter');
      await page.getByText('Copy it now.').waitFor();
    },
  },
  ...importsOf(text),
];

/** An ended session, whose form reloads the page for each press. */
const endedSession: Start = {
  path: '/links',
  prepare: async (page) => {
    await page.evaluate(`{
      const original = window.fetch;
      window.fetch = async () => {
        window.fetch = original;
        return new Response('{}', { status: 401 });
      };
    }`);
    await page.getByRole('searchbox').fill('something');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  },
};

/** For each dialog of the console, how its title may begin, as far as its source says. */
const dialogTitles = (): readonly (readonly string[])[] =>
  globSync('clients/console/**/*.tsx')
    // Only somebody who has signed in with a provider opens this one: test/clients/console/sign-in.test.ts.
    .filter((file) => !file.endsWith('shell/sessions.tsx'))
    .flatMap((file) => readFileSync(file, 'utf8').match(/<(Dialog|Confirm|ShownOnce)\b[^>]*?\btitle=[^\n]*/g) ?? [])
    // Placeholders for a title that is still loading don't count.
    .filter((tag) => !tag.includes("?? '"))
    .map((tag) => tag.slice(tag.indexOf('title=')).match(/(?<=["'`])[A-Z][A-Za-z]*(?: [a-z]+)*/g) ?? [])
    .filter((beginnings) => beginnings.length > 0);

describe.runIf(chromiumPath && sized(false, true))('Every menu, picker, dialog and form of the console', () => {
  let service: Service;
  let browser: Browser;
  const opened = new Set<string>();
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), startChromium()]);
  });
  afterAll(() => browser?.close());

  // At the same time, because each walk mostly waits.
  test.concurrent.for([
    [360, [address, bidi, markup, long]],
    [1_400, [address, markup, bidi, emoji]],
  ] as const)(
    'passes axe at %i pixels in both colours, fits the window, shows and returns the focus, and runs nothing that others wrote.',
    async ([width, texts]) => {
      const text = texts.at(-1) ?? '';
      const workspace = await service.newWorkspace(text);
      const things = await fillWithHostile(service, workspace, texts);
      const opening = { width, withAxe: true, hasAwsRates: false };
      const consoles = await Promise.all(
        Array.from({ length: walkers }, () => openConsole(browser, service, workspace, opening)),
      );
      const pages = consoles.map(({ page }) => page);
      for (const page of pages) {
        await page.addInitScript(answersFor(text));
        await page.addInitScript(`if (location.protocol === 'http:') {
          localStorage.clear();
          indexedDB.deleteDatabase('links-imports');
          sessionStorage.setItem('links-key', '${workspace.key}');
        }`);
      }
      const [first = ''] = things.linkIds.slice(-1);
      const [page] = pages as [Page];
      const addresses = await addressesIn(page, workspace, { ...things, linkIds: [first] });
      // What takes longest begins first, so that no page walks alone in the end.
      const all = [endedSession, ...addresses.map((path) => ({ path })), ...starts(text)];
      const { names, problems } = await walk(pages, `${service.baseUrl}/console/${workspace.id}`, all);
      for (const name of names) opened.add(name);
      expect(problems).toEqual([]);
      expect(consoles.flatMap(({ wrong }) => wrong)).toEqual([]);
      expect(new Set(consoles.flatMap(({ asked }) => [...asked]))).toEqual(new Set([service.baseUrl]));
    },
  );

  test('has been opened by these walks, if it is a dialog.', () => {
    const titles = dialogTitles();
    expect(titles.length).toBeGreaterThan(15);
    expect(titles.filter((beginnings) => !beginnings.some((one) => [...opened].some((name) => name.startsWith(one))))).toEqual(
      [],
    );
  });
});
