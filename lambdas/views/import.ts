import type { Domain } from '../core/domain/domain.ts';
import {
  type EntryResult,
  type EntryResults,
  type Failure,
  type ImportEntry,
  type ImportTags,
  importedSettings,
  noTags,
  notWritten,
  type ShownTag,
  tagsOfEntry,
} from '../core/link/import.ts';
import { bytesPerFailure, type ImportRecord } from '../core/link/import-record.ts';
import { newLink } from '../core/link/link.ts';
import { locationOf, newLinkId } from '../core/link/location.ts';
import { makeSlug } from '../core/link/made-slug.ts';
import { stateOf } from '../core/link/state.ts';
import { type LinkView, linkView } from './link.ts';

/**
 * The response to an import: the created links, and the failures with their input, both in the order of the request.
 */
export function importResponse(
  sent: readonly unknown[],
  entries: readonly ImportEntry[],
  { domain, createdAt, outcomes: results, tags: known = [] }: ImportRecord,
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
      // The state at creation, so that a retry gets the same response. Blocked hosts were refused.
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
 * The largest size that the response to an import can have, however the import ends. In bytes, as Lambda counts them:
 * with the body as a string inside JSON.
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
    return sum + Math.max(sizeAs(created), sizeAs({ code: '', message: '' }) + bytesPerFailure);
  }, 0);
}

/** A field as it was sent, if it is a string. */
function textOf(raw: unknown, field: 'url' | 'customSlug'): string | null {
  const value = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' ? value : null;
}
