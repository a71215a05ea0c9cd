import { randomBytes } from 'node:crypto';
import { pageBackgrounds, textOn } from '../core/domain/accent-color.ts';
import { type Html, html } from './html.ts';
import { type Language, wordingIn } from './wording/languages.ts';

/** A page's body, and the headers that belong to it. */
export type Page = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** How the pages of a domain look. */
export type Brand = {
  readonly host: string;
  /** As in `#1a2b3c`. */
  readonly accentColor: string | null;
  /** A `data:` URL, so that it tracks nobody. */
  readonly logo: string | undefined;
};

/** The language of a page, and its brand. */
export type Look = {
  readonly language: Language;
  readonly brand?: Brand | undefined;
  /** The address at which visitors report the page's link; undefined if they cannot. */
  readonly report?: string | undefined;
};

export type PageParts = {
  readonly look: Look;
  readonly title: string;
  readonly head?: Html;
  /** The content of `main`, below the logo. */
  readonly body: Html;
  /** Instead of the style of the other pages. */
  readonly style?: string;
  /** In addition to that style. */
  readonly moreStyle?: string;
  readonly script?: string;
  /**
   * What other sites learn about the page: nothing by default. The default is `same-origin` because, with
   * `no-referrer`, our own form would send no usable `Origin`.
   */
  readonly referrerPolicy?: 'same-origin' | 'strict-origin-when-cross-origin' | 'no-referrer';
  /** What the page may load in addition to its own style and script, by directive: https://www.w3.org/TR/CSP3/. */
  readonly sources?: Readonly<Record<string, string>>;
};

/** The colours of the console (`clients/console/looks/tokens.css`), by the same names. */
export const pageTokens = {
  light: {
    page: pageBackgrounds.light,
    line: '#d9dee4',
    text: '#1a2027',
    quiet: '#556070',
    border: '#7a8594',
    accent: '#0b6b70',
    primary: '#0b6b70',
  },
  dark: {
    page: pageBackgrounds.dark,
    line: '#333b45',
    text: '#e7eaee',
    quiet: '#a4adb9',
    border: '#7d8896',
    accent: '#55c4c4',
    primary: '#127a7c',
  },
} as const;

const properties = (tokens: Readonly<Record<string, string>>): string =>
  Object.entries(tokens)
    .map(([name, color]) => `--${name}: ${color}`)
    .join('; ');

const cardStyle = `
:root { color-scheme: light dark; ${properties(pageTokens.light)} }
@media (prefers-color-scheme: dark) { :root { ${properties(pageTokens.dark)} } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 1rem }
body { background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(100%, 26rem); padding: 2rem 1.5rem; overflow-wrap: anywhere; overflow: hidden }
main { border: 1px solid var(--line); border-radius: .625rem; box-shadow: inset 0 .25rem var(--accent) }
h1 { font-size: 1.25rem; line-height: 1.3; font-weight: 600; margin: 0 0 .5rem }
p { margin: 0 0 1rem; color: var(--quiet) }
main > p:last-child { margin: 0 }
label { display: block; font-weight: 600 }
input, button, a { display: block; width: 100%; min-height: 2.75rem; padding: .5625rem .75rem; border-radius: .375rem; font: inherit }
input { margin: .25rem 0 1rem; border: 1px solid var(--border); background: var(--page); color: inherit }
button, a { border: 0; background: var(--primary); color: #ffffff; font-weight: 600 }
button, a { text-align: center; text-decoration: none; cursor: pointer }
:focus-visible { outline: .125rem solid var(--text); outline-offset: .125rem }
img { display: block; max-width: 100%; max-height: 4rem; margin-bottom: 1.5rem }
@media (forced-colors: active) { button, a { border: 1px solid } }`;

/**
 * A domain's accent colour replaces ours. Nothing depends on it alone: buttons have labels, and the focus is outlined
 * in the colour of texts.
 */
const accentStyle = (color: string): string => `
main { box-shadow: inset 0 .25rem ${color} }
button, a { background: ${color}; color: ${textOn(color)} }`;

/** The link to the report page. It doesn't look like a button, because few visitors come for it. */
const reportStyle = `
.report { margin: 1rem 0 0 }
.report a { display: inline; padding: 0; border: 0; background: none; color: inherit; font-weight: 400; text-decoration: underline }`;

/**
 * A self-contained page. It loads nothing except what `sources` names, runs only its own script and style, and cannot
 * be framed.
 */
export function page(parts: PageParts): Page {
  const { look, title, head = html``, body, script, sources = {}, referrerPolicy = 'same-origin' } = parts;
  const { language, brand, report } = look;
  const ownStyle = cardStyle + (parts.moreStyle ?? '') + (brand?.accentColor ? accentStyle(brand.accentColor) : '');
  const style = parts.style ?? ownStyle + (report === undefined ? '' : reportStyle);
  const logo = brand?.logo === undefined ? html`` : html`<img src="${brand.logo}" alt="${brand.host}">`;
  const nonce = randomBytes(16).toString('base64url');
  const own = { 'style-src': `'nonce-${nonce}'`, ...(script !== undefined && { 'script-src': `'nonce-${nonce}'` }) };
  const loaded = [
    ...Object.entries(own),
    ...Object.entries(sources),
    ...(brand?.logo === undefined ? [] : [['img-src', 'data:']]),
  ];
  const policy = Map.groupBy(loaded, ([directive]) => directive);
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style nonce="${nonce}">${{ html: style }}</style>
${head}
</head>
<body>
<main>
${logo}${body}${
  report === undefined
    ? html``
    : html`
<p class="report"><a href="${report}" rel="nofollow">${wordingIn(language).labels.report}</a></p>`
}
</main>
${script === undefined ? html`` : html`<script nonce="${nonce}">${{ html: script }}</script>`}
</body>
</html>
`;
  return {
    body: document.html,
    headers: {
      'Content-Language': language,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': [
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        ...[...policy].map(([directive, all]) => `${directive} ${all.map(([, source]) => source).join(' ')}`),
      ].join('; '),
      'Referrer-Policy': referrerPolicy,
    },
  };
}
