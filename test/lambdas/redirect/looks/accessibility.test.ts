import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageBackgrounds, parseAccentColor } from '../../../../lambdas/core/domain/accent-color.ts';
import type { Brand, Look, Page } from '../../../../lambdas/redirect/page-layout.ts';
import { newForm } from '../../../../lambdas/redirect/report-form.ts';
import { reportPage, thanksPage } from '../../../../lambdas/redirect/report-page.ts';
import {
  cardPage,
  confirmPage,
  framePage,
  messagePage,
  passwordPage,
  pixelsPage,
  previewPage,
} from '../../../../lambdas/redirect/visitor-pages.ts';
import { type Language, wordingIn } from '../../../../lambdas/redirect/wording/languages.ts';
import { reportWordingIn } from '../../../../lambdas/redirect/wording/reporting.ts';
import { chromiumPath, newPage, startChromium } from '../../../support/http/chromium.ts';
import { sampleLink } from '../../../support/things/sample-link.ts';

// Each page, checked by axe-core in a real browser: https://github.com/dequelabs/axe-core

if (!chromiumPath) {
  test.skip('The tests of the pages with axe-core are skipped, because there is no Chromium here (set CHROMIUM_PATH).');
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const link = { ...sampleLink, title: 'A title', description: 'A text', image: null, metaPixelId: '1', googleTagId: null };
const wide = 'Averylongtitlewithoutanyspaces'.repeat(8);

/** Each kind of page in these colours. */
const pagesOf = (look: Look): Record<string, Page> => ({
  message: messagePage('temporarily_unavailable', look),
  password: passwordPage('password_required', look),
  'a long sentence above the password': passwordPage('cross_site_password', look),
  confirmation: confirmPage(wordingIn(look.language).labels.confirm, look),
  card: cardPage(link, 'https://go.example.com/x', look),
  'preview of a long title': previewPage({ ...link, title: wide }, `${'long.'.repeat(40)}example.com`, '2030-01-02', look),
  pixels: pixelsPage(link, 'https://example.com/', look),
  report: reportPage(newForm(`https://go.example.com/${wide}`), { ...look, report: undefined }),
  'report with everything wrong': reportPage(
    { ...newForm(wide), note: wide },
    { ...look, report: undefined },
    { fields: ['address', 'reason', 'note'], sentence: reportWordingIn(look.language).tooMany(59) },
  ),
  reported: thanksPage({ ...look, report: undefined }),
  frame: framePage(link, 'https://example.com/', look),
});

const host = 'go.example.com';
const logo = `data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==`;
/** The darkest and the lightest accepted accent colour, and none. */
const brands: readonly (Brand | undefined)[] = [
  undefined,
  { host, accentColor: parseAccentColor('#005fcc'), logo },
  { host, accentColor: parseAccentColor('#949494'), logo: undefined },
];

/** A frame's content is not ours. */
const options = { iframes: false, rules: { 'frame-tested': { enabled: false } } };

const languages: readonly Language[] = ['de', 'fr', 'es', 'en'];

describe.runIf(chromiumPath)('axe-core', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  test.for(
    brands.flatMap((brand, index) => [
      ['light', languages[index % 4] ?? 'en', brand] as const,
      ['dark', languages[(index + 2) % 4] ?? 'en', brand] as const,
    ]),
  )(
    'In %s colours and in the language %s, no page has a violation on a phone or a wide screen, and none is wider than 320 pixels.',
    async ([colorScheme, language, brand]) => {
      // axe-core must be added to pages that allow no other scripts.
      const context = await browser.newContext({ viewport: { width: 320, height: 568 }, colorScheme, bypassCSP: true });
      const { page } = await newPage(context);
      let shown: Page | undefined;
      await page.route('**', (route) =>
        route.request().url() === 'https://go.example.com/x' && shown
          ? route.fulfill({ status: 200, headers: shown.headers, body: shown.body })
          : route.fulfill({
              status: 200,
              contentType: 'text/html',
              body: '<!doctype html><html lang="en"><title>There</title><main><h1>There</h1></main>',
            }),
      );
      for (const [name, one] of Object.entries(pagesOf({ language, brand }))) {
        // The page of pixels would redirect.
        shown = { ...one, body: one.body.replace(/<script.*<\/script>/s, '') };
        await page.goto('https://go.example.com/x');
        await page.evaluate(axe);
        for (const width of [1_400, 320]) {
          await page.setViewportSize({ width, height: 800 });
          const { violations, incomplete } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
          const problems = [...violations, ...incomplete].map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`,
          );
          expect(problems, `${name}, ${width} px`).toEqual([]);
        }
        const seen = (await page.evaluate(`({
        overflow: document.documentElement.scrollWidth - innerWidth,
        background: getComputedStyle(document.body).backgroundColor,
      })`)) as { overflow: number; background: string };
        expect(seen.overflow, name).toBeLessThanOrEqual(0);
        if (name !== 'frame') expect(seen.background, name).toBe(rgb(pageBackgrounds[colorScheme]));
      }
      await context.close();
    },
  );
});

const rgb = (color: string): string => `rgb(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(', ')})`;
