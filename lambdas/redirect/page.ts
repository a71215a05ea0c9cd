import { randomBytes } from 'node:crypto';
import { type Html, html } from './html.ts';

/** A page's body, and the headers that belong to it. */
export type Page = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

export type PageParts = {
  readonly title: string;
  readonly head?: Html;
  readonly body: Html;
  readonly style?: string;
  readonly script?: string;
  /**
   * What other sites learn about the page: nothing by default. The default is `same-origin`, because with `no-referrer`
   * our own form would send no usable `Origin`.
   */
  readonly referrerPolicy?: 'same-origin' | 'strict-origin-when-cross-origin';
  /** What the page may load besides its own style and script, by directive: https://www.w3.org/TR/CSP3/. */
  readonly sources?: Readonly<Record<string, string>>;
};

const cardStyle = `
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.0625rem/1.5 system-ui, sans-serif }
main { box-sizing: border-box; width: min(100%, 26rem); padding: 1.5rem; overflow-wrap: anywhere }
h1 { font-size: 1.375rem; margin: 0 0 .5rem }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: .625rem .75rem; margin-top: .5rem }
a { color: LinkText }`;

/**
 * A self-contained page. It loads nothing except what `sources` names, runs only its own script and style, and cannot
 * be framed. Search engines are told not to list it.
 */
export function page(parts: PageParts): Page {
  const { title, head = html``, body, style = cardStyle, script, sources = {}, referrerPolicy = 'same-origin' } = parts;
  const nonce = randomBytes(16).toString('base64url');
  const own = { 'style-src': `'nonce-${nonce}'`, ...(script !== undefined && { 'script-src': `'nonce-${nonce}'` }) };
  const loaded = [...Object.entries(own), ...Object.entries(sources)];
  const policy = Map.groupBy(loaded, ([directive]) => directive);
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style nonce="${nonce}">${{ html: style }}</style>
${head}
</head>
<body>
${body}
${script === undefined ? html`` : html`<script nonce="${nonce}">${{ html: script }}</script>`}
</body>
</html>
`;
  return {
    body: document.html,
    headers: {
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
