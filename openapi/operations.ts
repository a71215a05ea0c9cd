import type * as z from 'zod/mini';
import type { ErrorCode } from '../lambdas/core/errors.ts';
import {
  aliasesPerLink,
  bulkChanges,
  bulkRequests,
  clicksPerPage,
  clicksPerRequest,
  domainsPerWorkspace,
  entriesPerPage,
  framingLookUpsPerHour,
  hostsPerImport,
  invitationDays,
  keysPerWorkspace,
  linksPerPage,
  linksPerRequest,
  membersPerWorkspace,
  metadataRequests,
  passwordsPerImport,
  rankedLinks,
  revokedKeyDays,
  rulesPerLink,
  secretsAtOnce,
  slugLength,
  tagsPerLink,
  tagsPerWorkspace,
  templatesPerWorkspace,
  variantsPerLink,
  webhooksPerLink,
  webhooksPerWorkspace,
} from '../lambdas/core/limits.ts';
import { externalIdPattern } from '../lambdas/core/link/external-id.ts';
import { type About, filterBy } from './fields.ts';
import type { HeaderName } from './headers.ts';
import {
  apiKey,
  apiKeyPage,
  bulkDeletion,
  bulkResponse,
  bulkUpdate,
  clickPage,
  delivery,
  deliveryDetails,
  deliveryPage,
  domain,
  domainList,
  historyPage,
  invitedMember,
  linkPage,
  linkResponse,
  me,
  member,
  memberPage,
  metadata,
  newApiKey,
  newWebhook,
  newWebhookSecret,
  rankedLinkPage,
  restoredLink,
  statistics,
  tag,
  tagList,
  template,
  templateList,
  topLinks,
  webhook,
  webhookList,
  webhookSecretList,
} from './schemas.ts';

/** What the document says about an operation besides what follows from `lib/endpoints.ts` and the endpoint's schema. */
export type Operation = {
  readonly group:
    | 'Caller'
    | 'Links'
    | 'Tags'
    | 'Templates'
    | 'Domains'
    | 'Webhooks'
    | 'Statistics'
    | 'History'
    | 'Keys'
    | 'Members';
  readonly summary: string;
  readonly description: string;
  /** The path parameter. It has a pattern if malformed values get 422; other malformed ids get 404. */
  readonly id?: { readonly pattern?: string; readonly example: string; readonly description?: string };
  /** The second path parameter. */
  readonly otherId?: { readonly example: string };
  /** What this operation's query parameters have that those of other operations don't, by name. */
  readonly parameters?: Readonly<Record<string, Partial<About>>>;
  readonly takesIdempotencyKey?: true;
  /** Accepts `If-Match`, or `If-None-Match` if it is a GET. */
  readonly conditional?: true;
  readonly requestExample?: unknown;
  readonly success: Success;
  /** Another success, with a status of its own. */
  readonly orElse?: Success;
  /** The error codes of the operation, besides those of every operation. */
  readonly errors: readonly ErrorCode[];
};

type Success = {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  readonly schema?: z.core.$ZodType;
  readonly example?: unknown;
  /** The example as CSV, if `Accept` may request CSV. */
  readonly csv?: string;
  /** Images instead, by their media types. */
  readonly images?: Readonly<Record<string, { readonly schema: object; readonly example: string }>>;
  readonly headers?: readonly HeaderName[];
};

const many = (count: number): string => count.toLocaleString('en-US');

/** The lists that are read as a whole. */
const inPages = `All in one response, or at most ${many(entriesPerPage)} and a \`nextCursor\` for the rest. An entry that does not change is shown exactly once.`;
const listParameters = (what: string): Operation['parameters'] => ({
  limit: { description: `The most ${what} on a page.`, maximum: entriesPerPage, default: entriesPerPage },
  cursor: { description: 'The `nextCursor` of the previous page. It is valid only for the same list of the same workspace.' },
});

/** The error codes of every operation. Unknown query parameters are refused (422). */
export const everyError = [
  'unauthorized',
  'forbidden',
  'validation_failed',
  'rate_limited',
  'internal_error',
  'temporarily_unavailable',
] as const satisfies ErrorCode[];

/** The error codes of every operation with a body. */
export const bodyErrors = [
  'bad_request',
  'invalid_json',
  'request_too_large',
  'unsupported_media_type',
] as const satisfies ErrorCode[];

const bulkIds = ['lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP', 'lnk_0000000000000000000000000000'];
const bulkFailed = [{ index: 1, id: bulkIds[1], code: 'not_found', message: 'There is no such link.' }];

/** The error codes of operations with `If-Match` or `If-None-Match`; `bad_request` means that it was sent twice. */
export const conditionalErrors = (method: string): readonly ErrorCode[] =>
  method === 'GET' ? ['bad_request'] : ['bad_request', 'precondition_failed'];

const tagId = { example: 'tag_0a1B2c3D4e5F6g7H' };
const linkId = {
  example: 'lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP',
  description: "The link's id, or `ext_` and its external id, such as `ext_cms:page-4711`.",
};

const deliveryId = { example: 'dlv_0a1B2c3D4e5F6g7H8i9J0k' };
const webhookId = { example: 'whk_0a1B2c3D4e5F6g7H' };
const secretId = { example: 'whs_7H6g5F4e3D2c1B0a' };

const keyId = { example: 'key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R' };

const domainName = { example: 'go.example.com' };

const tagExample = {
  id: tagId.example,
  name: 'Summer 2030',
  color: '#1a2b3c',
  createdAt: '2030-01-02T03:04:05.678Z',
  _count: { links: 12 },
};

const templateId = { example: 'tpl_0a1B2c3D4e5F6g7H' };

const templateExample = {
  id: templateId.example,
  name: 'Newsletter',
  domain: 'go.example.com',
  tagIds: [tagId.example],
  utmSource: 'newsletter',
  utmMedium: 'email',
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  redirectType: 'TEMPORARY_302',
  expiresAfterDays: 90,
  isActive: true,
  isArchived: false,
  cloaked: false,
  forwardParameters: false,
  forwardPath: false,
  hideReferrer: false,
  blockBots: false,
  confirmVisit: false,
  createdAt: '2030-01-02T03:04:05.678Z',
};

const linkExample = {
  id: linkId.example,
  shortCode: 'summer-sale',
  domain: 'go.example.com',
  shortUrl: 'https://go.example.com/summer-sale',
  aliases: [],
  url: 'https://example.com/landing?utm_source=mail',
  title: 'Summer sale',
  description: null,
  image: null,
  notes: null,
  redirectType: 'TEMPORARY_302',
  isActive: true,
  isArchived: false,
  state: 'active',
  pendingVerification: false,
  cloaked: false,
  hasPassword: false,
  startsAt: null,
  expiresAt: '2030-08-01T00:00:00.000Z',
  expiredUrl: null,
  maxClicks: null,
  clickCount: 0,
  lastClickedAt: null,
  tags: [{ id: tagId.example, name: 'Summer 2030', color: '#1a2b3c' }],
  externalId: 'cms:page-4711',
  managedBy: null,
  forwardParameters: false,
  forwardPath: false,
  hideReferrer: false,
  blockBots: false,
  confirmVisit: false,
  rules: [],
  variants: [],
  metaPixelId: null,
  googleTagId: null,
  webhookUrls: null,
  createdAt: '2030-01-02T03:04:05.678Z',
  updatedAt: '2030-01-02T03:04:05.678Z',
};

const domainExample = {
  domain: domainName.example,
  status: 'PENDING_OWNERSHIP',
  covered: true,
  records: [
    { type: 'TXT', name: '_links.go.example.com', value: 'links-verification=0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P' },
    { type: 'CNAME', name: 'go.example.com', value: 'links.example.net' },
  ],
  certificate: null,
  rootUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
  publicQr: false,
  allowIndexing: false,
  accentColor: null,
  logoUrl: null,
  createdAt: '2030-01-02T03:04:05.678Z',
  verifiedAt: null,
  lastCheck: null,
  appleAppSiteAssociation: null,
  assetLinks: null,
};
const servingExample = { ...domainExample, status: 'ACTIVE', verifiedAt: '2030-01-02T03:14:05.678Z' };

const { appleAppSiteAssociation: _apple, assetLinks: _assets, ...listedExample } = servingExample;

const deliveryExample = {
  id: deliveryId.example,
  type: 'link.clicked',
  url: 'https://hooks.example.com/links',
  webhookId: webhookId.example,
  linkId: linkId.example,
  shortUrl: linkExample.shortUrl,
  state: 'succeeded',
  attempts: [{ at: '2030-01-02T03:04:05.678Z', status: 204, ms: 87, error: null, response: null, redirectsTo: null }],
  nextAttemptAt: null,
  createdAt: '2030-01-02T03:04:05.678Z',
};

const webhookExample = {
  id: webhookId.example,
  url: 'https://example.com/hooks/links',
  events: ['link.clicked', 'link.deleted'],
  active: true,
  createdAt: '2030-01-02T03:04:05.678Z',
  status: { state: 'ok', since: null, error: null, redirectsTo: null, backlog: null },
};
const secretExample = {
  id: secretId.example,
  webhookId: webhookId.example,
  createdAt: '2030-01-02T03:04:05.678Z',
  expiresAt: null,
};
const keyExample = {
  id: keyId.example,
  prefix: 'lk_5kzV',
  name: 'CI',
  permissions: ['links:write', 'links:read'],
  createdAt: '2030-01-02T03:04:05.678Z',
  createdBy: { type: 'key', id: 'key_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0uv', name: 'Owner' },
  expiresAt: '2031-01-02T00:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
  replaces: null,
  replacedBy: null,
};

const memberId = { example: 'mbr_0a1B2c3D4e5F6g7H' };
const memberExample = {
  id: memberId.example,
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada Lovelace',
  role: 'editor',
  state: 'active',
  createdAt: '2030-01-02T03:04:05.678Z',
  lastSignedInAt: '2030-01-03T08:00:00.000Z',
};
const withinRole = 'A key manages only members all of whose permissions it has, before and after. ';
const removedKeys = {
  description: 'What becomes of the keys that the person has made, also by way of other keys: `revoke` (the default) or `keep`.',
};

const newKeyExample = { ...keyExample, key: 'lk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bT' };
const withinOwn =
  'A key gives only what it has: it needs every permission of the other key, and sets no end that is later than its own. ';

const secretTextExample = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const linkPageExample = {
  links: [linkExample],
  nextCursor: 'kG8u1rN3tQ0vYx5zBw7cDeMjAzMC0wMS0wMlQwMzowNDowNS42NzhaI2xua18',
};

const rankedLinkPageExample = {
  ...linkPageExample,
  links: [{ ...linkExample, inRange: { clicks: 12, lastClickedAt: '2030-01-02T03:04:05.000Z' } }],
};

const clickExample = {
  id: '3hT2kQ9xWm4RsV0pLz7YbC',
  at: '2030-01-02T03:04:05.000Z',
  linkId: linkId.example,
  country: 'DE',
  referrer: 'news.example.com',
  device: 'mobile',
  browser: 'Firefox',
  os: 'android',
  language: 'de',
  source: 'link',
  variant: 'none',
  slug: 'summer-sale',
  path: 'none',
  utmSource: 'newsletter',
  utmMedium: 'email',
  utmCampaign: 'none',
  domain: domainName.example,
  isUnique: true,
};
const clickPageSuccess: Success = {
  status: 200,
  description: 'A page.',
  schema: clickPage,
  example: { clicks: [clickExample], nextCursor: null },
  csv: `${Object.keys(clickExample).join(',')}\r\n${Object.values(clickExample).join(',')}\r\n`,
  headers: ['Link'],
};

/** Filters of links that need an explanation. */
const linkListParameters = {
  state: { description: 'Only links with this `state`.' },
  createdAfter: {
    description: 'Only links created at that time or later, in ISO 8601 with a time zone.',
    format: 'date-time',
    examples: ['2030-01-01T00:00:00Z'],
  },
  createdBefore: {
    description: 'Only links created before that time, in ISO 8601 with a time zone.',
    format: 'date-time',
    examples: ['2030-02-01T00:00:00Z'],
  },
  expiresBefore: {
    description:
      'Only links whose `expiresAt` is before that time, in ISO 8601 with a time zone; with `state=active`, those that expire soon.',
    format: 'date-time',
    examples: ['2030-02-01T00:00:00Z'],
  },
  notClickedSince: {
    description:
      'Only links without a click at that time or later, in ISO 8601 with a time zone: whose `clickCount` is 0, or whose ' +
      '`lastClickedAt` is before it.',
    format: 'date-time',
    examples: ['2030-01-01T00:00:00Z'],
  },
};

/** An example of statistics, of a workspace or of a link. */
const statisticsExample = {
  from: '2030-01-01T00:00:00.000Z',
  to: '2030-01-03T10:11:12.000Z',
  total: 12,
  uniqueClicks: 9,
  readAt: '2030-01-03T10:11:12.131Z',
  series: [
    { start: '2030-01-01T00:00:00.000Z', clicks: 0, uniqueClicks: 0 },
    { start: '2030-01-02T00:00:00.000Z', clicks: 11, uniqueClicks: 8 },
    { start: '2030-01-03T00:00:00.000Z', clicks: 1, uniqueClicks: 1 },
  ],
  groups: {
    device: [
      { value: 'mobile', clicks: 8, uniqueClicks: 6 },
      { value: 'desktop', clicks: 3, uniqueClicks: 2 },
    ],
  },
  rest: { device: { values: 1, clicks: 1, uniqueClicks: 1 } },
};
const aboutStatistics =
  'Everything is of exactly the range. The points of the series have no gaps and add up to `total`, and so do the groups of each ' +
  'dimension with their `rest`. A unique click is the first one of its visitor on a link and day in UTC. A click counts within ' +
  'seconds; `readAt` says when the clicks were read. ';
/** What all questions about clicks have in common. */
const aboutFilters =
  'Any dimension is also a filter, such as `country=DE,AT&device=mobile`. Clicks are kept for a number of days that the operator sets. ' +
  `A request reads at most ${many(clicksPerRequest)} clicks.`;
const inScope =
  'of all links of the workspace, or with `domain` of those on a domain, or with `tagIds` or `tagNames` of the links that have these ' +
  'tags now, or of both';
/** A filter has the name of another parameter of links. */
const filterParameters: Operation['parameters'] = {
  slug: filterBy('one of these slugs, by which the link was reached', { maxLength: slugLength }, ['summer-sale']),
};
/** The parameters of a scope. */
const scopeParameters: Operation['parameters'] = {
  ...filterParameters,
  domain: { description: 'Only clicks on this domain. A domain that the workspace has deleted still has its clicks.' },
  tagIds: {
    description:
      'Only clicks of links that have any of these tags now, or all of them if `match` says so. A link counts once. Separated by ' +
      'commas; duplicates are dropped.',
  },
  tagNames: { description: 'The same, by the names of tags in any case. Tags by ids and by names count together.' },
};
const aboutClickLists =
  'newest first, a page at a time. New clicks do not move clicks to other pages. A page may have fewer clicks than `limit`, or none, ' +
  'while `nextCursor` says that there are more. With `Accept: text/csv`, a page is CSV (RFC 4180) with the names of the fields in the ' +
  'first row, and the header `Link` has the next page. ';
const clickListParameters: Operation['parameters'] = {
  limit: { description: 'The most clicks on a page.', maximum: clicksPerPage.most, default: clicksPerPage.unlessAsked },
  cursor: { description: 'The `nextCursor` of the previous page. It is valid only with the same parameters except `limit`.' },
  from: { description: 'Only clicks at this time or later, in ISO 8601 with a time zone.' },
  to: { description: 'Only clicks before this time, in ISO 8601 with a time zone.' },
};

const entryExample = {
  id: 'his_20301231000000000300000000000000499659',
  at: '2030-01-02T03:04:05.000Z',
  actor: { type: 'key', id: `key_${'0123456789'.repeat(4)}abc`, name: 'Campaigns' },
  requestId: '8f0c4c1e-6f0e-4d6c-9a53-0f4d3b0f6a11',
  action: 'link.updated',
  subject: { type: 'link', id: linkId.example },
  changes: { title: { from: null, to: 'Summer sale' } },
  shortUrl: linkExample.shortUrl,
};

const webhooksShowLinks =
  'The URL gets links and clicks of the whole workspace, also if the key lacks `links:read` and `stats:read`.';

/** The operations by the names of their routes. */
export const operations: Readonly<Record<string, Operation>> = {
  'get-me': {
    group: 'Caller',
    summary: 'Show the caller',
    description:
      'The workspace and the key of the request, the limits that apply, and what is left of them. The request counts only towards ' +
      'the rate of all requests.',
    success: {
      status: 200,
      description: 'Who is calling.',
      schema: me,
      example: {
        workspace: { id: 'ws_0a1B2c3D4e5F6g7H', name: 'Acme', createdAt: '2030-01-02T03:04:05.678Z' },
        key: {
          id: 'key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R',
          name: 'CI',
          permissions: ['links:write', 'links:read'],
          expiresAt: '2031-01-02T00:00:00.000Z',
        },
        limits: {
          bulkRequests: {
            limit: bulkRequests.quota,
            remaining: bulkRequests.quota - 1,
            windowSeconds: bulkRequests.windowSeconds,
            resetSeconds: 42,
          },
          bulkChanges: {
            limit: bulkChanges.quota,
            remaining: bulkChanges.quota,
            windowSeconds: bulkChanges.windowSeconds,
            resetSeconds: 0,
          },
          metadataRequests: {
            limit: metadataRequests.quota,
            remaining: metadataRequests.quota,
            windowSeconds: metadataRequests.windowSeconds,
            resetSeconds: 0,
          },
          framingLookUps: {
            limit: framingLookUpsPerHour,
            remaining: framingLookUpsPerHour,
            windowSeconds: 3_600,
            resetSeconds: 0,
          },
          tags: { limit: tagsPerWorkspace, remaining: 4_988 },
          templates: { limit: templatesPerWorkspace, remaining: 97 },
          domains: { limit: domainsPerWorkspace, remaining: 99 },
          webhooks: { limit: webhooksPerWorkspace, remaining: webhooksPerWorkspace },
          keys: { limit: keysPerWorkspace, remaining: 197 },
          linksPerBulkRequest: linksPerRequest,
          requestsPerSecond: 100,
          requestBurst: 1_000,
          clickDays: 30,
          historyDays: 365,
          linksPerPage: linksPerPage.most,
          tagsPerLink,
          aliasesPerLink,
          rulesPerLink,
          variantsPerLink: variantsPerLink.most,
          webhookUrlsPerLink: webhooksPerLink,
          secretsAtOnce,
        },
      },
    },
    errors: [],
  },
  'create-link': {
    group: 'Links',
    summary: 'Create a link',
    description:
      'Creates one link on a domain that the workspace has proven to own. Without a `customSlug`, a slug of 7 characters is generated.',
    takesIdempotencyKey: true,
    requestExample: {
      domain: 'go.example.com',
      customSlug: 'summer-sale',
      url: 'https://example.com/landing?utm_source=mail',
      title: 'Summer sale',
      expiresAt: '2030-08-01T00:00:00Z',
      externalId: 'cms:page-4711',
    },
    success: {
      status: 201,
      description: 'The link.',
      schema: linkResponse,
      example: { link: linkExample },
      headers: ['Location', 'ETag'],
    },
    errors: [
      'slug_taken',
      'external_id_taken',
      'link_deleted',
      'tag_not_found',
      'template_not_found',
      'domain_not_verified',
      'domain_deletion_in_progress',
      'idempotency_key_reused',
      'idempotency_in_progress',
    ],
  },
  'list-links': {
    group: 'Links',
    summary: 'List links',
    description:
      'The links of the workspace in the order of their creation, a page at a time. A link that matches throughout is shown exactly ' +
      'once, even if other links are created, changed or deleted between two pages. A page with `domain` looks through at most 10,000 ' +
      'links. A page with `q`, `managedBy`, `state`, `expiresBefore`, `notClickedSince` or `match=all`, or with `domain` and tags together, reads at most ' +
      '1,000 links, and fewer if they are large; one by tag, too, if it meets archived links. So a page may have fewer links than `limit`, or none, while `nextCursor` says that there are more to search.',
    parameters: {
      ...linkListParameters,
      order: { description: '`desc` is newest first.', default: 'desc' },
    },
    success: { status: 200, description: 'A page.', schema: linkPage, example: linkPageExample },
    errors: ['tag_not_found'],
  },
  'list-ranked-links': {
    group: 'Links',
    summary: 'List links by their clicks',
    description:
      'The links of the workspace by how many clicks they have, or by when they were last clicked, a page at a time. Links without a ' +
      'click in the range come last, newest first. The first page decides the order: a link that matches throughout is on exactly one ' +
      'page, even while clicks come in, and is shown as it is now. Filters are those of `GET /links`, with the same bounds: a page may ' +
      `have fewer links than \`limit\`, or none. At most ${rankedLinks.toLocaleString('en-US')} links may have clicks in the range.`,
    parameters: {
      ...linkListParameters,
      sort: {
        description: 'By the number of clicks in the range, or by the time of the last of them.',
        default: 'clicks',
      },
      order: { description: '`desc` has the most clicks or the last click first.', default: 'desc' },
      from: {
        description: 'The start, in ISO 8601 with a time zone, in whole seconds. By default, all clicks that are kept.',
        format: 'date-time',
        examples: ['2030-01-01T00:00:00Z'],
      },
      to: {
        description: 'The end, which is not included, in ISO 8601 with a time zone, in whole seconds. By default there is none.',
        format: 'date-time',
        examples: ['2030-02-01T00:00:00Z'],
      },
      cursor: {
        description:
          'The `nextCursor` of the previous page. It is valid for at least a day, with the same parameters except `limit`, and stands ' +
          'for the order.',
      },
    },
    success: { status: 200, description: 'A page.', schema: rankedLinkPage, example: rankedLinkPageExample },
    errors: ['tag_not_found', 'too_much_to_read'],
  },
  'get-metadata': {
    group: 'Links',
    summary: 'Read what a page says about itself',
    description:
      'Fetches a public page, and returns its title, its description and its image: those for previews (Open Graph), or else the title ' +
      'and the description of the page. Texts are cut to the lengths of those of a link. If the page cannot be read within 5 seconds, the ' +
      'error says why.',
    parameters: { url: { description: 'The address of the page.', format: 'uri', examples: ['https://example.com/landing'] } },
    success: {
      status: 200,
      description: 'What the page says.',
      schema: metadata,
      example: {
        url: 'https://example.com/landing',
        title: 'Summer sale',
        description: null,
        image: 'https://example.com/sale.png',
      },
      headers: ['RateLimit', 'RateLimit-Policy'],
    },
    errors: ['rate_limited'],
  },
  'lookup-link': {
    group: 'Links',
    summary: 'Look up a link',
    description:
      'The link with this domain and slug, or with this external id. Slugs are case-insensitive; external ids are case-sensitive. Send ' +
      'either `domain` with one of `shortCode` and `slug`, or `externalId`.',
    parameters: {
      shortCode: {
        description: 'The `shortCode` of the link, or one of its aliases. Case-insensitive.',
        examples: ['summer-sale'],
      },
      slug: { description: 'Another name for `shortCode`. Send only one of them.' },
    },
    conditional: true,
    success: { status: 200, description: 'The link.', schema: linkResponse, example: { link: linkExample }, headers: ['ETag'] },
    errors: ['not_found'],
  },
  'get-link': {
    group: 'Links',
    summary: 'Fetch a link',
    description: 'Fetches one link by its id.',
    id: linkId,
    conditional: true,
    success: { status: 200, description: 'The link.', schema: linkResponse, example: { link: linkExample }, headers: ['ETag'] },
    errors: ['not_found'],
  },
  'get-link-qr': {
    group: 'Links',
    summary: 'Get the QR code of a link',
    description:
      'An image of the QR code that leads to the link. It contains the short URL with `.q`, so that scans are counted with the `source` `qr`. ' +
      'To get a PNG, send a header `Accept` that starts with `image/png`.',
    id: linkId,
    conditional: true,
    success: {
      status: 200,
      description: 'The image.',
      // Bytes have no schema in OpenAPI 3.1.
      images: {
        'image/svg+xml': {
          schema: { type: 'string' },
          example: '<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 33 33">…</svg>',
        },
        'image/png': { schema: {}, example: 'the bytes of the image' },
      },
      headers: ['ETag'],
    },
    errors: ['not_found', 'not_acceptable'],
  },
  'delete-link': {
    group: 'Links',
    summary: 'Delete a link',
    description:
      'Deletes a link and its click count, and removes it from its tags. The slug becomes available; a new link there has another id.',
    id: linkId,
    conditional: true,
    success: { status: 204, description: 'The link is gone.' },
    errors: ['not_found'],
  },
  'update-link': {
    group: 'Links',
    summary: 'Update a link',
    description:
      'Changes the fields in the body, all or none. Absent fields stay as they are, and `null` clears a field. A new `customSlug` keeps ' +
      'the former slug as an alias, so that printed links still work.',
    id: linkId,
    conditional: true,
    requestExample: {
      url: 'https://example.com/landing?utm_source=mail',
      title: 'Summer sale',
      expiresAt: '2030-08-01T00:00:00Z',
      tagIds: [tagId.example],
    },
    success: {
      status: 200,
      description: 'The link as it is now.',
      schema: linkResponse,
      example: { link: linkExample },
      headers: ['ETag'],
    },
    errors: ['not_found', 'tag_not_found', 'slug_taken', 'alias_limit_reached', 'external_id_taken'],
  },
  'put-link': {
    group: 'Links',
    summary: 'Create or replace a link by its external id',
    description:
      'Creates the link with this external id, or replaces it. Absent fields return to their defaults, except `password`, `customSlug` and ' +
      '`isActive`, which stay as they are. Another `customSlug` keeps the former slug as an alias; another `domain` is refused. If nothing ' +
      'differs, nothing is written. With `If-None-Match: *` it only creates. Repeating the request is harmless. After a deletion it ' +
      'creates a link with another id.',
    id: { pattern: externalIdPattern, example: 'cms:page-4711' },
    conditional: true,
    requestExample: {
      domain: 'go.example.com',
      url: 'https://example.com/landing?utm_source=mail',
      title: 'Summer sale',
      expiresAt: '2030-08-01T00:00:00Z',
      tagIds: [tagId.example],
    },
    success: {
      status: 200,
      description: 'The link, which existed before.',
      schema: linkResponse,
      example: { link: linkExample },
      headers: ['ETag'],
    },
    orElse: {
      status: 201,
      description: 'The new link.',
      schema: linkResponse,
      example: { link: linkExample },
      headers: ['Location', 'ETag'],
    },
    errors: [
      'slug_taken',
      'alias_limit_reached',
      'domain_mismatch',
      'tag_not_found',
      'domain_not_verified',
      'domain_deletion_in_progress',
    ],
  },
  'delete-link-alias': {
    group: 'Links',
    summary: 'Remove an alias',
    description:
      'Removes a former slug of a link. It then answers 404, and other links may use it. The first slug is an exception: it stays ' +
      'reserved while the link exists. The current slug cannot be removed (`slug_in_use`).',
    id: linkId,
    otherId: { example: 'spring-sale' },
    conditional: true,
    success: { status: 204, description: 'The alias is gone.' },
    errors: ['not_found', 'slug_in_use'],
  },
  'delete-link-alias-by-slug': {
    group: 'Links',
    summary: 'Remove an alias, by its slug as a parameter',
    description: 'The same as `DELETE /links/{id}/aliases/{slug}`. An alias with a slash can be removed only like this.',
    id: linkId,
    parameters: { slug: { description: 'The alias. Case-insensitive.', examples: ['sales/spring'] } },
    conditional: true,
    success: { status: 204, description: 'The alias is gone.' },
    errors: ['not_found', 'slug_in_use'],
  },
  'bulk-create-links': {
    group: 'Links',
    summary: 'Import links',
    description:
      `Creates up to ${many(linksPerRequest)} links. A bad link does not affect the others: it is listed under \`failed\`, and the rest is created. ` +
      `A request may have at most ${many(passwordsPerImport)} different passwords and ${many(hostsPerImport)} different hosts.`,
    takesIdempotencyKey: true,
    requestExample: {
      domain: 'go.example.com',
      links: [
        { url: 'https://example.com/landing?utm_source=mail', customSlug: 'summer-sale' },
        { url: 'https://example.com/', customSlug: 'spring-sale' },
      ],
    },
    success: {
      status: 200,
      description: 'Which links were created and which failed, even if all of them failed.',
      schema: bulkResponse,
      headers: ['RateLimit', 'RateLimit-Policy'],
      example: {
        created: 1,
        activeCount: 1,
        pendingCount: 0,
        failed: [
          {
            index: 1,
            url: 'https://example.com/',
            customSlug: 'spring-sale',
            code: 'slug_taken',
            message: '/customSlug is already taken on this domain',
          },
        ],
        links: [{ ...linkExample, title: null, expiresAt: null, tags: [] }],
      },
    },
    errors: [
      'template_not_found',
      'domain_not_verified',
      'domain_deletion_in_progress',
      'answer_too_large',
      'idempotency_key_reused',
      'idempotency_in_progress',
    ],
  },
  'bulk-update-links': {
    group: 'Links',
    summary: 'Update many links',
    description:
      `Updates the same fields of up to ${many(linksPerRequest)} links. Each link is updated as a whole or not at all. Links that cannot be updated ` +
      `are listed under \`failed\`, and the rest is updated. Repeating the request changes nothing more.`,
    requestExample: { ids: bulkIds, fields: { isActive: false, tagIds: [tagId.example] } },
    success: {
      status: 200,
      description: 'How many were updated, and which were not.',
      schema: bulkUpdate,
      example: { updated: 1, failed: bulkFailed },
      headers: ['RateLimit', 'RateLimit-Policy'],
    },
    errors: ['tag_not_found'],
  },
  'bulk-delete-links': {
    group: 'Links',
    summary: 'Delete many links',
    description:
      `Deletes up to ${many(linksPerRequest)} links. Links that cannot be deleted are listed under \`failed\`, and the rest is deleted. If you repeat ` +
      `the request, links that are already gone are \`not_found\`. \`DELETE /links/bulk\` and \`POST /links/bulk-delete\` ` +
      'are the same: use the POST if your client or a proxy drops the body of a DELETE.',
    requestExample: { ids: bulkIds },
    success: {
      status: 200,
      description: 'How many were deleted, and which were not.',
      schema: bulkDeletion,
      example: { deleted: 1, failed: bulkFailed },
      headers: ['RateLimit', 'RateLimit-Policy'],
    },
    errors: [],
  },
  'create-tag': {
    group: 'Tags',
    summary: 'Create a tag',
    description: `Creates a tag. A workspace may have ${many(tagsPerWorkspace)} tags.`,
    requestExample: { name: 'Summer 2030', color: '#1A2B3C' },
    success: {
      status: 201,
      description: 'The tag.',
      schema: tag,
      example: { ...tagExample, _count: { links: 0 } },
      headers: ['Location', 'ETag'],
    },
    errors: ['tag_name_taken', 'tag_limit_reached'],
  },
  'list-tags': {
    group: 'Tags',
    summary: 'List the tags',
    description: `The tags of the workspace, sorted by name. ${inPages}`,
    parameters: listParameters('tags'),
    success: { status: 200, description: 'The tags.', schema: tagList, example: { tags: [tagExample], nextCursor: null } },
    errors: [],
  },
  'get-tag': {
    group: 'Tags',
    summary: 'Fetch a tag',
    description: 'Fetches one tag, with the exact number of its links.',
    id: tagId,
    conditional: true,
    success: { status: 200, description: 'The tag.', schema: tag, example: tagExample, headers: ['ETag'] },
    errors: ['not_found'],
  },
  'update-tag': {
    group: 'Tags',
    summary: 'Update a tag',
    description: 'Changes the name, the colour or both. Links keep the tag.',
    id: tagId,
    conditional: true,
    requestExample: { name: 'Summer 2031' },
    success: {
      status: 200,
      description: 'The tag as it is now.',
      schema: tag,
      example: { ...tagExample, name: 'Summer 2031' },
      headers: ['ETag'],
    },
    errors: ['not_found', 'tag_name_taken'],
  },
  'list-tag-links': {
    group: 'Tags',
    summary: 'List the links of a tag',
    description: 'The links with the tag, newest first, a page at a time, like `GET /api/v1/links` with `tagId`.',
    id: tagId,
    success: { status: 200, description: 'A page.', schema: linkPage, example: linkPageExample },
    errors: ['not_found'],
  },
  'delete-tag': {
    group: 'Tags',
    summary: 'Delete a tag',
    description:
      'Deletes a tag. From then on, no link shows it; a list may show it for 5 more seconds. The links themselves stay.',
    id: tagId,
    success: { status: 204, description: 'The tag is gone.' },
    errors: ['not_found'],
    conditional: true,
  },
  'create-template': {
    group: 'Templates',
    summary: 'Create a template',
    description: `Creates a template. What it does not name has the default value of a link. A workspace may have ${templatesPerWorkspace} templates.`,
    requestExample: {
      name: 'Newsletter',
      domain: 'go.example.com',
      tagIds: [tagId.example],
      utmSource: 'newsletter',
      utmMedium: 'email',
      expiresAfterDays: 90,
    },
    success: {
      status: 201,
      description: 'The template.',
      schema: template,
      example: templateExample,
      headers: ['Location', 'ETag'],
    },
    errors: [
      'template_name_taken',
      'template_limit_reached',
      'tag_not_found',
      'domain_not_verified',
      'domain_deletion_in_progress',
    ],
  },
  'list-templates': {
    group: 'Templates',
    summary: 'List the templates',
    description: `The templates of the workspace, sorted by name. ${inPages}`,
    parameters: listParameters('templates'),
    success: {
      status: 200,
      description: 'The templates.',
      schema: templateList,
      example: { templates: [templateExample], nextCursor: null },
    },
    errors: [],
  },
  'get-template': {
    group: 'Templates',
    summary: 'Fetch a template',
    description: 'Fetches one template.',
    id: templateId,
    conditional: true,
    success: { status: 200, description: 'The template.', schema: template, example: templateExample, headers: ['ETag'] },
    errors: ['not_found'],
  },
  'update-template': {
    group: 'Templates',
    summary: 'Update a template',
    description: 'Changes what it names, and nothing else. Links that were made with the template stay as they are.',
    id: templateId,
    conditional: true,
    requestExample: { expiresAfterDays: null, utmCampaign: 'summer' },
    success: {
      status: 200,
      description: 'The template as it is now.',
      schema: template,
      example: { ...templateExample, expiresAfterDays: null, utmCampaign: 'summer' },
      headers: ['ETag'],
    },
    errors: ['not_found', 'template_name_taken', 'tag_not_found', 'domain_not_verified', 'domain_deletion_in_progress'],
  },
  'delete-template': {
    group: 'Templates',
    summary: 'Delete a template',
    description: 'Deletes a template. Links that were made with it stay as they are.',
    id: templateId,
    success: { status: 204, description: 'The template is gone.' },
    errors: ['not_found'],
    conditional: true,
  },
  'restore-template': {
    group: 'Templates',
    summary: 'Undo the deletion of a template',
    description:
      'Brings a deleted template back by the entry of its deletion in the history, with its id and settings, without tags that are gone. ' +
      'A deletion is undone once: later requests change nothing, and get the template as it is. Nothing is restored if another template ' +
      'has the name, or if the template was restored and has been deleted again since.',
    id: templateId,
    otherId: { example: 'his_D0a1B2c3D4e5F6g7H' },
    success: {
      status: 201,
      description: 'The template as it is now.',
      schema: template,
      example: templateExample,
      headers: ['Location', 'ETag'],
    },
    errors: ['not_found', 'revert_refused', 'template_limit_reached'],
  },
  'create-domain': {
    group: 'Domains',
    summary: 'Claim a domain',
    description:
      'Records that the workspace claims a domain, and returns the DNS records that prove it. Repeating the request returns the same ' +
      `records. A claim reserves nothing and lapses after 7 days. A workspace may have ${domainsPerWorkspace} domains and claims.`,
    requestExample: { domain: domainName.example },
    success: { status: 201, description: 'The claim.', schema: domain, example: domainExample, headers: ['Location'] },
    errors: ['domain_taken', 'domain_limit_reached'],
  },
  'list-domains': {
    group: 'Domains',
    summary: 'List the domains',
    description: `The domains and claims of the workspace, sorted by name. ${inPages}`,
    parameters: listParameters('domains'),
    success: {
      status: 200,
      description: 'The domains.',
      schema: domainList,
      example: { domains: [listedExample], nextCursor: null },
    },
    errors: [],
  },
  'get-domain': {
    group: 'Domains',
    summary: 'Fetch a domain',
    description: 'Fetches one domain or claim.',
    id: domainName,
    conditional: true,
    success: { status: 200, description: 'The domain.', schema: domain, example: servingExample, headers: ['ETag'] },
    errors: ['not_found'],
  },
  'update-domain': {
    group: 'Domains',
    summary: 'Update a domain',
    description:
      'Changes settings of a domain whose ownership is proven. Absent fields stay as they are, and `null` clears a field. Visitors see the ' +
      'change within 60 seconds.',
    id: domainName,
    conditional: true,
    requestExample: { rootUrl: 'https://example.com/', notFoundUrl: 'https://example.com/not-found' },
    success: {
      status: 200,
      description: 'The domain as it is now.',
      schema: domain,
      example: { ...servingExample, rootUrl: 'https://example.com/', notFoundUrl: 'https://example.com/not-found' },
      headers: ['ETag'],
    },
    errors: ['not_found', 'domain_not_verified'],
  },
  'delete-domain': {
    group: 'Domains',
    summary: 'Delete a domain',
    description:
      'Deletes a domain or a claim. A domain with links cannot be deleted. Visitors get 404 within 60 seconds. A request looks through ' +
      "50,000 of the workspace's links. If there are more, the error is `domain_deletion_in_progress`: send the request again to continue. " +
      'Meanwhile the domain takes no new links. Verifying the domain cancels the deletion.',
    id: domainName,
    conditional: true,
    success: { status: 204, description: 'The domain is gone.' },
    errors: ['not_found', 'domain_in_use', 'domain_deletion_in_progress'],
  },
  'verify-domain': {
    group: 'Domains',
    summary: 'Verify a domain',
    description:
      "Looks up the domain's DNS records and advances its status as far as they allow: first the ownership, then whether the domain " +
      'points to the service and a custom domain of the service covers it. The error of a failed check says what was found. If the operator activates domains on this stage, ' +
      'only the ownership is checked. If the service makes certificates for domains, it does what can be done now, and `certificate` says ' +
      'what is missing; only an unproven ownership is an error then. An unfinished deletion is cancelled.',
    id: domainName,
    success: { status: 200, description: 'The domain as it is now.', schema: domain, example: servingExample },
    errors: ['not_found', 'domain_taken', 'domain_check_failed'],
  },
  'get-link-stats': {
    group: 'Statistics',
    summary: 'Count the clicks of a link',
    description: `The clicks of a link over time, and by what is known about them. ${aboutStatistics}${aboutFilters}`,
    id: linkId,
    parameters: filterParameters,
    success: { status: 200, description: 'The clicks.', schema: statistics, example: statisticsExample },
    errors: ['not_found', 'too_much_to_read'],
  },
  'list-link-history': {
    group: 'History',
    summary: 'List the changes of a link',
    description:
      'Who changed a link, when and how, newest first, with its creation as the last entry. A deleted link keeps its history. A ' +
      'change appears within seconds. The history has neither clicks nor what the service does by itself, such as removing a deleted tag.',
    id: linkId,
    parameters: { limit: { description: 'The most entries on a page.' } },
    success: {
      status: 200,
      description: 'A page of entries.',
      schema: historyPage,
      example: { entries: [entryExample], nextCursor: null },
    },
    errors: ['not_found'],
  },
  'list-history': {
    group: 'History',
    summary: 'List the changes of the workspace',
    description:
      'The changes of all links, tags, templates, domains, keys and members of the workspace, and their deletions, newest first. Of what was created, ' +
      'only keys and members are included. ' +
      'A page with a filter may have fewer entries than `limit`, or none, even if there are more pages.',
    parameters: {
      limit: { description: 'The most entries on a page.' },
      actor: {
        description: 'Only changes by the key or member with this id, or by the `operator`.',
        pattern: '^(operator|key_[0-9A-Za-z_-]{43}|mbr_[0-9A-Za-z]{16})$',
      },
      from: { description: 'Only changes from this time on, in ISO 8601 with a time zone.' },
      to: { description: 'Only changes before this time, in ISO 8601 with a time zone.' },
    },
    success: {
      status: 200,
      description: 'A page of entries.',
      schema: historyPage,
      example: { entries: [entryExample], nextCursor: null },
    },
    errors: [],
  },
  'revert-change': {
    group: 'History',
    summary: 'Revert a change of a link',
    description:
      "Restores the fields that an entry of a link's history changed, except passwords, and returns the link. A former slug becomes the " +
      'slug again; removed aliases do not come back. The restored values are checked like the body of a `PATCH`. Nothing is restored, and ' +
      'the error names the fields, if a field has been changed again since, a tag is gone, another link has the slug, there are ten ' +
      'aliases, or the destination is no longer accepted. If the entry is the deletion of the link, the link is made again at its ' +
      'addresses, once, with a new id and without clicks (201). If it had a password, it comes back inactive.',
    id: linkId,
    otherId: { example: entryExample.id },
    success: { status: 200, description: 'The link.', schema: linkResponse, example: { link: linkExample }, headers: ['ETag'] },
    orElse: {
      status: 201,
      description: 'The link that was made again.',
      schema: restoredLink,
      example: {
        link: { ...linkExample, restoredFrom: 'lnk_1onJ5auaKh0QD1rAqOyVVSKqDtIB' },
        lostTagIds: [],
        lostPassword: false,
      },
      headers: ['Location', 'ETag'],
    },
    errors: ['not_found', 'revert_refused', 'link_deleted', 'domain_not_verified', 'domain_deletion_in_progress'],
  },
  'get-stats': {
    group: 'Statistics',
    summary: 'Count the clicks of all links, or of those on a domain or with tags',
    description:
      `The clicks ${inScope}, over time and by what is known about them. ${aboutStatistics}${aboutFilters} Clicks of deleted links stay ` +
      'in the counts of the workspace and of its domains, but not in those of tags.',
    parameters: scopeParameters,
    success: { status: 200, description: 'The clicks.', schema: statistics, example: statisticsExample },
    errors: ['not_found', 'tag_not_found', 'too_much_to_read'],
  },
  'get-top-links': {
    group: 'Statistics',
    summary: 'List the most clicked links of a range',
    description:
      `The links with the most clicks ${inScope}, a page at a time, each with its clicks in the range of the same length before. ` +
      `${aboutFilters} Deleted links are listed, too, except with tags.`,
    parameters: {
      ...scopeParameters,
      limit: { description: 'The most links on a page.' },
      cursor: {
        description:
          'The `nextCursor` of the previous page. It is valid only with the same parameters except `limit`, and stands for the range, ' +
          'too.',
      },
    },
    success: {
      status: 200,
      description: 'The links.',
      schema: topLinks,
      example: {
        from: '2030-01-02T00:00:00.000Z',
        to: '2030-01-03T00:00:00.000Z',
        readAt: '2030-01-03T10:11:12.131Z',
        links: [
          {
            id: linkId.example,
            shortUrl: 'https://go.example.com/summer-sale',
            title: 'Summer sale',
            clicks: 12,
            uniqueClicks: 9,
            previous: { clicks: 7, uniqueClicks: 7 },
          },
        ],
        nextCursor: null,
      },
    },
    errors: ['not_found', 'tag_not_found', 'too_much_to_read'],
  },
  'list-all-clicks': {
    group: 'Statistics',
    summary: 'List the clicks of all links, or of those on a domain or with tags',
    description: `The clicks ${inScope}, ${aboutClickLists}${aboutFilters}`,
    parameters: { ...scopeParameters, ...clickListParameters },
    success: clickPageSuccess,
    errors: ['not_found', 'tag_not_found', 'too_much_to_read'],
  },
  'list-clicks': {
    group: 'Statistics',
    summary: 'List the clicks of a link',
    description: `The clicks of a link, ${aboutClickLists}${aboutFilters}`,
    id: linkId,
    parameters: { ...filterParameters, ...clickListParameters },
    success: clickPageSuccess,
    errors: ['not_found', 'too_much_to_read'],
  },
  'delete-clicks': {
    group: 'Statistics',
    summary: 'Erase the clicks of a link',
    description:
      'Erases all clicks of a link. From then on, its `clickCount` and statistics are 0 and its list of clicks is empty; the records ' +
      'are deleted soon after. Later clicks count as usual, except that those of the next second may still be erased. The ' +
      "erased clicks still count towards the link's cap. Repeating the request is harmless.",
    id: linkId,
    success: { status: 204, description: 'The clicks are erased.' },
    errors: ['not_found'],
  },
  'create-webhook': {
    group: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'Creates a webhook with its first secret, which only this response shows. If you repeat the request with the same ' +
      `\`Idempotency-Key\`, you get the same secret, unless it has ended. A workspace may have ${webhooksPerWorkspace} webhooks. Clicks start to be sent within 60 seconds. ` +
      webhooksShowLinks,
    takesIdempotencyKey: true,
    requestExample: { url: webhookExample.url, events: webhookExample.events },
    success: {
      status: 201,
      description: 'The webhook, and its secret. `ETag` is that of the webhook without the secret.',
      schema: newWebhook,
      example: { ...webhookExample, secret: secretTextExample },
      headers: ['Location', 'ETag'],
    },
    errors: ['webhook_limit_reached', 'secret_ended', 'idempotency_key_reused'],
  },
  'list-webhooks': {
    group: 'Webhooks',
    summary: 'List the webhooks',
    description: `The webhooks of the workspace, oldest first. ${inPages}`,
    parameters: listParameters('webhooks'),
    success: {
      status: 200,
      description: 'The webhooks.',
      schema: webhookList,
      example: { webhooks: [{ ...webhookExample, status: undefined }], nextCursor: null },
    },
    errors: [],
  },
  'get-webhook': {
    group: 'Webhooks',
    summary: 'Fetch a webhook',
    description: 'Fetches one webhook.',
    id: webhookId,
    conditional: true,
    success: { status: 200, description: 'The webhook.', schema: webhook, example: webhookExample, headers: ['ETag'] },
    errors: ['not_found'],
  },
  'update-webhook': {
    group: 'Webhooks',
    summary: 'Update a webhook',
    description:
      'Changes the fields that are sent. Changes that concern clicks take effect within 60 seconds. The secrets stay. ' +
      webhooksShowLinks,
    id: webhookId,
    conditional: true,
    requestExample: { active: false },
    success: {
      status: 200,
      description: 'The webhook as it is now.',
      schema: webhook,
      example: { ...webhookExample, active: false },
      headers: ['ETag'],
    },
    errors: ['not_found'],
  },
  'delete-webhook': {
    group: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook with its secrets.',
    id: webhookId,
    conditional: true,
    success: { status: 204, description: 'The webhook is gone.' },
    errors: ['not_found'],
  },
  'test-webhook': {
    group: 'Webhooks',
    summary: 'Test a webhook',
    description:
      'Sends an event of type `webhook.test` to the webhook, even if it is paused. Fetch the delivery to see its result.',
    id: webhookId,
    success: {
      status: 202,
      description: 'The delivery, which is sent within seconds.',
      schema: delivery,
      example: {
        ...deliveryExample,
        type: 'webhook.test',
        linkId: null,
        state: 'pending',
        attempts: [],
        nextAttemptAt: deliveryExample.createdAt,
      },
    },
    errors: ['not_found'],
  },
  'list-webhook-deliveries': {
    group: 'Webhooks',
    summary: 'List deliveries',
    description:
      'The deliveries of the workspace, newest first, a page at a time. They are kept for 14 days. With a filter, a page may have fewer deliveries than `limit`, or none, while `nextCursor` says that there are more.',
    parameters: {
      limit: { description: 'The most deliveries on a page.' },
      cursor: { description: 'The `nextCursor` of the previous page. It is valid only for the same filter.' },
      linkId: { description: 'Only deliveries about this link.' },
      webhookId: { description: 'Only deliveries for this webhook.' },
      state: { description: 'Only deliveries in this state.' },
    },
    success: {
      status: 200,
      description: 'A page.',
      schema: deliveryPage,
      example: { deliveries: [deliveryExample], nextCursor: null },
    },
    errors: [],
  },
  'get-webhook-delivery': {
    group: 'Webhooks',
    summary: 'Fetch a delivery',
    description:
      'Fetches one delivery, with its attempts and the body that is sent. The body shows a link or a click, also if the key lacks ' +
      '`links:read` and `stats:read`.',
    id: deliveryId,
    success: {
      status: 200,
      description: 'The delivery.',
      schema: deliveryDetails,
      example: { ...deliveryExample, body: '{"type":"webhook.test","timestamp":"2030-01-02T03:04:05.678Z","data":{}}' },
    },
    errors: ['not_found'],
  },
  'redeliver-webhook-delivery': {
    group: 'Webhooks',
    summary: 'Deliver again',
    description:
      'Sends a delivery again, with the same `webhook-id`, whatever its state. If its URL is paused or gone and this attempt succeeds, ' +
      'the deliveries that wait for the URL are sent too.',
    id: deliveryId,
    success: {
      status: 202,
      description: 'The delivery, which is sent within seconds.',
      schema: delivery,
      example: { ...deliveryExample, state: 'pending', nextAttemptAt: '2030-01-03T03:04:05.678Z' },
    },
    errors: ['not_found'],
  },
  'create-webhook-secret': {
    group: 'Webhooks',
    summary: 'Create or rotate a secret',
    description:
      "Creates a secret for a webhook, or without `webhookId` for the `webhookUrls` of the workspace's links. Only this response shows " +
      'it. Older secrets end after 24 hours, or earlier if they had an earlier end. Until then, everything is signed with each valid secret. ' +
      `At most ${secretsAtOnce} are valid at once. If you repeat the request with the same \`Idempotency-Key\`, you get the same secret, ` +
      'unless it has ended.',
    takesIdempotencyKey: true,
    requestExample: { webhookId: webhookId.example },
    success: {
      status: 201,
      description: 'The secret.',
      schema: newWebhookSecret,
      example: { ...secretExample, secret: secretTextExample },
    },
    errors: ['webhook_not_found', 'secret_limit_reached', 'secret_ended', 'idempotency_key_reused'],
  },
  'list-webhook-secrets': {
    group: 'Webhooks',
    summary: 'List the secrets',
    description: `The valid secrets of all webhooks, with their dates only. ${inPages}`,
    parameters: listParameters('secrets'),
    success: {
      status: 200,
      description: 'The secrets.',
      schema: webhookSecretList,
      example: { secrets: [secretExample], nextCursor: null },
    },
    errors: [],
  },
  'delete-webhook-secret': {
    group: 'Webhooks',
    summary: 'End a secret',
    description: 'Ends a secret at once. Nothing more is signed with it. To keep deliveries going, create another secret first.',
    id: secretId,
    success: { status: 204, description: 'The secret has ended.' },
    errors: ['not_found'],
  },
  'create-key': {
    group: 'Keys',
    summary: 'Create an API key',
    description:
      `Creates an API key for the workspace. Only this response shows the key itself. ${withinOwn}By default, the new key has the ` +
      'permissions of the key of the request except `keys:…` and `members:…`, and ends with it. If you repeat the request with the same ' +
      '`Idempotency-Key`, no second key is created, and the error names the first. ' +
      `A workspace may have ${keysPerWorkspace} keys that are neither revoked nor replaced.`,
    takesIdempotencyKey: true,
    requestExample: { name: 'CI', permissions: ['links:write', 'links:read'], expiresInSeconds: 7_776_000 },
    success: { status: 201, description: 'The key.', schema: newApiKey, example: newKeyExample, headers: ['Location'] },
    errors: ['key_limit_reached', 'key_already_created', 'idempotency_key_reused'],
  },
  'list-keys': {
    group: 'Keys',
    summary: 'List API keys',
    description:
      `The API keys of the workspace, newest first, a page at a time, also expired ones, and revoked ones for ${revokedKeyDays} days. A key ` +
      'that was created a moment ago may be missing. A page may have fewer keys than `limit` while `nextCursor` says that there are more.',
    parameters: {
      limit: { description: 'The most keys on a page.' },
      cursor: { description: 'The `nextCursor` of the previous page.' },
    },
    success: { status: 200, description: 'A page.', schema: apiKeyPage, example: { keys: [keyExample], nextCursor: null } },
    errors: [],
  },
  'get-key': {
    group: 'Keys',
    summary: 'Fetch an API key',
    description: `Fetches what is known of an API key. A revoked key is found for ${revokedKeyDays} days.`,
    id: keyId,
    conditional: true,
    success: { status: 200, description: 'The key.', schema: apiKey, example: keyExample, headers: ['ETag'] },
    errors: ['not_found'],
  },
  'update-key': {
    group: 'Keys',
    summary: 'Update an API key',
    description: `Updates the fields that are sent. ${withinOwn}It can always bring the end of a key forward. The end of a key that has been replaced can only be brought forward. The gateway notices changes within 60 seconds.`,
    id: keyId,
    conditional: true,
    requestExample: { name: 'CI of the shop', permissions: ['links:read'] },
    success: {
      status: 200,
      description: 'The key as it is now.',
      schema: apiKey,
      example: { ...keyExample, name: 'CI of the shop' },
      headers: ['ETag'],
    },
    errors: ['not_found', 'key_replaced', 'key_ended'],
  },
  'delete-key': {
    group: 'Keys',
    summary: 'Revoke an API key',
    description:
      'Revokes an API key for good. The key of the request needs all its permissions. The gateway notices within 60 seconds. The keys ' +
      'that it has created stay. To revoke a key again changes nothing.',
    id: keyId,
    success: { status: 204, description: 'The key is revoked.' },
    errors: ['not_found'],
  },
  'rotate-key': {
    group: 'Keys',
    summary: 'Rotate an API key',
    description:
      'Creates an API key that replaces another, with its name and permissions, and lets the old one expire after the overlap. Only this ' +
      `response shows the new key itself. ${withinOwn}By default, the new key lives as long as the old one was to, as far as that allows. A key ` +
      'is replaced only once: if you repeat the request, the error names the new key.',
    id: keyId,
    requestExample: { overlapSeconds: 3_600 },
    success: {
      status: 201,
      description: 'The new key.',
      schema: newApiKey,
      example: { ...newKeyExample, replaces: 'key_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0uv' },
      headers: ['Location'],
    },
    errors: ['not_found', 'key_replaced', 'key_ended'],
  },
  'create-member': {
    group: 'Members',
    summary: 'Invite a member',
    description:
      `Invites a person to the workspace. Only this response shows the link of the invitation: send it to them yourself, because the service ` +
      `sends no mail. It works once, for ${invitationDays} days, for the person who signs in with that email address. ${withinRole}` +
      'If you repeat the request with the same `Idempotency-Key`, nobody is invited again, and the error names the first invitation. ' +
      `A workspace may have ${membersPerWorkspace} members, with those who are invited.`,
    takesIdempotencyKey: true,
    requestExample: { email: 'ada@example.com', role: 'editor' },
    success: {
      status: 201,
      description: 'The member, with the link of the invitation.',
      schema: invitedMember,
      example: {
        ...memberExample,
        emailVerified: null,
        name: null,
        state: 'invited',
        lastSignedInAt: null,
        invitationUrl: `https://links.example.com/console#invitation=inv_${'0123456789'.repeat(6)}0123`,
      },
    },
    errors: ['already_member', 'member_limit_reached', 'member_already_invited', 'idempotency_key_reused'],
  },
  'list-members': {
    group: 'Members',
    summary: 'List the members',
    description: `The members of the workspace, newest first, with those who are invited or wait for an approval. ${inPages}`,
    parameters: listParameters('members'),
    success: {
      status: 200,
      description: 'The members.',
      schema: memberPage,
      example: { members: [memberExample], nextCursor: null },
    },
    errors: [],
  },
  'get-member': {
    group: 'Members',
    summary: 'Fetch a member',
    description: 'Fetches one member. Those who have been removed are not found.',
    id: memberId,
    conditional: true,
    success: { status: 200, description: 'The member.', schema: member, example: memberExample, headers: ['ETag'] },
    errors: ['not_found'],
  },
  'update-member': {
    group: 'Members',
    summary: 'Approve a member, or change the role',
    description:
      `Gives a member another role, or approves one who is pending, with \`"state": "active"\`. ${withinRole}The last active owner keeps the ` +
      'role. Keys that the member has made stay as they are. Keys of sign-ins end within 60 seconds, and the member fetches another one.',
    id: memberId,
    conditional: true,
    requestExample: { role: 'owner' },
    success: {
      status: 200,
      description: 'The member as it is now.',
      schema: member,
      example: { ...memberExample, role: 'owner' },
      headers: ['ETag'],
    },
    errors: ['not_found', 'invitation_not_accepted', 'last_owner', 'membership_inconsistent'],
  },
  'delete-member': {
    group: 'Members',
    summary: 'Remove a member',
    description:
      `Removes a member, or takes an invitation back. ${withinRole}The last active owner stays. What they have changed stays. Keys of ` +
      'their sign-ins end within 60 seconds, and so do the keys that they have made, unless those are to be kept.',
    id: memberId,
    parameters: { keys: removedKeys },
    success: { status: 204, description: 'The member is removed.' },
    errors: ['not_found', 'last_owner', 'membership_inconsistent'],
  },
  'leave-workspace': {
    group: 'Members',
    summary: 'Leave the workspace',
    description:
      'Removes the member whose sign-in the key of the request belongs to. Other keys cannot leave (403 `forbidden`). The last active ' +
      'owner stays.',
    parameters: { keys: removedKeys },
    success: { status: 204, description: 'You are no longer a member.' },
    errors: ['not_found', 'last_owner', 'membership_inconsistent'],
  },
};
