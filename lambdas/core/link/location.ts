import { hash } from 'node:crypto';
import { randomBase62, toBase62 } from '../base62.ts';
import { foldSlug } from './slug.ts';

const linkId = /^lnk_([0-9A-Za-z]{22})[0-9A-Za-z]{6}$/;

/**
 * Where a link is stored in the table: 22 base62 characters of the SHA-256 of its domain id and lower-case slug. It can
 * be computed from an address and is part of the link's id, so either finds the link with one read.
 */
export const locationOf = (domainId: string, slug: string): string =>
  toBase62(hash('sha256', `${domainId}/${foldSlug(slug)}`).slice(0, 32), 22);

/** The location in a link's id; undefined if the text isn't a link id. */
export const locationInId = (id: string): string | undefined => linkId.exec(id)?.[1];

/**
 * A new id for a link at a location. 6 random characters distinguish it from all links that were or will be there. Each
 * attempt to create a link has a new id, so a deleted link's id is not reused.
 */
export const newLinkId = (location: string): string => `lnk_${location}${randomBase62(6)}`;
