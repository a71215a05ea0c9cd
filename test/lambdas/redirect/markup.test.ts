import fc from 'fast-check';
import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Link } from '../../../lambdas/core/link/link.ts';
import { pageResponse, refusalResponse } from '../../../lambdas/redirect/page-responses.ts';
import type { VisitResponse } from '../../../lambdas/redirect/plain-responses.ts';
import { newForm } from '../../../lambdas/redirect/report-form.ts';
import { reportPage } from '../../../lambdas/redirect/report-page.ts';
import { languageFor } from '../../../lambdas/redirect/wording/languages.ts';
import { chromiumPath, newPage, startChromium } from '../../support/http/chromium.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs } from '../../support/run/proof.ts';
import { sampleLink } from '../../support/things/sample-link.ts';

// The markup of each page as a browser parses it, with any texts. visitor-pages.test.ts opens pages in the browser.

if (!chromiumPath) {
  test.skip('The tests of the markup of pages are skipped, because there is no Chromium here (set CHROMIUM_PATH).');
}
vi.stubEnv('SHORT_URL_ORIGIN', 'https://');
vi.stubEnv('LINK_REPORTS', 'on');

const piece = fc.oneof(
  fc.constantFrom(
    ...['<', '>', '"', "'", '&', '`', '=', '/', '\\', '-->', '<!--', ']]>', '</title>', '</style>', '</script>', '</main>'],
    ...['<script>', '<script src=//x>', '<img src=x onerror=alert(1)>', '<svg/onload=alert(1)>', '<base href=//x>', '<iframe>'],
    ...['<meta http-equiv=refresh content=0>', ' onmouseover=alert(1) ', ' style=color:red ', ' nonce=', 'javascript:', 'data:'],
    ...[
      '&lt;',
      '&#60;',
      '&quot',
      '&#x22;',
      '\0',
      '\r',
      '\n',
      '\t',
      '\f',
      '\u2028',
      '\u202e',
      '\ufeff',
      '{',
      '}',
      ';',
      '$&',
      '$`',
    ],
  ),
  fc.string({ unit: anyCharacter, maxLength: 5 }),
);
const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));

/** A link whose texts are all this one, even if the API would refuse it. */
const linkWith = (shown: string): Link => ({
  ...sampleLink,
  title: shown,
  description: shown,
  image: shown,
  metaPixelId: shown,
  googleTagId: shown,
});

/** The form for reports, with somebody's texts. */
function reportPagesWith(shown: string, languages: string) {
  const look = { language: languageFor(languages), brand: { host: shown, accentColor: null, logo: undefined } };
  const typed = { ...newForm(), address: shown, reason: shown, note: shown, form: shown };
  return [reportPage(typed, look), reportPage(typed, look, { fields: ['address', 'note'], sentence: shown })];
}

/** Each page with texts of a link or a domain. The destination is a URL, as the API stores it. */
function pagesWith(shown: string, languages: string) {
  const request = { format: 'page', requestId: shown, languages, path: shown } as const;
  const brand = { host: shown, accentColor: '#1877f2', logo: `data:image/png;base64,${shown}` };
  const { href: location } = new URL(`https://example.com/?${encodeURI(shown.toWellFormed())}#${shown}`);
  const link = { ...linkWith(shown), url: location };
  const leading = { location, counted: true, variant: undefined };
  const decisions: Parameters<typeof pageResponse>[2][] = [
    { kind: 'card' },
    { kind: 'preview' },
    { kind: 'confirm' },
    { kind: 'frame', ...leading },
    { kind: 'pixels', ...leading },
  ];
  return [
    refusalResponse(request, brand, 'password_wrong', {}),
    refusalResponse(request, brand, 'unknown', {}),
    ...reportPagesWith(shown, languages),
    ...decisions.map((decision) => pageResponse(request, brand, decision, link, new Set())),
  ];
}

/** A page without its texts: its elements, the names of their attributes, its scripts and its styles. */
const outline = `(page) => {
  const parsed = new DOMParser().parseFromString(page, 'text/html');
  const lines = [...parsed.querySelectorAll('*')].map((element) => {
    const attributes = element.getAttributeNames().sort().join(' ');
    const code = /^(script|style)$/i.test(element.localName) ? element.textContent : '';
    return element.parentElement?.localName + ' > ' + element.localName + ' ' + attributes + ' ' + code;
  });
  const links = [...parsed.querySelectorAll('[href]')].map((element) => element.getAttribute('href').split(/[:?]/)[0]);
  return [...lines, ...links].join('\\n');
}`;

describe.runIf(chromiumPath)('a browser', () => {
  let browser: Browser;
  let tab: Tab;
  beforeAll(async () => {
    browser = await startChromium();
    ({ page: tab } = await newPage(await browser.newContext()));
  });
  afterAll(() => browser?.close());

  /** The outlines of several groups of pages. */
  const outlines = (groups: readonly (readonly VisitResponse[])[]): Promise<string[][]> => {
    const bodies = groups.map((pages) => pages.map(({ body = '' }) => body));
    return tab.evaluate(`(${JSON.stringify(bodies)}).map((pages) => pages.map(${outline}))`);
  };

  test('Whatever the texts of a link and its domain are, they are only text in each page and language.', async () => {
    const language = fc.constantFrom('en', 'de', 'fr', 'es');
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 50, maxLength: 50 }), language, async (texts, languages) => {
        const [harmless, ...others] = await outlines(['harmless', ...texts].map((shown) => pagesWith(shown, languages)));
        for (const [index, other] of others.entries()) expect(other, texts[index]).toEqual(harmless);
      }),
      { numRuns: runs(8) },
    );
  });
});

test('Whatever the texts of a link and its domain are, the headers of each page are the same except for the nonce.', () => {
  const headersOf = (shown: string) =>
    pagesWith(shown, 'en').map(({ headers }) => JSON.stringify(headers).replace(/'nonce-[\w-]{22}'/g, 'nonce'));
  const harmless = headersOf('harmless');
  fc.assert(
    fc.property(text, (shown) => {
      expect(headersOf(shown)).toEqual(harmless);
    }),
    { numRuns: runs(200) },
  );
});

test('Whatever the title of a link is, a preview for a terminal is one line without control characters.', () => {
  const request = { format: 'text', requestId: '1', languages: 'en', path: '/a' } as const;
  fc.assert(
    fc.property(text, (shown) => {
      const { body = '' } = pageResponse(request, undefined, { kind: 'preview' }, linkWith(shown), new Set());
      expect(body).toMatch(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069]+\n$/u);
    }),
    { numRuns: runs(200) },
  );
});
