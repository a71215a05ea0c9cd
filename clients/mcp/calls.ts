import { rowDimensions } from '../../lambdas/core/click/click.ts';
import { escapedValue } from '../../lambdas/core/click/listed-values.ts';
import { linksPerPage, linksPerRequest } from '../../lambdas/core/limits.ts';
import { type LinksClient, ProblemError } from '../typescript/client.ts';
import { ToolError } from './failures.ts';
import type { ToolName } from './tools.ts';

// What each tool does: calls of the API with the caller's key. The API checks the arguments; its errors name the rule.

/** The arguments of a call, as the client sent them. Only their types are checked, by the tool's `inputSchema`. */
// biome-ignore lint/suspicious/noExplicitAny: the API checks them.
export type Arguments = Readonly<Record<string, any>>;

/** An image in Base64, which a tool returns besides its answer. */
type Picture = { readonly data: string; readonly mimeType: string };

type Answer = { readonly answer: object; readonly picture?: Picture };

/** @property keyId the id of the caller's key. */
type Caller = { readonly client: LinksClient; readonly keyId: string };

type Call = (caller: Caller, args: Arguments) => Promise<Answer>;

/** The data of a response, as an answer. */
const answered = async (response: Promise<{ readonly data: unknown }>): Promise<Answer> => ({
  answer: (await response).data as object,
});

export const calls: Readonly<Record<ToolName, Call>> = {
  list_links: ({ client }, query) => answered(client.GET('/api/v1/links', { params: { query } })),

  list_ranked_links: ({ client }, query) => answered(client.GET('/api/v1/links/ranked', { params: { query } })),

  get_link: ({ client }, { id, ...query }) =>
    answered(
      id === undefined
        ? client.GET('/api/v1/links/lookup', { params: { query } })
        : client.GET('/api/v1/links/{id}', { params: { path: { id }, query: query as never } }),
    ),

  create_link: async ({ client }, body) => {
    try {
      const { data } = await client.POST('/api/v1/links', { body: body as never });
      return { answer: { ...data, created: true } };
    } catch (error) {
      const existing = await linkWith(client, body.externalId, error);
      if (!existing) throw error;
      return { answer: { ...existing, created: false } };
    }
  },

  update_link: ({ client }, { id, ...body }) => answered(client.PATCH('/api/v1/links/{id}', { params: { path: { id } }, body })),

  update_links: async ({ client }, { fields, ...chosen }) => {
    const body = { ids: await idsOf(client, chosen), fields };
    if (body.ids.length === 0) return { answer: { updated: 0, failed: [] } };
    return answered(client.PATCH('/api/v1/links/bulk', { body }));
  },

  delete_links: async ({ client }, chosen) => {
    const body = { ids: await idsOf(client, chosen) };
    if (body.ids.length === 0) return { answer: { deleted: 0, failed: [] } };
    return answered(client.POST('/api/v1/links/bulk-delete', { body }));
  },

  create_links: ({ client }, body) => answered(client.POST('/api/v1/links/bulk', { body: body as never })),

  list_tags: ({ client }, query) => answered(client.GET('/api/v1/tags', { params: { query } })),

  create_tag: ({ client }, body) => answered(client.POST('/api/v1/tags', { body: body as never })),

  // A page has room for all of them.
  list_templates: ({ client }) => answered(client.GET('/api/v1/templates')),

  get_stats: ({ client }, { id, ...asked }) => {
    const query = withEscapedValues(asked);
    return answered(
      id === undefined
        ? client.GET('/api/v1/stats', { params: { query } })
        : client.GET('/api/v1/links/{id}/stats', { params: { path: { id }, query } }),
    );
  },

  get_top_links: ({ client }, asked) =>
    answered(client.GET('/api/v1/stats/top-links', { params: { query: withEscapedValues(asked) } })),

  list_domains: ({ client }, query) => answered(client.GET('/api/v1/domains', { params: { query } })),

  list_history: ({ client, keyId }, { id, mine = false, ...query }) => {
    if (mine && (id !== undefined || query.actor !== undefined)) {
      throw new ToolError('mine cannot be combined with id or actor. Leave one of them out.');
    }
    if (id !== undefined) return answered(client.GET('/api/v1/links/{id}/history', { params: { path: { id }, query } }));
    return answered(client.GET('/api/v1/history', { params: { query: { ...query, ...(mine && { actor: keyId }) } } }));
  },

  revert_change: ({ client }, { id, entryId }) =>
    answered(client.POST('/api/v1/links/{id}/history/{entryId}/revert', { params: { path: { id, entryId } } })),

  get_qr_code: async ({ client }, { id, ...query }) => {
    const { format = 'svg' } = query;
    const mediaType = format === 'png' ? 'image/png' : 'image/svg+xml';
    const { data } = await client.GET('/api/v1/links/{id}/qr', {
      params: { path: { id }, query },
      headers: { Accept: mediaType },
      parseAs: 'arrayBuffer',
    });
    const bytes = Buffer.from(data as unknown as ArrayBuffer);
    if (format !== 'png') return { answer: { mediaType, svg: bytes.toString() } };
    return { answer: { mediaType }, picture: { data: bytes.toString('base64'), mimeType: mediaType } };
  },
};

/** Filters of clicks as the API takes them: models know the values as `groups` show them, with commas. */
const withEscapedValues = (asked: Arguments): Arguments => ({
  ...asked,
  ...Object.fromEntries(
    rowDimensions.flatMap((dimension) => (asked[dimension] ? [[dimension, asked[dimension].map(escapedValue)]] : [])),
  ),
});

/**
 * The link that an earlier call created with this external id, if that is why a creation failed; undefined if the key
 * may not read links.
 */
async function linkWith(client: LinksClient, externalId: unknown, error: unknown) {
  const isRepeated = error instanceof ProblemError && error.code === 'external_id_taken';
  if (!isRepeated || typeof externalId !== 'string') return undefined;
  try {
    return (await client.GET('/api/v1/links/{id}', { params: { path: { id: `ext_${externalId}` } } })).data;
  } catch (other) {
    // The link may have been deleted meanwhile, too.
    if (other instanceof ProblemError && [403, 404].includes(other.status)) return undefined;
    throw other;
  }
}

/**
 * The ids of the links that a bulk change is about: those that it names, or those that its filter finds.
 *
 * The links may change between the list and the change. Exactly the found links are changed, even if they no longer
 * match: the model expected that number.
 *
 * @throws ToolError if it says neither or both, or if the filter finds another number than expected.
 */
async function idsOf(client: LinksClient, { ids, filter, expected }: Arguments): Promise<string[]> {
  if ((ids === undefined) === (filter === undefined)) throw new ToolError('Send either ids, or filter with expected.');
  if (filter === undefined) {
    if (expected !== undefined && expected !== new Set(ids).size) throw unexpected(String(new Set(ids).size), expected);
    return ids;
  }
  if (expected === undefined) {
    throw new ToolError('filter needs expected, the number of links that it finds. Look at them with list_links first.');
  }
  if (expected > linksPerRequest) {
    throw new ToolError(`At most ${linksPerRequest} links can be changed by one call. Narrow the filter.`);
  }
  const nested = Object.entries(filter as object).find(([, value]) => [value].flat().some((one) => typeof one === 'object'));
  if (nested) throw new ToolError(`filter/${nested[0]} must be a value or a list of values, as in list_links.`);
  const found: string[] = [];
  for await (const { id } of client.pages('/api/v1/links', { params: { query: { ...filter, limit: linksPerPage.most } } })) {
    found.push(id);
    if (found.length > expected) throw unexpected(`more than ${expected}`, expected);
  }
  if (found.length < expected) throw unexpected(String(found.length), expected);
  return found;
}

const unexpected = (found: string, expected: number): ToolError =>
  new ToolError(
    `Nothing was changed: these are ${found} links, and ${expected} were expected. Look at them with list_links, and call again with the ` +
      'right number if the change is meant for all of them.',
  );
