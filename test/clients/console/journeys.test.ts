import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../support/http/chromium.ts';
import { openConsole, overflowOf } from '../../support/http/console-page.ts';
import { startReceiver } from '../../support/http/receiver.ts';
import { type Service, useService } from '../../support/service/service.ts';

// The console in a real browser, as people use it. The API, not the page, tells what it has done.

test.runIf(process.env.CI)('Where CI is set, there is a browser, so that these tests are not skipped unnoticed.', () => {
  expect(chromiumPath).toBeDefined();
});
if (!chromiumPath && !process.env.CI) {
  test.skip('The journeys through the console are skipped, because there is no Chromium here (set CHROMIUM_PATH).');
}

const longAddress = (page: Page) => page.getByRole('textbox', { name: 'Long address' });
const panel = (page: Page) => page.getByRole('complementary', { name: 'Link' });
const saved = 'is saved.';

describe.runIf(chromiumPath)('In a browser', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  test('A person makes a link with two key presses, visits it, changes it at the same time as somebody else, sees its click, and undoes everything.', async () => {
    const workspace = await service.newWorkspace();
    const { call, domain } = workspace;
    const { page, wrong, asked } = await openConsole(browser, service, workspace, { key: null });
    await page.getByLabel('API key').fill(workspace.key);
    await page.getByLabel('API key').press('Enter');
    await page.getByText('No links yet.').waitFor();

    // Paste and Enter: made, copied, and shown with its code.
    await page.evaluate("navigator.clipboard.writeText('https://example.com/a/long/address')");
    await longAddress(page).click();
    await page.keyboard.press('Control+V');
    await page.keyboard.press('Enter');
    await page.getByText('Link created and copied', { exact: true }).waitFor();
    await page.getByRole('img', { name: /^QR code of/ }).waitFor();
    await page.getByRole('button', { name: 'Save the QR code as SVG' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    const [link] = (await call('GET', '/links')).body.links;
    expect(link).toMatchObject({ url: 'https://example.com/a/long/address', domain });
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link.shortUrl);
    expect(await service.visit(domain, link.shortCode)).toBe(302);

    // A change, while somebody else changes another field.
    await page.getByRole('button', { name: 'Edit' }).click();
    await panel(page).getByLabel('Title').fill('Mine');
    await call('PATCH', `/links/${link.id}`, { notes: 'Theirs' });
    await page.keyboard.press('Control+Enter');
    await page.getByText(saved).waitFor();
    expect((await call('GET', `/links/${link.id}`)).body.link).toMatchObject({ title: 'Mine', notes: 'Theirs' });

    // The same field: nothing is written until the person has chosen.
    await panel(page).getByRole('button', { name: 'Edit' }).click();
    await panel(page).getByLabel('Title').fill('Mine again');
    await call('PATCH', `/links/${link.id}`, { title: 'Theirs' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Somebody else changed this while you were editing.').waitFor();
    // Nor by the key that saves.
    await page.getByRole('alert').filter({ hasText: 'Choose what to keep' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+Enter');
    await panel(page).getByLabel('Title').press('Control+Enter');
    await page.getByRole('alert').and(page.locator(':focus')).waitFor();
    expect((await call('GET', `/links/${link.id}`)).body.link.title).toBe('Theirs');
    await page.getByRole('button', { name: 'Keep yours' }).press('Enter');
    await page.locator('button[type=submit]:focus', { hasText: 'Save changes' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await panel(page).getByRole('button', { name: 'Switch off' }).waitFor();
    expect((await call('GET', `/links/${link.id}`)).body.link.title).toBe('Mine again');

    // Undo of the change, by the key, and of the deletion.
    await panel(page).focus();
    await page.keyboard.press('Control+z');
    await page.getByText('The change is undone.').waitFor();
    expect((await call('GET', `/links/${link.id}`)).body.link.title).toBe('Theirs');

    // The visit is one click in the plot.
    await expect.poll(async () => (await call('GET', `/links/${link.id}`)).body.link.clickCount).toBe(1);
    await panel(page).getByRole('link', { name: 'Statistics' }).click();
    await page.locator('.plot canvas').waitFor();
    const clicks = page.locator('.figure', { hasText: 'Clicks' }).first().locator('.figure-value');
    await expect.poll(() => clicks.textContent()).toBe('1');
    await page.goBack();

    await panel(page).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete link' }).click();
    await page.getByText('is deleted.').waitFor();
    expect((await call('GET', '/links')).body.links).toEqual([]);
    await page.getByText('is deleted.').locator('..').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('is back, with 0 clicks.').waitFor();
    expect((await call('GET', '/links')).body.links).toEqual([
      expect.objectContaining({ shortCode: link.shortCode, title: 'Theirs', restoredFrom: link.id }),
    ]);
    expect(wrong).toEqual([]);
    expect([...asked]).toEqual([service.baseUrl]);
  });

  test('A person who is refused, cut off, or overtaken by a deployment learns why, and loses nothing.', async () => {
    const workspace = await service.newWorkspace();
    await workspace.importLinks([{ url: 'https://example.com/', customSlug: 'one', title: 'One' }]);
    const { key: temporary } = await workspace.newKey();
    const { page, context, wrong } = await openConsole(browser, service, workspace, { key: null });

    // Signing in.
    const field = page.getByLabel('API key');
    await field.fill('lk_wrong');
    await field.press('Enter');
    await page.getByText('A key begins with lk_').waitFor();
    await field.fill(`lk_${'0'.repeat(36)}`);
    await field.press('Enter');
    await page.getByText('This key is unknown, expired or revoked.').waitFor();
    await field.fill(temporary);
    await field.press('Enter');
    await page.getByText('One', { exact: true }).click();
    await panel(page).getByRole('button', { name: 'Edit' }).click();
    await panel(page).getByLabel('Title').fill('Two');

    // The key ends: the page stays, and the request is sent after the next sign-in.
    await page.route('**/api/v1/**', (route) =>
      route.request().headers().authorization === `Bearer ${temporary}`
        ? route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"unauthorized","detail":"No."}' })
        : route.continue(),
    );
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your session has ended').waitFor();
    await field.fill(workspace.key);
    await field.press('Enter');
    await page.getByText(saved).waitFor();
    const [link] = (await workspace.call('GET', '/links')).body.links;
    expect(link.title).toBe('Two');
    await page.unroute('**/api/v1/**');

    // The answer to a creation is lost: the page asks again, and there is one link.
    let lost = 0;
    await page.route('**/api/v1/links', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await longAddress(page).fill('https://example.com/once');
    await longAddress(page).press('Enter');
    await page.getByText('Checking whether it was saved…').waitFor();
    await page.getByText('Link created and copied', { exact: true }).waitFor();
    expect((await workspace.call('GET', '/links?q=once')).body.links).toHaveLength(1);
    await page.unroute('**/api/v1/links');

    // Texts that aren't addresses, or that the service refuses, are reported at the field, which keeps its text.
    await longAddress(page).fill('no address');
    await longAddress(page).press('Enter');
    const refusal = page.getByText('Enter an address that starts with https://.');
    await refusal.waitFor();
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await refusal.waitFor({ state: 'hidden' });
    await page.goBack();
    // An address without its scheme is shown with it before it is sent.
    await longAddress(page).fill('nas.lan/films');
    await page.getByText('Leads to https://nas.lan/films').waitFor();
    await longAddress(page).press('Enter');
    await page.getByText('The address must point to a public address').waitFor();
    expect(await longAddress(page).inputValue()).toBe('https://nas.lan/films');
    // So is a text that is pasted anywhere; if it cannot become a link, the page says so.
    const paste = async (text: string) => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('Control+V');
    };
    await paste('www.example.com/pasted');
    expect(await longAddress(page).inputValue()).toBe('https://www.example.com/pasted');
    await paste('only words');
    await page.getByText('What you pasted is not a web address').waitFor();
    await paste('https://example.com/1\nhttps://example.com/2');
    await page.getByText('2 links ready').waitFor();
    await page.goBack();
    await longAddress(page).fill('https://nas.lan/');
    await longAddress(page).press('Enter');
    await page.getByText('The address must point to a public address').waitFor();
    expect(await longAddress(page).inputValue()).toBe('https://nas.lan/');

    // Unsaved changes survive closing.
    await panel(page).getByRole('button', { name: 'Edit' }).click();
    await panel(page).getByLabel('Note').fill('not saved yet');
    await panel(page).getByRole('button', { name: 'Close', exact: true }).first().click();
    await page.getByText('Two', { exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await panel(page).getByLabel('Note').inputValue()).toBe('not saved yet');
    expect(await page.evaluate('Object.values(localStorage).join()')).not.toContain(workspace.key);

    // Offline, throttled, and a deployment that has replaced a file.
    await context.setOffline(true);
    await page.getByText('You are offline. This may be out of date.').waitFor();
    await context.setOffline(false);
    let refused = 0;
    await page.route('**/api/v1/links?**', (route) =>
      refused++ === 0 ? route.fulfill({ status: 429, contentType: 'application/problem+json', body: '{}' }) : route.continue(),
    );
    await page.goto(`${service.baseUrl}/console/${workspace.id}/links?q=once`);
    await page.getByText('example.com/once').waitFor();
    expect(refused).toBeGreaterThan(1);
    let reloads = 0;
    page.on('load', () => reloads++);
    await page.route('**/console/assets/panel-*.js', (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByText('example.com/once').click();
    await page.getByText('A new version is here.').waitFor();
    expect(reloads).toBe(1);
    expect(wrong).toEqual([]);
  });

  test('A key that may only read sees why it cannot write; an address with a key never replaces a sign-in.', async () => {
    const workspace = await service.newWorkspace();
    await workspace.importLinks([{ url: 'https://example.com/', customSlug: 'one', title: 'One' }]);
    const { key } = await workspace.newKey(['links:read', 'domains:read', 'tags:read']);
    // Also in a tab that asks for a key, where only the part after # changes.
    const { page } = await openConsole(browser, service, workspace, { key: null });
    await page.getByLabel('API key').fill('lk_wrong');
    await page.getByLabel('API key').press('Enter');
    await page.getByText('A key begins with').waitFor();
    await page.goto(`${page.url()}#key=${key}`);
    await page.getByText('One', { exact: true }).waitFor();
    expect(page.url()).not.toContain('key=');
    await page.evaluate(`location.hash = 'key=${workspace.key}'`);
    await page.waitForURL((url) => url.hash === '');
    expect(await page.evaluate("sessionStorage.getItem('links-key')")).toBe(key);
    // Nothing is offered that would be refused.
    expect(await longAddress(page).count()).toBe(0);
    await page.goto(`${service.baseUrl}/console/${workspace.id}/new?url=https://example.com/`);
    await page.getByText('You need permission to create and edit links (links:write). Ask an owner.').waitFor();
    await page.goto(`${service.baseUrl}/console/${workspace.id}/links?q=One#key=${workspace.key}`);
    await page.reload();
    await page.getByText('One', { exact: true }).waitFor();
    expect(await page.evaluate("sessionStorage.getItem('links-key')")).toBe(key);
    const other = await service.newWorkspace();
    await page.goto(`${service.baseUrl}/console/${other.id}/links`);
    await page.getByText('This address belongs to another workspace').waitFor();
  });

  test('A person learns which address to use instead of one that redirects, at the webhook, its delivery and the link.', async () => {
    const workspace = await service.newWorkspace();
    const redirectsTo = `https://www.example.com/${'long/'.repeat(40)}<b>?key=1`;
    const redirecting = await startReceiver(() => ({ status: 308, headers: { Location: redirectsTo } }));
    const { call } = workspace;
    const { id } = (await call('POST', '/webhooks', { url: redirecting.url, events: ['link.clicked'] })).body;
    const [link] = (await workspace.importLinks([{ url: 'https://example.com/', webhookUrls: redirecting.url }])).body.links;
    await call('POST', '/webhook-secrets', {});
    await call('POST', `/webhooks/${id}/test`);
    await expect.poll(async () => (await call('GET', `/webhooks/${id}`)).body.status.error).toBe('redirect');
    const advice = `It redirects to ${new URL(redirectsTo).href}: use that address.`;
    const { page, wrong } = await openConsole(browser, service, workspace, { path: `/webhooks/${id}`, width: 390 });
    await page.getByText(advice).waitFor();
    await page.getByRole('button', { name: 'webhook.test' }).click();
    await page.getByRole('dialog').getByText(advice).waitFor();
    expect(await overflowOf(page)).toBe(0);
    await page.goto(`${service.baseUrl}/console/${workspace.id}/links/${link.id}`);
    await page.getByText(advice).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(wrong).toEqual([]);
    await page.context().close();
    await redirecting.stop();
  });

  test('However far somebody scrolls, the page has few nodes, and all rows can be reached and selected by keyboard.', async () => {
    const workspace = await service.newWorkspace();
    const links = Array.from({ length: 450 }, (_, n) => ({ url: `https://example.com/${n}`, customSlug: `n${n}` }));
    await workspace.importLinks(links);
    const { page } = await openConsole(browser, service, workspace);
    await page.locator('[data-row="0"]').focus();
    const everything = page.getByText('450 links.');
    while (!(await everything.isVisible())) {
      await page.keyboard.press('End');
      await page.waitForFunction('document.activeElement.dataset.row !== undefined');
    }
    await page.keyboard.press('End');
    await page.locator('[data-row="449"]:focus').waitFor();
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(2_000);
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowUp');
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('2 links switched off.').waitFor();
    expect((await workspace.call('GET', '/links?state=inactive')).body.links).toHaveLength(2);
    await page.keyboard.press('Escape');
    await page.getByPlaceholder('Search links').fill('n44');
    await page.getByText('11 links.').waitFor();
    expect(new URL(page.url()).search).toBe('?q=n44');
  });
});
