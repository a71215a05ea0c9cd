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

/**
 * The response to an import: the created links, and the failures with their input, both in the order of the request.
 */
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
 * The largest size that the response to an import can have, however the import ends. In bytes, as Lambda counts it: the
 * body is a string inside JSON.
 *
 * @param failures the failures of links that are not valid entries.
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

/** A field as it was sent, if it is a string. */
function textOf(raw: unknown, field: 'url' | 'customSlug'): string | null {
  const value = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' ? value : null;
}
