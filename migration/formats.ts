import { type RedirectType, redirectTypes } from '../lambdas/domain/link.ts';

/** What is read of a row, by the names of its columns: the first of them that the file has counts. Matched without regard to case. */
export type Columns = {
  readonly url: readonly string[];
  readonly slug?: readonly string[];
  /** The whole short URL, of which the path is the slug, where there is no column for that. All of them count: a link may have several. */
  readonly shortUrl?: readonly string[];
  readonly domain?: readonly string[];
  readonly title?: readonly string[];
  readonly redirectType?: readonly string[];
  readonly tags?: readonly string[];
  readonly expiresAt?: readonly string[];
  readonly createdAt?: readonly string[];
  readonly clicks?: readonly string[];
};

/** A format of one service. */
export type Format = {
  readonly columns: Columns;
  /** What stands between the tags of a cell; in JSON they are an array. */
  readonly tagSeparator: string;
  /** What the service redirects with, where a row does not say. */
  readonly redirectType: RedirectType;
  /** The list of links in a JSON document. */
  readonly list: (document: unknown) => unknown;
  /** Whether a row without a slug is given one. An export without would bring each link under another address. */
  readonly makesSlugs?: true;
  /** Why a row is not to be brought, by the columns that say so: what keeps visitors away there would not do so here. */
  readonly refusals?: Readonly<Record<string, (value: unknown) => string | undefined>>;
  /** Columns that change where a link leads, and are not brought. */
  readonly lost?: readonly string[];
  /** What its CSV has in cells that are empty. */
  readonly nothing?: readonly string[];
};

/** A member of a JSON document, however deep; undefined where there is none. */
export const member = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((found, name) => (found as Record<string, unknown> | null | undefined)?.[name], value);

const asList = (document: unknown): unknown => (Array.isArray(document) ? document : undefined);

const hasPassword = () => 'it has a password there, and would be open to everybody here';

/** By the names that `--from` takes. What is known of each service's export, and from where, is in docs/import.md. */
export const formats = {
  csv: {
    columns: {
      url: ['url'],
      slug: ['slug'],
      domain: ['domain'],
      title: ['title'],
      redirectType: ['redirect_type'],
      tags: ['tags'],
      expiresAt: ['expires_at'],
      createdAt: ['created_at'],
      clicks: ['clicks'],
    },
    tagSeparator: '|',
    redirectType: 'TEMPORARY_302',
    list: asList,
    makesSlugs: true,
  },
  // The columns of the export: https://github.com/dubinc/dub (format-links-for-export.ts, with labels for the fields of its API), and the
  // links of GET /links: https://dub.co/docs/sdks/typescript/links/get. The CSV is made by json-2-csv, which writes lists as JSON, and null and
  // undefined as words: https://github.com/mrodrig/json-2-csv (recordFieldValueToString). Two keys stand for the root of a domain
  // (is-root-domain-link-key.ts).
  dub: {
    columns: {
      url: ['destination url', 'url'],
      slug: ['key'],
      shortUrl: ['short link', 'link', 'shortLink'],
      domain: ['domain'],
      title: ['title'],
      tags: ['tags'],
      expiresAt: ['expires at', 'expiresAt'],
      createdAt: ['created at', 'createdAt'],
      clicks: ['clicks'],
    },
    tagSeparator: ',',
    redirectType: 'TEMPORARY_302',
    list: asList,
    refusals: {
      password: hasPassword,
      key: (key) => (['_root', 'akoJCU0='].includes(String(key)) ? 'it is the root of its domain, and has no slug' : undefined),
    },
    lost: ['expiredUrl', 'ios', 'android', 'geo', 'rewrite', 'proxy'],
    nothing: ['null', 'undefined'],
  },
  // GET /v4/groups/{group_guid}/bitlinks: https://dev.bitly.com/api-reference/#getBitlinksByGroup. Bitly redirects with 301.
  bitly: {
    columns: {
      url: ['long_url'],
      shortUrl: ['custom_bitlinks', 'link'],
      title: ['title'],
      tags: ['tags'],
      createdAt: ['created_at'],
    },
    tagSeparator: ',',
    redirectType: 'PERMANENT_301',
    list: (document) => asList(document) ?? member(document, 'links'),
    refusals: { is_deleted: () => 'it is deleted there' },
    lost: ['deeplinks'],
  },
  // The CSV of its web client: https://github.com/shlinkio/shlink-web-component (ExportShortUrlsBtn.tsx), and the answer of
  // GET /rest/v3/short-urls: https://api-spec.shlink.io
  shlink: {
    columns: {
      url: ['longUrl'],
      slug: ['shortCode'],
      shortUrl: ['shortUrl'],
      domain: ['domain'],
      title: ['title'],
      tags: ['tags'],
      expiresAt: ['validUntil', 'meta.validUntil'],
      createdAt: ['createdAt', 'dateCreated'],
      clicks: ['visits', 'visitsSummary.total'],
    },
    tagSeparator: '|',
    redirectType: 'TEMPORARY_302',
    list: (document) => asList(document) ?? member(document, 'shortUrls', 'data'),
    refusals: {
      'meta.maxVisits': () => 'it may be visited only so often there, and would have no limit here',
      'meta.validSince': (from) => (Date.parse(String(from)) > Date.now() ? 'it is not to be followed there yet' : undefined),
    },
  },
  // The table `yourls_url` as CSV (https://docs.yourls.org), the CSV of the plugin YOURLS-Import-Export (source, target, hits:
  // https://github.com/GautamGupta/YOURLS-Import-Export), and the answer of its API to action=stats. YOURLS redirects with 301.
  yourls: {
    columns: {
      url: ['url', 'target'],
      slug: ['keyword', 'source'],
      shortUrl: ['shorturl'],
      title: ['title'],
      createdAt: ['timestamp'],
      clicks: ['clicks', 'hits'],
    },
    tagSeparator: ',',
    redirectType: 'PERMANENT_301',
    list: (document) => asList(document) ?? Object.values((member(document, 'links') as object | undefined) ?? {}),
  },
  // GET /api/v2/links: https://docs.kutt.it. A custom domain is in `domain`, where there is one.
  kutt: {
    columns: {
      url: ['target'],
      slug: ['address'],
      shortUrl: ['link'],
      domain: ['domain'],
      title: ['description'],
      expiresAt: ['expire_in'],
      createdAt: ['created_at'],
      clicks: ['visit_count'],
    },
    tagSeparator: ',',
    redirectType: 'TEMPORARY_302',
    list: (document) => asList(document) ?? member(document, 'data'),
    refusals: { password: hasPassword, banned: () => 'it is banned there' },
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

/** What a cell says of the redirect, as the service or people put it; undefined where that is nothing known. */
export function redirectTypeOf(text: string): RedirectType | undefined {
  const said = text.trim().toLowerCase();
  return redirectTypes.find((type) => type.toLowerCase() === said || type.toLowerCase().split('_').includes(said));
}
