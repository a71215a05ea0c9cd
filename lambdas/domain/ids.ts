import { createHash, randomUUID } from 'node:crypto';
import { randomBase62, toBase62 } from './base62.ts';
import { foldSlug } from './slug.ts';

export const newWorkspaceId = (): string => `ws_${randomBase62(16)}`;
export const newTagId = (): string => `tag_${randomBase62(16)}`;
/** Each proof of ownership gives a domain a fresh one, so that a domain that changed hands starts empty. */
export const newDomainId = (): string => `dom_${randomBase62(16)}`;
/** What a domain's TXT record says: nobody can guess what another workspace was asked to set. */
export const newClaimToken = (): string => randomBase62(32);
/** Names a request that creates links, in the marks of what it creates. */
export const newRequestId = (): string => `req_${randomBase62(16)}`;
export const newClickId = (): string => randomBase62(22);
/** What a change of a link is known by, if its answer is lost. */
export const newChangeMark = (): string => randomBase62(7);
/** The secret from which the slugs that a request makes follow. */
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
 * A new id for a link at a location: 6 random characters tell it from every other link that has been or will be there.
 * No two attempts to create a link share an id, so a deleted link's id never comes back.
 */
export const newLinkId = (location: string): string => `lnk_${location}${randomBase62(6)}`;
