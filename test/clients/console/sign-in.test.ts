import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, newPage, startChromium } from '../../support/http/chromium.ts';
import { overflowOf, violationsIn } from '../../support/http/console-page.ts';
import { useSignInService } from '../../support/service/sign-in-service.ts';

// Signing in with a provider in a real browser. `test/lambdas/sign-in/sign-in.test.ts` tests the rest.

test.runIf(process.env.CI)('Where CI is set, there is a browser, so that signing in is not skipped unnoticed.', () => {
  expect(chromiumPath).toBeDefined();
});
if (!chromiumPath && !process.env.CI) {
  test.skip('Signing in with a browser is skipped, because there is no Chromium here (set CHROMIUM_PATH).');
}

const people = [
  { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: true },
  { id: 'grace', name: 'Grace', email: 'grace@example.com', emailVerified: true },
];

const heading = (page: Page, name: string) => page.getByRole('heading', { name });
const choose = (page: Page, name: string) => page.getByRole('button', { name }).click();

/** Refuses the page's next request for links, as if its key had expired. */
const refuseOnce = (page: Page) =>
  page.route('**/api/v1/links?*', (route) => route.fulfill({ status: 401, body: '{}' }), { times: 1 });

/** Expects that the page has no overflow and no findings of axe. */
async function expectGood(page: Page): Promise<void> {
  expect(await overflowOf(page)).toBe(0);
  expect(await violationsIn(page)).toEqual([]);
}

describe.runIf(chromiumPath)('In a browser', () => {
  let service: Awaited<ReturnType<typeof useSignInService>>;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useSignInService(people), startChromium()]);
  });
  afterAll(() => Promise.all([browser?.close(), service?.stop()]));

  test('A person follows an invitation, signs in, works in two workspaces, continues after their session has ended, and signs out.', async () => {
    const { baseUrl, store } = service;
    const [first, second] = [await service.newWorkspace(), await service.newWorkspace()];
    const { secret } = await store.inviteMember(first.id, { email: 'ada@example.com', role: 'editor' });
    const context: BrowserContext = await browser.newContext({ viewport: { width: 360, height: 740 }, bypassCSP: true });
    const { page, wrong } = await newPage(context);
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).origin));

    // The secret leaves the address at once, and survives the way to the provider and back.
    await page.goto(`${baseUrl}/console#invitation=${secret}`);
    await page.getByText('You are invited. Sign in to join').waitFor();
    expect(page.url()).toBe(`${baseUrl}/console`);
    await expectGood(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await choose(page, 'Ada');
    await page.getByText('Join the workspace as ada@example.com?').waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('No links yet.').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/${first.id}/links`);

    // A key in an address does not replace the person.
    await page.evaluate(`location.hash = 'key=lk_${'0'.repeat(36)}'`);
    await page.waitForURL((url) => url.hash === '');

    // No script can read the cookie, and the page stores no key.
    expect(await page.evaluate('document.cookie')).toBe('');
    const [cookie] = (await context.cookies()).filter(({ name }) => name === '__Host-links-session');
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' });
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toMatch(/lk_|inv_/);

    // The other workspace, once they are a member. The next visit opens it again.
    const ada = (await page.evaluate("fetch('/sign-ins/current').then((response) => response.json())")) as {
      person: { id: string };
    };
    const person = await store.getPerson(ada.person.id);
    await store.joinWorkspace(person as never, { workspaceId: second.id, role: 'viewer' }, Date.now());
    await page.goto(`${baseUrl}/console/${second.id}/links`);
    await page.getByRole('button', { name: `Workspace ${second.name}: change` }).waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: `Workspace ${second.name}: change` }).click();
    await page.getByRole('menuitem', { name: first.name, exact: true }).click();
    await page.getByRole('button', { name: `Workspace ${first.name}: change` }).waitFor();
    await page.goto(`${baseUrl}/console`);
    await page.waitForURL(`${baseUrl}/console/${first.id}/home`);
    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await page.getByText('No links yet.').waitFor();

    // A refused key is replaced unnoticed.
    await refuseOnce(page);
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/links?')) keys.push(request.headers().authorization);
    });
    await page.getByRole('searchbox').fill('nothing');
    await page.getByText('No links match.').waitFor();
    expect(new Set(keys).size).toBe(2);

    // They sign out elsewhere: unsaved text stays, and is saved after the next sign-in, in a tab of its own.
    await page.getByRole('searchbox').fill('');
    await page.getByText('No links yet.').waitFor();
    await page.evaluate("fetch('/sign-ins/current', { method: 'DELETE' })");
    await refuseOnce(page);
    await page.getByRole('searchbox').fill('something');
    await heading(page, 'Your session has ended').waitFor();
    await expectGood(page);
    const [tab] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'Sign in' }).click()]);
    await choose(tab, 'Ada');
    await page.getByText('No links match.').waitFor();
    expect(await heading(page, 'Your session has ended').count()).toBe(0);
    expect(await page.getByRole('searchbox').inputValue()).toBe('something');
    await tab.close();

    // They end another session of theirs.
    const account = async (item: string) => {
      await page.getByRole('button', { name: 'Signed in as Ada' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const { secret: elsewhere } = await store.createSession(ada.person.id, Date.now());
    await account('Where you are signed in…');
    await page.getByText('This browser').waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByRole('button', { name: 'End the session' }).waitFor({ state: 'detached' });
    expect(await store.findSession(elsewhere, Date.now())).toBeUndefined();
    await page.getByText('This browser').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();

    await account('Sign out ada@example.com');
    await choose(page, 'Sign out here, too');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await expectGood(page);
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('__Host-links-session');

    // Somebody else, who has no workspace, returns to the address that they requested.
    await page.goto(`${baseUrl}/console/${first.id}/links?state=active`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await choose(page, 'Grace');
    await heading(page, 'No workspace yet').waitFor();
    await page.getByText('Ask an owner of a workspace to invite grace@example.com.').waitFor();
    expect(page.url()).toBe(`${baseUrl}/console/${first.id}/links?state=active`);
    await expectGood(page);

    // The invitation survives the change to another account, which leads through the provider's logout.
    const { secret: forAda } = await store.inviteMember(second.id, { email: 'ada@new.example', role: 'owner' });
    await page.goto(`${baseUrl}/console#invitation=${forAda}`);
    await page.reload();
    await page.getByText('Join the workspace as grace@example.com?').waitFor();
    await choose(page, 'Use another account');
    await choose(page, 'Sign out here, too');
    await page.getByText('You are invited. Sign in to join').waitFor();
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('__Host-links-session');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await choose(page, 'Ada');
    await page.getByText('Join the workspace as ada@example.com?').waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();

    expect(wrong).toEqual([]);
    expect([...asked].sort()).toEqual([baseUrl, service.issuer].sort());
    await context.close();
  });

  test("An open page follows the person's new role, sign-out in another tab, and removal, each without a reload.", async () => {
    const { baseUrl, store } = service;
    const workspace = await service.newWorkspace();
    const { member, secret } = await store.inviteMember(workspace.id, { email: 'grace@example.com', role: 'viewer' });
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, bypassCSP: true });
    await context.clock.install();
    const { page, wrong } = await newPage(context);
    const open = async (page: Page) => {
      await page.goto(`${baseUrl}/console/${workspace.id}/tags`);
      await page.getByText('No tags yet').waitFor();
    };
    await page.goto(`${baseUrl}/console#invitation=${secret}`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await choose(page, 'Grace');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('button', { name: 'Signed in as Grace' }).waitFor();
    await open(page);

    // Another role: the idle page offers what the person may do now, and no longer what they may not.
    const newTag = page.getByRole('button', { name: 'Create a tag' });
    await page.evaluate('window.isSamePage = true');
    for (const [role, count] of [
      ['editor', 1],
      ['viewer', 0],
    ] as const) {
      expect(await newTag.count()).toBe(1 - count);
      expect((await workspace.call('PATCH', `/members/${member.id}`, { role })).status).toBe(200);
      await page.clock.fastForward(60_000);
      await newTag.waitFor({ state: count === 1 ? 'visible' : 'detached' });
    }

    // Many requests at once, after the key has ended, get one new key.
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.clock.fastForward(16 * 60_000);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('region', { name: 'Statistics' }).waitFor();
    await expect.poll(() => requests.filter((path) => path.startsWith('/api/')).length).toBeGreaterThan(1);
    await page.waitForLoadState('networkidle');
    expect(requests.filter((path) => path === '/sign-ins/current/keys')).toHaveLength(1);
    expect(await page.evaluate('window.isSamePage')).toBe(true);

    // A sign-out in another tab: this tab shows nothing more.
    const { page: other } = await newPage(context);
    await open(other);
    await other.getByRole('button', { name: 'Signed in as Grace' }).click();
    await other.getByRole('menuitem', { name: /^Sign out/ }).click();
    await choose(other, 'Sign out here, too');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.title()).toBe('Links');
    expect(await page.content()).not.toContain(workspace.name);
    await other.close();

    // A removal: the page says so, not that the session has ended.
    await page.getByRole('link', { name: 'Sign in' }).click();
    await choose(page, 'Grace');
    await page.getByRole('button', { name: 'Signed in as Grace' }).waitFor();
    await open(page);
    expect((await workspace.call('DELETE', `/members/${member.id}`)).status).toBe(204);
    await page.clock.fastForward(60_000);
    await heading(page, 'You are no longer a member').waitFor();
    await page.getByText(`You were removed from ${workspace.name}`).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByText('No tags yet').count()).toBe(0);
    expect(await page.title()).toBe('Links');
    await expectGood(page);
    expect(wrong).toEqual([]);
    await context.close();
  });
});
