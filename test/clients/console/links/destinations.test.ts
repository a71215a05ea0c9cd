import type { Browser, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { changesIn, commonOrigin, hasText, replacedIn, replacementOf } from '../../../../clients/console/links/replacement.ts';
import { chromiumPath, useChromium } from '../../../support/http/chromium.ts';
import { openConsole, violationsIn } from '../../../support/http/console-page.ts';
import { type Service, useService } from '../../../support/service/service.ts';

// Replacing a text in the destinations of many links.

test('A replacement is offered for the most frequent origin, and is written in the form of what it replaces.', () => {
  expect(commonOrigin(['https://a.example/1', 'https://b.example/1', 'https://b.example/2', 'mailto:'])).toBe(
    'https://b.example',
  );
  expect(commonOrigin([])).toBe('');
  expect(replacementOf('https://a.example', 'b.example/').to).toBe('https://b.example');
  expect(replacementOf('https://a.example', 'https://b.example/shop/').to).toBe('https://b.example/shop');
  expect(replacementOf('a.example', 'b.example').to).toBe('b.example');
  expect(replacementOf('/spring/', '/summer/').to).toBe('/summer/');
  expect(replacedIn('https://a.example/?of=a.example', { from: 'a.example', to: '$&.b' })).toBe('https://$&.b/?of=$&.b');
  expect(replacedIn('https://a.example/', { from: '', to: 'b' })).toBe('https://a.example/');
});

test.for(['https://a.example.org/', 'https://a.example-shop.org/', 'https://a.example:8443/'])(
  'An origin is not replaced in %s, which has another one.',
  (url) => {
    expect(hasText(url, 'https://a.example')).toBe(false);
    expect(replacedIn(url, { from: 'https://a.example', to: 'https://b.example' })).toBe(url);
  },
);

test.for(['', '/', '/path', '?q=1', '#part'])('An origin is replaced if “%s” follows.', (rest) => {
  expect(hasText(`https://a.example${rest}`, 'https://a.example')).toBe(true);
  expect(replacedIn(`https://a.example${rest}`, { from: 'https://a.example', to: 'https://b.example' })).toBe(
    `https://b.example${rest}`,
  );
});

test.for([
  ['https://a.example/', 'https://b.example', 'https://b.example/path'],
  ['https://a.example/', 'b.example', 'https://b.example/path'],
  ['https://a.example/', 'https://b.example/shop/', 'https://b.example/shop/path'],
  ['https://a.example/', 'https://b.example/shop', 'https://b.example/shop/path'],
] as const)('If %s is replaced by %s, what follows stays a path.', ([from, to, expected]) => {
  const replacement = replacementOf(from, to);
  expect(replacedIn('https://a.example/path', replacement)).toBe(expected);
  expect(replacedIn('https://a.example.org/path', replacement)).toBe('https://a.example.org/path');
});

test('A folder that is replaced by an origin leaves one slash before the rest of the path.', () => {
  expect(replacedIn('https://a.example/old/path', replacementOf('https://a.example/old/', 'https://b.example'))).toBe(
    'https://b.example/path',
  );
});

test('A replacement changes only the settings that have the text.', () => {
  const rules = [{ if: { country: ['DE' as const] }, url: 'https://a.example/de' }];
  const link = { url: 'https://b.example/', expiredUrl: null, rules, variants: [] };
  expect(changesIn(link, { from: 'a.example', to: 'c.example' })).toEqual({
    rules: [{ if: { country: ['DE'] }, url: 'https://c.example/de' }],
  });
  expect(changesIn(link, { from: 'd.example', to: 'c.example' })).toEqual({});
});

describe.runIf(chromiumPath)('In the list of links', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  test("the destinations of many links change at once; colleagues' changes stay, and Undo takes back only this one.", async () => {
    const workspace = await service.newWorkspace();
    const old = 'https://old.example.com';
    const variants = [
      { id: 'a', url: `${old}/a`, weight: 1 },
      { id: 'b', url: 'https://example.com/b', weight: 1 },
    ];
    await workspace.importLinks([
      { url: `${old}/1?utm_source=mail#top`, customSlug: 'one' },
      { url: 'https://example.com/2', customSlug: 'two', expiredUrl: `${old}/over`, variants },
      { url: `${old}/3`, customSlug: 'three' },
      { url: 'https://example.org/4', customSlug: 'four' },
    ]);
    type Listed = { id: string; shortCode: string; url: string; title: string | null; expiredUrl: unknown; variants: object[] };
    const links = async () => ((await workspace.call('GET', '/links')).body.links as Listed[]).toReversed();
    const before = await links();
    const idOf = (slug: string) => before.find(({ shortCode }) => shortCode === slug)?.id ?? '';
    const destinations = async () =>
      (await links()).map(({ shortCode, url, expiredUrl, variants: all }) => ({ shortCode, url, expiredUrl, variants: all }));
    const former = await destinations();
    const { key } = await workspace.newKey();
    const { page, wrong } = await openConsole(browser, service, workspace, { withAxe: true });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const toast = (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text);
    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await button('Change destinations…').click();
    const dialog = page.getByRole('dialog', { name: 'Change the destinations of 4 links' });
    expect(await dialog.getByLabel('Replace').inputValue()).toBe(old);
    await dialog.locator('input:focus').waitFor();
    await page.keyboard.type('new.example.com/');
    await dialog.getByText('Found in 2 of 4 links. The first one becomes https://new.example.com/').waitFor();
    expect(await violationsIn(page)).toEqual([]);

    // A colleague is faster, and an answer is lost.
    let isFirst = true;
    await page.route(`**/api/v1/links/${idOf('one')}`, async (route: Route) => {
      if (route.request().method() !== 'PATCH' || !isFirst) return route.continue();
      isFirst = false;
      await service.send('PATCH', `/api/v1/links/${idOf('one')}`, { key, body: { title: 'Theirs' } });
      await route.continue();
    });
    let isLost = false;
    await page.route(`**/api/v1/links/${idOf('three')}`, async (route: Route) => {
      if (route.request().method() !== 'PATCH' || isLost) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    await page.keyboard.press('Enter');
    await toast('3 links changed, 1 failed.').waitFor();
    expect([isFirst, isLost]).toEqual([false, true]);
    // Messages wait while they are hovered.
    await toast('3 links changed, 1 failed.').hover();
    const changed = JSON.parse(JSON.stringify(former).replaceAll('old.example.com', 'new.example.com'));
    expect(await destinations()).toEqual(changed);
    await button('Show').click();
    await page
      .getByRole('dialog')
      .getByText(/four: /)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await button('Undo').click();
    await toast('3 of 3 links are restored.').waitFor();
    expect(await destinations()).toEqual(former);
    expect((await links()).find(({ shortCode }) => shortCode === 'one')?.title).toBe('Theirs');

    // A text that no link has is reported.
    await page.getByRole('checkbox', { name: 'Clear the selection' }).click();
    await page.getByRole('checkbox', { name: /four/ }).check();
    await button('Change destinations…').click();
    await page.getByLabel('Replace', { exact: true }).fill(old);
    await page.getByLabel('With', { exact: true }).fill('https://new.example.com');
    await page.getByText('Found in 0 of 1 link').waitFor();
    await page.keyboard.press('Enter');
    await toast('0 links changed, 1 failed.').waitFor();
    await button('Show').click();
    await page.getByText(/\/four: no destination contains “https:\/\/old\.example\.com”/).waitFor();
    expect(await destinations()).toEqual(former);
    expect(wrong).toEqual([]);
  });
});
