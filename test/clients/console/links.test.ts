import type { Browser, Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../support/http/chromium.ts';
import { openConsole, settled, violationsIn } from '../../support/http/console-page.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

// Making, finding and changing links in a real browser, in `npm run proof`, also while requests fail. What was done is asked
// of the API.

const longAddress = (page: Page) => page.getByRole('textbox', { name: 'Long address' });
const panel = (page: Page) => page.getByRole('complementary', { name: 'Link' });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const toast = (page: Page, text: string | RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(text);

const problem = (status: number, headers: Record<string, string> = {}) => ({
  status,
  contentType: 'application/problem+json',
  headers,
  body: JSON.stringify({ status, code: 'unknown', detail: 'Refused.', requestId: 'req_of_the_test' }),
});
/** Answers the first matching requests itself, and lets the others through. */
const first =
  (many: number, method: string, answer: (route: Route) => Promise<void>) =>
  async (route: Route): Promise<void> => {
    if (route.request().method() !== method || many-- <= 0) return route.continue();
    await answer(route);
  };

describe.runIf(chromiumPath && sized(false, true))('In the console', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  const withLinks = async (links: readonly object[]) => {
    const workspace = await service.newWorkspace();
    expect((await workspace.importLinks(links)).body.failed).toEqual([]);
    const listed = (await workspace.call('GET', '/links?limit=100')).body.links as { id: string; shortCode: string }[];
    return { ...workspace, idOf: (slug: string) => listed.find(({ shortCode }) => shortCode === slug)?.id ?? '' };
  };

  test('Ctrl+K finds a link by its title and a screen by its name, from a field, too, with axe finding nothing.', async () => {
    const workspace = await service.newWorkspace();
    await workspace.importLinks([
      { url: 'https://example.com/1', customSlug: 'one', title: 'Summer sale' },
      { url: 'https://example.com/2', customSlug: 'two', title: '<b>Winter</b>' },
    ]);
    const { page, wrong } = await openConsole(browser, service, workspace, { withAxe: true });
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Link or page' });
    await field.fill('winter');
    await page.getByRole('option', { name: '<b>Winter</b>' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Link' }).getByText('<b>Winter</b>').first().waitFor();

    await page.keyboard.press('Control+k');
    await field.fill('a');
    // All screens with this letter; the arrow keys go around.
    expect(await page.getByRole('listbox', { name: 'Links and pages' }).getByRole('option').first().textContent()).toBe(
      'Statistics',
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/${workspace.id}/tags`);
    expect(wrong).toEqual([]);
  });

  test('the frame is painted before any script has run, in the colours of the system.', async () => {
    const context = await browser.newContext({ colorScheme: 'dark' });
    const page = await context.newPage();
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(`${service.baseUrl}/console`);
    expect((await page.locator('.top').boundingBox())?.height).toBe(48);
    expect((await page.locator('.nav').boundingBox())?.width).toBe(200);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 24, 29)');
    await context.close();
  });

  test('an open link begins with its title, its short link to copy, and three figures.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one', title: 'First' }]);
    const { page } = await openConsole(browser, service, workspace, { path: `/links/${workspace.idOf('one')}` });
    await panel(page).getByRole('heading', { name: 'First' }).waitFor();
    expect(await panel(page).getByRole('heading').first().textContent()).toBe('First');
    expect(await panel(page).locator('.panel-link').innerText()).toMatch(/\/one\s*Copy$/);
    await expect.poll(() => panel(page).locator('.panel-figures dd').allTextContents()).toEqual(['0', '0', 'None yet']);
  });

  test('the list fits beside the navigation and an open link, and statistics never scroll the frame around them.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    const { page } = await openConsole(browser, service, workspace);
    const widthsTooNarrow = async () => {
      await page.locator('.grid-space > .row').first().waitFor();
      const found: number[] = [];
      for (const width of [640, 900, 1_024, 1_099, 1_100, 1_279, 1_280, 1_400]) {
        await page.setViewportSize({ width, height: 800 });
        const isTooNarrow = await page.locator('.grid-rows').evaluate((rows) => rows.scrollWidth > rows.clientWidth);
        if (isTooNarrow) found.push(width);
      }
      return found;
    };
    expect(await widthsTooNarrow()).toEqual([]);
    await page.goto(`${service.baseUrl}/console/${workspace.id}/links/${workspace.idOf('one')}`);
    expect(await widthsTooNarrow()).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${service.baseUrl}/console/${workspace.id}/statistics`);
    await page.locator('.plot').waitFor();
    expect(await page.locator('html').evaluate((html) => html.scrollHeight)).toBe(740);
  });

  test('rules and variants are written by keyboard; errors of the API are shown at the part that is wrong.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    const id = workspace.idOf('one');
    const { page, wrong } = await openConsole(browser, service, workspace, { path: `/links/${id}?edit=1` });
    const group = page.locator('summary', { hasText: 'Targeting and A/B test' });
    await group.focus();
    await page.keyboard.press('Enter');
    await button(page, 'Add a rule').press('Enter');
    await page.locator('[data-rule="0"] select:focus').waitFor();
    await page.getByLabel('Condition 1 of Rule 1', { exact: true }).selectOption('language');
    await page.getByLabel('Rule 1: Language is').focus();
    await page.keyboard.type('German');
    await page.keyboard.press('Enter');
    await page.keyboard.type('not a language');
    await page.keyboard.press('Control+Enter');
    await page.getByText('This must be a language such as de or de-AT').waitFor();
    await page
      .getByText(/This .*must be an absolute URL/)
      .first()
      .waitFor();
    // The focus is on the first part that is wrong, and stays there while somebody mends it.
    await page.keyboard.press('Control+A');
    await page.keyboard.type('de-at');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Rule 1: Language is');
    const goTo = page.getByRole('textbox', { name: 'Go to' }).first();
    await goTo.fill('example.com/de');
    await button(page, 'Add a condition').press('Enter');
    // The scheme is added as soon as the field is left.
    expect(await goTo.inputValue()).toBe('https://example.com/de');
    await page.getByLabel('Condition 2 of Rule 1', { exact: true }).selectOption('query');
    await page.getByLabel('Rule 1: URL parameter is, name 1').fill('ref');
    await page.getByLabel('Rule 1: URL parameter is, value 1').fill('mail');
    await button(page, 'Add a rule').press('Enter');
    await page.getByLabel('Condition 1 of Rule 2', { exact: true }).selectOption('device');
    await page.getByLabel('Phones and tablets').press('Space');
    await page.locator('[data-rule="1"]').getByLabel('Go to').fill('https://example.com/phone');
    await button(page, 'Move Rule 2 up').press('Enter');
    await page.locator('[data-rule="0"] [data-move="down"]:focus').waitFor();
    await button(page, 'Start an A/B test').press('Enter');
    await page.locator('[data-variant="1"] input[type=url]').fill('https://example.com/b');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'is saved.').waitFor();
    expect((await workspace.call('GET', `/links/${id}`)).body.link).toMatchObject({
      rules: [
        { if: { device: ['mobile'] }, url: 'https://example.com/phone' },
        { if: { language: ['de', 'de-at'], query: { ref: 'mail' } }, url: 'https://example.com/de' },
      ],
      variants: [
        { id: 'a', url: 'https://example.com/', weight: 1 },
        { id: 'b', url: 'https://example.com/b', weight: 1 },
      ],
    });
    await panel(page).focus();
    await page.keyboard.press('Control+z');
    await toast(page, 'The change is undone.').waitFor();
    expect((await workspace.call('GET', `/links/${id}`)).body.link).toMatchObject({ rules: [], variants: [] });
    expect(wrong).toEqual([]);
  });

  test('a field that the console does not know is kept when it saves.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one', title: 'One' }]);
    const id = workspace.idOf('one');
    const { page } = await openConsole(browser, service, workspace, { path: '/links' });
    const bodies: unknown[] = [];
    await page.route(`**/api/v1/links/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') bodies.push(route.request().postDataJSON());
      const response = await route.fetch();
      const body = await response.json();
      const rules = [{ if: { weather: ['rain'], os: ['ios'] }, url: 'https://example.com/rain', newer: 1 }];
      await route.fulfill({ response, json: { link: { ...body.link, colour: 'red', rules } } });
    });
    await page.goto(`${service.baseUrl}/console/${workspace.id}/links/${id}?edit=1`);
    await page.locator('summary', { hasText: 'Targeting and A/B test' }).click();
    await page.getByText('Set through the API. You cannot edit it here.').waitFor();
    await page.locator('[data-rule="0"]').getByLabel('Go to').fill('https://example.com/umbrella');
    await panel(page).getByLabel('Title').fill('Two');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(() => bodies)
      .toEqual([
        { title: 'Two', rules: [{ if: { weather: ['rain'], os: ['ios'] }, url: 'https://example.com/umbrella', newer: 1 }] },
      ]);
  });

  test('changes of many links, also deletions, are undone exactly.', async () => {
    const workspace = await service.newWorkspace();
    const [a, b] = [await workspace.newTag('a'), await workspace.newTag('b')];
    await workspace.importLinks([
      { url: 'https://example.com/1', customSlug: 'one', tagIds: [a] },
      { url: 'https://example.com/2', customSlug: 'two', password: 'secret' },
      { url: 'https://example.com/3', customSlug: 'three', tagIds: [b], isActive: false },
    ]);
    type Listed = { readonly shortCode: string; readonly tags: readonly { readonly name: string }[]; readonly isActive: boolean };
    const state = async () =>
      ((await workspace.call('GET', '/links')).body.links as readonly Listed[])
        .map(({ shortCode, tags, isActive }) => [shortCode, tags.map(({ name }) => name), isActive] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1));
    const before = await state();
    const { page, wrong } = await openConsole(browser, service, workspace);
    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await page.getByText('3 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Clear the selection' }).click();
    // The filters stay, and no row moves.
    const placeOf = async (slug: string) => (await page.getByRole('row', { name: new RegExp(slug) }).boundingBox())?.y;
    const place = await placeOf('one');
    await page.getByRole('checkbox', { name: /one/ }).check();
    await page.getByRole('toolbar', { name: 'Selected links' }).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search' }).isVisible()).toBe(true);
    expect(await placeOf('one')).toBe(place);
    await button(page, 'Select all that match').click();
    await page.getByText('3 selected').waitFor();
    // There is nothing more to select.
    await button(page, 'Delete…').waitFor();
    expect(await button(page, 'Select all that match').count()).toBe(0);

    await button(page, 'Add tags').click();
    await page.getByRole('dialog', { name: 'Tags' }).getByLabel('a', { exact: true }).check();
    await button(page, 'Add 1 tag').click();
    await toast(page, '3 links tagged.').waitFor();
    expect((await state()).map(([, names]) => names)).toEqual([['a'], ['b', 'a'], ['a']]);
    await button(page, 'Undo').click();
    await toast(page, '2 of 2 links are restored.').waitFor();
    expect(await state()).toEqual(before);

    await button(page, 'Switch off').click();
    await toast(page, '3 links switched off.').waitFor();
    await button(page, 'Undo').click();
    await toast(page, '2 of 2 links are restored.').last().waitFor();
    await expect.poll(state).toEqual(before);

    await button(page, 'Delete…').click();
    await page.getByText('1 has a password: it returns switched off.').waitFor();
    await button(page, 'Delete 3 links').click();
    await toast(page, '3 links deleted.').waitFor();
    expect(await state()).toEqual([]);
    await button(page, 'Undo').click();
    await toast(page, '3 of 3 links are back, with 0 clicks.').waitFor();
    expect(await state()).toEqual(before.map(([slug, names, isActive]) => [slug, names, slug === 'two' ? false : isActive]));
    expect(wrong).toEqual([]);
  });

  test('a change of many links says which links failed, and how many succeeded.', async () => {
    const workspace = await withLinks([
      { url: 'https://example.com/1', customSlug: 'one' },
      { url: 'https://example.com/2', customSlug: 'two' },
    ]);
    const { page } = await openConsole(browser, service, workspace);
    await page.getByRole('checkbox', { name: /one/ }).check();
    await page.getByRole('checkbox', { name: /two/ }).check();
    await workspace.call('DELETE', `/links/${workspace.idOf('two')}`);
    await page.route(
      '**/api/v1/links/bulk',
      first(1, 'PATCH', (route) => route.fulfill(problem(429, { 'Retry-After': '2' }))),
    );
    await button(page, 'Switch off').click();
    await page.getByText('Too many requests. Next try in 2 s.').waitFor();
    await toast(page, '1 link switched off, 1 failed.').waitFor();
    await button(page, 'Show').click();
    await page.getByRole('dialog').getByText(/two/).waitFor();
    expect((await workspace.call('GET', `/links/${workspace.idOf('one')}`)).body.link.isActive).toBe(false);
  });

  test('a walk through the list and an Undo can be stopped, and go no further than what has begun.', async () => {
    const many = Array.from({ length: 250 }, (_, n) => ({ url: `https://example.com/${n}`, customSlug: `n${n}` }));
    const { page } = await openConsole(browser, service, await withLinks(many));
    /** Holds requests until the page has been told to stop. */
    const stopDuring = async (address: RegExp, begin: () => Promise<void>) => {
      const { promise: isStopped, resolve } = Promise.withResolvers<void>();
      const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
      await page.route(address, async (route) => {
        hold();
        await isStopped;
        await route.continue();
      });
      await begin();
      await isHeld;
      await button(page, 'Stop').click();
      resolve();
    };
    await page.locator('[data-row="0"]').getByRole('checkbox').check();
    await stopDuring(/\/api\/v1\/links\?.*cursor=/, () => button(page, 'Select all that match').click());
    await page.getByText('200 selected').waitFor();
    await page.keyboard.press('Escape');

    await page.getByPlaceholder('Search links').fill('n24');
    await page.getByText('11 links.').waitFor();
    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await page.getByText('11 selected').waitFor();
    await button(page, 'Delete…').click();
    await button(page, 'Delete 11 links').click();
    await toast(page, '11 links deleted.').waitFor();
    await stopDuring(/\/revert$/, () => button(page, 'Undo').click());
    await toast(page, '4 of 11 links are back, with 0 clicks.').waitFor();
  });

  test('a copy keeps the UTM parameters if its destination changes, and the fields suggest what links have.', async () => {
    const url = 'https://example.com/a?utm_source=mail&utm_campaign=spring';
    const workspace = await withLinks([{ url, customSlug: 'one' }]);
    const { page, wrong } = await openConsole(browser, service, workspace);
    const made = async () => (await workspace.call('GET', '/links')).body.links[0].url;
    await button(page, /^Actions for .*one$/).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.locator('[data-field="url"]:focus').waitFor();
    await page.keyboard.type('https://example.com/b');
    await page.keyboard.press('Tab');
    const source = page.getByLabel('Source', { exact: true });
    await expect.poll(() => source.inputValue()).toBe('mail');
    await source.focus();
    await page.locator('datalist option[value="spring"]').waitFor({ state: 'attached' });
    await button(page, 'Create and copy').click();
    await toast(page, /is created/).waitFor();
    expect(await made()).toBe('https://example.com/b?utm_source=mail&utm_campaign=spring');

    await button(page, 'New link like this').click();
    await page.locator('[data-field="url"]:focus').waitFor();
    await page.keyboard.type('https://example.com/c');
    await page.keyboard.press('Control+Enter');
    await expect.poll(made).toBe('https://example.com/c?utm_source=mail&utm_campaign=spring');
    expect(wrong).toEqual([]);
  });

  test('archived links leave the list, are found in the archive, and can be brought back.', async () => {
    const workspace = await withLinks(['one', 'two', 'three'].map((customSlug) => ({ url: 'https://example.com/', customSlug })));
    const { page, wrong } = await openConsole(browser, service, workspace);
    const rows = page.locator('.grid [data-row]');
    const slugs = async (query = '') => {
      const { links } = (await workspace.call('GET', `/links?limit=100${query}`)).body;
      return links.map(({ shortCode }: { shortCode: string }) => shortCode).sort();
    };

    await button(page, /^Actions for .*two$/).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await toast(page, 'is archived. It still works.').waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    expect(await slugs()).toEqual(['one', 'three']);
    await button(page, 'Undo').click();
    await toast(page, 'The change is undone.').waitFor();
    await expect.poll(() => rows.count()).toBe(3);

    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await button(page, 'Archive').click();
    await toast(page, '3 links archived.').waitFor();
    await expect.poll(() => rows.count()).toBe(0);
    await page.getByLabel('Status').selectOption('Archived');
    await expect.poll(() => rows.locator('.badge', { hasText: 'Archived' }).count()).toBe(3);
    expect(new URL(page.url()).search).toBe('?archived=1');
    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await button(page, 'Take out of the archive').click();
    await toast(page, '3 links taken out of the archive.').waitFor();
    await expect.poll(() => rows.count()).toBe(0);
    expect(await slugs('&archived=true')).toEqual([]);
    expect(await slugs()).toEqual(['one', 'three', 'two']);
    expect(wrong).toEqual([]);
  });

  test('somebody who is offline, throttled or without an answer learns the true state, when reading and when writing.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one', title: 'One' }]);
    const id = workspace.idOf('one');
    const { page, context } = await openConsole(browser, service, workspace);
    const titleNow = async () => (await workspace.call('GET', `/links/${id}`)).body.link.title;

    // Reading: the service does not answer, with the id of the request; then it does.
    await page.route(
      '**/api/v1/links?**',
      first(1, 'GET', (route) => route.fulfill(problem(503))),
    );
    await page.reload();
    await page.getByText('The links could not be loaded. The service did not answer.').waitFor();
    await page.getByText('req_of_the_test').waitFor();
    await button(page, 'Try again').click();
    await page.getByText('One', { exact: true }).waitFor();
    await page.unroute('**/api/v1/links?**');

    // Writing: the answer is lost, although the change was made. Then it is refused for the moment.
    const edit = async (title: string) => {
      await page.goto(`${service.baseUrl}/console/${workspace.id}/links/${id}?edit=1`);
      await panel(page).getByLabel('Title').fill(title);
      await page.keyboard.press('Control+Enter');
    };
    const lose = async (route: Route) => {
      await route.fetch();
      await route.fulfill(problem(502));
    };
    await page.route(`**/api/v1/links/${id}`, first(1, 'PATCH', lose));
    await edit('Two');
    await page.getByText('Checking whether it was saved…').waitFor();
    await toast(page, 'is saved.').waitFor();
    expect(await titleNow()).toBe('Two');
    await page.unroute(`**/api/v1/links/${id}`);
    await page.route(
      `**/api/v1/links/${id}`,
      first(1, 'PATCH', (route) => route.fulfill(problem(429, { 'Retry-After': '1' }))),
    );
    await edit('Three');
    await page.getByText('Too many requests. Next try in 1 s.').waitFor();
    await toast(page, 'is saved.').waitFor();
    expect(await titleNow()).toBe('Three');
    await page.unroute(`**/api/v1/links/${id}`);

    // A key that may no longer write.
    await page.route(
      `**/api/v1/links/${id}`,
      first(1, 'PATCH', (route) => route.fulfill(problem(403))),
    );
    await edit('Four');
    await page.getByText('Refused. Nothing is lost.').waitFor();
    await page.unroute(`**/api/v1/links/${id}`);

    // Offline, and a part of the page that is not loaded yet: it stays as it is.
    await page.goto(`${service.baseUrl}/console/${workspace.id}/links`);
    await page.getByText('Three', { exact: true }).waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline. This may be out of date.').waitFor();
    await longAddress(page).fill('https://example.com/offline');
    await longAddress(page).press('Enter');
    await page.getByText('Checking whether it was saved…').waitFor();
    await page.getByText('You are offline, so this may or may not be saved.').waitFor();
    expect(await longAddress(page).inputValue()).toBe('https://example.com/offline');
    await context.setOffline(false);
    await longAddress(page).press('Enter');
    await page.getByText('Link created and copied', { exact: true }).waitFor();
    expect((await workspace.call('GET', '/links?q=offline')).body.links).toHaveLength(1);
  });

  test('throttled statistics and history say how long they wait, and retry by themselves.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    for (const [path, call, there] of [
      ['/statistics', '**/api/v1/stats?**', 'Updated'],
      ['/history', '**/api/v1/history?**', 'No changes in the last 30 days.'],
    ] as const) {
      const { page, context } = await openConsole(browser, service, workspace, { path: '/limits' });
      await page.route(
        call,
        first(2, 'GET', (route) => route.fulfill(problem(429, { 'Retry-After': '3' }))),
      );
      await page.goto(`${service.baseUrl}/console/${workspace.id}${path}`);
      await toast(page, 'Too many requests. Next try in 3 s.').waitFor();
      await toast(page, 'Too many requests. Next try in 2 s.').waitFor();
      await page.locator('main').getByText(there).first().waitFor();
      expect(await toast(page, /Too many/).count()).toBe(0);
      await context.close();
    }
  });

  test('while a search waits for its answer, the former rows stay, and cannot be changed.', async () => {
    const workspace = await withLinks([
      { url: 'https://example.com/', customSlug: 'one' },
      { url: 'https://example.com/', customSlug: 'two' },
    ]);
    const { page } = await openConsole(browser, service, workspace);
    await page.getByText('/two').waitFor();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/v1/links?**', async (route) => {
      await promise;
      await route.continue();
    });
    await page.getByLabel('Search').fill('one');
    await page.locator('.listed[inert]').getByText('/two').waitFor();
    resolve();
    await page.getByText('1 link.').waitFor();
    expect(await page.getByText('/two').count()).toBe(0);
    expect(await page.locator('.listed[inert]').count()).toBe(0);
  });

  test('a search reads five pages without a match one at a time, then pauses until somebody continues it.', async () => {
    const workspace = await service.newWorkspace();
    let [asked, under, most] = [0, 0, 0];
    const { page } = await openConsole(browser, service, workspace, { path: '/limits' });
    await page.route('**/api/v1/links?**', async (route) => {
      most = Math.max(most, ++under);
      await route.fulfill({ json: { links: [], nextCursor: String(++asked) } });
      under--;
    });
    await page.goto(`${service.baseUrl}/console/${workspace.id}/links?q=none`);
    for (const pages of [5, 10]) {
      await page.getByText('Nothing found so far.').waitFor();
      await settled(page);
      expect([asked, most]).toEqual([pages, 1]);
      const next = page.waitForRequest('**/api/v1/links?**');
      await button(page, 'Keep looking').click();
      await next;
    }
  });

  test('the last change of a link is updated after the page changes it, once the history has that.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    const { page } = await openConsole(browser, service, workspace, { path: `/links/${workspace.idOf('one')}` });
    await button(page, 'Switch off').first().click();
    await page.getByText('switched it off').waitFor();
    await panel(page).getByText('Visitors get “not found” until somebody switches it on.').waitFor();
    await button(page, 'Undo').click();
    await page.getByText('switched it on').waitFor();
  });

  test('a request that waits for a sign-in is never sent with a key of another workspace.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one', title: 'One' }]);
    const other = await service.newWorkspace();
    const id = workspace.idOf('one');
    const { page } = await openConsole(browser, service, workspace, { path: `/links/${id}?edit=1` });
    await panel(page).getByLabel('Title').fill('Two');
    const withOther: string[] = [];
    await page.route('**/api/v1/**', (route) => {
      const isOther = route.request().headers().authorization === `Bearer ${other.key}`;
      if (isOther) withOther.push(route.request().url());
      return isOther ? route.continue() : route.fulfill(problem(401));
    });
    await page.keyboard.press('Control+Enter');
    await page.getByLabel('API key').fill(other.key);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/${other.id}/links`);
    await page.getByText('No links yet.').waitFor();
    expect(withOther.length).toBeGreaterThan(1);
    expect(withOther.filter((url) => url.includes(id))).toEqual([]);
  });

  test('removing a tag in a form moves the focus to the next tag, and after the last one to the button for choosing.', async () => {
    const workspace = await service.newWorkspace();
    const tagIds = [await workspace.newTag('a'), await workspace.newTag('b')];
    const { id } = (await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://example.com/', tagIds }))
      .body.link;
    const { page } = await openConsole(browser, service, workspace, { path: `/links/${id}?edit=1` });
    await button(page, 'Remove the tag a').press('Enter');
    await button(page, 'Remove the tag b').and(page.locator(':focus')).press('Enter');
    await button(page, 'Choose').and(page.locator(':focus')).waitFor();
  });

  test('the arrow keys, Home and End move among the tags to choose from, and the field before them.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    for (const name of ['a', 'b', 'c']) await workspace.newTag(name);
    const { page } = await openConsole(browser, service, workspace, { path: `/links/${workspace.idOf('one')}?edit=1` });
    await button(page, 'Choose').press('Enter');
    const focused = () =>
      page.evaluate("document.activeElement.closest('label')?.textContent ?? document.activeElement.ariaLabel");
    for (const [key, next] of [
      ['ArrowDown', 'a'],
      ['ArrowDown', 'b'],
      ['End', 'c'],
      ['ArrowDown', 'Find or create a tag'],
      ['ArrowUp', 'c'],
      ['Home', 'Find or create a tag'],
      ['End', 'Find or create a tag'],
    ]) {
      await page.keyboard.press(key as string);
      expect(await focused(), key).toBe(next);
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await button(page, 'Remove the tag a').waitFor();
  });

  test('a tag that does not exist yet can be made where tags are chosen.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    const id = workspace.idOf('one');
    const { page } = await openConsole(browser, service, workspace, { path: `/links/${id}?edit=1` });
    await button(page, 'Choose').press('Enter');
    await page.keyboard.type('no/slash');
    await button(page, /^Create “/).press('Enter');
    await page.getByText(/^The name .+/).waitFor();
    await page.getByLabel('Find or create a tag').fill('Launch');
    await page.keyboard.press('Enter');
    await button(page, 'Remove the tag Launch').waitFor();
    const inPicker = 'document.activeElement?.closest(".picker") !== null';
    for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key);
      expect(await page.evaluate(inPicker), key).toBe(true);
    }
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement?.textContent?.trim()')).toBe('Choose');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'is saved.').waitFor();
    expect((await workspace.call('GET', `/links/${id}`)).body.link.tags).toMatchObject([{ name: 'Launch' }]);
    const { key } = await workspace.newKey(['links:read', 'links:write', 'tags:read', 'domains:read']);
    const reader = await openConsole(browser, service, workspace, { path: `/links/${id}?edit=1`, key });
    await button(reader.page, 'Choose').press('Enter');
    await reader.page.getByLabel('Find a tag').fill('Other');
    expect(await button(reader.page, /^Create “/).count()).toBe(0);
  });

  test('a slug that is taken or not allowed is reported at its field, and the form keeps its texts.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    const { page } = await openConsole(browser, service, workspace, { path: '/new?url=https://example.com/new' });
    const form = page.getByRole('complementary', { name: 'New link' });
    // The address fills the field, and nothing is sent by itself.
    expect(await form.getByLabel('Destination', { exact: true }).inputValue()).toBe('https://example.com/new');
    for (const slug of ['a//b', 'café', 'a.q', 'api/x']) {
      await form.getByLabel('Slug', { exact: true }).fill('a/b');
      await form.getByText('✓ available', { exact: true }).waitFor();
      await form.getByLabel('Slug', { exact: true }).fill(slug);
      await form.getByText('not allowed', { exact: true }).waitFor();
    }
    await form.getByLabel('Slug', { exact: true }).fill('one');
    await form.getByText('taken', { exact: true }).waitFor();
    await page.keyboard.press('Control+Enter');
    await form.getByText('This is taken. Choose another one.').waitFor();
    expect((await workspace.call('GET', '/links')).body.links).toHaveLength(1);
    // A reload keeps it; so does another address, until somebody decides.
    await page.reload();
    expect(await form.getByLabel('Slug', { exact: true }).inputValue()).toBe('one');
    await page.goto(`${service.baseUrl}/console/${workspace.id}/new?url=https://example.com/other`);
    await form.getByText('You have unsaved changes.').waitFor();
    expect(await form.getByLabel('Slug', { exact: true }).inputValue()).toBe('');
    await form.getByRole('button', { name: 'Continue' }).click();
    expect(await form.getByLabel('Slug', { exact: true }).inputValue()).toBe('one');
    await form.getByLabel('Slug', { exact: true }).fill('two');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'is created and copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/two');
  });

  test("a template fills in the form of a new link, and the person's changes take priority.", async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    const { page } = await openConsole(browser, service, workspace, { path: '/new?url=https://example.com/new' });
    const form = page.getByRole('complementary', { name: 'New link' });
    await form.getByLabel('Slug', { exact: true }).waitFor();
    expect(await form.getByLabel('Template').count()).toBe(0);
    const { body: template } = await workspace.call('POST', '/templates', {
      name: 'Newsletter',
      utmSource: 'mail',
      redirectType: 'PERMANENT_301',
      expiresAfterDays: 90,
      blockBots: true,
      confirmVisit: true,
    });
    await page.reload();
    await form.getByLabel('Template').selectOption('Newsletter');
    await form.getByText('Adds utm_source=mail where the destination has none.').waitFor();
    await form.locator('summary', { hasText: 'Access' }).click();
    expect(await form.getByLabel('Block bots').isChecked()).toBe(true);
    await form.getByLabel('Block bots').uncheck();
    // A reload keeps the template, and what was changed.
    await page.reload();
    await form.getByText('Adds utm_source=mail').waitFor();
    const request = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/api/v1/links'));
    await page.keyboard.press('Control+Enter');
    const sent = (await request).postDataJSON();
    expect(sent).toMatchObject({ templateId: template.id, blockBots: false });
    expect(sent).not.toHaveProperty('redirectType');
    await toast(page, 'is created and copied.').waitFor();
    const [link] = (await workspace.call('GET', '/links')).body.links;
    expect(link).toMatchObject({
      url: 'https://example.com/new?utm_source=mail',
      redirectType: 'PERMANENT_301',
      blockBots: false,
      confirmVisit: true,
    });
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBeGreaterThan(89 * 86_400_000);
  });

  test('a copy of a link has its settings, but neither its slug nor its password.', async () => {
    const rules = [{ if: { os: ['ios'] }, url: 'https://example.com/app' }];
    const workspace = await withLinks([
      { url: 'https://example.com/', customSlug: 'one', title: 'One', rules, password: 'secret', externalId: 'cms:1' },
    ]);
    const { page } = await openConsole(browser, service, workspace);
    await page.locator('[data-row="0"]').focus();
    await page.keyboard.press('d');
    await page.getByText('The password is not copied.').waitFor();
    await page.keyboard.press('Control+Enter');
    await toast(page, 'is created and copied.').waitFor();
    const [copy] = (await workspace.call('GET', '/links')).body.links;
    expect(copy).toMatchObject({ url: 'https://example.com/', title: 'One', rules, hasPassword: false, externalId: null });
    expect(copy.shortCode).not.toBe('one');
  });

  test('the clipboard write begins within the key press, before the link is there.', async () => {
    const workspace = await service.newWorkspace();
    const { page } = await openConsole(browser, service, workspace);
    await page.getByText('No links yet.').waitFor();
    await page.evaluate(`(() => {
      const write = navigator.clipboard.write.bind(navigator.clipboard);
      window.order = [];
      navigator.clipboard.write = (items) => { window.order.push('write, ' + navigator.userActivation.isActive); return write(items); };
      const send = window.fetch;
      window.fetch = (...all) => { if (all[1]?.method === 'POST' || all[0]?.method === 'POST') window.order.push('send'); return send(...all); };
      addEventListener('keydown', () => setTimeout(() => window.order.push('later')), { capture: true });
    })()`);
    await longAddress(page).fill('https://example.com/safari');
    await longAddress(page).press('Enter');
    await page.getByText('Link created and copied', { exact: true }).waitFor();
    expect(((await page.evaluate('window.order')) as string[])[0]).toBe('write, true');
  });

  test('the menu of a row opens with one press, also after its row was scrolled away or has moved in the document.', async () => {
    const workspace = await withLinks(Array.from({ length: 60 }, (_, n) => ({ url: `https://example.com/${n}` })));
    const { page } = await openConsole(browser, service, workspace);
    const opener = page.locator('[data-row="0"] .cell-menu > button');
    const scroll = (to: number) => page.locator('.grid-rows').evaluate((rows, top) => rows.scrollTo({ top }), to);
    /** Whether the menu is shown, and whether its button says so. */
    const state = async () => [await page.locator('.menu:popover-open').count(), await opener.getAttribute('aria-expanded')];
    await opener.click();
    expect(await state()).toEqual([1, 'true']);
    // In steps, so that some of the rows stay.
    for (let top = 200; top <= 1_600; top += 200) await scroll(top);
    await page.locator('[data-row="40"]').waitFor();
    expect(await state()).toEqual([1, 'true']);
    await scroll(0);
    await page.locator('[data-row="40"]').waitFor({ state: 'detached' });
    expect(await state()).toEqual([1, 'true']);
    await opener.click();
    expect(await state()).toEqual([0, 'false']);

    await opener.click();
    await page.locator('[data-row="0"]').evaluate((row) => row.parentElement?.append(row));
    expect(await state()).toEqual([0, 'true']);
    await opener.click();
    expect(await state()).toEqual([1, 'true']);
    await page.keyboard.press('Escape');
    expect(await state()).toEqual([0, 'false']);
  });

  test('searching, scrolling and selecting among many links stay within AWS’s rate of 10 lists a second.', async () => {
    const workspace = await service.newWorkspace();
    const total = 1_500;
    const all = Array.from({ length: total }, (_, n) => ({ url: `https://example.com/${n}`, customSlug: `n${n}` }));
    await workspace.importLinks(all.slice(0, 1_000));
    await workspace.importLinks(all.slice(1_000));
    const { page } = await openConsole(browser, service, workspace);
    // Like API Gateway's token bucket: 10 a second, and as many at once.
    let tokens = 10;
    let last = Date.now();
    let refused = 0;
    await page.route(/\/api\/v1\/(links|tags|domains)(\?|$)/, async (route) => {
      const now = Date.now();
      tokens = Math.min(10, tokens + ((now - last) / 1_000) * 10);
      last = now;
      if (route.request().method() !== 'GET') return route.continue();
      if (tokens < 1) {
        refused++;
        return route.fulfill(problem(429));
      }
      tokens--;
      await route.continue();
    });
    await page.reload();
    await page.locator('[data-row="0"]').waitFor();
    // Another tab of the same workspace uses up the bucket.
    tokens = -20;
    await page.getByPlaceholder('Search links').fill('n77');
    await page.getByText('11 links.').waitFor();
    expect(refused).toBeGreaterThan(0);
    tokens = 3;
    await page.getByRole('checkbox').first().click();
    await page.getByText('11 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.locator('[data-row="12"]').waitFor();
    await page.getByRole('checkbox').nth(1).check();
    await button(page, 'Select all that match').click();
    await page.getByText(`${total.toLocaleString('en')} selected`).waitFor();
  });

  test('a browser that translates pages leaves everything as it is; a part that fails takes nothing else with it.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one', title: 'One' }]);
    const { page } = await openConsole(browser, service, workspace);
    /** What the translation of Chrome does: each text becomes an element, unless the page forbids it. */
    const translate = (part: string) =>
      page.evaluate(`(() => {
        const texts = document.createNodeIterator(document.querySelector('${part}'), NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
          const element = text.parentElement;
          if (element.closest('[translate=no]') || element.localName === 'font') continue;
          const font = document.createElement('font');
          text.replaceWith(font);
          font.append(text.data);
        }
      })()`);
    await longAddress(page).fill('example.com/a');
    await page.getByText('Leads to').waitFor();
    await translate('body');
    await longAddress(page).fill('');
    await page.getByText('Leads to').waitFor({ state: 'detached' });

    // Somebody makes the browser translate the page nevertheless.
    await page.evaluate('document.documentElement.removeAttribute("translate")');
    await longAddress(page).fill('example.com/a');
    await page.getByText('Leads to').waitFor();
    await translate('.create');
    await longAddress(page).fill('');
    await page.getByText('This part of the page failed.').waitFor();
    await page.getByText('One', { exact: true }).click();
    await panel(page).getByRole('button', { name: 'Edit' }).click();
    await panel(page).getByLabel('Title').fill('Two');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'is saved.').waitFor();
  });

  test('an address of a tag or link that no longer exists says so, and offers a way on.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    const path = '/links?tag=tag_0000000000000000&domain=gone.example.com';
    const { page } = await openConsole(browser, service, workspace, { path });
    await page.getByText('No links match, because a filter names something that no longer exists.').waitFor();
    await page.getByText('Unknown tag').waitFor();
    await page.getByText('Unknown domain').waitFor();
    await button(page, 'Remove the filter Unknown tag').click();
    await page.getByText('No links match.', { exact: true }).waitFor();
    await button(page, 'Clear filters').click();
    await page.getByText('1 link.').waitFor();
    await workspace.call('DELETE', `/links/${workspace.idOf('one')}`);
    await page.goto(`${service.baseUrl}/console/${workspace.id}/links/${workspace.idOf('one')}`);
    await page.getByText('This link was deleted.').waitFor();
  });
});
