import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { usedLimits } from '../../../clients/console/limits/words.ts';
import { chromiumPath, useChromium } from '../../support/http/chromium.ts';
import { openConsole, overflowOf, settled, violationsIn } from '../../support/http/console-page.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

// Tags, templates, domains, webhooks and keys in a real browser. The API tells what was done.

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const dialog = (page: Page) => page.getByRole('dialog');

/** What `npm test` leaves to `npm run proof`: it runs one journey of each screen. */
const thorough = test.runIf(sized(false, true));

describe.runIf(chromiumPath)('In the console', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  test('a person creates, changes, and deletes tags, and sees how many links have each.', async () => {
    const workspace = await service.newWorkspace();
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/tags' });
    await page.getByText('No tags yet.').waitFor();
    await button(page, 'Create a tag').press('Enter');
    // The form has the focus, so that typing begins at once.
    await dialog(page).getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Launch');
    await page.keyboard.press('Enter');
    await page.getByText('The tag Launch is created.').waitFor();
    const [tag] = (await workspace.call('GET', '/tags')).body.tags;
    await workspace.importLinks([{ url: 'https://example.com/', customSlug: 'one', tagIds: [tag.id] }]);
    await page.reload();
    await page.getByRole('link', { name: '1 link with the tag Launch' }).waitFor();

    await button(page, 'Create a tag').press('Enter');
    await dialog(page).getByLabel('Name').fill('launch');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('alert').waitFor();
    await page.keyboard.press('Escape');

    await button(page, 'Actions for the tag Launch').press('Enter');
    await page.keyboard.press('Enter');
    await workspace.call('PATCH', `/tags/${tag.id}`, { name: 'Theirs' });
    await dialog(page).getByLabel('Name').fill('Mine');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Theirs: Theirs').waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog(page).getByRole('button', { name: 'Keep yours' }).press('Enter');
    // The focus is on the button that saves.
    await page.locator('button[type=submit]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('The tag Mine is saved.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await button(page, 'Actions for the tag Theirs').waitFor();

    await button(page, 'Actions for the tag Theirs').press('Enter');
    await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
    await page.getByText('It is removed from 1 link.').waitFor();
    await button(page, 'Delete tag').press('Enter');
    await page.getByText('No tags yet.').waitFor();
    expect((await workspace.call('GET', '/tags')).body.tags).toEqual([]);
    expect((await workspace.call('GET', '/links')).body.links).toHaveLength(1);
    expect(wrong).toEqual([]);
  });

  test('a person creates, changes, and deletes templates while somebody else changes them.', async () => {
    const workspace = await service.newWorkspace();
    const { call, domain } = workspace;
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/templates', withAxe: true });
    await page.getByText('No templates yet.').waitFor();
    await button(page, 'Create a template').press('Enter');
    await dialog(page).getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Newsletter');
    await dialog(page).getByLabel('Domain').selectOption(domain);
    await dialog(page).getByLabel('UTM source').fill('mail');
    await dialog(page).getByLabel('Redirect').first().selectOption('PERMANENT_301');
    await dialog(page).getByLabel('Expires after days').fill('0');
    await dialog(page).getByLabel('Block bots').check();
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
    await dialog(page).locator('.field-error').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await dialog(page).getByLabel('Expires after days').fill('90');
    await page.keyboard.press('Enter');
    await page.getByText('The template Newsletter is created.').waitFor();
    const [template] = (await call('GET', '/templates')).body.templates;
    expect(template).toMatchObject({
      name: 'Newsletter',
      domain,
      utmSource: 'mail',
      utmMedium: null,
      redirectType: 'PERMANENT_301',
      expiresAfterDays: 90,
      blockBots: true,
      isActive: true,
    });
    await page.getByText('Expires after 90 days').waitFor();

    await button(page, 'Actions for the template Newsletter').press('Enter');
    await page.keyboard.press('Enter');
    await call('PATCH', `/templates/${template.id}`, { utmSource: 'theirs', utmMedium: 'email' });
    await dialog(page).getByLabel('UTM source').fill('mine');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Theirs: theirs').waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog(page).getByRole('button', { name: 'Keep yours' }).press('Enter');
    await page.locator('button[type=submit]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('The template Newsletter is saved.').waitFor();
    expect((await call('GET', `/templates/${template.id}`)).body).toMatchObject({ utmSource: 'mine', utmMedium: 'email' });

    await button(page, 'Actions for the template Newsletter').press('Enter');
    await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
    await page.getByText('Links that were made with it stay as they are.').waitFor();
    await button(page, 'Delete template').press('Enter');
    await page.getByText('No templates yet.').waitFor();
    expect((await call('GET', '/templates')).body.templates).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test('a person adds a domain, sees what is missing, and changes the settings of another one while somebody else does.', async () => {
    const workspace = await service.newWorkspace();
    const { call, domain } = workspace;
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/domains' });
    const name = `new-${domain}`;
    await page.getByLabel('Add a domain').fill(name);
    await page.keyboard.press('Enter');
    await page.getByText('Prove that you own the domain.').waitFor();
    const claim = (await call('GET', `/domains/${name}`)).body;
    for (const { value } of claim.records) await page.getByText(value, { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Copy value of the TXT record' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(claim.records[0].value);
    await page.locator('body').press('r');
    await page.getByText(/the DNS did not answer|no TXT record was found/).waitFor();
    await button(page, 'Delete…').click();
    await button(page, 'Delete domain').click();
    await page.getByText('is deleted.').waitFor();
    expect((await call('GET', `/domains/${name}`)).status).toBe(404);

    await page.getByRole('link', { name: domain, exact: true }).click();
    await page.getByLabel('Home page redirects to').fill('https://example.com/mine');
    await call('PATCH', `/domains/${domain}`, { expiredUrl: 'https://example.com/theirs' });
    await page.keyboard.press('Control+Enter');
    await page.getByText('Saved. Visitors see it within a minute.').waitFor();
    expect((await call('GET', `/domains/${domain}`)).body).toMatchObject({
      rootUrl: 'https://example.com/mine',
      expiredUrl: 'https://example.com/theirs',
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await call('GET', `/domains/${domain}`)).body.rootUrl).toBeNull();

    await page.reload();
    await page.getByLabel('Home page redirects to').fill('https://example.com/mine');
    await call('PATCH', `/domains/${domain}`, { rootUrl: 'https://example.com/theirs' });
    await page.keyboard.press('Enter');
    await page.getByText('Somebody else changed this while you were editing.').waitFor();
    expect((await call('GET', `/domains/${domain}`)).body.rootUrl).toBe('https://example.com/theirs');
    await button(page, 'Take theirs').click();
    expect(await page.getByLabel('Home page redirects to').inputValue()).toBe('https://example.com/theirs');
    await page.getByLabel('Home page redirects to').fill('https://example.com/mine');
    await button(page, 'Save 1 change').click();
    await page.getByText('Saved. Visitors see it within a minute.').waitFor();
    expect((await call('GET', `/domains/${domain}`)).body.rootUrl).toBe('https://example.com/mine');

    await page.getByText('Search engines', { exact: true }).click();
    await page.getByLabel('Search engines can list its links').check();
    await button(page, 'Save 1 change').click();
    await expect.poll(async () => (await call('GET', `/domains/${domain}`)).body.allowIndexing).toBe(true);
    // The message of this change, not of the one before.
    await settled(page);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await call('GET', `/domains/${domain}`)).body.allowIndexing).toBe(false);

    await page.getByText('Apps', { exact: true }).click();
    await page.getByLabel('Android: assetlinks.json').fill('[{');
    await button(page, 'Save 1 change').click();
    await page.getByText('This is not JSON.').waitFor();
    await button(page, 'Discard').click();
    await page.getByText('Appearance', { exact: true }).click();
    await page.getByLabel('Button colour').fill('#ffffff');
    await button(page, 'Save 1 change').click();
    await page.getByText('This must have a contrast').waitFor();
    await workspace.importLinks([{ url: 'https://example.com/', customSlug: 'one' }]);
    await button(page, 'Delete…').click();
    await button(page, 'Delete domain').click();
    await page.getByText('It still has links.').waitFor();
    await page.getByRole('link', { name: 'Show them' }).click();
    await page.locator('[data-row="0"]').waitFor();
    expect(new URL(page.url()).search).toBe(`?domain=${domain}`);
    expect(wrong).toEqual([]);
  });

  thorough('a person adds a webhook, stores its secret, tests it, and sends a delivery again.', async () => {
    const workspace = await service.newWorkspace();
    const { call } = workspace;
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/webhooks' });
    await button(page, 'Add a webhook').click();
    await dialog(page).getByLabel('Address').fill('http://intranet/');
    await page.keyboard.press('Enter');
    await dialog(page)
      .getByText(/^ ?This must/)
      .waitFor();
    await dialog(page).getByLabel('Address').fill('https://hooks.example.com/links');
    // The answer is lost: the same request is sent again.
    let lost = 0;
    await page.route('**/api/v1/webhooks', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.keyboard.press('Enter');
    await page.getByText('Checking whether it was saved…').waitFor();
    await page.getByText('Copy it now. It is not shown again.').waitFor();
    const secret = await page.locator('output').textContent();
    expect(secret).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await button(page, 'Done').click();
    const { webhooks } = (await call('GET', '/webhooks')).body;
    expect(webhooks).toHaveLength(1);
    expect(new URL(page.url()).pathname).toContain(webhooks[0].id);

    await button(page, 'Send test').click();
    await page.getByRole('button', { name: 'webhook.test' }).waitFor();
    await button(page, 'Send test').click();
    await page.getByRole('button', { name: 'webhook.test' }).nth(1).waitFor();
    await page.getByRole('button', { name: 'webhook.test' }).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('What is sent').waitFor();
    await dialog(page).getByRole('region', { name: 'Body' }).focus();
    expect(await page.evaluate('document.activeElement?.className')).toBe('reply');
    await page.keyboard.press('ArrowLeft');
    await dialog(page).getByRole('button', { name: 'Newer', disabled: true }).waitFor();
    await expect.poll(async () => (await call('GET', '/webhook-deliveries')).body.deliveries[0]?.attempts.length).toBe(1);
    await dialog(page).getByText('1 attempt').waitFor();
    await dialog(page).press('r');
    await expect.poll(async () => (await call('GET', '/webhook-deliveries')).body.deliveries[0]?.attempts.length).toBe(2);
    await page.keyboard.press('Escape');
    await page.getByLabel('State').selectOption('Delivered');
    await page.getByText('No deliveries match.').waitFor();
    expect(new URL(page.url()).search).toBe('?state=succeeded');

    await button(page, 'Switch off').click();
    await page.getByText('Off: events are not sent').waitFor();
    expect((await call('GET', `/webhooks/${webhooks[0].id}`)).body.active).toBe(false);
    await page.getByText('Secrets', { exact: true }).click();
    await button(page, 'New secret').press('Enter');
    await button(page, 'Done').press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.textContent'), { timeout: 8_000 }).toBe('New secret');
    await expect.poll(async () => (await call('GET', '/webhook-secrets')).body.secrets.length).toBe(2);
    await button(page, 'Delete…').click();
    await button(page, 'Delete webhook').click();
    await page.getByText('The webhook is deleted.').waitFor();
    expect((await call('GET', '/webhooks')).body.webhooks).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test('a person creates, changes, replaces and revokes keys, and is offered only the permissions of their own key.', async () => {
    const workspace = await service.newWorkspace();
    const { call } = workspace;
    const own = await workspace.newKey(['keys:write', 'keys:read', 'links:read', 'tags:read']);
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/keys', key: own.key });
    await page.getByText('This page uses it').waitFor();
    await page.getByText('has permissions that you don’t have').waitFor();
    await button(page, 'Create a key').click();
    expect(await dialog(page).getByRole('checkbox').count()).toBe(4);
    await dialog(page).getByLabel('Name').fill('CI');
    await dialog(page).getByLabel('Expires').selectOption('in 30 days');
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Copy it now.').waitFor();
    const made = (await page.locator('output').textContent()) ?? '';
    await button(page, 'Done').click();
    expect((await service.send('GET', '/api/v1/me', { key: made })).body.key).toMatchObject({
      name: 'CI',
      permissions: ['links:read', 'tags:read'],
    });
    const action = async (what: string) => {
      await button(page, 'Actions for the key CI').click();
      await page.getByRole('menuitem', { name: what }).click();
    };
    await action('Edit…');
    await dialog(page).getByLabel('View tags').uncheck();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('The key is saved.').waitFor();
    const find = async () => (await call('GET', '/keys')).body.keys.filter(({ name }: { name: string }) => name === 'CI');
    expect(await find()).toMatchObject([{ permissions: ['links:read'] }]);
    await action('Replace…');
    await dialog(page).getByLabel('The old key still works').selectOption('not at all: it stops now');
    await button(page, 'Replace the key').click();
    await page.getByText('Copy it now.').waitFor();
    await button(page, 'Done').click();
    await expect.poll(async () => (await find()).length).toBe(2);
    await button(page, 'Actions for the key CI').waitFor();
    await action('Revoke…');
    await button(page, 'Revoke key').click();
    await page.getByText('The key is revoked.').waitFor();
    await expect.poll(async () => (await find()).some(({ revokedAt }: { revokedAt: string | null }) => revokedAt)).toBe(true);
    expect(wrong).toEqual([]);
  });

  thorough('throttled checks, tests, redeliveries and new keys say how long they wait, and retry by themselves.', async () => {
    const workspace = await service.newWorkspace();
    const { call, domain } = workspace;
    const { id } = (await call('POST', '/webhooks', { url: 'https://hooks.example.com/', events: ['link.clicked'] })).body;
    await call('POST', '/webhook-secrets', { webhookId: id });
    await call('POST', `/webhooks/${id}/test`);
    await call('POST', '/keys', { name: 'CI', permissions: ['links:read'] });
    const claim = `new-${domain}`;
    await call('POST', '/domains', { domain: claim });
    const { page } = await openConsole(browser, service, workspace);
    const choose = async (menu: string, item: string) => {
      await button(page, menu).press('Enter');
      await page.getByRole('menuitem', { name: item }).press('Enter');
    };
    for (const [path, request, act, done] of [
      [
        `/domains/${claim}`,
        'verify',
        () => button(page, 'Check now').press('Enter'),
        /the DNS did not answer|no TXT record was found/,
      ],
      [`/webhooks/${id}`, 'test', () => button(page, 'Send test').press('Enter'), 'The test is sent.'],
      [
        `/webhooks/${id}`,
        'redeliver',
        async () => {
          await button(page, 'webhook.test').press('Enter');
          await dialog(page).getByRole('button', { name: 'Send again' }).press('Enter');
        },
        'It is sent again.',
      ],
      [
        `/webhooks/${id}`,
        'webhook-secrets',
        async () => {
          await page.getByText('Secrets', { exact: true }).click();
          await button(page, 'New secret').press('Enter');
        },
        'Copy it now.',
      ],
      [
        '/keys',
        'rotate',
        async () => {
          await choose('Actions for the key CI', 'Replace…');
          await button(page, 'Replace the key').press('Enter');
        },
        'Copy it now.',
      ],
    ] as const) {
      await page.goto(`${service.baseUrl}/console/${workspace.id}${path}`);
      let refused = 0;
      await page.route(`**/${request}`, (route) =>
        route.request().method() === 'POST' && refused++ === 0
          ? route.fulfill({ status: 429, headers: { 'Retry-After': '2' }, contentType: 'application/problem+json', body: '{}' })
          : route.continue(),
      );
      await act();
      await page.getByText('Too many requests. Next try in 2 s.').waitFor();
      await page.getByText(done).first().waitFor();
      expect(refused, request).toBe(2);
      expect(await page.getByText(/Too many requests/).count(), request).toBe(0);
      await page.unroute(`**/${request}`);
    }
  });

  thorough('a button that has failed keeps the focus, so that it can be pressed again.', async () => {
    const workspace = await service.newWorkspace();
    await workspace.newTag('Launch');
    const { page } = await openConsole(browser, service, workspace, { path: '/tags' });
    await page.route('**/api/v1/tags/*', (route) => route.fulfill({ status: 403, body: '{}' }));
    await button(page, 'Actions for the tag Launch').press('Enter');
    await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
    await dialog(page).getByRole('button', { name: 'Delete tag' }).press('Enter');
    await dialog(page).getByRole('alert').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete tag' }).and(page.locator(':focus')).waitFor();
  });

  test('a person sees how much of each limit is used, as the API says, and sees later changes.', async () => {
    const workspace = await service.newWorkspace();
    const { page, wrong } = await openConsole(browser, service, workspace, { path: '/tags' });
    for (const name of ['one', 'two']) {
      await workspace.newTag(name);
      await page.getByRole('link', { name: 'Usage' }).press('Enter');
      const { limits } = (await workspace.call('GET', '/me')).body;
      for (const { name, used, limit } of usedLimits(limits)) {
        const meter = page.getByRole('meter', { name, exact: true });
        const text = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`;
        await expect.poll(() => meter.getAttribute('aria-valuetext'), { message: name }).toBe(text);
      }
      await page.getByRole('link', { name: 'Tags' }).press('Enter');
      await page.getByRole('heading', { name: 'Tags' }).waitFor();
    }
    expect(wrong).toEqual([]);
  });

  thorough.for([
    ['light', 1_400],
    ['dark', 360],
    ['dark', 1_400],
    ['light', 360],
  ] as const)(
    'in %s colours at %i pixels, axe finds nothing on any of these screens, and long texts widen none.',
    async ([theme, width]) => {
      const workspace = await service.newWorkspace();
      const { call, domain } = workspace;
      await workspace.newTag('A very long name of a tag that is as long as the API allows it');
      const long = `https://hooks.example.com/${'Averylongwordwithoutanyspaces'.repeat(8)}`;
      const { id } = (await call('POST', '/webhooks', { url: long, events: ['link.clicked'] })).body;
      await call('POST', `/webhooks/${id}/test`);
      await call('POST', '/keys', { name: '<b>Averylongwordwithoutanyspaces</b>'.repeat(4), permissions: ['links:read'] });
      const claim = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`;
      await call('POST', '/domains', { domain: claim });
      const { page, wrong } = await openConsole(browser, service, workspace, { theme, width, withAxe: true, path: '/tags' });
      const check = async (path: string, ready: () => Promise<unknown>) => {
        await page.goto(`${service.baseUrl}/console/${workspace.id}${path}`);
        await ready();
        expect(await violationsIn(page), path).toEqual([]);
        expect(await overflowOf(page), path).toBe(0);
      };
      const seen = (name: string | RegExp) => () => button(page, name).waitFor();
      await check('/tags', seen(/Actions for the tag/));
      await check('/tags', async () => {
        await button(page, 'Create a tag').click();
        await dialog(page).waitFor();
      });
      await check('/domains', () => page.getByRole('link', { name: domain, exact: true }).waitFor());
      await check(`/domains/${claim}`, seen('Check now'));
      await check(`/domains/${domain}`, async () => {
        await page.getByText('Redirects', { exact: true }).waitFor();
        await page.evaluate('document.querySelectorAll("details").forEach((it) => { it.open = true; })');
      });
      await check('/webhooks', seen('webhook.test'));
      await check(`/webhooks/${id}`, async () => {
        await page.getByText('Secrets', { exact: true }).click();
        await button(page, 'webhook.test').click();
        await dialog(page).getByText('What is sent').waitFor();
      });
      await check('/webhooks', async () => {
        await button(page, 'Add a webhook').click();
        await dialog(page).waitFor();
      });
      await check('/keys', seen(/Actions for the key/));
      await check('/keys', async () => {
        await button(page, 'Create a key').click();
        await dialog(page).getByRole('checkbox').first().waitFor();
      });
      await check('/limits', () => page.getByRole('heading', { name: 'Other limits' }).waitFor());
      expect(await page.getByText(`1 of ${(await call('GET', '/me')).body.limits.tags.limit.toLocaleString('en')}`).count()).toBe(
        1,
      );
      expect(wrong).toEqual([]);
    },
  );
});
