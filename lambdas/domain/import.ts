import { blockedError, destinationHost, shortDomainError } from './destination.ts';
import type { Domain } from './domain.ts';
import type { RuleError } from './errors.ts';
import { locationOf, newLinkId } from './ids.ts';
import { type LinkView, linkView, newLink, type RedirectType } from './link.ts';
import { foldSlug, makeSlug } from './slug.ts';

/** A link to be imported that was found to be in order. */
export type ImportEntry = {
  /** Its place in the request, from 0. */
  readonly index: number;
  readonly url: string;
  readonly customSlug?: string | undefined;
  readonly title?: string | undefined;
  readonly redirectType?: RedirectType | undefined;
};

/** A link that was created. */
export type Created = { readonly id: string; readonly shortCode: string };

/** Why a link was not created. */
export type Failure = { readonly code: string; readonly message: string };

/** What came of the entries, by their places in the request. */
export type Outcomes = Record<number, Created | Failure>;

/** What an import came to, as it is recorded: with the request's body, the answer follows from it. */
export type ImportResult = { readonly domain: Domain; readonly createdAt: string; readonly outcomes: Outcomes };

export const slugTaken: Failure = { code: 'slug_taken', message: '/customSlug is taken on this domain' };

export const linkDeleted: Failure = {
  code: 'link_deleted',
  message: 'The link was created by this request, and has been deleted since',
};

export const notWritten: Failure = {
  code: 'temporarily_unavailable',
  message: 'The link could not be created just now; it may be sent again',
};

/** The failure of an entry whose destination is refused. */
const urlRefused = ({ code, message }: RuleError): Failure => ({ code, message: `/url ${message}` });

/**
 * What fails before anything is written: entries that lead to a refused host, and those whose custom slug a good entry before
 * them has. The first good one wins.
 */
export function plannedFailures(entries: readonly ImportEntry[], refused: ReadonlyMap<string, RuleError>): Outcomes {
  const failures: Outcomes = {};
  const seen = new Set<string>();
  for (const { index, url, customSlug } of entries) {
    const slug = customSlug === undefined ? undefined : foldSlug(customSlug);
    const refusal = refused.get(destinationHost(url));
    if (refusal) failures[index] = urlRefused(refusal);
    else if (slug !== undefined && seen.has(slug)) failures[index] = slugTaken;
    else if (slug !== undefined) seen.add(slug);
  }
  return failures;
}

/** What an import's entry says of its link. */
export const importedSettings = ({ url, title, redirectType }: ImportEntry) => ({
  url,
  ...(title !== undefined && { title }),
  ...(redirectType !== undefined && { redirectType }),
});

/** The answer to an import: whole links, and what failed as it was sent, both in the order of the request. */
export function importAnswer(
  sent: readonly unknown[],
  entries: readonly ImportEntry[],
  { domain, createdAt, outcomes }: ImportResult,
  origin: string,
) {
  const pending = domain.status !== 'ACTIVE';
  const links: LinkView[] = [];
  const failed: (Failure & { index: number; url: string | null; customSlug: string | null })[] = [];
  const entryAt = new Map(entries.map((entry) => [entry.index, entry]));
  sent.forEach((raw, index) => {
    const outcome = outcomes[index] ?? notWritten;
    const entry = entryAt.get(index);
    if (entry && 'id' in outcome) {
      const link = newLink(domain, createdAt, { ...outcome, creationMark: '' }, importedSettings(entry));
      links.push(linkView(link, { origin, clickCount: 0, tags: [], pending }));
    } else {
      const { code, message } = outcome as Failure;
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
  failures: Outcomes,
  domain: Domain,
  origin: string,
): number {
  const createdAt = new Date(0).toISOString();
  const entryAt = new Map(entries.map((entry) => [entry.index, { ...entry, index: 0 }]));
  const later = [slugTaken, linkDeleted, notWritten, ...[shortDomainError(), blockedError()].map(urlRefused)];
  return sent.reduce<number>((sum, raw, index) => {
    const entry = entryAt.get(index);
    const sizeAs = (outcome: Created | Failure | undefined): number => {
      const outcomes = outcome ? [outcome] : [];
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
