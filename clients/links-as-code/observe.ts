import { foldSlug } from '../../lambdas/core/link/slug.ts';
import { inParallel } from '../../lambdas/runtime/in-parallel.ts';
import type { Api, ShownTag } from './api.ts';
import type { ShownLink } from './settings.ts';

/** Requests that run at once. */
export const concurrency = 8;

/** What a plan needs to know about a service. */
export type Observed = {
  /** Whether the workspace owns the manifest's domain; undefined if that is unknown. */
  readonly ownsDomain: boolean | undefined;
  /** All links with the manifest's `managedBy`. */
  readonly managed: readonly ShownLink[];
  /** The known links on the manifest's domain, by their folded slugs and aliases. */
  readonly bySlug: ReadonlyMap<string, ShownLink>;
  /** The known links on any domain, by their external ids. */
  readonly byExternalId: ReadonlyMap<string, ShownLink>;
  readonly tags: readonly ShownTag[];
};

/** What to observe. */
type ObservationQuery = {
  readonly domain: string;
  readonly managedBy: string;
  /** The slugs that the manifest's links should have, or should give up. */
  readonly slugs: readonly string[];
  readonly externalIds: readonly string[];
};

/** Reports how many links have been read, or how many addresses of how many have been looked up. */
export type Progress = (text: string) => void;

/** The most addresses and external ids that are looked up one by one. */
const mostLookUps = 200;

/**
 * Reads what exists. Managed links come from lists, 100 with each request. Other slugs and external ids of the manifest
 * are looked up one by one, or read from lists if there are many, unless the workspace has far more links than the
 * manifest.
 */
export async function observe(api: Api, query: ObservationQuery, progress: Progress): Promise<Observed> {
  const ownsDomain = await api.ownsDomain(query.domain);
  const tags = await api.listTags();
  const managed = new Map<string, ShownLink>();
  const bySlug = new Map<string, ShownLink>();
  const byExternalId = new Map<string, ShownLink>();
  const note = (link: ShownLink) => {
    const isManaged = link.managedBy === query.managedBy;
    if (isManaged) managed.set(link.id, link);
    if (link.externalId !== null) byExternalId.set(link.externalId, link);
    if (link.domain !== query.domain) return;
    for (const slug of [link.shortCode, ...link.aliases]) bySlug.set(foldSlug(slug), link);
  };
  for await (const link of api.listLinks({ managedBy: query.managedBy })) {
    note(link);
    if (managed.size % 1_000 === 0) progress(`read ${managed.size} managed links`);
  }
  const missing = () => ({
    slugs: query.slugs.filter((slug) => !bySlug.has(foldSlug(slug))),
    ids: query.externalIds.filter((id) => !byExternalId.has(id)),
  });
  const { slugs, ids } = missing();
  const count = slugs.length + ids.length;
  const isWhole =
    count > mostLookUps && (await readAll(api, ids.length > 0 ? {} : { domain: query.domain }, count, note, progress));
  if (!isWhole) await lookUpAll(missing());
  return { ownsDomain, managed: [...managed.values()], bySlug, byExternalId, tags };

  async function lookUpAll({ slugs, ids }: ReturnType<typeof missing>): Promise<void> {
    let done = 0;
    const total = slugs.length + ids.length;
    const look = async (found: ReturnType<Api['lookUp']>) => {
      const response = await found;
      if (response) note(response.link);
      if (++done % 1_000 === 0) progress(`looked up ${done} of ${total} addresses`);
    };
    await inParallel(slugs, concurrency, (slug) => look(api.lookUp(query.domain, slug)));
    await inParallel(ids, concurrency, (id) => look(api.lookUpExternalId(id)));
  }
}

/**
 * Reads all links, if that takes no longer than looking up `count` of them: a workspace may send only a tenth as many
 * list requests as lookups, and a page has 100 links.
 *
 * @returns whether all were read.
 */
async function readAll(
  api: Api,
  query: { domain?: string },
  count: number,
  note: (link: ShownLink) => void,
  progress: Progress,
): Promise<boolean> {
  const most = count * 10;
  let read = 0;
  for await (const link of api.listLinks(query)) {
    if (++read > most) return false;
    note(link);
    if (read % 1_000 === 0) progress(`read ${read} links of the ${query.domain === undefined ? 'workspace' : 'domain'}`);
  }
  return true;
}
