import type { RuleError } from '../errors.ts';
import { tagsPerLink } from '../limits.ts';
import { foldTagName, type Tag } from '../tag/tag.ts';
import { destinationHost } from './destination.ts';
import type { TagsOfTemplate } from './given-settings.ts';
import { destinationsOf, type LinkSettings } from './link.ts';
import { foldSlug } from './slug.ts';

/** A valid link to import, as it was sent. */
export type ImportEntry = Partial<Omit<LinkSettings, 'url' | 'passwordHash' | 'unframeableUrl'>> &
  TagsOfTemplate & {
    /** The position in the request, from 0. */
    readonly index: number;
    readonly url: string;
    readonly customSlug?: string | undefined;
    readonly password?: string | null | undefined;
    /** Names of tags, besides the ids in `tagIds`. */
    readonly tagNames?: readonly string[] | undefined;
  };

/** A tag as responses show it. */
export type ShownTag = Pick<Tag, 'id' | 'name' | 'color'>;

/** The tags that the entries of an import name, by id or by name. */
export type ImportTags = {
  readonly byId: ReadonlyMap<string, ShownTag>;
  /** By their folded names. */
  readonly idOf: ReadonlyMap<string, string>;
};

export const noTags: ImportTags = { byId: new Map(), idOf: new Map() };

/** A link that was created. */
export type Created = {
  readonly id: string;
  readonly shortCode: string;
  /** Its tags, as positions in the result's list of tags. Absent if it has none. */
  readonly tags?: readonly number[];
};

/** Why a link was not created. */
export type Failure = { readonly code: string; readonly message: string };

/** The result of one entry. */
export type EntryResult = Created | Failure;

/** The results of the entries, by their positions in the request. */
export type EntryResults = Record<number, EntryResult>;

export const slugTaken: Failure = { code: 'slug_taken', message: '/customSlug is already taken on this domain' };

export const externalIdTaken: Failure = {
  code: 'external_id_taken',
  message: '/externalId already belongs to another link of the workspace',
};

export const linkDeleted: Failure = {
  code: 'link_deleted',
  message: 'This request created the link, and it has been deleted since',
};

export const notWritten: Failure = {
  code: 'temporarily_unavailable',
  message: 'The link could not be created in time; send it again',
};

/** The failure of an entry with a refused destination. @param path of the field */
export const urlRefused = ({ code, message }: RuleError, path = '/url'): Failure => ({ code, message: `${path} ${message}` });

const tagMissing = (path: string): Failure => ({ code: 'tag_not_found', message: `${path} does not exist in this workspace` });

const tooManyTags: Failure = {
  code: 'too_many',
  message: `/tagNames must have at most ${tagsPerLink} entries together with "tagIds"`,
};

/** The tags of an entry by their ids, or why it fails. Duplicates are dropped, the order is kept. */
export function tagsOfEntry({ tagIds = [], tagNames = [], dropsGoneTags }: ImportEntry, tags: ImportTags): string[] | Failure {
  const { byId, idOf } = tags;
  if (dropsGoneTags) return tagIds.filter((id) => byId.has(id));
  const named = tagNames.map((name) => idOf.get(foldTagName(name)));
  const unknown = named.indexOf(undefined);
  if (unknown >= 0) return tagMissing(`/tagNames/${unknown}`);
  const gone = tagIds.findIndex((id) => !byId.has(id));
  if (gone >= 0) return tagMissing(`/tagIds/${gone}`);
  const all = [...new Set([...tagIds, ...(named as string[])])];
  return all.length > tagsPerLink ? tooManyTags : all;
}

/**
 * The entries that fail before anything is written: those with a refused host or an unknown tag, and those with the
 * custom slug or the external id of an earlier valid entry.
 *
 * @param refusals by the hosts that are refused.
 */
export function plannedFailures(
  entries: readonly ImportEntry[],
  refusals: ReadonlyMap<string, RuleError>,
  tags: ImportTags = noTags,
): EntryResults {
  const failures: EntryResults = {};
  const [slugs, externalIds] = [new Set<string>(), new Set<string>()];
  for (const entry of entries) {
    const { index, customSlug, externalId } = entry;
    const slug = customSlug === undefined ? undefined : foldSlug(customSlug);
    const refused = refusalOf(entry, refusals);
    const tagged = tagsOfEntry(entry, tags);
    if (refused) failures[index] = refused;
    else if ('code' in tagged) failures[index] = tagged;
    else if (slug !== undefined && slugs.has(slug)) failures[index] = slugTaken;
    else if (externalId != null && externalIds.has(externalId)) failures[index] = externalIdTaken;
    else {
      if (slug !== undefined) slugs.add(slug);
      if (externalId != null) externalIds.add(externalId);
    }
  }
  return failures;
}

function refusalOf(entry: ImportEntry, refusals: ReadonlyMap<string, RuleError>): Failure | undefined {
  for (const { path, url } of destinationsOf(entry)) {
    const refusal = refusals.get(destinationHost(url));
    if (refusal) return urlRefused(refusal, path);
  }
  return undefined;
}

/** The settings of the link that an entry describes, except its password and its tags. */
export function importedSettings(entry: ImportEntry): Partial<LinkSettings> & Pick<LinkSettings, 'url'> {
  const {
    index: _index,
    customSlug: _slug,
    password: _password,
    tagIds: _ids,
    tagNames: _names,
    dropsGoneTags: _drops,
    ...settings
  } = entry;
  const said = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(said), url: entry.url };
}
