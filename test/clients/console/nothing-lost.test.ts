import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../support/http/chromium.ts';
import { openConsole, settled } from '../../support/http/console-page.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

// Nobody's work is lost or overwritten, in a real browser, in `npm run proof`. The API tells what was done.

const panel = (page: Page) => page.getByRole('complementary', { name: 'Link' });
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name });
const toast = (page: Page, text: string | RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(text);

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
    await button(page, 'Done').click();
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

  test('Unsaved changes that are continued never overwrite what somebody else has changed since: both values are shown.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one', title: 'One' }]);
    const { call, idOf, linkOf } = workspace;
    const { page } = await openConsole(browser, service, workspace, { path: `/links/${idOf('one')}?edit=1` });
    await panel(page).getByLabel('Title').fill('Mine');
    await panel(page).getByLabel('Note').fill('Mine');
    await page.keyboard.press('Escape');
    await call('PATCH', `/links/${idOf('one')}`, { title: 'Theirs', url: 'https://example.com/theirs' });
    const conflict = page.getByText('Somebody else changed this while you were editing.');
    await page.reload();
    await button(page, 'Continue').click();
    await conflict.waitFor();
    // A person who closes it without a choice is asked again.
    await page.keyboard.press('Escape');
    await button(page, 'Continue').click();
    await conflict.waitFor();
    await panel(page).getByText('Theirs: “Theirs”').waitFor();
    await button(page, 'Keep yours').click();
    await conflict.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Enter');
    await toast(page, 'is saved.').waitFor();
    expect(await linkOf('one')).toMatchObject({ title: 'Mine', notes: 'Mine', url: 'https://example.com/theirs' });
  });

  test('Undo of many changes takes back only what the page has done: earlier and later changes of a colleague stay.', async () => {
    const workspace = await withLinks(
      ['one', 'two', 'three', 'four'].map((customSlug) => ({ url: `https://example.com/${customSlug}`, customSlug })),
    );
    const { call, idOf, linkOf } = workspace;
    const [mine, theirs] = [await workspace.newTag('mine'), await workspace.newTag('theirs')];
    const { page, wrong } = await openConsole(browser, service, workspace);
    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await page.getByText('4 selected').waitFor();
    await call('PATCH', `/links/${idOf('three')}`, { isActive: false });
    await button(page, 'Switch off').click();
    await toast(page, '4 links switched off.').waitFor();
    for (const isActive of [true, false]) await call('PATCH', `/links/${idOf('four')}`, { isActive });
    const entries = async (slug: string) => (await call('GET', `/links/${idOf(slug)}/history`)).body.entries.length;
    await expect.poll(() => entries('four'), { timeout: 30_000 }).toBe(4);
    await button(page, 'Undo').click();
    await toast(page, '2 of 4 links are restored.').waitFor();
    await button(page, 'Show').click();
    await page.getByText(/\/three: Somebody else has already done the same\./).waitFor();
    await page.getByText(/\/four: Not undone: it has been changed again since\./).waitFor();
    await button(page, 'Close').last().click();
    const areActive = async () => Promise.all(['one', 'two', 'three', 'four'].map(async (slug) => (await linkOf(slug)).isActive));
    expect(await areActive()).toEqual([true, true, false, false]);

    // Tags of others stay, too.
    await button(page, 'Add tags').click();
    await page.getByRole('dialog', { name: 'Tags' }).getByLabel('mine', { exact: true }).check();
    await button(page, 'Add 1 tag').click();
    await toast(page, '4 links tagged.').waitFor();
    await call('PATCH', '/links/bulk', { ids: [idOf('one')], fields: { addTagIds: [theirs] } });
    for (const change of ['removeTagIds', 'addTagIds']) {
      await call('PATCH', '/links/bulk', { ids: [idOf('two')], fields: { [change]: [mine] } });
    }
    await expect.poll(() => entries('two'), { timeout: 30_000 }).toBe(6);
    await button(page, 'Undo').click();
    await toast(page, '3 of 4 links are restored.').waitFor();
    const tagsOf = async (slug: string) => (await linkOf(slug)).tags.map(({ name }: { name: string }) => name);
    expect(await Promise.all(['one', 'two', 'three'].map(tagsOf))).toEqual([['theirs'], ['mine'], []]);
    expect(wrong).toEqual([]);
  });

  test("Undo of one change never overwrites a colleague's earlier or later change of the same field, and says what it leaves.", async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one', title: 'One' }]);
    const { call, idOf, linkOf } = workspace;
    const { page } = await openConsole(browser, service, workspace, { path: `/links/${idOf('one')}` });
    const change = (body: object) => call('PATCH', `/links/${idOf('one')}`, body);
    const entries = async (many: number) =>
      expect
        .poll(async () => (await call('GET', `/links/${idOf('one')}/history`)).body.entries.length, { timeout: 30_000 })
        .toBe(many);
    await panel(page).getByRole('button', { name: 'Switch off' }).waitFor();
    // The page still shows it as switched on. Undo would switch it on, against the colleague.
    await change({ isActive: false });
    await panel(page).getByRole('button', { name: 'Switch off' }).click();
    await toast(page, 'was already switched off.').waitFor();
    expect(await button(page, 'Undo').count()).toBe(0);
    await panel(page).getByRole('button', { name: 'Switch on' }).click();
    await toast(page, 'is switched on.').waitFor();
    for (const isActive of [false, true]) await change({ isActive });
    await entries(5);
    await button(page, 'Undo').click();
    await toast(page, 'Not undone: it has been changed again since.').waitFor();
    expect((await linkOf('one')).isActive).toBe(true);

    await panel(page).getByRole('button', { name: 'Edit' }).click();
    await panel(page).getByLabel('Title').fill('Two');
    await panel(page).locator('summary', { hasText: 'Access' }).click();
    await panel(page).getByLabel('Password', { exact: true }).fill('open sesame');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'is saved.').waitFor();
    await button(page, 'Undo').click();
    await toast(page, 'The change is undone, except for the password: former ones are not kept.').waitFor();
    expect(await linkOf('one')).toMatchObject({ title: 'One', hasPassword: true });
    await panel(page).getByRole('button', { name: 'Edit' }).click();
    await panel(page).locator('summary', { hasText: 'Access' }).click();
    await panel(page).getByRole('button', { name: 'Remove' }).click();
    await button(page, 'Save changes').click();
    await toast(page, 'is saved.').last().waitFor();
    expect(await button(page, 'Undo').count()).toBe(0);
  });

  test('Two who change a key keep both changes; of a name that both have changed, the form shows both, and asks.', async () => {
    const workspace = await service.newWorkspace();
    const permissions = ['links:read', 'tags:read'];
    const { body: key } = await workspace.call('POST', '/keys', { name: 'CI', permissions });
    const { page } = await openConsole(browser, service, workspace, { path: '/keys' });
    await button(page, 'Actions for the key CI').click();
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    const form = page.getByRole('dialog');
    await workspace.call('PATCH', `/keys/${key.id}`, { name: 'Theirs', permissions: ['links:read'] });
    await form.getByLabel('Name').fill('Mine');
    await button(form, 'Save').click();
    await form.getByText('Theirs: Theirs').waitFor();
    expect(await button(form, 'Save').isDisabled()).toBe(true);
    await button(form, 'Keep yours').click();
    await button(form, 'Save').click();
    await toast(page, 'The key is saved.').waitFor();
    expect((await workspace.call('GET', `/keys/${key.id}`)).body).toMatchObject({ name: 'Mine', permissions: ['links:read'] });
  });

  test("If two owners change a role at once, the page asks, and Undo never takes back a colleague's choice.", async () => {
    const workspace = await service.newWorkspace();
    const { body: invited } = await workspace.call('POST', '/members', { email: 'eve@example.com', role: 'viewer' });
    const { page } = await openConsole(browser, service, workspace, { path: '/members' });
    const choose = async (role: string) => {
      await button(page, 'Actions for eve@example.com').click();
      await page.getByRole('menuitem', { name: 'Change the role…' }).click();
      await page.getByRole('dialog').getByLabel('Role').selectOption(role);
      await button(page, 'Save').click();
    };
    const isNow = (role: string) =>
      toast(page, `is now a${role === 'viewer' ? '' : 'n'} ${role}.`)
        .last()
        .waitFor();
    const role = async () => (await workspace.call('GET', '/members')).body.members[0].role;
    const give = (other: string) => workspace.call('PATCH', `/members/${invited.id}`, { role: other });
    await choose('editor');
    await isNow('editor');
    await button(page, 'Undo').last().click();
    await toast(page, 'The change is undone.').waitFor();
    await page.getByText('viewer: can view everything').waitFor();
    await choose('editor');
    await expect.poll(role).toBe('editor');
    await isNow('editor');
    for (const other of ['viewer', 'editor']) await give(other);
    await button(page, 'Undo').last().click();
    await toast(page, 'Not undone: it has been changed again since.').waitFor();
    expect(await role()).toBe('editor');

    // The page still shows an editor.
    await give('owner');
    await choose('viewer');
    await page.getByRole('dialog').getByText('Theirs: owner').waitFor();
    expect(await role()).toBe('owner');
    await button(page.getByRole('dialog'), 'Keep yours').click();
    await button(page, 'Save').click();
    await isNow('viewer');
    expect(await role()).toBe('viewer');
  });

  test('A deletion whose answer is lost is reported as done, and can be undone.', async () => {
    const workspace = await withLinks(
      ['one', 'two', 'three'].map((customSlug) => ({ url: `https://example.com/${customSlug}`, customSlug })),
    );
    const { page } = await openConsole(browser, service, workspace);
    let lost = 0;
    await page.route('**/api/v1/links/bulk-delete', async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await page.getByText('3 selected').waitFor();
    await button(page, 'Delete…').click();
    await button(page, 'Delete 3 links').click();
    await toast(page, '3 links deleted.').waitFor();
    expect((await workspace.call('GET', '/links')).body.links).toEqual([]);
    await button(page, 'Undo').click();
    await toast(page, '3 of 3 links are back, with 0 clicks.').waitFor();
    expect((await workspace.call('GET', '/links')).body.links).toHaveLength(3);
  });

  test('Undo of a change whose answer is lost takes back that change, and no other of the same key.', async () => {
    const workspace = await withLinks(
      ['one', 'two', 'three'].map((customSlug) => ({ url: `https://example.com/${customSlug}`, customSlug })),
    );
    const { call, idOf, linkOf } = workspace;
    const { page } = await openConsole(browser, service, workspace);

    // Just before, a program with the same key has changed something else.
    let lost = 0;
    await page.route(`**/api/v1/links/${idOf('one')}`, async (route) => {
      if (route.request().method() !== 'PATCH' || lost++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await call('PATCH', `/links/${idOf('one')}`, { title: 'Theirs' });
    await button(page, /^Actions for .*one$/).click();
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await toast(page, /one is switched off\./).waitFor();
    expect(await linkOf('one')).toMatchObject({ isActive: false, title: 'Theirs' });
    await button(page, 'Undo').click();
    await toast(page, 'The change is undone.').waitFor();
    expect(await linkOf('one')).toMatchObject({ isActive: true, title: 'Theirs' });

    // The request is lost on its way, and before it is repeated, such a program does the same to one of the links.
    lost = 0;
    await page.route('**/api/v1/links/bulk', async (route) => {
      if (lost++ > 0) return route.continue();
      await call('PATCH', `/links/${idOf('two')}`, { isActive: false });
      await route.abort();
    });
    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await button(page, 'Switch off').click();
    await toast(page, '3 links switched off.').waitFor();
    await button(page, 'Undo').click();
    await toast(page, '2 of 3 links are restored.').waitFor();
    expect(await Promise.all(['one', 'two', 'three'].map(async (slug) => (await linkOf(slug)).isActive))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('A new secret whose answer is lost is not made twice.', async () => {
    const workspace = await service.newWorkspace();
    const hook = { url: 'https://hooks.example.com/links', events: ['link.clicked'] };
    const { body: webhook } = await workspace.call('POST', '/webhooks', hook);
    const { page } = await openConsole(browser, service, workspace, { path: `/webhooks/${webhook.id}` });
    let isAnswering = false;
    await page.route('**/api/v1/webhook-secrets', async (route) => {
      if (route.request().method() !== 'POST' || isAnswering) return route.continue();
      await route.fetch();
      await route.fulfill({ status: 503, json: {} });
    });
    await page.getByText('Secrets', { exact: true }).click();
    await button(page, 'New secret').click();
    await page.getByText('may or may not be saved').waitFor({ timeout: 20_000 });
    isAnswering = true;
    await button(page, 'New secret').click();
    await page.locator('dialog output.secret').waitFor();
    await button(page, 'Done').click();
    const secrets = async () => (await workspace.call('GET', '/webhook-secrets')).body.secrets;
    expect(await secrets()).toHaveLength(2);
    // The next secret is a new one.
    await button(page, 'New secret').click();
    await page.locator('dialog output.secret').waitFor();
    expect(await secrets()).toHaveLength(3);
  });

  test('A year with too many digits is said at its field, and the form keeps everything.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    const path = `/links/${workspace.idOf('one')}?edit=1`;
    const { page, wrong } = await openConsole(browser, service, workspace, { path });
    await panel(page).getByLabel('Title').fill('New');
    await panel(page).locator('summary', { hasText: 'Schedule and limit' }).click();
    await panel(page).getByLabel('Expires').fill('20266-01-01T00:00');
    await page.keyboard.press('Control+Enter');
    await panel(page)
      .locator('.field-error')
      .filter({ hasText: /^ ?This .+/ })
      .waitFor();
    await panel(page).getByLabel('Expires').fill('2036-01-01T00:00');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'is saved.').waitFor();
    expect(await workspace.linkOf('one')).toMatchObject({ title: 'New', expiresAt: expect.stringMatching(/^2036|^2035/) });
    expect(wrong.filter((text) => !/422/.test(text))).toEqual([]);
  });

  test('Each link is in the list once, also a link that is made while the list is being loaded, and its neighbours.', async () => {
    const workspace = await service.newWorkspace();
    const all = Array.from({ length: 1_400 }, (_, n) => ({ url: `https://example.com/${n}`, customSlug: `n${n}` }));
    for (const part of [all.slice(0, 1_000), all.slice(1_000)]) await workspace.importLinks(part);
    const { page } = await openConsole(browser, service, workspace);
    await page.locator('[data-row="0"]').waitFor();
    const height = (await page.locator('[data-row="0"]').boundingBox())?.height ?? 0;
    /** Scrolls to a row. Those before it are drawn, too, wherever the list has scrolled to by then. */
    const showRow = async (row: number) => {
      const scrolled = async () => {
        await page.locator('.grid-rows').evaluate((rows, top) => rows.scrollTo({ top }), row * height);
        return page.locator(`[data-row="${row}"], [data-row="${row - 4}"]`).count();
      };
      await expect.poll(scrolled, { timeout: 30_000 }).toBe(row === 0 ? 1 : 2);
    };
    // A page is read before the link is made, and arrives afterwards.
    const { promise: isMade, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/api/v1/links?*cursor=*', async (route) => {
      const response = await route.fetch();
      await isMade;
      await route.fulfill({ response });
    });
    const asked = page.waitForRequest('**/api/v1/links?*cursor=*');
    await showRow(95);
    await asked;
    await page.getByRole('textbox', { name: 'Long address' }).fill('https://example.com/new');
    await page.keyboard.press('Enter');
    await page.locator('.created-head').waitFor();
    goOn();
    const seen = new Set<string>();
    for (let row = 0; row <= 1_400; row += 5) {
      await showRow(row);
      const shown = await page
        .locator('[data-row]')
        .evaluateAll((rows) => rows.map((one) => `${one.querySelector('a')?.textContent}`));
      for (const link of shown) seen.add(link);
    }
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
    await page.getByPlaceholder('Search links').fill('example');
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

  test('If one row of the list changes, at most the row that had the focus is drawn again, too.', async () => {
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
    // The row itself, and the row that had the focus.
    expect(await page.evaluate('window.drawn')).toBeLessThan(6);
  });

  test('After a change, the history is requested until it has the change, and not again.', async () => {
    const workspace = await withLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    const { page } = await openConsole(browser, service, workspace, { path: '/tags' });
    await page.clock.install();
    await page.goto(`${service.baseUrl}/console/${workspace.id}/links/${workspace.idOf('one')}`);
    await panel(page).getByText('created it').waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (/\/history(\?|$)/.test(request.url())) asked++;
    });
    await panel(page).getByRole('button', { name: 'Switch off' }).click();
    await toast(page, 'is switched off.').waitFor();
    const entries = async () => (await workspace.call('GET', `/links/${workspace.idOf('one')}/history`)).body.entries.length;
    await expect.poll(entries, { timeout: 30_000 }).toBe(2);
    await page.clock.fastForward(3_000);
    await panel(page).getByText('switched it off').waitFor();
    await page.clock.fastForward(20_000);
    await settled(page);
    expect(asked).toBe(1);
  });

  test("With variants, the panel shows their destinations instead of the link's own, which nobody gets.", async () => {
    const variants = [
      { id: 'a', url: 'https://example.com/a', weight: 3 },
      { id: 'b', url: 'https://example.com/b', weight: 1 },
    ];
    const workspace = await withLinks([{ url: 'https://example.com/nobody', customSlug: 'one', variants }]);
    const { page } = await openConsole(browser, service, workspace, { path: `/links/${workspace.idOf('one')}` });
    await panel(page).getByText('75 % of the visitors').waitFor();
    await panel(page).getByText('25 % of the visitors').waitFor();
    expect(await panel(page).getByText('example.com/nobody').count()).toBe(0);
  });

  test('On a phone, neither the card of a new link nor the filters cover the bar at the bottom, and all of them can be reached.', async () => {
    const workspace = await service.newWorkspace();
    await workspace.newTag('a');
    const { page } = await openConsole(browser, service, workspace, { width: 360, height: 560 });
    /** Whether a press in the middle of an element would hit it. */
    const isHit = async (element: Locator) => {
      await element.scrollIntoViewIfNeeded();
      return element.evaluate((it) => {
        const { left, top, width, height } = it.getBoundingClientRect();
        return it.contains(it.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
      });
    };
    const bar = page.locator('.nav-bar a').first();
    await page.getByRole('textbox', { name: 'Long address' }).fill('https://example.com/');
    await page.keyboard.press('Enter');
    await page.locator('.created-head').waitFor();
    expect(await bar.evaluate((it) => it.getBoundingClientRect().bottom)).toBeLessThanOrEqual(560);
    expect(await isHit(bar)).toBe(true);
    for (const name of ['Undo', 'Save the QR code as SVG'])
      expect(await isHit(page.getByRole('button', { name })), name).toBe(true);
    await button(page, 'Close').first().click();
    await button(page, /^Filters/).click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByLabel('Order').selectOption('asc');
    for (const name of ['Export', 'Done']) expect(await isHit(button(sheet, name)), name).toBe(true);
    await button(sheet, 'Done').click();
    expect(await isHit(bar)).toBe(true);
  });

  test('On a phone, Esc closes what was opened from the filters, and leaves them open with the focus where it was.', async () => {
    const workspace = await service.newWorkspace();
    const { page } = await openConsole(browser, service, workspace, { width: 360 });
    await button(page, 'Filters').press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    const lastClick = sheet.getByLabel('Last click');
    await lastClick.focus();
    await lastClick.selectOption('No click since…');
    const asked = page.getByRole('dialog', { name: 'No click since' });
    await asked.waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    expect(await lastClick.evaluate((it) => it === it.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await button(page, 'Filters').and(page.locator(':focus')).waitFor();
  });
});
