import { type RedirectType, redirectTypes } from '../lambdas/domain/link.ts';

/** What is read of a row, by the names of its columns: the first of them that the file has counts. Matched without regard to case. */
type Columns = {
  readonly url: readonly string[];
  readonly slug?: readonly string[];
  /** The whole short URL, of which the path is the slug, where there is no column for that. */
  readonly shortUrl?: readonly string[];
  readonly domain?: readonly string[];
  readonly title?: readonly string[];
  readonly redirectType?: readonly string[];
  readonly tags?: readonly string[];
  readonly expiresAt?: readonly string[];
  readonly createdAt?: readonly string[];
  readonly clicks?: readonly string[];
};

export type Field = keyof Columns;

/** A format of one service. */
export type Format = {
  readonly columns: Columns;
  /** What stands between the tags of a cell; in JSON they are an array. */
  readonly tagSeparator: string;
  /** What the service redirects with, where a row does not say. */
  readonly redirectType: RedirectType;
  /** The list of links in a JSON document. */
  readonly list: (document: unknown) => unknown;
};

/** A member of a JSON document, however deep; undefined where there is none. */
const member = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((found, name) => (found as Record<string, unknown> | null | undefined)?.[name], value);

const asList = (document: unknown): unknown => (Array.isArray(document) ? document : undefined);

/** By the names that `--from` takes. What is known of each service's export, and from where, is in the README. */
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
  },
  // The columns of the export: https://github.com/dubinc/dub (format-links-for-export.ts, with labels for the fields of its API), and the
  // links of GET /links: https://dub.co/docs/sdks/typescript/links/get
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
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

/** The fields of a row that are there, by the columns of its format. */
export function fieldsOf(format: Format, row: Readonly<Record<string, unknown>>): Partial<Record<Field, unknown>> {
  const byName = new Map(Object.entries(row).map(([name, value]) => [name.trim().toLowerCase(), value]));
  const cellOf = (name: string) => byName.get(name.toLowerCase()) ?? member(row, ...name.split('.'));
  return Object.fromEntries(
    Object.entries(format.columns).flatMap(([field, names]) => {
      const value = names.map(cellOf).find((one) => !isEmpty(one));
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** What a cell says of the redirect, as the service or people put it; undefined where that is nothing known. */
export function redirectTypeOf(text: string): RedirectType | undefined {
  const said = text.trim().toLowerCase();
  return redirectTypes.find((type) => type.toLowerCase() === said || type.toLowerCase().split('_').includes(said));
}
