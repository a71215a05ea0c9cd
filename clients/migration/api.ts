import { foldTagName } from '../../lambdas/core/tag/tag.ts';
import { type LinksClient, ProblemError, type Schemas } from '../typescript/client.ts';
import { sha256 } from './text.ts';

/** A link as the API shows it. */
export type Link = Schemas['Link'];

/** The data of a request; undefined if the thing does not exist. */
async function found<T>(request: Promise<{ readonly data: T }>): Promise<T | undefined> {
  try {
    return (await request).data;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The link to which that slug leads, or that has that external id; undefined if there is none. */
export const lookUp = async (
  client: LinksClient,
  query: { readonly domain: string; readonly shortCode: string } | { readonly externalId: string },
): Promise<Link | undefined> => (await found(client.GET('/api/v1/links/lookup', { params: { query } })))?.link;

/** Changes a link. */
export async function updateLink(client: LinksClient, id: string, body: Schemas['UpdateLinkRequest']): Promise<Link> {
  return (await client.PATCH('/api/v1/links/{id}', { params: { path: { id } }, body })).data.link;
}

/** Creates the tags that the workspace lacks. */
export async function createTags(client: LinksClient, names: readonly string[], isStopped: () => boolean): Promise<void> {
  const missing = new Map(names.map((name) => [foldTagName(name), name]));
  if (missing.size === 0) return;
  for await (const { name } of client.pages('/api/v1/tags')) missing.delete(foldTagName(name));
  for (const [folded, name] of missing) {
    if (isStopped()) return;
    try {
      await client.POST('/api/v1/tags', { body: { name, color: await colorOf(folded) } });
    } catch (error) {
      // Another client, or an earlier attempt of this request, has created it meanwhile.
      if (!(error instanceof ProblemError) || error.code !== 'tag_name_taken') throw error;
    }
  }
}

/** A color that depends only on the tag's name. */
const colorOf = async (name: string): Promise<string> => `#${(await sha256(new TextEncoder().encode(name))).slice(0, 6)}`;

/** All templates of the workspace. */
export const templatesOf = async (client: LinksClient): Promise<Schemas['Template'][]> =>
  (await client.GET('/api/v1/templates')).data.templates;

export const unproven = (domain: string) => new Error(`the workspace has not proven that it owns the domain ${domain}`);

/** Reads what a dry run needs over the API. With a key that may not read domains, ownership is not checked. */
export const readerOf = (client: LinksClient) => ({
  checkDomain: async (domain: string): Promise<void> => {
    try {
      const response = await found(client.GET('/api/v1/domains/{domain}', { params: { path: { domain } } }));
      if (response?.status === undefined || response.status === 'PENDING_OWNERSHIP') throw unproven(domain);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 403) throw error;
    }
  },
  lookUp: (domain: string, slug: string) => lookUp(client, { domain, shortCode: slug }),
  byExternalId: (externalId: string) => lookUp(client, { externalId }),
  templates: () => templatesOf(client),
});
