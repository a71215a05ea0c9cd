import { linksPerPage } from '../../lambdas/core/limits.ts';
import { type LinksClient, ProblemError, type Schemas } from '../typescript/client.ts';
import type { ShownLink } from './settings.ts';

/** A link and its entity tag, from the same response. */
export type TaggedLink = { readonly link: ShownLink; readonly etag: string };

export type ShownTag = Pick<Schemas['Tag'], 'id' | 'name'>;

/** How often a change is retried because somebody changed something about the link that manifests don't contain. */
export const maxAttempts = 5;

/** The calls of the API that manifests need. What does not exist is undefined; other errors are thrown. */
export const apiOf = (client: LinksClient) => ({
  /**
   * Links of the workspace, newest first, including archived ones. A link that was created or changed a moment ago may
   * be missing.
   */
  listLinks: (query: { managedBy?: string; domain?: string; tagIds?: string[] }): AsyncIterable<ShownLink> =>
    client.pages('/api/v1/links', { params: { query: { ...query, archived: 'any', limit: linksPerPage.most } } }),

  getLink: (id: string): Promise<TaggedLink | undefined> =>
    orUndefined(async () => {
      const { data, response } = await client.GET('/api/v1/links/{id}', { params: { path: { id } } });
      return tagged(data.link, response);
    }),

  /** The link to which that slug leads. */
  lookUp: (domain: string, shortCode: string): Promise<TaggedLink | undefined> =>
    orUndefined(async () => {
      const { data, response } = await client.GET('/api/v1/links/lookup', { params: { query: { domain, shortCode } } });
      return tagged(data.link, response);
    }),

  /** The link with that external id, on any domain. */
  lookUpExternalId: (externalId: string): Promise<TaggedLink | undefined> =>
    orUndefined(async () => {
      const { data, response } = await client.GET('/api/v1/links/lookup', { params: { query: { externalId } } });
      return tagged(data.link, response);
    }),

  createLink: async (body: Schemas['CreateLinkRequest']): Promise<void> => void (await client.POST('/api/v1/links', { body })),

  /** Changes a link if it still has the entity tag. @throws ProblemError 412 if it isn't */
  updateLink: async (id: string, etag: string, body: Schemas['UpdateLinkRequest']): Promise<void> =>
    void (await client.PATCH('/api/v1/links/{id}', { params: { path: { id }, header: { 'If-Match': etag } }, body })),

  /** The same for a deletion. */
  deleteLink: async (id: string, etag: string): Promise<void> =>
    void (await client.DELETE('/api/v1/links/{id}', { params: { path: { id }, header: { 'If-Match': etag } } })),

  /** Whether the workspace has proven that it owns a domain; undefined if the key may not read domains. */
  ownsDomain: async (domain: string): Promise<boolean | undefined> => {
    try {
      const { data } = await client.GET('/api/v1/domains/{domain}', { params: { path: { domain } } });
      return data.status !== 'PENDING_OWNERSHIP';
    } catch (error) {
      if (isProblem(error, 'not_found')) return false;
      if (isProblem(error, 'forbidden')) return undefined;
      throw error;
    }
  },

  listTags: (): Promise<ShownTag[]> => Array.fromAsync(client.pages('/api/v1/tags')),

  /** @throws ProblemError 409 `tag_name_taken` */
  createTag: async (name: string, color: string): Promise<ShownTag> =>
    (await client.POST('/api/v1/tags', { body: { name, color } })).data,
});

export type Api = ReturnType<typeof apiOf>;

const tagged = (link: ShownLink, response: Response): TaggedLink => ({ link, etag: response.headers.get('ETag') ?? '' });

/** Whether an error of the API is one of these. */
export const isProblem = (error: unknown, ...codes: readonly ProblemError['code'][]): error is ProblemError =>
  error instanceof ProblemError && codes.includes(error.code);

async function orUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isProblem(error, 'not_found')) return undefined;
    throw error;
  }
}
