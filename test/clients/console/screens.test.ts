import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, startChromium } from '../../support/http/chromium.ts';
import { openConsole, overflowOf, violationsIn } from '../../support/http/console-page.ts';
import { fillWithHostile, hostileTexts } from '../../support/http/hostile-content.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService, type Workspace } from '../../support/service/service.ts';

// All screens of the console, as its navigation has them, full of hostile content. `npm run proof` walks them in both
// colours and widths, with all texts.

/** Waits until a screen has what it shows. */
async function settle(page: Page): Promise<void> {
  await page.locator('#content').waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForFunction('!document.querySelector("#content [aria-busy=true]")');
}

/** Opens everything that is closed on a screen. */
const openGroups = (page: Page) =>
  page.evaluate('document.querySelectorAll("#content details").forEach((it) => { it.open = true; })');

type Things = { readonly linkIds: readonly string[]; readonly webhookId: string };

/** The addresses after the workspace: each screen of the navigation, and those of one thing. */
async function addressesIn(page: Page, { domain }: Workspace, { linkIds, webhookId }: Things): Promise<readonly string[]> {
  const nav = 'nav[aria-label="Screens"] a';
  await page.locator(nav).first().waitFor({ state: 'attached' });
  const hrefs = (await page.evaluate(`[...document.querySelectorAll('${nav}')].map((it) => it.href)`)) as string[];
  const screens = hrefs.map((href) => new URL(href).pathname.replace(/^.*\/console\/[^/]+/, ''));
  const link = linkIds[0];
  const things = [
    ...linkIds.flatMap((id) => [`/links/${id}`, `/links/${id}?edit=1`]),
    `/new?url=${encodeURIComponent('javascript:window.ran=1')}`,
    `/new?from=${link}`,
    `/links?q=${encodeURIComponent('<img src=x onerror="window.ran=1">'.repeat(4))}&tag=tag_0000000000000000`,
    ...(screens.includes('/domains') ? [`/domains/${domain}`] : []),
    ...(screens.includes('/webhooks') ? [`/webhooks/${webhookId}`] : []),
    ...['/statistics', '/history'].filter((screen) => screens.includes(screen)).map((screen) => `${screen}?of=${link}`),
  ];
  return [...screens, ...things];
}

/** Tries to reach every control of the page by Tab. @returns those that are not reached, or whose focus is not seen. */
async function unreachable(page: Page): Promise<string[]> {
  const controls = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((it) =>
    !it.disabled && it.tabIndex >= 0 && it.checkVisibility({ visibilityProperty: true }) && it.getClientRects().length > 0)`;
  const count = (await page.evaluate(`(window.left = new Set(${controls})).size`)) as number;
  const unseen: string[] = [];
  await page.evaluate('document.activeElement?.blur?.(); window.scrollTo(0, 0)');
  for (let n = 0; n < count * 2 + 10; n++) {
    await page.keyboard.press('Tab');
    const seen = (await page.evaluate(`(() => {
      const it = document.activeElement;
      if (!it || it === document.body) return '';
      window.left.delete(it);
      const style = getComputedStyle(it);
      return style.outlineStyle === 'none' && style.boxShadow === 'none' ? it.outerHTML.slice(0, 200) : '';
    })()`)) as string;
    if (seen !== '') unseen.push(`no visible focus: ${seen}`);
    if ((await page.evaluate('window.left.size')) === 0) break;
  }
  const left = (await page.evaluate('[...window.left].map((it) => "not reached: " + it.outerHTML.slice(0, 200))')) as string[];
  return [...new Set([...unseen, ...left])];
}

describe.runIf(chromiumPath)('Every screen of the console', () => {
  let service: Service;
  let browser: Browser;
  let workspace: Workspace;
  let things: Awaited<ReturnType<typeof fillWithHostile>>;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), startChromium()]);
    workspace = await service.newWorkspace();
    things = await fillWithHostile(service, workspace, sized(hostileTexts.slice(0, 2), hostileTexts));
  });
  afterAll(() => browser?.close());

  test('gets texts that the API takes as they are.', () => {
    for (const field of ['title', 'description', 'notes']) expect(things.taken).toContain(`CreateLinkRequest.${field}`);
    expect(things.taken).toContain('CreateKeyRequest.name');
  });

  const looks = [
    ['light', 360],
    ['dark', 1_400],
    ['dark', 360],
    ['light', 1_400],
  ] as const;

  test.for(sized(looks.slice(0, 1), [...looks]))(
    'runs and loads nothing of what others wrote, and is not widened by it, in %s colours at %i pixels.',
    async ([theme, width]) => {
      const { page, asked, wrong } = await openConsole(browser, service, workspace, { theme, width });
      for (const address of await addressesIn(page, workspace, things)) {
        await page.goto(`${service.baseUrl}/console/${workspace.id}${address}`);
        await settle(page);
        await openGroups(page);
        expect(await overflowOf(page), address).toBe(0);
        expect(await page.evaluate('window.ran'), address).toBeUndefined();
        expect(
          await page.locator('#content a[href^="javascript:" i], #content img:not([src^="blob:"]):not([src^="data:"])').count(),
          address,
        ).toBe(0);
      }
      expect(wrong).toEqual([]);
      expect([...asked]).toEqual([service.baseUrl]);
      await page.context().close();
    },
  );

  test.for(sized(looks.slice(1, 2), [...looks]))('has no findings of axe in %s colours at %i pixels.', async ([theme, width]) => {
    const { page } = await openConsole(browser, service, workspace, { theme, width, withAxe: true });
    const [first, ...others] = things.linkIds;
    const addresses = await addressesIn(page, workspace, { ...things, linkIds: first ? [first] : others });
    const few = addresses.filter((address) => /^\/links($|\/)/.test(address));
    for (const address of sized(few, addresses)) {
      await page.goto(`${service.baseUrl}/console/${workspace.id}${address}`);
      await settle(page);
      await openGroups(page);
      expect(await violationsIn(page), address).toEqual([]);
    }
    await page.context().close();
  });

  test.runIf(sized(false, true))(
    'can be used by keyboard, with visible focus, and moves nothing for those who want no motion.',
    async () => {
      const { page } = await openConsole(browser, service, workspace, {});
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const [first, ...others] = things.linkIds;
      for (const address of await addressesIn(page, workspace, { ...things, linkIds: first ? [first] : others })) {
        await page.goto(`${service.baseUrl}/console/${workspace.id}${address}`);
        await settle(page);
        await openGroups(page);
        expect(await unreachable(page), address).toEqual([]);
        const moving = 'document.getAnimations().filter((it) => it.effect.getComputedTiming().activeDuration > 0).length';
        expect(await page.evaluate(moving), address).toBe(0);
      }
      await page.context().close();
    },
  );
});
