import { foldSlug } from '../../lambdas/core/link/slug.ts';
import { foldTagName } from '../../lambdas/core/tag/tag.ts';
import { inParallel } from '../../lambdas/runtime/in-parallel.ts';
import { type Api, isProblem, maxAttempts } from './api.ts';
import { concurrency, observe, type Progress } from './observe.ts';
import type { Manifest } from './read.ts';
import { RefusedError } from './refused.ts';
import type { ShownLink } from './settings.ts';

/** Which links to write into a manifest. */
export type Selection = {
  readonly domain: string;
  /** The `managedBy` that they get. */
  readonly managedBy: string;
  /** The `managedBy` that they may have now, if the owner is renamed. */
  readonly from?: string | undefined;
  /** The slugs of the links; if empty, all links of the domain. */
  readonly slugs: readonly string[];
  /** The name of a tag that the links have. */
  readonly tag?: string | undefined;
};

/**
 * Finds the links for a new manifest.
 *
 * @throws RefusedError if there are none, or if some have another owner.
 */
export async function linksToAdopt(api: Api, selection: Selection, progress: Progress): Promise<ShownLink[]> {
  const found = await Array.fromAsync(selected(api, selection, progress));
  const refused = found.flatMap((link) => refusalOf(link, selection) ?? []);
  if (found.length === 0) throw new RefusedError(['there are no such links']);
  if (refused.length > 0) throw new RefusedError(refused);
  return found;
}

async function* selected(api: Api, { domain, from, slugs, tag }: Selection, progress: Progress): AsyncGenerator<ShownLink> {
  if (slugs.length > 0) {
    const links = await inParallel(slugs, concurrency, async (slug) => {
      const found = await api.lookUp(domain, slug);
      if (!found) throw new RefusedError([`there is no link ${domain}/${slug}`]);
      return found.link;
    });
    yield* new Map(links.map((link) => [link.id, link])).values();
    return;
  }
  const tagIds = tag === undefined ? undefined : [await tagIdOf(api, tag)];
  let read = 0;
  const query = { domain, ...(from !== undefined && { managedBy: from }), ...(tagIds && { tagIds }) };
  for await (const link of api.listLinks(query)) {
    if (++read % 1_000 === 0) progress(`read ${read} links`);
    yield link;
  }
}

async function tagIdOf(api: Api, name: string): Promise<string> {
  const tag = (await api.listTags()).find((one) => foldTagName(one.name) === foldTagName(name));
  if (!tag) throw new RefusedError([`there is no tag "${name}"`]);
  return tag.id;
}

/** Why a link cannot be adopted; undefined if it can be, or has been. */
function refusalOf({ managedBy, domain, shortCode }: ShownLink, selection: Pick<Selection, 'managedBy' | 'from'>) {
  if (managedBy === null || managedBy === selection.managedBy || managedBy === selection.from) return undefined;
  return `${domain}/${shortCode} is managed by ${managedBy}`;
}

/**
 * The links that a manifest describes, and all links of the renamed owner, whether the manifest describes them or not.
 * Links that don't exist yet are left to `apply`.
 *
 * @throws RefusedError if some have another owner.
 */
export async function describedLinks(
  api: Api,
  { domain, managedBy, links }: Manifest,
  from: string | undefined,
  progress: Progress,
): Promise<ShownLink[]> {
  const slugs = links.flatMap(({ wanted, renamedFrom }) => [wanted.slug, ...(renamedFrom === undefined ? [] : [renamedFrom])]);
  const observed = await observe(api, { domain, managedBy: from ?? managedBy, slugs, externalIds: [] }, progress);
  const described = slugs.flatMap((slug) => observed.bySlug.get(foldSlug(slug)) ?? []);
  const found = new Map([...described, ...(from === undefined ? [] : observed.managed)].map((link) => [link.id, link]));
  const refused = [...found.values()].flatMap((link) => refusalOf(link, { managedBy, from }) ?? []);
  if (refused.length > 0) throw new RefusedError(refused);
  return [...found.values()];
}

/** How many links were adopted now, were adopted before, or were not reached, and why others were refused. */
export type Adoption = {
  readonly adopted: number;
  readonly already: number;
  readonly notReached: number;
  readonly refused: readonly string[];
};

/**
 * Sets only `managedBy`, of links that nobody or the renamed owner manages. It can be repeated: links that were adopted
 * before stay as they are.
 */
export async function adopt(
  api: Api,
  links: readonly ShownLink[],
  target: Pick<Selection, 'managedBy' | 'from'>,
  { progress, isStopped }: { readonly progress: Progress; readonly isStopped: () => boolean },
): Promise<Adoption> {
  const open = links.filter(({ managedBy }) => managedBy !== target.managedBy);
  const refused: string[] = [];
  let [adopted, notReached] = [0, 0];
  await inParallel(open, concurrency, async ({ id, domain, shortCode }) => {
    if (isStopped()) {
      notReached++;
      return;
    }
    const refusal = await setManagedBy(api, id, target);
    if (refusal === undefined) adopted++;
    else refused.push(`${domain}/${shortCode} ${refusal}`);
    if (adopted > 0 && adopted % 100 === 0) progress(`${adopted} of ${open.length} adopted`);
  });
  return { adopted, already: links.length - open.length, notReached, refused };
}

/** @returns why it is not possible; undefined if it is done. */
async function setManagedBy(api: Api, id: string, target: Pick<Selection, 'managedBy' | 'from'>): Promise<string | undefined> {
  for (let attempts = 0; attempts <= maxAttempts; attempts++) {
    const found = await api.getLink(id);
    if (!found) return 'has been deleted meanwhile';
    if (found.link.managedBy === target.managedBy) return undefined;
    if (refusalOf(found.link, target) !== undefined) return `is now managed by ${found.link.managedBy}`;
    try {
      await api.updateLink(id, found.etag, { managedBy: target.managedBy });
      return undefined;
    } catch (error) {
      // Somebody else has changed the link, which may have another owner now.
      if (!isProblem(error, 'precondition_failed', 'not_found')) throw error;
    }
  }
  return 'keeps changing: try again later';
}
