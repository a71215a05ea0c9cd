import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../support/http/chromium.ts';
import { openConsole, overflowOf, settled, unreachable, violationsIn } from '../../support/http/console-page.ts';
import { addressesIn, fillWithHostile, hostileTexts } from '../../support/http/hostile-content.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService, type Workspace } from '../../support/service/service.ts';

// All screens in the console's navigation, full of hostile content. `npm run proof` walks them in both
// colours and widths, with all texts.

/** Fields that are lower than the smallest target of WCAG 2.2, 2.5.8. */
const lowFields = `[...document.querySelectorAll('select, textarea, input:not([type=checkbox], [type=radio], [type=file])')].filter((it) =>
  it.getClientRects().length > 0 && it.getBoundingClientRect().height < 24).map((it) => it.outerHTML.slice(0, 200))`;

/** Opens everything that is closed on a screen. */
const openGroups = (page: Page) =>
  page.evaluate('document.querySelectorAll("#content details").forEach((it) => { it.open = true; })');

test('Each screen of the console has a letter of its own.', () => {
  const letters = [...readFileSync('clients/console/shell/screens.tsx', 'utf8').matchAll(/ key: '(.)'/g)].map(([, key]) => key);
  expect(letters.length).toBeGreaterThan(10);
  expect(letters).toEqual([...new Set(letters)]);
});

describe.runIf(chromiumPath)('Every screen of the console', () => {
  let service: Service;
  let browser: Browser;
  let workspace: Workspace;
  let things: Awaited<ReturnType<typeof fillWithHostile>>;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
    workspace = await service.newWorkspace(hostileTexts[0]);
    things = await fillWithHostile(service, workspace, sized(hostileTexts.slice(0, 2), hostileTexts));
  });

  test('gets hostile texts, which the API accepts unchanged.', () => {
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
    'runs and loads nothing that others wrote, is not widened by it, and has fields that are high enough, in %s colours at %i pixels.',
    async ([theme, width]) => {
      const { page, asked, wrong } = await openConsole(browser, service, workspace, { theme, width });
      for (const address of await addressesIn(page, workspace, things)) {
        await page.goto(`${service.baseUrl}/console/${workspace.id}${address}`);
        await settled(page);
        await openGroups(page);
        expect(await overflowOf(page), address).toBe(0);
        expect(await page.evaluate(lowFields), address).toEqual([]);
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
      await settled(page);
      await openGroups(page);
      expect(await violationsIn(page), address).toEqual([]);
    }
    await page.context().close();
  });

  test('names the buttons and links of its lists so that each says which entry it is about.', async () => {
    const { call } = workspace;
    await call('POST', '/webhook-secrets', {});
    for (const name of ['first', 'second']) await call('POST', '/tags', { name, color: '#123456' });
    const { page } = await openConsole(browser, service, workspace, {});
    const namesOn = async (screen: string, kind: 'button' | 'link', least: number) => {
      await page.goto(`${service.baseUrl}/console/${workspace.id}${screen}`);
      await settled(page);
      await openGroups(page);
      await page
        .getByRole('main')
        .getByRole(kind)
        .nth(least - 1)
        .waitFor();
      const tree = await page.locator('main').ariaSnapshot();
      return tree.match(new RegExp(`(?<=- '?${kind} )"(?:[^"\\\\]|\\\\.)*"`, 'g')) ?? [];
    };
    for (const [screen, kind, least] of [
      [`/webhooks/${things.webhookId}`, 'button', 8],
      ['/tags', 'link', 4],
      ['/tags', 'button', 2],
      ['/keys', 'button', 2],
      ['/links', 'link', 1],
    ] as const) {
      const names = await namesOn(screen, kind, least);
      expect(names.length, screen).toBeGreaterThanOrEqual(least);
      expect([...new Set(names)], screen).toEqual(names);
    }
    // The same change may have been made twice in a second.
    const changes = (await namesOn('/history', 'button', 4)).filter((name) => /^"(Details|Undo)/.test(name));
    expect(changes.length).toBeGreaterThanOrEqual(4);
    for (const name of changes) expect(name).toMatch(/: \w+ .+ at \d\d:\d\d:\d\d"$/);
    await page.context().close();
  });

  test.runIf(sized(false, true))(
    'can be used by keyboard, with visible focus, and moves nothing if the person prefers reduced motion.',
    async () => {
      const { page } = await openConsole(browser, service, workspace, {});
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const [first, ...others] = things.linkIds;
      for (const address of await addressesIn(page, workspace, { ...things, linkIds: first ? [first] : others })) {
        await page.goto(`${service.baseUrl}/console/${workspace.id}${address}`);
        await settled(page);
        await openGroups(page);
        await page.evaluate('document.activeElement?.blur?.(); window.scrollTo(0, 0)');
        expect(await unreachable(page), address).toEqual([]);
        const moving = 'document.getAnimations().filter((it) => it.effect.getComputedTiming().activeDuration > 0).length';
        expect(await page.evaluate(moving), address).toBe(0);
      }
      await page.context().close();
    },
  );
});
