import { type RedirectType, redirectTypes } from '../../lambdas/core/link/link.ts';
import type { OwnSettings } from './own.ts';
import { dubRules, shlinkRules } from './rules.ts';
import { archivedSettings, brevrColumns, brevrSettings, dubSettings, shlinkSettings } from './settings.ts';
import { flagOf, textOf } from './text.ts';

/**
 * The names of the columns of each field. The first one that has a value is used. `foldName` says how they are
 * compared.
 */
export type Columns = {
  readonly url: readonly string[];
  readonly slug?: readonly string[];
  /**
   * Short URLs, whose path is the slug if no column has it. All of these columns are read: a link may have several
   * addresses.
   */
  readonly shortUrl?: readonly string[];
  readonly domain?: readonly string[];
  readonly title?: readonly string[];
  /** What the service shows only to its users, and never to visitors. */
  readonly notes?: readonly string[];
  readonly redirectType?: readonly string[];
  readonly tags?: readonly string[];
  readonly startsAt?: readonly string[];
  readonly expiresAt?: readonly string[];
  readonly expiredUrl?: readonly string[];
  /** The limit on visits, including past ones. */
  readonly maxVisits?: readonly string[];
  readonly createdAt?: readonly string[];
  readonly clicks?: readonly string[];
};

/** The export format of a service. */
export type Format = {
  /** What people call it. */
  readonly name: string;
  readonly columns: Columns;
  /** The separator of tags in a CSV cell. In JSON, tags are an array. */
  readonly tagSeparator: string;
  /** How the service redirects if a row does not say. */
  readonly redirectType: RedirectType;
  /** The list of links in a JSON document. */
  readonly list: (document: unknown) => unknown;
  /**
   * Whether a row without a slug gets one. In another service's export, such a row is refused: the link would get a
   * different address.
   */
  readonly makesSlugs?: true;
  /**
   * By column: why a row must not be imported, given the column's value. Such a link keeps visitors away at the other
   * service, but would not here.
   */
  readonly refusals?: Readonly<Record<string, (value: unknown) => string | undefined>>;
  /** The rules of a row, given its cells, and the columns that they are in. */
  readonly rules?: { readonly columns: readonly string[]; readonly of: typeof dubRules };
  /**
   * Settings of a row that only this service has, and their columns.
   *
   * @param cell undefined for a cell that is missing, empty or false.
   * @param isFalse whether a cell says that it is false.
   * @param notes gets an entry for each difference.
   */
  readonly settings?: {
    readonly columns: readonly string[];
    readonly of: (cell: (name: string) => unknown, isFalse: (name: string) => boolean, notes: string[]) => OwnSettings;
  };
  /** Whether columns such as `utm_source` set parameters of the destination. */
  readonly hasUtm?: true;
  /** Columns that change where a link leads, but are not imported. */
  readonly lost?: readonly string[];
  /**
   * Whether it is this service's own format: further columns are read, texts keep their spaces, and starts in the past
   * stay. In CSV, apostrophes that guard cells are removed.
   */
  readonly isOwn?: true;
  /** Words that stand for an empty cell in the service's CSV. */
  readonly emptyWords?: readonly string[];
};

/** The member of a JSON document at a path; undefined if there is none. */
export const member = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((found, name) => (found as Record<string, unknown> | null | undefined)?.[name], value);

const asList = (document: unknown): unknown => (Array.isArray(document) ? document : undefined);

const hasPassword = () => 'it has a password there, but would be open to everybody here';

/** Short URLs in any format, besides the service's own names. */
const shortUrls = ['short_url', 'short_link'] as const;

/**
 * The formats, by their names for `--from`. docs/import.md says what each service exports, and where that is
 * documented.
 */
export const formats = {
  csv: {
    name: 'CSV of this service or your own',
    columns: {
      url: ['url'],
      slug: ['slug', 'short_code', 'custom_slug'],
      shortUrl: shortUrls,
      domain: ['domain'],
      title: ['title'],
      redirectType: ['redirect_type'],
      tags: ['tags'],
      startsAt: ['starts_at'],
      expiresAt: ['expires_at'],
      expiredUrl: ['expired_url'],
      maxVisits: ['max_clicks'],
      createdAt: ['created_at'],
      clicks: ['clicks'],
    },
    tagSeparator: '|',
    redirectType: 'TEMPORARY_302',
    list: asList,
    makesSlugs: true,
    isOwn: true,
    hasUtm: true,
    refusals: {
      password: () => 'it has a password, which no import sets, and would be open to everybody',
      has_password: (value) =>
        flagOf(value) ? 'it has a password, which is not in the file, and would be open to everybody' : undefined,
    },
  },
  // The columns of the CSV export are in https://github.com/dubinc/dub (format-links-for-export.ts, which labels the
  // API's fields). The links of GET /links: https://dub.co/docs/sdks/typescript/links/get. The CSV is written by
  // json-2-csv, which writes lists as JSON, and null and undefined as words: https://github.com/mrodrig/json-2-csv
  // (recordFieldValueToString). Two keys stand for the root of a domain (is-root-domain-link-key.ts). Only its users
  // see comments: https://dub.co/help/article/link-comments
  dub: {
    name: 'Dub',
    columns: {
      url: ['destination url', 'url'],
      slug: ['key'],
      shortUrl: [...shortUrls, 'link'],
      domain: ['domain'],
      title: ['title'],
      notes: ['comments'],
      tags: ['tags'],
      expiresAt: ['expiresAt'],
      expiredUrl: ['expiredUrl'],
      createdAt: ['createdAt'],
      clicks: ['clicks'],
    },
    tagSeparator: ',',
    redirectType: 'TEMPORARY_302',
    list: asList,
    refusals: {
      password: hasPassword,
      key: (key) => (['_root', 'akoJCU0='].includes(textOf(key)) ? 'it is the root of its domain, which has no slug' : undefined),
    },
    rules: { columns: ['ios', 'android', 'geo'], of: dubRules },
    settings: { columns: ['disabledAt', 'archived'], of: (cell, _, notes) => dubSettings(cell, notes) },
    hasUtm: true,
    lost: ['rewrite', 'proxy', 'testVariants', 'trackConversion'],
    emptyWords: ['null', 'undefined'],
  },
  // GET /v4/groups/{group_guid}/bitlinks: https://dev.bitly.com/api-reference/#getBitlinksByGroup. Bitly redirects with
  // 301.
  bitly: {
    name: 'Bitly',
    columns: {
      url: ['long_url'],
      shortUrl: ['custom_bitlinks', 'link', ...shortUrls],
      title: ['title'],
      tags: ['tags'],
      createdAt: ['created_at'],
    },
    tagSeparator: ',',
    redirectType: 'PERMANENT_301',
    list: (document) => asList(document) ?? member(document, 'links'),
    refusals: { is_deleted: () => 'it is deleted there' },
    settings: { columns: ['archived'], of: archivedSettings },
    lost: ['deeplinks'],
  },
  // The CSV of its web client: https://github.com/shlinkio/shlink-web-component (ExportShortUrlsBtn.tsx), and the
  // response of GET /rest/v3/short-urls: https://api-spec.shlink.io
  shlink: {
    name: 'Shlink',
    columns: {
      url: ['longUrl'],
      slug: ['shortCode'],
      shortUrl: shortUrls,
      domain: ['domain'],
      title: ['title'],
      tags: ['tags'],
      startsAt: ['validSince', 'meta.validSince'],
      expiresAt: ['validUntil', 'meta.validUntil'],
      maxVisits: ['maxVisits', 'meta.maxVisits'],
      createdAt: ['createdAt', 'dateCreated'],
      clicks: ['visits', 'visitsSummary.total', 'visitsCount'],
    },
    tagSeparator: '|',
    redirectType: 'TEMPORARY_302',
    list: (document) => asList(document) ?? member(document, 'shortUrls', 'data'),
    rules: { columns: ['redirectRules', 'hasRedirectRules'], of: shlinkRules },
    settings: {
      columns: ['forwardQuery'],
      of: (cell, isFalse, notes) => shlinkSettings(cell, notes, isFalse('forwardQuery')),
    },
  },
  // The table `yourls_url` as CSV (https://docs.yourls.org), the CSV of the plugin YOURLS-Import-Export (source,
  // target, hits: https://github.com/GautamGupta/YOURLS-Import-Export), and the response of its API to action=stats.
  // YOURLS redirects with 301.
  yourls: {
    name: 'YOURLS',
    columns: {
      url: ['url', 'target'],
      slug: ['keyword', 'source'],
      shortUrl: shortUrls,
      title: ['title'],
      createdAt: ['timestamp'],
      clicks: ['clicks', 'hits'],
    },
    tagSeparator: ',',
    redirectType: 'PERMANENT_301',
    list: (document) => asList(document) ?? Object.values((member(document, 'links') as object | undefined) ?? {}),
  },
  // GET /api/v2/links: https://docs.kutt.it. A link's custom domain, if it has one, is in `domain`. Kutt 3.0 has an
  // object with the address in `link`, others have the address: https://github.com/thedevs-network/kutt (utils.js,
  // sanitize). Only its users see the description; they asked for comments:
  // https://github.com/thedevs-network/kutt/issues/51
  kutt: {
    name: 'Kutt',
    columns: {
      url: ['target'],
      slug: ['address'],
      shortUrl: ['link', 'link.url', ...shortUrls],
      domain: ['domain'],
      notes: ['description'],
      expiresAt: ['expire_in'],
      createdAt: ['created_at'],
      clicks: ['visit_count'],
    },
    tagSeparator: ',',
    redirectType: 'TEMPORARY_302',
    list: (document) => asList(document) ?? member(document, 'data'),
    refusals: { password: hasPassword, banned: () => 'it is banned there' },
  },
  // GET /api/v1/links, and its links with what GET /api/v1/links/{id} adds: https://www.brevr.co/docs
  brevr: {
    name: 'Brevr',
    columns: {
      url: ['url'],
      slug: ['shortCode'],
      shortUrl: shortUrls,
      domain: ['domain'],
      title: ['title'],
      redirectType: ['redirectType'],
      tags: ['tags'],
      expiresAt: ['expiresAt'],
      maxVisits: ['maxClicks'],
      createdAt: ['createdAt'],
      clicks: ['clickCount'],
    },
    tagSeparator: ',',
    redirectType: 'TEMPORARY_302',
    list: (document) => {
      const link = member(document, 'link');
      return asList(document) ?? member(document, 'links') ?? (link && [link]);
    },
    refusals: {
      password: hasPassword,
      linkType: (type) =>
        textOf(type).toUpperCase() === 'URL' ? undefined : `it is a link of the type ${textOf(type).slice(0, 40)}, not a URL`,
    },
    settings: { columns: brevrColumns, of: (cell, isFalse) => brevrSettings(cell, isFalse('isActive')) },
    lost: ['rules', 'gtmContainerId', 'headTags', 'bodyTags', 'skipSocialCrawlerTracking'],
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

/**
 * The redirect type in a cell: its name here, or one of its parts such as 301 or permanent. Undefined for any other
 * text.
 */
export function redirectTypeOf(text: string): RedirectType | undefined {
  const said = text.trim().toLowerCase();
  return redirectTypes.find((type) => type.toLowerCase() === said || type.toLowerCase().split('_').includes(said));
}
