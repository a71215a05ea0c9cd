import { randomBytes } from 'node:crypto';
import { pageBackgrounds, textOn } from '../core/domain/accent-color.ts';
import { type Html, html } from './html.ts';
import type { Language } from './wording/languages.ts';

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
export type Look = { readonly language: Language; readonly brand?: Brand | undefined };

export type PageParts = {
  readonly look: Look;
  readonly title: string;
  readonly head?: Html;
  /** What `main` contains, below the logo. */
  readonly body: Html;
  readonly style?: string;
  readonly script?: string;
  /**
   * What other sites learn about the page: nothing by default. The default is `same-origin`, because with `no-referrer`
   * our own form would send no usable `Origin`.
   */
  readonly referrerPolicy?: 'same-origin' | 'strict-origin-when-cross-origin' | 'no-referrer';
  /** What the page may load besides its own style and script, by directive: https://www.w3.org/TR/CSP3/. */
  readonly sources?: Readonly<Record<string, string>>;
};

const cardStyle = `
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.0625rem/1.5 system-ui, sans-serif }
body { background: ${pageBackgrounds.light}; color: #000 }
@media (prefers-color-scheme: dark) { body { background: ${pageBackgrounds.dark}; color: #fff } }
main { box-sizing: border-box; width: min(100%, 26rem); padding: 1.5rem; overflow-wrap: anywhere }
h1 { font-size: 1.375rem; margin: 0 0 .5rem }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: .625rem .75rem; margin-top: .5rem }
a { color: LinkText }
img { display: block; max-width: 100%; max-height: 4rem; margin-bottom: 1rem }`;

/** The accent colour marks what is not text: buttons, and what has the focus. */
const accentStyle = (color: string): string => `
main { border-top: .25rem solid ${color} }
button { border: 0; border-radius: .375rem; background: ${color}; color: ${textOn(color)} }
:focus-visible { outline: .1875rem solid ${color}; outline-offset: .125rem }`;

/**
 * A self-contained page. It loads nothing except what `sources` names, runs only its own script and style, and cannot
 * be framed. Search engines are told not to list it.
 */
export function page(parts: PageParts): Page {
  const { look, title, head = html``, body, script, sources = {}, referrerPolicy = 'same-origin' } = parts;
  const { language, brand } = look;
  const style = parts.style ?? cardStyle + (brand?.accentColor ? accentStyle(brand.accentColor) : '');
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
<meta name="robots" content="noindex">
<title>${title}</title>
<style nonce="${nonce}">${{ html: style }}</style>
${head}
</head>
<body>
<main>
${logo}${body}
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
      'X-Robots-Tag': 'noindex',
    },
  };
}
