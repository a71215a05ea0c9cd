import { rowDimensions } from '../../lambdas/core/click/click.ts';
import { bulkRequests, linksPerRequest } from '../../lambdas/core/limits.ts';

// The tools of the server for the Model Context Protocol: their names, what models read about them, and the endpoints
// from which their schemas come. `npm run openapi` makes `tools.json` from this and openapi.json (`openapi/tools.ts`).
// `calls.ts` says what each tool does.

export type ToolName =
  | 'list_links'
  | 'list_ranked_links'
  | 'get_link'
  | 'create_link'
  | 'update_link'
  | 'update_links'
  | 'delete_links'
  | 'create_links'
  | 'list_tags'
  | 'create_tag'
  | 'list_templates'
  | 'get_stats'
  | 'get_top_links'
  | 'list_domains'
  | 'list_history'
  | 'revert_change'
  | 'get_qr_code';

/** A part of a JSON Schema. */
export type Schema = { readonly [keyword: string]: unknown };

/**
 * What a client is told about the effect of a tool:
 * https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
type Annotations = {
  readonly readOnlyHint: boolean;
  /** Whether it can destroy something or overwrite it, rather than only add to it. */
  readonly destructiveHint: boolean;
  /** Whether the same call again has no further effect. */
  readonly idempotentHint: boolean;
};

/** How a tool is made from endpoints of the API, which have the names of their routes in `lib/endpoints.ts`. */
export type ToolSource = {
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  /** What it calls. Its permissions are those of the first one. */
  readonly endpoints: readonly [string, ...string[]];
  /** The endpoints whose path and query parameters it takes, without those in `without`. */
  readonly parametersOf?: readonly string[];
  /** Names of parameters that it doesn't take, or that are described in `own`. */
  readonly without?: readonly string[];
  /** Names of parameters whose description adds nothing to `description`. */
  readonly plain?: readonly string[];
  /** The endpoint whose body's fields it takes. */
  readonly bodyOf?: string;
  /** Fields of the body that need an explanation. */
  readonly explained?: readonly string[];
  /** Arguments of its own. Fields of another schema are given by `{ fieldsOf: <component> }`, in short. */
  readonly own?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The component of openapi.json that it returns, or a schema of its own. */
  readonly output: string | Schema;
  /** Further fields of the answer. */
  readonly alsoReturns?: Readonly<Record<string, Schema>>;
  /** The fields that `outputSchema` names, if the answer has more. */
  readonly shown?: Readonly<Record<string, readonly string[]>>;
  /** The fields that the entries of a list have; all by default. */
  readonly short?: Readonly<Record<string, readonly string[]>>;
};

const reads: Annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
const adds: Annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
const changes: Annotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

/** The fields of a link in a list. */
const shortLink = ['id', 'shortUrl', 'url', 'title', 'state', 'clickCount', 'tags', 'externalId', 'createdAt'];
/** The fields of a domain in a list. */
const shortDomain = ['domain', 'status', 'covered', 'rootUrl', 'notFoundUrl', 'expiredUrl'];

/** Parameters whose names are enough. */
const page = ['limit', 'cursor'];
const scope = ['domain', 'tagIds', 'tagNames', 'match'];

/** How many links one call creates, changes or deletes at most. */
const many = linksPerRequest.toLocaleString('en-US');

const filter = {
  filter: {
    description: 'Which links, with the filters of list_links. Send it instead of ids, with expected.',
    parametersOf: 'list-links',
    without: ['limit', 'cursor', 'order', 'tagId'],
  },
  expected: {
    type: 'integer',
    minimum: 0,
    description: 'How many links the filter must find. If it finds another number, nothing happens, and the error says how many.',
  },
};

export const toolSources: Readonly<Record<ToolName, ToolSource>> = {
  list_links: {
    title: 'List links',
    description:
      'Lists links, newest first, with their short URL, destination, state and number of clicks. Filter by text (q), tag, domain, state ' +
      'or time of creation. If nextCursor is not null, there are more: call again with it as cursor. For everything about one link, use get_link.',
    annotations: reads,
    endpoints: ['list-links'],
    parametersOf: ['list-links'],
    without: ['tagId'],
    plain: [...page, ...scope],
    output: 'LinkPage',
    short: { links: shortLink },
  },
  list_ranked_links: {
    title: 'List links by clicks',
    description:
      'Lists links by their clicks in a range of time, or by their last click (sort), never-clicked links last. Filters are those of ' +
      'list_links; notClickedSince finds links that nobody clicks any more. If nextCursor is not null, call again with it as cursor.',
    annotations: reads,
    endpoints: ['list-ranked-links'],
    parametersOf: ['list-ranked-links'],
    without: ['tagId'],
    plain: [...page, ...scope],
    output: 'RankedLinkPage',
    short: { links: [...shortLink, 'lastClickedAt', 'inRange'] },
  },
  get_link: {
    title: 'Get a link',
    description:
      'Returns everything about one link: by its id, by ext_ and its externalId, or by domain and slug, which are the two parts of a short URL.',
    annotations: reads,
    endpoints: ['get-link', 'lookup-link'],
    parametersOf: ['get-link', 'lookup-link'],
    without: ['shortCode', 'externalId'],
    plain: ['domain', 'slug'],
    required: [],
    output: 'LinkAnswer',
  },
  create_link: {
    title: 'Create a link',
    description:
      'Creates a short link. list_domains says which domains are ACTIVE. Set externalId to a name of your own, such as campaign-2030:mail, ' +
      'whenever you might repeat the call: if a link has it already, nothing is created, and you get that link with created false.',
    annotations: adds,
    endpoints: ['create-link', 'get-link'],
    bodyOf: 'create-link',
    explained: [
      ...['customSlug', 'externalId', 'notes', 'description', 'startsAt', 'expiresAt', 'expiredUrl', 'maxClicks'],
      ...['rules', 'variants', 'cloaked', 'confirmVisit', 'blockBots', 'forwardParameters', 'forwardPath', 'hideReferrer'],
    ],
    output: 'LinkAnswer',
    shown: { link: shortLink },
    alsoReturns: { created: { type: 'boolean' } },
  },
  update_link: {
    title: 'Update a link',
    description:
      'Changes one link. Send only the fields to change, which mean what they do in create_link; null clears a field. Lists, such as ' +
      'tagIds and rules, are replaced as a whole. A new customSlug keeps the former one working. revert_change can undo it.',
    annotations: changes,
    endpoints: ['update-link'],
    parametersOf: ['update-link'],
    bodyOf: 'update-link',
    output: 'LinkAnswer',
    shown: { link: shortLink },
  },
  update_links: {
    title: 'Update many links',
    description:
      `Makes the same change to up to ${many} links, given by ids, or by filter with the expected number. Look at them with list_links ` +
      'first. fields takes the fields of update_link except customSlug, and addTagIds, addTagNames, removeTagIds and removeTagNames. ' +
      'Links that could not be changed are in failed.',
    annotations: changes,
    endpoints: ['bulk-update-links', 'list-links'],
    bodyOf: 'bulk-update-links',
    own: { ...filter, fields: { fieldsOf: 'LinkSettings' } },
    required: ['fields'],
    output: 'BulkUpdate',
  },
  delete_links: {
    title: 'Delete links',
    description:
      `Deletes up to ${many} links, given by ids, or by filter with the expected number. Their short URLs stop working at once. Look at them ` +
      'with list_links and ask the user first. revert_change creates a deleted link again, without its clicks.',
    annotations: changes,
    endpoints: ['bulk-delete-links', 'list-links'],
    bodyOf: 'bulk-delete-links',
    own: filter,
    required: [],
    output: 'BulkDeletion',
  },
  create_links: {
    title: 'Create many links',
    description:
      `Creates up to ${many} links on one domain; at most ${bulkRequests.quota} calls in ${bulkRequests.windowSeconds} seconds. Each link takes the fields of create_link except domain and templateId. Links ` +
      'that could not be created are in failed, with the reason. Give each an externalId, so that a repeated call creates none twice: ' +
      'those that exist then fail with external_id_taken.',
    annotations: adds,
    endpoints: ['bulk-create-links'],
    bodyOf: 'bulk-create-links',
    own: { links: { type: 'array', maxItems: linksPerRequest, items: { fieldsOf: 'ImportLink' } } },
    output: 'BulkAnswer',
    short: { links: shortLink },
  },
  list_tags: {
    title: 'List tags',
    description: 'Lists the tags of the workspace by name, with the number of links of each.',
    annotations: reads,
    endpoints: ['list-tags'],
    parametersOf: ['list-tags'],
    plain: page,
    output: 'TagList',
  },
  create_tag: {
    title: 'Create a tag',
    description: 'Creates a tag, which links can then have by its id (tagIds) or its name (tagNames).',
    annotations: adds,
    endpoints: ['create-tag'],
    bodyOf: 'create-tag',
    output: 'Tag',
  },
  list_templates: {
    title: 'List templates',
    description: 'Lists the templates of the workspace by name: settings that create_link and create_links take by templateId.',
    annotations: reads,
    endpoints: ['list-templates'],
    output: 'TemplateList',
    shown: { templates: ['id', 'name', 'domain'] },
  },
  get_stats: {
    title: 'Get statistics',
    description:
      'Counts clicks in a range of time, as a series and by groups: of one link (id), or of all links, of a domain, of tags, or of both. ' +
      'Every dimension of groupBy is also a filter, a list of values. Everything covers exactly the range and adds up to total; rest is ' +
      'what groups leave out.',
    annotations: reads,
    endpoints: ['get-stats', 'get-link-stats'],
    parametersOf: ['get-link-stats', 'get-stats'],
    plain: [...rowDimensions, ...scope],
    required: [],
    output: 'Statistics',
  },
  get_top_links: {
    title: 'Get the most clicked links',
    description:
      'Lists the links with the most clicks in a range of time or on a day, the most clicked first, each with its clicks in the range of ' +
      'the same length before (previous). Filters are those of get_stats.',
    annotations: reads,
    endpoints: ['get-top-links'],
    parametersOf: ['get-top-links'],
    plain: [...page, ...rowDimensions, ...scope],
    output: 'TopLinks',
  },
  list_domains: {
    title: 'List domains',
    description: 'Lists the domains of the workspace. Links work on those whose status is ACTIVE.',
    annotations: reads,
    endpoints: ['list-domains'],
    parametersOf: ['list-domains'],
    plain: page,
    output: 'DomainList',
    short: { domains: shortDomain },
  },
  list_history: {
    title: 'List changes',
    description:
      'Lists who changed what, newest first, including deletions, in the workspace or of one link (id). mine shows only changes by the key of ' +
      'this connection. A change appears within seconds. revert_change takes the id of an entry and of its link.',
    annotations: reads,
    endpoints: ['list-history', 'list-link-history'],
    parametersOf: ['list-link-history', 'list-history'],
    plain: [...page, 'from', 'to'],
    own: { mine: { type: 'boolean', description: "Only this connection's changes. Not allowed with id or actor." } },
    required: [],
    output: 'HistoryPage',
  },
  revert_change: {
    title: 'Undo a change',
    description:
      'Undoes one change of a link, as list_history shows it: id is that of its subject, entryId that of the entry. Fields return to what ' +
      'they were before, unless someone has changed them since; other fields stay. Undoing a deletion creates the link again with another id.',
    annotations: changes,
    endpoints: ['revert-change'],
    parametersOf: ['revert-change'],
    output: 'LinkAnswer',
    shown: { link: shortLink },
  },
  get_qr_code: {
    title: 'Get a QR code',
    description: 'Draws the QR code of a link, as SVG (a text) or PNG (an image).',
    annotations: reads,
    endpoints: ['get-link-qr'],
    parametersOf: ['get-link-qr'],
    output: {
      type: 'object',
      properties: { mediaType: { type: 'string' }, svg: { type: 'string' } },
      required: ['mediaType'],
    },
  },
};
