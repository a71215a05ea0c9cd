import { createHash, createHmac, randomUUID } from 'node:crypto';
import { base62Digits, pickUniformly, randomBase62, toBase62 } from './base62.ts';
import { foldSlug } from './slug.ts';

export const newWorkspaceId = (): string => `ws_${randomBase62(16)}`;
export const newTagId = (): string => `tag_${randomBase62(16)}`;
/** Each proof of ownership gives a domain a fresh one, so that a domain that changed hands starts empty. */
export const newDomainId = (): string => `dom_${randomBase62(16)}`;
/** What a domain's TXT record says: nobody can guess what another workspace was asked to set. */
export const newClaimToken = (): string => randomBase62(32);
export const newImportId = (): string => `imp_${randomBase62(16)}`;
export const newClickId = (): string => randomBase62(22);
/** The secret from which an import's slugs and ids follow. */
export const newSalt = (): string => randomBase62(32);
/** A `ClientRequestToken` of DynamoDB: 1 to 36 characters. */
export const newRequestToken = (): string => randomUUID();

export const isTagId = (text: string): boolean => /^tag_[0-9A-Za-z]{16}$/.test(text);

const linkId = /^lnk_([0-9A-Za-z]{22})[0-9A-Za-z]{6}$/;

/**
 * Where a link lies in the table: 22 base62 characters of SHA-256 of its domain and folded slug. The redirect computes it
 * from the address, the API takes it from the id, so that either finds the link with one read.
 */
export function locationOf(domainId: string, slug: string): string {
  const hash = createHash('sha256')
    .update(`${domainId}/${foldSlug(slug)}`)
    .digest();
  return toBase62(hash.subarray(0, 16), 22);
}

/** The location that a link's id carries; undefined where the text is no link id. */
export const locationInId = (id: string): string | undefined => linkId.exec(id)?.[1];

/**
 * The id of a link made by an import: its location and 6 characters that follow from the import's salt, different each time
 * an address is given out again, and the same when an import is taken over.
 */
export function makeLinkId(location: string, salt: string, index: number): string {
  let block = 0;
  const suffix = pickUniformly(base62Digits, 6, () =>
    createHmac('sha256', salt).update(`id/${index}/${location}/${block++}`).digest(),
  );
  return `lnk_${location}${suffix}`;
}
