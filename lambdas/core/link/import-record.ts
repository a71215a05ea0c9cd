import type { Domain } from '../domain/domain.ts';
import type { GivenByTemplate } from './given-settings.ts';
import type { Created, EntryResult, EntryResults, Failure, ImportEntry, ImportTags, ShownTag } from './import.ts';

/**
 * The recorded result of an import. Together with the request's body, it yields the response. The field names must not
 * change: records are kept for a day, and retries read them.
 */
export type ImportRecord = {
  readonly domain: Domain;
  readonly createdAt: string;
  readonly outcomes: EntryResults;
  /** The tags of the links. */
  readonly tags?: readonly ShownTag[];
  /** What the template added to the links. */
  readonly given?: GivenByTemplate | undefined;
};

/** The most bytes of a valid entry's failure, code and message, as JSON within a JSON string. */
export const bytesPerFailure = 250;

/**
 * The recorded results of an import: each link has the positions of its tags in one list, so that a
 * thousand links with twenty tags fit into a record.
 */
export function recordedResults(
  results: Readonly<Record<number, (Omit<Created, 'tags'> & { readonly tagIds?: readonly string[] }) | Failure>>,
  { byId }: ImportTags,
): Pick<ImportRecord, 'outcomes' | 'tags'> {
  const positions = new Map([...byId.keys()].map((id, index) => [id, index]));
  const outcomes = Object.entries(results).map(([index, result]): [string, EntryResult] => {
    if (!('id' in result)) return [index, result];
    const { tagIds, ...created } = result;
    return [index, tagIds ? { ...created, tags: tagIds.flatMap((id) => positions.get(id) ?? []) } : created];
  });
  return { outcomes: Object.fromEntries(outcomes), ...(byId.size > 0 && { tags: [...byId.values()] }) };
}

/** The largest size that the record of an import can have, in bytes. */
export function largestRecord(entries: readonly ImportEntry[], { byId }: ImportTags, given: GivenByTemplate = {}): number {
  const tags = Buffer.byteLength(JSON.stringify([...byId.values()]));
  const bytesOf = ({ tagIds = [], tagNames = [] }: ImportEntry) => bytesPerFailure + 25 + 5 * (tagIds.length + tagNames.length);
  return entries.reduce((sum, entry) => sum + bytesOf(entry), 1_000 + tags + Buffer.byteLength(JSON.stringify(given)));
}
