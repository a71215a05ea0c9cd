import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type LinksClient, ProblemError, type Schemas } from '../clients/typescript/client.ts';
import { tagsPerLink } from '../lambdas/domain/limits.ts';
import { foldSlug } from '../lambdas/domain/slug.ts';
import { foldTagName } from '../lambdas/domain/tag.ts';
import { found, type Link, updateLink } from './api.ts';
import type { PlannedLink } from './plan.ts';
import type { Entry, Found } from './results.ts';

/** The ids of tags, by their folded names. */
export type TagIds = ReadonlyMap<string, string>;

/** What the completion of a link changes in its result. */
type Completed = Pick<Found, 'reason'> & Partial<Pick<Found, 'outcome'>>;

/** Whether a link needs an update after its creation. */
export const needsCompletion = (link: PlannedLink): boolean =>
  link.tags.length > 0 || (link.aliases ?? []).length > 0 || Object.keys({ ...settingsOf(link), ...link.own }).length > 0;

/** The settings that a bulk request does not take. */
export const settingsOf = ({ startsAt, expiresAt, expiredUrl, maxClicks, rules }: PlannedLink): Schemas['LinkSettings'] =>
  Object.fromEntries(
    Object.entries({ startsAt, expiresAt, expiredUrl, maxClicks, rules }).filter(([, value]) => value !== undefined),
  );

/** Whether a link keeps visitors away, so that it must not exist for a moment without these settings. */
export const isGuarded = ({ startsAt, maxClicks }: PlannedLink): boolean => startsAt !== undefined || maxClicks !== undefined;

/** Whether the service refuses a request only because of a link's rules, so that it may accept it without them. */
export const isAboutRules = (error: unknown): error is ProblemError =>
  error instanceof ProblemError &&
  error.status === 422 &&
  error.errors.length > 0 &&
  error.errors.every(({ path }) => path === '/rules' || path.startsWith('/rules/'));

/** Returns the ids of all tags that the entries need, and creates the missing ones. */
export async function makeTags(client: LinksClient, entries: readonly Entry[], isStopped: () => boolean): Promise<TagIds> {
  const wanted = new Map(entries.flatMap(({ link }) => link.tags.map((name) => [foldTagName(name), name] as const)));
  if (wanted.size === 0) return new Map();
  const known = async () => new Map((await client.GET('/api/v1/tags')).data.tags.map(({ id, name }) => [foldTagName(name), id]));
  const ids = await known();
  for (const [folded, name] of wanted) {
    if (ids.has(folded) || isStopped()) continue;
    try {
      ids.set(folded, (await client.POST('/api/v1/tags', { body: { name, color: colorOf(folded) } })).data.id);
    } catch (error) {
      // Another client, or an earlier attempt of this request, has created it meanwhile.
      const id = error instanceof ProblemError && error.code === 'tag_name_taken' ? (await known()).get(folded) : undefined;
      if (id === undefined) throw error;
      ids.set(folded, id);
    }
  }
  return ids;
}

/** A colour that depends only on the tag's name. */
const colorOf = (name: string): string => `#${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;

/**
 * Adds missing tags to a link and sets what a bulk request does not take. Other tags of the link stay. Rules that the
 * service refuses are left out, so that the link gets the rest.
 */
export async function complete(client: LinksClient, answered: Link, wanted: PlannedLink, tagIds: TagIds): Promise<Completed> {
  if (!needsCompletion(wanted)) return { reason: '' };
  // For links without slugs, the response may be that of an earlier run, so it may be out of date.
  const link = wanted.slug === undefined ? await current(client, answered.id) : answered;
  if (!link) return { outcome: 'refused', reason: 'an earlier run created it, and it has been deleted since' };
  const has = link.tags.map(({ id }) => id);
  const missing = [...new Set(wanted.tags.flatMap((name) => tagIds.get(foldTagName(name)) ?? []))].filter(
    (id) => !has.includes(id),
  );
  const fit = missing.slice(0, Math.max(0, tagsPerLink - has.length));
  const changes = {
    ...(fit.length > 0 && { tagIds: [...has, ...fit] }),
    ...Object.fromEntries(
      Object.entries({ ...wanted.own, ...settingsOf(wanted) }).filter(
        ([field, value]) => !isDeepStrictEqual(link[field as keyof Link], value),
      ),
    ),
  };
  const refused = await update(client, link.id, changes);
  const untaken = await addAliases(client, link, wanted);
  const left = missing.length - fit.length;
  const reasons = [
    ...(left > 0 ? [`${left} of its tags were left out: a link has at most ${tagsPerLink}`] : []),
    ...(refused ? [`its rules were left out: ${refused.message}`] : []),
    ...untaken.map(({ slug, message }) => `its address /${slug} was left out: ${message}`),
  ];
  return { reason: reasons.join('; ') };
}

/**
 * Gives a link its further slugs: it is renamed to each, and then back, so that its own one leads to it all the time. If
 * this stops in between, all of the slugs that it has lead to it, and the next time goes on from there.
 *
 * @returns the slugs that it cannot have, and why.
 */
async function addAliases(client: LinksClient, { id, shortCode, aliases }: Link, { slug, aliases: wanted = [] }: PlannedLink) {
  const has = new Set([shortCode, ...aliases].map(foldSlug));
  const untaken: { slug: string; message: string }[] = [];
  let shown = shortCode;
  for (const alias of wanted.filter((one) => !has.has(foldSlug(one)))) {
    try {
      shown = (await updateLink(client, id, { customSlug: alias })).shortCode;
    } catch (error) {
      if (!(error instanceof ProblemError) || ![409, 422].includes(error.status)) throw error;
      untaken.push({ slug: alias, message: error.message });
    }
  }
  if (wanted.length > 0 && slug !== undefined && foldSlug(shown) !== foldSlug(slug)) {
    await updateLink(client, id, { customSlug: slug });
  }
  return untaken;
}

/** The link as it is now; undefined if it has been deleted. */
const current = async (client: LinksClient, id: string): Promise<Link | undefined> =>
  (await found(client.GET('/api/v1/links/{id}', { params: { path: { id } } })))?.link;

/** Updates a link, without rules if the service refuses these. @returns why it refuses them; undefined if it does not */
async function update(client: LinksClient, id: string, changes: Schemas['UpdateLinkRequest']): Promise<ProblemError | undefined> {
  if (Object.keys(changes).length === 0) return undefined;
  try {
    await updateLink(client, id, changes);
    return undefined;
  } catch (error) {
    if (!isAboutRules(error)) throw error;
    const { rules, ...others } = changes;
    if (Object.keys(others).length > 0) await updateLink(client, id, others);
    return error;
  }
}
