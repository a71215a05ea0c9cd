import { fingerprintInId } from '../../domain/api-key.ts';
import { locationInId } from '../../domain/ids.ts';
import type { Item } from './client.ts';
import { text } from './fields.ts';

/**
 * The chart of the table.
 *
 * | item                       | pk              | sk                            | gsi1pk                 | gsi1sk                  |
 * |----------------------------|-----------------|-------------------------------|------------------------|-------------------------|
 * | workspace                  | WORKSPACE#<id>  | WORKSPACE                     |                        |                         |
 * | tag                        | WORKSPACE#<id>  | TAG#<tagId>                   |                        |                         |
 * | tag name (unique)          | WORKSPACE#<id>  | TAGNAME#<folded name>         |                        |                         |
 * | bulk limit                 | WORKSPACE#<id>  | LIMIT#bulk                    |                        |                         |
 * | look-ups for framing       | WORKSPACE#<id>  | LIMIT#framing                 |                        |                         |
 * | idempotency record         | WORKSPACE#<id>  | REQUEST#<operation>#<SHA-256> |                        |                         |
 * | domain, claimed only       | WORKSPACE#<id>  | CLAIM#<host>                  |                        |                         |
 * | domain, ownership proven   | DOMAIN#<host>   | DOMAIN                        | WORKSPACE#<id>#DOMAINS | <host>                  |
 * | domain to be looked after  | DOMAIN#<host>   | CHECK                         | DOMAINS                | <host>                  |
 * | API key                    | KEY#<SHA-256>   | KEY                           | WORKSPACE#<id>#KEYS    | <createdAt>#<id>        |
 * | link                       | LINK#<location> | LINK                          | WORKSPACE#<id>#LINKS   | <createdAt>#<id>#<host> |
 * | deleted link (tombstone)   | LINK#<location> | LINK                          |                        |                         |
 * | link's click counter       | LINK#<location> | CLICKS#<linkId>               |                        |                         |
 * | click                      | CLICK#<random>  | CLICK                         |                        |                         |
 * | wrong passwords of late    | LINK#<location> | ATTEMPTS#<linkId>#<visitor>   |                        |                         |
 * | tag-link pair              | TAG#<tagId>     | LINK#<createdAt>#<linkId>     |                        |                         |
 * | sweep of a deleted tag     | TAG#<tagId>     | SWEEP                         | SWEEPS                 | <tagId>                 |
 * | record that cannot be read | FAILURE#<place> | FAILURE                       | FAILURES               | <failedAt>#<seq>        |
 * | blocked destinations       | BLOCKLIST#all   | BLOCKLIST                     |                        |                         |
 * | round of domain checks     | ROUND#domains   | ROUND                         |                        |                         |
 *
 * `gsi1` has keys only. `ttl`, in seconds, is when an item may be thrown away; nothing relies on it.
 */
export type Key = { readonly pk: string; readonly sk: string };

/** The key of an item, without its other attributes. */
export const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

/** The key of an item that was read. */
export const toKey = (item: Item): Key => ({ pk: text(item, 'pk'), sk: text(item, 'sk') });

const workspacePk = (workspaceId: string) => `WORKSPACE#${workspaceId}`;
const tagPk = (tagId: string) => `TAG#${tagId}`;

export const workspaceKey = (workspaceId: string): Key => ({ pk: workspacePk(workspaceId), sk: 'WORKSPACE' });

export const tagKey = (workspaceId: string, tagId: string): Key => ({ pk: workspacePk(workspaceId), sk: `TAG#${tagId}` });

export const tagNameKey = (workspaceId: string, foldedName: string): Key => ({
  pk: workspacePk(workspaceId),
  sk: `TAGNAME#${foldedName}`,
});

export const limitKey = (workspaceId: string): Key => ({ pk: workspacePk(workspaceId), sk: 'LIMIT#bulk' });

export const framingLimitKey = (workspaceId: string): Key => ({ pk: workspacePk(workspaceId), sk: 'LIMIT#framing' });

export const requestKey = (workspaceId: string, operation: string, keyHash: string): Key => ({
  pk: workspacePk(workspaceId),
  sk: `REQUEST#${operation}#${keyHash}`,
});

export const claimKey = (workspaceId: string, host: string): Key => ({ pk: workspacePk(workspaceId), sk: `CLAIM#${host}` });

export const domainKey = (host: string): Key => ({ pk: `DOMAIN#${host}`, sk: 'DOMAIN' });

export const domainCheckKey = (host: string): Key => ({ pk: `DOMAIN#${host}`, sk: 'CHECK' });

export const apiKeyKey = (fingerprint: string): Key => ({ pk: `KEY#${fingerprint}`, sk: 'KEY' });

/** @throws Error if the text isn't the id of an API key */
export const apiKeyKeyOf = (id: string): Key => apiKeyKey(partOf(id, fingerprintInId, 'an API key'));

const linkPk = (location: string) => `LINK#${location}`;
const linkPkOf = (linkId: string) => linkPk(partOf(linkId, locationInId, 'a link'));

/** The key of a link or tombstone at a location. */
export const linkKey = (location: string): Key => ({ pk: linkPk(location), sk: 'LINK' });

/**
 * The key of a link by its id. Check ids from clients with `locationInId` first.
 *
 * @throws Error if the text isn't a link id, as do the keys of clicks and attempts: the key would not belong to any
 *   link
 */
export const linkKeyOf = (linkId: string): Key => ({ pk: linkPkOf(linkId), sk: 'LINK' });

export const clicksKey = (linkId: string): Key => ({ pk: linkPkOf(linkId), sk: `CLICKS#${linkId}` });

export const clickKey = (id: string): Key => ({ pk: `CLICK#${id}`, sk: 'CLICK' });

export const attemptsKey = (linkId: string, visitor: string): Key => ({
  pk: linkPkOf(linkId),
  sk: `ATTEMPTS#${linkId}#${visitor}`,
});

export const pairKey = (tagId: string, link: { readonly createdAt: string; readonly id: string }): Key => ({
  pk: tagPk(tagId),
  sk: `LINK#${link.createdAt}#${link.id}`,
});

export const sweepKey = (tagId: string): Key => ({ pk: tagPk(tagId), sk: 'SWEEP' });

/** The key of a stream record that a function put aside. A record that is delivered again has the same key. */
export const failureKey = (reader: string, shardId: string, sequenceNumber: string): Key => ({
  pk: `FAILURE#${reader}#${shardId}#${sequenceNumber}`,
  sk: 'FAILURE',
});

/** All blocked destinations are in one item, so that a visit needs one read for them, and most visits none. */
export const blocklistKey: Key = { pk: 'BLOCKLIST#all', sk: 'BLOCKLIST' };

/** The progress of the checks of all domains. */
export const checkRoundKey: Key = { pk: 'ROUND#domains', sk: 'ROUND' };

/** The part of an id that its key needs. @throws Error if the id has the wrong shape */
function partOf(id: string, read: (id: string) => string | undefined, thing: string): string {
  const part = read(id);
  if (part === undefined) throw new Error(`a text that isn't the id of ${thing} cannot be a key`);
  return part;
}

/** The tag that a sweep's partition key names. */
export const tagOfSweep = (pk: string): string => pk.slice(tagPk('').length);

/** Partitions and sort key prefixes for `query`. */
export const tagsOf = (workspaceId: string) => ({ pk: workspacePk(workspaceId), skPrefix: 'TAG#' });
export const claimsOf = (workspaceId: string) => ({ pk: workspacePk(workspaceId), skPrefix: 'CLAIM#' });
export const pairsOf = (tagId: string) => ({ pk: tagPk(tagId), skPrefix: 'LINK#' });

/** A link's position in the list of its workspace. It includes the domain, so that a filter by domain needs no read. */
export const linkPosition = ({ createdAt, id, domain }: { createdAt: string; id: string; domain: string }): string =>
  `${createdAt}#${id}#${domain}`;

/** The parts of a position. A pair's position has no host. */
export function linkAt(position: string) {
  const [createdAt = '', id = '', host] = position.split('#');
  return { createdAt, id, host };
}

/** A pair's position in the list of its tag. */
export const pairAt = (sk: string): string => sk.slice('LINK#'.length);

/** Partitions of `gsi1`, and an item's place in one. */
export const domainsIndex = (workspaceId: string) => `${workspacePk(workspaceId)}#DOMAINS`;
export const apiKeysIndex = (workspaceId: string) => `${workspacePk(workspaceId)}#KEYS`;
export const linksIndex = (workspaceId: string) => `${workspacePk(workspaceId)}#LINKS`;
export const domainChecksIndex = 'DOMAINS';
export const sweepsIndex = 'SWEEPS';
export const failuresIndex = 'FAILURES';

export const indexed = (gsi1pk: string, gsi1sk: string) => ({ gsi1pk, gsi1sk });
