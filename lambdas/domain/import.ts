import { destinationHost } from './destination.ts';
import type { Domain } from './domain.ts';
import type { RuleError } from './errors.ts';
import type { RedirectType } from './link.ts';
import { foldSlug } from './slug.ts';

/** A valid link to import. */
export type ImportEntry = {
  /** The place in the request, from 0. */
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

/** The result of one entry. */
export type EntryResult = Created | Failure;

/** The results of the entries, by their places in the request. */
export type EntryResults = Record<number, EntryResult>;

/**
 * The recorded result of an import. Together with the request's body, it yields the response. The field names must not
 * change: records are kept for a day, and a repetition reads them.
 */
export type ImportResult = { readonly domain: Domain; readonly createdAt: string; readonly outcomes: EntryResults };

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

/** The failure of an entry whose destination is refused. */
export const urlRefused = ({ code, message }: RuleError): Failure => ({ code, message: `/url ${message}` });

/**
 * The entries that fail before anything is written: those with a refused host, and those with the custom slug of an
 * earlier valid entry.
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

/** The settings of the link that an entry describes. */
export const importedSettings = ({ url, title, redirectType }: ImportEntry) => ({
  url,
  ...(title !== undefined && { title }),
  ...(redirectType !== undefined && { redirectType }),
});
