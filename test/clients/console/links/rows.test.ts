import { expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../../support/http/chromium.ts';
import { openConsole, overflowOf, settled } from '../../../support/http/console-page.ts';
import { someOf } from '../../../support/run/proof.ts';
import { useService } from '../../../support/service/service.ts';

const places = [
  ['wide', 1_400, ''],
  ['beside an open link', 1_400, 'open'],
  ['on a tablet', 1_000, ''],
  ['on a phone', 390, ''],
] as const;

test.runIf(chromiumPath).for(someOf(places, 'places of a link without a title'))(
  'A link without a title shows once where it leads, %s.',
  async ([, width, path]) => {
    const [service, browser] = await Promise.all([useService(), useChromium()]);
    const workspace = await service.newWorkspace();
    const links = [
      { url: 'https://example.com/told/apart', customSlug: 'untitled' },
      { url: 'https://example.com/spring', customSlug: 'named', title: 'Spring' },
    ];
    await workspace.importLinks(links);
    const [{ id }] = (await workspace.call('GET', '/links')).body.links;
    const { page, wrong } = await openConsole(browser, service, workspace, { width, path: (path && `/links/${id}`) || '/links' });
    await settled(page);
    const row = page.getByRole('row', { name: /untitled/ });
    const [slug, place] = [row.getByText('/untitled'), row.getByText('example.com/told/apart')];
    const titled = page.locator('[data-row]', { hasText: 'Spring' }).locator('.cell-destination');
    expect([await place.isVisible(), await titled.isVisible()]).toEqual([true, width === 1_400 && path === '']);
    const [above, below, all] = await Promise.all([slug, place, row].map((one) => one.boundingBox()));
    if (!above || !below || !all) throw new Error('the row is not shown');
    // Neither covers the other, and both are in the row.
    expect(below.x >= above.x + above.width || below.y >= above.y + above.height - 2).toBe(true);
    expect(below.y + below.height).toBeLessThanOrEqual(all.y + all.height);
    expect(await overflowOf(page)).toBe(0);
    expect(wrong).toEqual([]);
  },
);

const covered = [
  ['on a tablet', 1_000],
  ['on a phone', 390],
] as const;

test.runIf(chromiumPath).for(someOf(covered, 'widths that an open link covers'))(
  'An open link covers nothing that Tab reaches, %s.',
  async ([, width]) => {
    const [service, browser] = await Promise.all([useService(), useChromium()]);
    const workspace = await service.newWorkspace();
    await workspace.importLinks([{ url: 'https://example.com/', customSlug: 'one', title: 'One' }]);
    const [{ id }] = (await workspace.call('GET', '/links')).body.links;
    const { page } = await openConsole(browser, service, workspace, { width, path: `/links/${id}` });
    await settled(page);
    const seen = new Set<unknown>();
    for (let n = 0; n < 50; n++) {
      await page.keyboard.press('Tab');
      seen.add(
        await page.evaluate(`(() => {
        const panel = document.querySelector('.panel');
        const focused = document.activeElement;
        if (focused === document.body) return 'none';
        const { x, y, width, height } = focused.getBoundingClientRect();
        const isCovered = panel.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        if (panel.contains(focused)) return getComputedStyle(panel).opacity === '1' ? 'in it' : 'in it, but hidden';
        return isCovered ? 'under it: ' + focused.outerHTML : 'beside it';
      })()`),
      );
    }
    seen.delete('none');
    expect([...seen].toSorted()).toEqual(['beside it', 'in it']);
  },
);
