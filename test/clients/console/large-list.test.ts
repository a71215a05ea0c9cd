import type { Browser, CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newRequestId, newSalt } from '../../../lambdas/core/ids.ts';
import { chromiumPath, useChromium } from '../../support/http/chromium.ts';
import { openConsole } from '../../support/http/console-page.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

// A list that is far longer than its drawn rows, in a real browser. It takes minutes, so only `npm run proof` runs it.

const links = 20_000;
const perImport = 1_000;
/** The console's limits: nodes of the document, and bytes of the heap after garbage collection. */
const mostNodes = 2_000;
const mostBytes = 60 * 1024 * 1024;

describe.runIf(chromiumPath && sized(false, true))('In a browser', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  /** A workspace with that many links, the newest of which is the first row. */
  async function newLargeWorkspace() {
    const { createLinks } = await import('../../../lambdas/store/links/imports.ts');
    const workspace = await service.newWorkspace();
    const domain = await service.getDomain(workspace.domain);
    if (!domain) throw new Error('no domain');
    for (let from = 0; from < links; from += perImport) {
      const entries = Array.from({ length: perImport }, (_, index) => ({
        index,
        url: `https://example.com/a/page/with/an/address/of/the/usual/length/${from + index}`,
        customSlug: `n${from + index}`,
        title: `The page with the number ${from + index}`,
      }));
      const createdAt = new Date(Date.UTC(2026, 0, 1) + from).toISOString();
      const lease = { requestId: newRequestId(), salt: newSalt(), createdAt, isRecorded: false, resumed: false };
      const results = Object.values(await createLinks(domain, entries, new Map(), lease));
      expect(results.filter((one) => !('id' in one))).toEqual([]);
    }
    return workspace;
  }

  test('A list of 20,000 links keeps the document and the heap small, wherever somebody has scrolled.', async () => {
    const workspace = await newLargeWorkspace();
    const { page, wrong } = await openConsole(browser, service, workspace);
    const rows = page.locator('[data-row]');
    await rows.first().waitFor();
    const devtools = await page.context().newCDPSession(page);
    const measured: Measured[] = [];
    const measure = async () => {
      const now = await measureOf(page, devtools);
      expect(now.nodes).toBeLessThan(mostNodes);
      expect(now.bytes).toBeLessThan(mostBytes);
      measured.push(now);
    };

    await measure();
    for (let known = 0, next = 2_000; known < links; ) {
      await page.evaluate(scrollingTo('element.scrollHeight'));
      await expect.poll(() => knownRows(page)).toBeGreaterThan(known);
      known = await knownRows(page);
      if (known < next) continue;
      next += 2_000;
      await measure();
    }
    // The last of them is the oldest link, and there are no more.
    await expect.poll(() => knownRows(page)).toBe(links);
    await page.evaluate(scrollingTo('element.scrollHeight'));
    await page.locator(`[data-row="${links - 1}"]`).waitFor();

    for (const row of [0, links / 2, links - 1]) {
      await page.evaluate(scrollingTo(`${row} * ${rowHeight}`));
      await page.locator(`[data-row="${row}"]`, { hasText: 'The page with the number' }).waitFor();
      await measure();
    }
    expect(wrong).toEqual([]);
    console.log(measured.map(({ nodes, bytes }) => `${nodes} nodes, ${(bytes / 1024 / 1024).toFixed(1)} MB`).join('\n'));
    await page.context().close();
  });
});

/** As in clients/console/looks/tokens.css. */
const rowHeight = 56;

const scrollingTo = (top: string) => `{
  const element = document.querySelector('.grid-rows');
  element.scrollTop = ${top};
}`;

/** How many rows the list knows, by the height that it reserves for them. */
const knownRows = async (page: Page): Promise<number> =>
  ((await page.evaluate("document.querySelector('.grid-space').offsetHeight")) as number) / rowHeight;

type Measured = { readonly nodes: number; readonly bytes: number };

/** The nodes of the document, texts included, and the heap after garbage collection. */
async function measureOf(page: Page, devtools: CDPSession): Promise<Measured> {
  const nodes = (await page.evaluate(`{
    const walker = document.createTreeWalker(document);
    let count = 1;
    while (walker.nextNode()) count++;
    count;
  }`)) as number;
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return { nodes, bytes: usedSize };
}
