import { destinationHost } from './destination.ts';
import type { Domain } from './domain.ts';
import type { RuleError } from './errors.ts';
import type { RedirectType } from './link.ts';
import { foldSlug } from './slug.ts';

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

/** What came of one entry. */
export type EntryResult = Created | Failure;

/** What came of the entries, by their places in the request. */
export type EntryResults = Record<number, EntryResult>;

/**
 * What an import came to: with the request's body, the answer follows from it. It is recorded for a day as it is here, so another name
 * for a field would keep repetitions from their answers.
 */
export type ImportResult = { readonly domain: Domain; readonly createdAt: string; readonly outcomes: EntryResults };

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
export const urlRefused = ({ code, message }: RuleError): Failure => ({ code, message: `/url ${message}` });

/**
 * What fails before anything is written: entries that lead to a refused host, and those whose custom slug a good entry before
 * them has. The first good one wins.
 *
 * @param refusals by the hosts that are refused.
 */
export function plannedFailures(entries: readonly ImportEntry[], refusals: ReadonlyMap<string, RuleError>): EntryResults {
  const failures: EntryResults = {};
  const seen = new Set<string>();
  for (const { index, url, customSlug } of entries) {
    const slug = customSlug === undefined ? undefined : foldSlug(customSlug);
    const refusal = refusals.get(destinationHost(url));
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
