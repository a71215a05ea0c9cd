import { createHash } from 'node:crypto';
import { aliasesPerLink, tagsPerWorkspace } from '../../lambdas/core/limits.ts';
import { foldSlug } from '../../lambdas/core/link/slug.ts';
import { foldTagName } from '../../lambdas/core/tag/tag.ts';
import type { Observed } from './observe.ts';
import { type Fault, type Manifest, ManifestError, type ManifestLink, type Path } from './read.ts';
import { type Changes, changesOf, type Seen, type ShownLink, seenOf, type Wanted } from './settings.ts';

/** A step of a plan. Steps run in the order of their levels: all steps of a level end before the next level starts. */
export type Step = { readonly level: number } & (
  | { readonly action: 'create-tag'; readonly name: string; readonly color: string }
  | { readonly action: 'create'; readonly slug: string; readonly wanted: Wanted }
  | { readonly action: 'update'; readonly slug: string; readonly id: string; readonly seen: Seen; readonly changes: Changes }
  | { readonly action: 'delete'; readonly slug: string; readonly id: string; readonly seen: Seen }
);

export type StepOf<Action extends Step['action']> = Extract<Step, { action: Action }>;

/** The steps that make a service match a manifest. */
export type Plan = { readonly domain: string; readonly managedBy: string; readonly steps: readonly Step[] };

/** What to observe of a service for a manifest. */
export const queryOf = ({ domain, managedBy, links }: Manifest) => ({
  domain,
  managedBy,
  slugs: links.flatMap(({ wanted, renamedFrom }) => [wanted.slug, ...(renamedFrom === undefined ? [] : [renamedFrom])]),
  externalIds: links.flatMap(({ wanted }) => wanted.externalId ?? []),
});

/** An entry of a manifest, and the managed link that it is about, if there is one. */
type Entry = ManifestLink & { readonly link: ShownLink | undefined };

/**
 * Compares a manifest with what exists.
 *
 * @throws ManifestError if links of others are in the way, or if the manifest names unknown tags.
 */
export function planOf(manifest: Manifest, observed: Observed): Plan {
  const { domain, managedBy } = manifest;
  const faults: Fault[] = [];
  const refuse = (path: Path, message: string) => void faults.push(manifest.faultAt(path, message));
  if (observed.ownsDomain === false) refuse(['domain'], `the workspace has not proven that it owns the domain ${domain}`);
  const elsewhere = observed.managed.filter((link) => link.domain !== domain);
  for (const { id, shortUrl } of elsewhere)
    refuse(['domain'], `${shortUrl} (${id}) is managed by ${managedBy}, but is on another domain: clear its managedBy first`);
  const entries = entriesOf(manifest, observed, refuse);
  refuseUnknownTags(manifest, observed, refuse);
  refuseTooMany(manifest, entries, observed, refuse);
  const wanted = new Set(entries.flatMap(({ link }) => link?.id ?? []));
  const deleted = observed.managed.filter(({ id }) => !wanted.has(id));
  const waits = waitsOf(entries, managedBy, observed, refuse);
  const levels = levelsOf(waits, refuse);
  if (faults.length > 0)
    throw new ManifestError(faults.toSorted((one, other) => one.line - other.line || one.column - other.column));

  const last = [...levels.values()].reduce((most, level) => Math.max(most, level), 1) + 1;
  const waitedFor = new Set([...waits.values()].map(({ holder }) => holder));
  const steps: Step[] = [
    ...tagSteps(manifest, observed),
    ...entries.flatMap((entry) => linkStep(entry, levels.get(keyOf(entry)) ?? 1)),
    ...deleted.map((link): Step => {
      const level = waitedFor.has(link.id) ? 1 : last;
      return { level, action: 'delete', slug: link.shortCode, id: link.id, seen: seenOf(link) };
    }),
  ];
  return { domain, managedBy, steps };
}

function linkStep({ wanted, link }: Entry, level: number): Step[] {
  const { slug } = wanted;
  if (!link) return [{ level, action: 'create', slug, wanted }];
  const seen = seenOf(link);
  const changes = changesOf(wanted, seen);
  return Object.keys(changes).length > 0 ? [{ level, action: 'update', slug, id: link.id, seen, changes }] : [];
}

/** Creates the manifest's tags that the workspace lacks, before any link needs them. */
const tagSteps = ({ tags }: Manifest, observed: Observed): Step[] => {
  const known = new Set(observed.tags.map(({ name }) => foldTagName(name)));
  return tags
    .filter(({ name }) => !known.has(foldTagName(name)))
    .map(({ name, color = colorOf(name) }) => ({ level: 0, action: 'create-tag', name, color }));
};

/** A color that depends only on the tag's name. */
const colorOf = (name: string): string => `#${createHash('sha256').update(foldTagName(name)).digest('hex').slice(0, 6)}`;

/** A misspelled tag must not become a new one. */
function refuseUnknownTags({ tags, links }: Manifest, observed: Observed, refuse: Refuse): void {
  const known = new Set([...observed.tags, ...tags].map(({ name }) => foldTagName(name)));
  for (const { wanted, position } of links) {
    for (const [at, name] of wanted.tags.entries()) {
      if (!known.has(foldTagName(name)))
        refuse(['links', position, 'tags', at], `the tag "${name}" is neither in the workspace nor in the manifest's tags`);
    }
  }
}

/** Refuses what would exceed limits of the service that a plan can check. */
function refuseTooMany(manifest: Manifest, entries: readonly Entry[], observed: Observed, refuse: Refuse): void {
  if (observed.tags.length + tagSteps(manifest, observed).length > tagsPerWorkspace)
    refuse(['tags'], `the workspace would have more than ${tagsPerWorkspace} tags`);
  for (const { wanted, link, position } of entries) {
    if (!link || foldSlug(link.shortCode) === foldSlug(wanted.slug)) continue;
    const others = link.aliases.filter((alias) => foldSlug(alias) !== foldSlug(wanted.slug));
    // The slug that it leaves becomes an alias.
    if (others.length >= aliasesPerLink)
      refuse(['links', position, 'slug'], `${link.shortUrl} has ${aliasesPerLink} aliases: remove one before you rename it`);
  }
}

type Refuse = (path: Path, message: string) => void;

/**
 * Finds the managed link of each entry: the one to which its slug leads, or else the one to which its `renamedFrom`
 * does. An alias leads to its link as well, so a link that somebody renamed elsewhere is renamed back, and keeps its
 * clicks.
 */
function entriesOf({ links, managedBy, domain }: Manifest, { bySlug }: Observed, refuse: Refuse): Entry[] {
  const at = (slug: string) => bySlug.get(foldSlug(slug));
  const isOurs = (link: ShownLink) => link.managedBy === managedBy;
  const owners = new Map<string, string>();
  // Entries with a link's current slug come first: the slug of another entry may be an alias of the same link.
  for (const { wanted } of links) {
    const link = at(wanted.slug);
    if (link && isOurs(link) && foldSlug(link.shortCode) === foldSlug(wanted.slug)) owners.set(link.id, wanted.slug);
  }
  return links.map((entry) => {
    const { wanted, renamedFrom, position } = entry;
    const { slug } = wanted;
    const path = (name: string): Path => ['links', position, name];
    const there = at(slug);
    const left = renamedFrom === undefined ? undefined : at(renamedFrom);
    if (there && !isOurs(there)) {
      refuse(path('slug'), `${domain}/${slug} exists and is managed by ${there.managedBy ?? 'nobody'}: ${adoptFirst}`);
      return { ...entry, link: undefined };
    }
    if (!there && left && !isOurs(left)) {
      refuse(path('renamedFrom'), `${domain}/${renamedFrom} is managed by ${left.managedBy ?? 'nobody'}: ${adoptFirst}`);
      return { ...entry, link: undefined };
    }
    if (there && left && isOurs(left) && left.id !== there.id) {
      refuse(
        path('renamedFrom'),
        `${domain}/${slug} and ${domain}/${renamedFrom} both exist: remove renamedFrom to delete the latter`,
      );
      return { ...entry, link: undefined };
    }
    const link = there ?? left;
    const owner = link && owners.get(link.id);
    if (link && owner !== undefined && owner !== slug) {
      refuse(
        path('slug'),
        `${domain}/${slug} leads to the same link as ${domain}/${owner}: remove that alias, or one of the two`,
      );
      return { ...entry, link: undefined };
    }
    if (link) owners.set(link.id, slug);
    return { ...entry, link };
  });
}

const adoptFirst = 'adopt it first';

/** The key of an entry among the steps: the id of its link, or its position. */
const keyOf = ({ link, position }: Entry): string => link?.id ?? `${position}`;

/** What an entry waits for: the link that must give up the external id first. */
type Wait = { readonly holder: string; readonly position: number };

/** The waits of entries that get another link's external id, by the entries' keys. */
function waitsOf(entries: readonly Entry[], managedBy: string, { byExternalId }: Observed, refuse: Refuse): Map<string, Wait> {
  const waits = new Map<string, Wait>();
  for (const entry of entries) {
    const { wanted, link, position } = entry;
    const holder = wanted.externalId === null ? undefined : byExternalId.get(wanted.externalId);
    if (!holder || holder.id === link?.id) continue;
    if (holder.managedBy === managedBy) waits.set(keyOf(entry), { holder: holder.id, position });
    else refuse(['links', position, 'externalId'], `another link has the externalId "${wanted.externalId}": ${holder.shortUrl}`);
  }
  return waits;
}

/** The levels of waiting entries, each above the level of the entry that it waits for. Other entries have level 1. */
function levelsOf(waits: ReadonlyMap<string, Wait>, refuse: Refuse): Map<string, number> {
  const levels = new Map<string, number>();
  for (const [key, { position }] of waits) {
    let level = 1;
    for (let next = waits.get(key); next; next = waits.get(next.holder)) {
      if (++level > waits.size + 1) {
        refuse(['links', position, 'externalId'], 'links cannot swap their externalIds in one apply: clear one of them first');
        break;
      }
    }
    levels.set(key, level);
  }
  return levels;
}

/** The numbers of links to create, to change and to delete, and of tags to create. */
export function countsOf({ steps }: Plan) {
  const count = (action: Step['action']) => steps.filter((step) => step.action === action).length;
  return { create: count('create'), update: count('update'), delete: count('delete'), createTags: count('create-tag') };
}
