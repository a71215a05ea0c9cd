import type { Domain } from '../../core/domain/domain.ts';
import { type Creation, creationMark, slugToTry } from '../../core/link/creation.ts';
import { type Created, type Failure, type ImportEntry, importedSettings } from '../../core/link/import.ts';
import { type Link, type LinkSettings, newLink } from '../../core/link/link.ts';
import { locationOf, newLinkId } from '../../core/link/location.ts';
import { type Free, untouched } from './addresses.ts';

/** A link that an import created, and its tags. */
export type CreatedWithTags = Omit<Created, 'tags'> & { readonly tagIds?: readonly string[] };

/** The result of an entry. */
export type EntryResult = CreatedWithTags | Failure;

/** The results of the entries, by their positions in the request. */
export type WrittenResults = Record<number, EntryResult>;

/** An import in progress: what `imports.ts` and `import-transactions.ts` share. */
export type ImportJob = {
  readonly domain: Domain;
  readonly creation: Creation;
  /** Custom slugs of the import, in lower case. Generated slugs differ from them. */
  readonly customSlugs: ReadonlySet<string>;
  /** The settings of entries that take time to find out, by the entries' positions in the request. */
  readonly settings: Map<number, Partial<LinkSettings>>;
  readonly tagIdsOf: (entry: ImportEntry) => readonly string[];
  /** The results so far. */
  readonly results: WrittenResults;
  /** The creation marks of entries whose write got no response, and may still be executed. */
  readonly unanswered: Set<string>;
};

/** An entry without a result yet, and the slug to try. */
export type OpenEntry = {
  readonly entry: ImportEntry;
  /** What was found at the address: nothing, or a tombstone that the link replaces. */
  readonly there: Free;
  /** Which slug it is, from 0. */
  readonly attempt: number;
  readonly shortCode: string;
  readonly location: string;
  readonly mark: string;
};

/** An entry to try at its slug with that number. */
export function entryAt({ creation, domain, customSlugs }: ImportJob, entry: ImportEntry, attempt: number): OpenEntry {
  const shortCode = slugToTry(creation, entry, attempt, customSlugs);
  const location = locationOf(domain.domainId, shortCode);
  return { entry, there: untouched, attempt, shortCode, location, mark: creationMark(creation, entry) };
}

/** The same entry, to be tried at its next slug. */
export const nextSlug = (job: ImportJob, { entry, attempt }: OpenEntry): OpenEntry => entryAt(job, entry, attempt + 1);

/** An open entry, and the link that it becomes at the slug to try. */
export type Candidate = { readonly open: OpenEntry; readonly link: Link };

/** The link that an entry becomes at the slug to try. Each attempt has a new id. */
export function linkOf({ domain, creation, settings, tagIdsOf }: ImportJob, open: OpenEntry): Link {
  const { entry, there, shortCode, location, mark } = open;
  const identity = { id: newLinkId(location), shortCode, creationMark: mark, formerMarks: there.formerMarks };
  const more = { ...settings.get(entry.index), tagIds: tagIdsOf(entry) };
  return newLink(domain, creation.createdAt, identity, { ...importedSettings(entry), ...more });
}

/** The result of an entry whose link was created. */
export const createdAs = ({ id, shortCode, tagIds }: Link): CreatedWithTags => ({
  id,
  shortCode,
  ...(tagIds.length > 0 && { tagIds }),
});
