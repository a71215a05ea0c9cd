import type { Domain } from '../core/domain/domain.ts';
import { blockedError, shortDomainError } from '../core/link/destination.ts';
import {
  type Created,
  type EntryResult,
  type EntryResults,
  externalIdTaken,
  type Failure,
  type ImportEntry,
  type ImportResult,
  type ImportTags,
  importedSettings,
  linkDeleted,
  longestTagFailure,
  noTags,
  notWritten,
  type ShownTag,
  slugTaken,
  tagsOfEntry,
  urlRefused,
} from '../core/link/import.ts';
import { newLink } from '../core/link/link.ts';
import { stateOf } from '../core/link/link-state.ts';
import { locationOf, newLinkId } from '../core/link/location.ts';
import { makeSlug } from '../core/link/made-slug.ts';
import { type LinkView, linkView } from './link.ts';

/**
 * The response to an import: the created links, and the failures with their input, both in the order of the request.
 */
export function importResponse(
  sent: readonly unknown[],
  entries: readonly ImportEntry[],
  { domain, createdAt, outcomes: results, tags: known = [] }: ImportResult,
  origin: string,
) {
  const pending = domain.status !== 'ACTIVE';
  const links: LinkView[] = [];
  const failed: (Failure & { index: number; url: string | null; customSlug: string | null })[] = [];
  const entryAt = new Map(entries.map((entry) => [entry.index, entry]));
  sent.forEach((raw, index) => {
    const result = results[index] ?? notWritten;
    const entry = entryAt.get(index);
    if (entry && 'id' in result) {
      const { id, shortCode, tags: positions = [] } = result;
      const passwordHash = entry.password == null ? null : '';
      const settings = { ...importedSettings(entry), passwordHash };
      const link = newLink(domain, createdAt, { id, shortCode, creationMark: '', formerMarks: {} }, settings);
      const tags = positions.flatMap((position) => known[position] ?? []);
      // As it was when it was created, so that a repetition gets the same response. Blocked hosts were refused.
      const state = stateOf(link, { blocked: new Set(), now: Date.parse(createdAt), used: 0, pending });
      links.push(linkView({ link, clickCount: 0, tags, pending, state }, origin));
    } else {
      const { code, message } = result as Failure;
      failed.push({ index, url: textOf(raw, 'url'), customSlug: textOf(raw, 'customSlug'), code, message });
    }
  });
  return {
    created: links.length,
    activeCount: pending ? 0 : links.length,
    pendingCount: pending ? links.length : 0,
    failed,
    links,
  };
}

/**
 * The results of an import as they are recorded: each link has the positions of its tags in one list, so that a
 * thousand links with twenty tags fit into a record.
 */
export function withTagPositions(
  results: Readonly<Record<number, (Omit<Created, 'tags'> & { readonly tagIds?: readonly string[] }) | Failure>>,
  { byId }: ImportTags,
): Pick<ImportResult, 'outcomes' | 'tags'> {
  const positions = new Map([...byId.keys()].map((id, index) => [id, index]));
  const outcomes = Object.entries(results).map(([index, result]): [string, EntryResult] => {
    if (!('id' in result)) return [index, result];
    const { tagIds, ...created } = result;
    return [index, tagIds ? { ...created, tags: tagIds.flatMap((id) => positions.get(id) ?? []) } : created];
  });
  return { outcomes: Object.fromEntries(outcomes), ...(byId.size > 0 && { tags: [...byId.values()] }) };
}

/**
 * The largest size that the recorded result of an import can have, in bytes. The longest failure has fewer than 250.
 */
export function largestResult(entries: readonly ImportEntry[], { byId }: ImportTags): number {
  const tags = Buffer.byteLength(JSON.stringify([...byId.values()]));
  return entries.reduce((sum, { tagIds = [], tagNames = [] }) => sum + 275 + 5 * (tagIds.length + tagNames.length), 1_000 + tags);
}

/**
 * The largest size that the response to an import can have, however the import ends. In bytes, as Lambda counts it: the
 * body is a string inside JSON.
 *
 * @param failures the failures of links that are not valid entries.
 */
export function largestResponse(
  sent: readonly unknown[],
  entries: readonly ImportEntry[],
  failures: EntryResults,
  domain: Domain,
  origin: string,
  tags: ImportTags = noTags,
): number {
  const createdAt = new Date(0).toISOString();
  const entryAt = new Map(entries.map((entry) => [entry.index, { ...entry, index: 0 }]));
  const refusals = [shortDomainError(), blockedError()].map((error) => urlRefused(error, '/variants/0/url'));
  const later = [slugTaken, externalIdTaken, linkDeleted, notWritten, longestTagFailure, ...refusals];
  const known: ShownTag[] = [...tags.byId.values()];
  const positions = new Map(known.map(({ id }, index) => [id, index]));
  return sent.reduce<number>((sum, raw, index) => {
    const entry = entryAt.get(index);
    const sizeAs = (result: EntryResult | undefined): number => {
      const outcomes = result ? [result] : [];
      const alone = importResponse([raw], entry ? [entry] : [], { domain, createdAt, outcomes, tags: known }, origin);
      return Buffer.byteLength(JSON.stringify(JSON.stringify(alone)));
    };
    if (!entry) return sum + sizeAs(failures[index]);
    const shortCode = entry.customSlug ?? makeSlug('', 0, 0);
    const tagged = tagsOfEntry(entry, tags);
    const ofEntry = 'code' in tagged ? [] : tagged.flatMap((id) => positions.get(id) ?? []);
    const created = { id: newLinkId(locationOf('', shortCode)), shortCode, tags: ofEntry };
    return sum + Math.max(...[created, ...later].map(sizeAs));
  }, 0);
}

/** A field as it was sent, if it is a string. */
function textOf(raw: unknown, field: 'url' | 'customSlug'): string | null {
  const value = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' ? value : null;
}
