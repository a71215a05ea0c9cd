import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contrast, parseAccentColor } from '../../../../lambdas/core/domain/accent-color.ts';
import type { Refusal } from '../../../../lambdas/core/visit/refusal.ts';
import { type Look, type Page, pageTokens } from '../../../../lambdas/redirect/page-layout.ts';
import { refusals } from '../../../../lambdas/redirect/refusals.ts';
import { newForm } from '../../../../lambdas/redirect/report-form.ts';
import { reportPage, thanksPage } from '../../../../lambdas/redirect/report-page.ts';
import {
  cardPage,
  confirmPage,
  framePage,
  messagePage,
  passwordPage,
  passwordRefusals,
  pixelsPage,
  previewPage,
} from '../../../../lambdas/redirect/visitor-pages.ts';
import { type Language, wordingIn } from '../../../../lambdas/redirect/wording/languages.ts';
import { reportWordingIn } from '../../../../lambdas/redirect/wording/reporting.ts';
import { sampleLink } from '../../../support/things/sample-link.ts';

const languages: readonly Language[] = ['en', 'de', 'es', 'fr'];

const link = {
  ...sampleLink,
  title: 'A title of the usual length',
  description: 'A sentence that says what visitors find there.',
  image: 'https://example.com/image.png',
  metaPixelId: '1234567890',
  googleTagId: 'G-ABCDEF',
};

const typed = { ...newForm('https://go.example.com/try'), note: 'It asked for my password.' };

/** Each page for visitors, by kind. */
function* pagesIn(look: Look): Generator<readonly [string, Page]> {
  for (const refusal of Object.keys(refusals) as Refusal[]) yield [refusal, messagePage(refusal, look)];
  for (const refusal of passwordRefusals) yield [`form: ${refusal}`, passwordPage(refusal, look)];
  yield ['confirmation', confirmPage(wordingIn(look.language).labels.confirm, look)];
  yield ['confirmation here', confirmPage(wordingIn(look.language).refusals.cross_site_confirmation, look)];
  yield ['preview', previewPage(link, 'shop.example.com, www.example.com', '2030-01-31', look)];
  yield ['pixels', pixelsPage(link, 'https://example.com/a/page', look)];
  yield ['card', cardPage(link, 'https://go.example.com/x', look)];
  yield ['report', reportPage(typed, look)];
  yield [
    'report, wrong',
    reportPage(typed, look, { fields: ['address', 'reason', 'note'], sentence: reportWordingIn(look.language).crossSite }),
  ];
  yield ['reported', thanksPage(look)];
  yield ['frame', framePage(link, 'https://example.com/a/page', look)];
}

test.for(languages)("Each page in the language %s is smaller than 6 kB without its domain's logo.", (language) => {
  const brand = { host: 'go.example.com', accentColor: parseAccentColor('#1877f2'), logo: undefined };
  const pages = [...pagesIn({ language, brand, report: `/+report?address=%2F${'a'.repeat(190)}` })];
  expect(pages.length).toBeGreaterThan(20);
  for (const [name, { body }] of pages) expect(Buffer.byteLength(body), name).toBeLessThan(6_000);
});

test('Refusals, password forms and cards have no script.', () => {
  for (const [name, { body, headers }] of pagesIn({ language: 'en' })) {
    if (/^(pixels|confirmation|preview|frame)/.test(name)) continue;
    expect(body, name).not.toContain('<script');
    expect(headers['Content-Security-Policy'], name).not.toContain('script-src');
  }
});

test('Pages have the colours of the console, in light and in dark.', () => {
  const css = readFileSync('clients/console/looks/tokens.css', 'utf8');
  const [light = '', dark = ''] = css.split(':root[data-theme="dark"]');
  for (const [tokens, source] of [
    [pageTokens.light, light],
    [pageTokens.dark, dark],
  ] as const) {
    for (const [name, color] of Object.entries(tokens)) expect(source).toMatch(new RegExp(`--${name}: ${color};`, 'i'));
  }
});

test.for(Object.entries(pageTokens))(
  'Texts of %s pages have a contrast of at least 4.5:1, and borders of fields of 3:1.',
  ([, tokens]) => {
    for (const color of [tokens.text, tokens.quiet]) expect(contrast(color, tokens.page)).toBeGreaterThanOrEqual(4.5);
    expect(contrast('#ffffff', tokens.primary)).toBeGreaterThanOrEqual(4.5);
    for (const color of [tokens.border, tokens.accent]) expect(contrast(color, tokens.page)).toBeGreaterThanOrEqual(3);
  },
);
