import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../../support/http/chromium.ts';
import { openConsole, overflowOf, violationsIn } from '../../../support/http/console-page.ts';
import { sized } from '../../../support/run/proof.ts';
import { type Service, useService } from '../../../support/service/service.ts';

// The history in a real browser. The API tells what was undone.

/** What `npm test` leaves to `npm run proof`: it runs one journey of each screen. */
const thorough = test.runIf(sized(false, true));

describe.runIf(chromiumPath)('The history', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  /** A workspace with two changed links and a deleted one. */
  async function changed() {
    const workspace = await service.newWorkspace();
    const { call } = workspace;
    const slugs = ['one', 'two', 'three'];
    await workspace.importLinks(slugs.map((slug) => ({ url: `https://example.com/${slug}`, customSlug: slug })));
    const { links } = (await call('GET', '/links')).body;
    const idOf = (slug: string): string => links.find(({ shortCode }: { shortCode: string }) => shortCode === slug).id;
    await call('PATCH', `/links/${idOf('one')}`, { title: '<img src=x onerror=alert(1)>' });
    await call('PATCH', `/links/${idOf('two')}`, { title: 'Two', password: 'a secret word' });
    await call('DELETE', `/links/${idOf('three')}`);
    await expect.poll(async () => (await call('GET', '/history')).body.entries.length).toBeGreaterThanOrEqual(3);
    return { ...workspace, one: idOf('one'), two: idOf('two') };
  }

  test('By keyboard, a person undoes a change and a deletion, and learns why another change cannot be undone.', async () => {
    const workspace = await changed();
    const { call, one, two } = workspace;
    const { page, wrong, asked } = await openConsole(browser, service, workspace, { path: '/history' });
    const row = (slug: string) => page.locator('.change', { hasText: `/${slug}` });

    await row('one').locator('.change-when').press('u');
    await page.getByText('→ none').last().waitFor();
    await page.getByRole('button', { name: 'Undo change' }).press('Enter');
    await page.getByText('is undone.').waitFor();
    expect((await call('GET', `/links/${one}`)).body.link.title).toBeNull();

    await row('three').getByRole('button', { name: /^Undo/ }).press('Enter');
    await page.getByText('with a new id and 0 clicks').waitFor();
    await page.getByRole('button', { name: 'Undo deletion' }).press('Enter');
    await page.getByText('is back, with 0 clicks.').waitFor();
    expect((await call('GET', '/links?q=three')).body.links).toHaveLength(1);

    // Changed again: before, and while the dialog is open.
    await row('two').locator('.change-when').press('Enter');
    await row('two')
      .getByText(/Request /)
      .waitFor();
    await row('two').getByRole('button', { name: /^Undo/ }).press('Enter');
    await page.getByText('The password stays').waitFor();
    await call('PATCH', `/links/${two}`, { title: 'Meanwhile' });
    await page.getByRole('button', { name: 'Undo change' }).press('Enter');
    await page.getByText('Not undone: Title has been changed again since.').waitFor();
    await page.getByText('Title has been changed again since, and is now “Meanwhile”.').waitFor();
    expect((await call('GET', `/links/${two}`)).body.link.title).toBe('Meanwhile');
    await page.getByRole('link', { name: 'Open link' }).press('Enter');
    await page.getByRole('complementary', { name: 'Link' }).waitFor();
    expect(page.url()).toContain(`/links/${two}`);
    expect(wrong).toEqual([]);
    expect([...asked]).toEqual([service.baseUrl]);
  });

  test('A deleted template is back as it was, at once or from the history, once, and without a tag that is gone.', async () => {
    const workspace = await service.newWorkspace();
    const { call } = workspace;
    const [kept, gone] = [await workspace.newTag('Kept'), await workspace.newTag('Gone')];
    const settings = { name: 'Spring', utmSource: 'mail', redirectType: 'PERMANENT_301', expiresAfterDays: 3, blockBots: true };
    const { body: first } = await call('POST', '/templates', { ...settings, tagIds: [gone, kept] });
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/templates' });
    await page.getByRole('button', { name: 'Actions for the template Spring' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete template' }).click();
    await page.getByText('The template Spring is deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('The template Spring is back.').waitFor();
    const templates = async () => (await call('GET', '/templates')).body.templates;
    expect(await templates()).toEqual([first]);

    await call('DELETE', `/templates/${first.id}`);
    await call('DELETE', `/tags/${gone}`);
    const deletions = async () =>
      (await call('GET', '/history')).body.entries.filter(({ action }: { action: string }) => action === 'template.deleted');
    await expect.poll(async () => (await deletions()).length).toBe(2);
    const { body: taken } = await call('POST', '/templates', { name: 'spring' });
    await page.goto(`${service.baseUrl}/console/${workspace.id}/history`);
    await page.getByText('Undone: the template is back.').waitFor();
    // Only the later deletion has it.
    const undo = page.getByRole('button', { name: /^Undo: deleted the template “Spring”/ });
    await undo.click();
    await page.getByText('Tags that no longer exist are left out.').waitFor();
    await page.getByRole('button', { name: 'Undo deletion' }).click();
    await page.getByText('Not undone: Name now belongs to another template.').waitFor();
    await call('DELETE', `/templates/${taken.id}`);
    // The first answer is lost.
    await page.route('**/revert', (route) => route.fetch().then(() => route.abort()), { times: 1 });
    await page.getByRole('button', { name: 'Undo deletion' }).click();
    await page.getByText('The template Spring is back.').waitFor();
    expect(await templates()).toEqual([{ ...first, tagIds: [kept] }]);
    await expect.poll(() => undo.count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  thorough(
    'Changes of many links by one request, deletions too, are one row, which is undone as a whole and then marked as undone.',
    async () => {
      const workspace = await service.newWorkspace();
      const { call } = workspace;
      // More than a page of the history.
      const slugs = Array.from({ length: 60 }, (_, n) => `n${n}`);
      await workspace.importLinks(slugs.map((slug) => ({ url: `https://example.com/${slug}`, customSlug: slug })));
      const all = async () =>
        (await call('GET', '/links?limit=100')).body.links as { id: string; shortCode: string; isActive: boolean }[];
      const made = await all();
      const ids = made.map(({ id }) => id);
      await call('PATCH', '/links/bulk', { ids, fields: { isActive: false } });
      await call('PATCH', `/links/${ids[0]}`, { isActive: true });
      await expect.poll(async () => (await call('GET', '/history?limit=100')).body.entries.length, { timeout: 30_000 }).toBe(61);
      // The rest of a group that the page cuts off is loaded automatically; if that fails, it is not requested again.
      const { page: failing } = await openConsole(browser, service, workspace, { path: '/links' });
      let failures = 0;
      await failing.route('**/api/v1/history?**cursor=**', (route) => {
        failures++;
        return route.fulfill({ status: 503, json: {} });
      });
      await failing.goto(`${service.baseUrl}/console/${workspace.id}/history`);
      await failing.getByText('Earlier changes could not be loaded.').waitFor();
      expect(failures).toBe(1);
      await failing.unrouteAll();
      await failing.getByRole('button', { name: 'Try again' }).press('Enter');
      await failing.getByText('changed 60 links').waitFor();
      const { page, wrong } = await openConsole(browser, service, workspace, { path: '/history' });
      const many = page.locator('.change.many');
      await many.getByText('changed 60 links').waitFor();
      expect(await page.locator('.change').count()).toBe(2);
      await many.getByText('1 link undone since').waitFor();
      await many.locator('.change-when').press('Enter');
      expect(await many.locator('.change').count()).toBe(60);
      await many.getByText('Undone at').waitFor();
      await many.locator('.change-when').first().press('u');
      await page.getByText('no → yes').last().waitFor();
      // A link that was undone before keeps what somebody has changed since.
      await call('PATCH', `/links/${ids[0]}`, { isActive: false });
      await page.getByRole('button', { name: 'Undo 59 changes' }).press('Enter');
      await page.getByText('59 of 59 links are restored.').waitFor();
      expect((await all()).filter(({ isActive }) => !isActive).map(({ id }) => id)).toEqual([ids[0]]);
      // The undo is one row as well.
      await page.getByText('changed 59 links').waitFor();
      await many.filter({ hasText: '60 links' }).getByText('All undone.').waitFor();

      await call('POST', '/links/bulk-delete', { ids: ids.slice(0, 3) });
      await expect
        .poll(async () => (await call('GET', '/history?limit=3')).body.entries.map(({ action }: { action: string }) => action), {
          timeout: 30_000,
        })
        .toEqual(['link.deleted', 'link.deleted', 'link.deleted']);
      await page.reload();
      const deleted = many.filter({ hasText: 'deleted 3 links' });
      await deleted.getByRole('button', { name: /^Undo: deleted 3 links/ }).press('Enter');
      await page.getByText('with new ids and 0 clicks').waitFor();
      // Its address belongs to somebody else meanwhile.
      const taken = made[0]?.shortCode ?? '';
      await call('POST', '/links', { domain: workspace.domain, url: 'https://example.com/other', customSlug: taken });
      await page.getByRole('button', { name: 'Undo 3 deletions' }).press('Enter');
      await page.getByText('2 of 3 links are back, with 0 clicks.').waitFor();
      await page.getByText(new RegExp(`/${taken}: Not undone: Slug now belongs to another link`)).waitFor();
      await page.getByRole('button', { name: 'Close' }).last().press('Enter');
      await deleted.getByText('2 links undone since').waitFor();
      await deleted.locator('.change-when').press('Enter');
      await deleted.getByRole('link', { name: 'link is back' }).first().press('Enter');
      await page.getByRole('complementary', { name: 'Link' }).waitFor();
      expect(wrong).toEqual([]);
    },
  );

  thorough('The history can be filtered by link, person and time, and says so if it is empty, off or forbidden.', async () => {
    const workspace = await changed();
    const { page } = await openConsole(browser, service, workspace, { path: `/history?of=${workspace.one}` });
    await page.getByText('Delete the link instead.').waitFor();
    expect(await page.locator('.change').count()).toBe(2);
    await page.goto(`${service.baseUrl}/console/${workspace.id}/history?actor=operator&range=7d`);
    await page.getByText('No changes by them in the last 7 days.').waitFor();
    await page.getByRole('combobox', { name: 'Changed by' }).selectOption('');
    await page.locator('.change').first().waitFor();
    expect(new URL(page.url()).search).toBe('?range=7d');
    // A key that has not changed anything yet can be chosen, too.
    await workspace.call('POST', '/keys', { name: 'Quiet', permissions: ['links:read'] });
    await page.reload();
    await page.getByRole('combobox', { name: 'Changed by' }).selectOption({ label: 'Quiet' });
    await page.getByText('No changes by them in the last 7 days.').waitFor();
    await page.getByRole('combobox', { name: 'Changed by' }).selectOption('');
    await page.getByRole('combobox', { name: 'When', exact: true }).selectOption('own');
    await page.getByLabel('First day').fill('2026-01-01');
    await page.getByLabel('Last day').fill('2026-01-31');
    await page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
    await page.getByText('No changes: 1 Jan – 31 Jan 2026.').waitFor();
    expect(new URL(page.url()).search).toBe('?range=2026-01-01..2026-01-31');
    await page.getByRole('combobox', { name: 'When', exact: true }).selectOption('7d');
    await page.locator('.change').first().waitFor();
    await page.route('**/api/v1/me', async (route) => {
      const response = await route.fetch();
      const me = await response.json();
      await route.fulfill({ response, json: { ...me, limits: { ...me.limits, historyDays: 0 } } });
    });
    await page.reload();
    await page.getByText('This service keeps no history, so nothing can be undone.').waitFor();
    const { key } = await workspace.newKey(['links:read']);
    const other = await openConsole(browser, service, workspace, { path: '/history', key });
    await other.page.getByText('You need permission to view the history (history:read). Ask an owner.').waitFor();
  });

  thorough.for([
    ['light', 1_400],
    ['dark', 360],
    ['dark', 1_400],
    ['light', 360],
  ] as const)('In %s colours at %i pixels, axe finds nothing, and nothing is wider than the page.', async ([theme, width]) => {
    const workspace = await changed();
    const { page } = await openConsole(browser, service, workspace, { theme, width, path: '/history', withAxe: true });
    await page.locator('.change').first().waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page
      .getByRole('button', { name: /^Undo: changed/ })
      .first()
      .click();
    await page.getByText('Other fields stay as they are.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  });
});
