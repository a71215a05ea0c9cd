import { Parser } from 'htmlparser2';
import { RuleError } from '../core/errors.ts';
import { descriptionLength, metadataBytes, titleLength, urlLength } from '../core/limits.ts';
import { followPublicly, type PublicResponse } from './public-request.ts';
import { pageReach } from './reach.ts';

/** What a page says about itself; null where it says nothing. */
export type PageMetadata = {
  readonly title: string | null;
  readonly description: string | null;
  /** An https URL. */
  readonly image: string | null;
};

const request = {
  method: 'GET',
  headers: { 'User-Agent': 'links/1 (metadata)', Accept: 'text/html, application/xhtml+xml', 'Accept-Encoding': 'identity' },
} as const;

/**
 * Reads the title, the description and the image of a page at a public address: those for previews (Open Graph,
 * https://ogp.me), or else `<title>` and the description for search engines. Reads the first `metadataBytes` bytes.
 *
 * @param signal ends the request.
 * @returns texts in one line, without control characters, cut to the lengths of a link's own fields. Nothing else of
 *   the page is returned.
 * @throws RuleError `page_unreachable`, `page_not_html`
 */
export async function fetchMetadata(url: string, signal: AbortSignal, reachFor = pageReach): Promise<PageMetadata> {
  const following = { schemes: ['http', 'https'], most: 5, reachFor, refused: unreachable };
  const { response, at } = await followPublicly(new URL(url), request, metadataBytes, signal, following);
  if (response.status !== 200) throw unreachable(`the server responds with ${response.status}`);
  const type = only(response, 'content-type');
  if (!/^(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type)) {
    throw new RuleError('page_not_html', 'must lead to an HTML page');
  }
  if (!/^(identity)?$/i.test(only(response, 'content-encoding'))) throw unreachable('the response is compressed');
  return metadataOf(decoded(response.body, type), at);
}

const unreachable = (why: string) => new RuleError('page_unreachable', `must lead to a page that can be read; ${why}`);

const only = ({ headers }: PublicResponse, name: string): string => headers[name]?.[0]?.trim() ?? '';

/** How much of a page is searched for its encoding, in bytes: https://html.spec.whatwg.org/#charset */
const charsetBytes = 1_024;

/** Decodes a page by its byte order mark, its header, its `<meta>`, or as UTF-8. Invalid bytes become U+FFFD. */
function decoded(body: Buffer, type: string): string {
  const said = /<meta[^>]+charset\s*=\s*["']?([\w:.-]+)/i.exec(body.toString('latin1', 0, charsetBytes))?.[1];
  const labels = [markOf(body), /charset\s*=\s*"?([\w:.-]+)/i.exec(type)?.[1], said, 'utf-8'];
  for (const label of labels) {
    const text = label === undefined ? undefined : textIn(label, body);
    if (text !== undefined) return text;
  }
  return '';
}

/** The encoding of a byte order mark. */
function markOf(body: Buffer): string | undefined {
  if (body.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return 'utf-8';
  return { feff: 'utf-16be', fffe: 'utf-16le' }[body.toString('hex', 0, 2)];
}

/** Undefined if there is no such encoding. */
function textIn(label: string, body: Buffer): string | undefined {
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return undefined;
  }
}

/** How much of the text in a title is kept while it is read, in characters: more than enough for `titleLength`. */
const titleRead = 4_096;

/**
 * How many elements may be open at a time. Each tag is compared with all of them, so a page of nothing but open
 * elements would take seconds. Heads are flat. What was found until then is used.
 */
const mostOpen = 256;

/** The metadata of a page. @param at its address, to which its image may be relative */
function metadataOf(html: string, at: URL): PageMetadata {
  const said = new Map<string, string>();
  /** The first one that isn't empty wins. */
  const say = (name: string, value: string | undefined) => {
    if (value?.trim() && !said.has(name)) said.set(name, value);
  };
  let title: string | undefined;
  let drawings = 0;
  let open = 0;
  const parser = new Parser({
    onopentag: (name, { property, name: named, content }) => {
      if (++open > mostOpen) parser.pause();
      if (name === 'svg') drawings++;
      if (name === 'title' && drawings === 0) title = '';
      if (name === 'meta') say((property ?? named ?? '').trim().toLowerCase(), content);
    },
    ontext: (text) => {
      if (title !== undefined && title.length < titleRead) title += text;
    },
    onclosetag: (name) => {
      open--;
      if (name === 'svg') drawings--;
      if (name !== 'title') return;
      say('title', title);
      title = undefined;
    },
  });
  parser.end(html);
  const first = (...names: string[]) => names.map((name) => said.get(name)).find((value) => value !== undefined);
  return {
    title: asText(first('og:title', 'title'), titleLength),
    description: asText(first('og:description', 'description'), descriptionLength),
    image: asImage(first('og:image:secure_url', 'og:image', 'og:image:url'), at),
  };
}

/** A text in one line of at most `most` code points, without control characters; null if nothing is left. */
function asText(text: string | undefined, most: number): string | null {
  const line = (text ?? '')
    // More would be cut off anyway, unless it is white space.
    .slice(0, 8 * most)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return [...line].slice(0, most).join('').trimEnd() || null;
}

/** The https URL of an image; null for others, which a page over https would not show. */
function asImage(text: string | undefined, at: URL): string | null {
  const url = text === undefined || text.length > urlLength ? undefined : URL.parse(text.trim(), at.href);
  return url?.protocol === 'https:' && !url.username && !url.password && url.href.length <= urlLength ? url.href : null;
}
