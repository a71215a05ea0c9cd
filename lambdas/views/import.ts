import { blockedError, shortDomainError } from '../domain/destination.ts';
import type { Domain } from '../domain/domain.ts';
import { locationOf, newLinkId } from '../domain/ids.ts';
import {
  type EntryResult,
  type EntryResults,
  type Failure,
  type ImportEntry,
  type ImportResult,
  importedSettings,
  linkDeleted,
  notWritten,
  slugTaken,
  urlRefused,
} from '../domain/import.ts';
import { newLink } from '../domain/link.ts';
import { makeSlug } from '../domain/slug.ts';
import { type LinkView, linkView } from './link.ts';

/** The answer to an import: whole links, and what failed as it was sent, both in the order of the request. */
export function importAnswer(
  sent: readonly unknown[],
  entries: readonly ImportEntry[],
  { domain, createdAt, outcomes: results }: ImportResult,
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
      const link = newLink(domain, createdAt, { ...result, creationMark: '', formerMarks: {} }, importedSettings(entry));
      links.push(linkView({ link, clickCount: 0, tags: [], pending }, origin));
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
 * The most bytes that the answer to an import can have, however it ends: as it goes through Lambda, where the body is a
 * string within JSON.
 *
 * @param failures of what was sent that is no entry.
 */
export function largestAnswer(
  sent: readonly unknown[],
  entries: readonly ImportEntry[],
  failures: EntryResults,
  domain: Domain,
  origin: string,
): number {
  const createdAt = new Date(0).toISOString();
  const entryAt = new Map(entries.map((entry) => [entry.index, { ...entry, index: 0 }]));
  const later = [slugTaken, linkDeleted, notWritten, ...[shortDomainError(), blockedError()].map(urlRefused)];
  return sent.reduce<number>((sum, raw, index) => {
    const entry = entryAt.get(index);
    const sizeAs = (result: EntryResult | undefined): number => {
      const outcomes = result ? [result] : [];
      const alone = importAnswer([raw], entry ? [entry] : [], { domain, createdAt, outcomes }, origin);
      return Buffer.byteLength(JSON.stringify(JSON.stringify(alone)));
    };
    if (!entry) return sum + sizeAs(failures[index]);
    const shortCode = entry.customSlug ?? makeSlug('', 0, 0);
    const created = { id: newLinkId(locationOf('', shortCode)), shortCode };
    return sum + Math.max(...[created, ...later].map(sizeAs));
  }, 0);
}

/** A field as it was sent, where it is a string. */
function textOf(raw: unknown, field: 'url' | 'customSlug'): string | null {
  const value = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' ? value : null;
}
