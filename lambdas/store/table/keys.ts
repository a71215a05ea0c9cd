import { hash } from 'node:crypto';
import { toBase62 } from '../../core/base62.ts';
import type { DomainFile } from '../../core/domain/domain.ts';
import { fingerprintInId } from '../../core/key/api-key.ts';
import { locationInId } from '../../core/link/location.ts';
import type { Item } from './client.ts';
import { text } from './fields.ts';
import type { IndexPartition, KeyIn, Prefix, SortKey } from './tables.ts';

// All keys that these functions make are in the list of items in `tables.ts`; the compiler checks that.

export type Key = { readonly pk: string; readonly sk: string };

/** Part of a partition, for `query`: sort keys with this beginning, or between these two, both included. */
type Beginning<Kind extends Prefix> = { readonly pk: KeyIn<Kind>['pk']; readonly skPrefix: SortKey<Kind> };
type Range<Kind extends Prefix> = { readonly pk: KeyIn<Kind>['pk']; readonly between: readonly [SortKey<Kind>, SortKey<Kind>] };

/** The key of an item, without its other attributes. */
export const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

/** The key of an item that was read. */
export const toKey = (item: Item): Key => ({ pk: text(item, 'pk'), sk: text(item, 'sk') });

/** What follows the first `#` of a part of a key. */
const behind = (part: string): string => part.slice(part.indexOf('#') + 1);

const workspacePk = (workspaceId: string): KeyIn<'WORKSPACE'>['pk'] => `WORKSPACE#${workspaceId}`;
const tagPk = (tagId: string): KeyIn<'TAG'>['pk'] => `TAG#${tagId}`;

export const workspaceKey = (workspaceId: string): KeyIn<'WORKSPACE'> => ({ pk: workspacePk(workspaceId), sk: 'WORKSPACE' });

/**
 * The number of partitions over which a workspace's tags are spread. Each link that gets or loses a tag takes two units
 * to change the tag's count, and a partition takes 1,000 a second.
 */
const tagPartitions = 8;
const tagsPk = (workspaceId: string, part: number): KeyIn<'TAGS'>['pk'] => `TAGS#${workspaceId}#${part}`;

export const tagKey = (workspaceId: string, tagId: string): KeyIn<'TAGS'> => ({
  pk: tagsPk(workspaceId, sumOf(tagId) % tagPartitions),
  sk: `TAG#${tagId}`,
});

/** The workspace of a tag or a template, whose partitions are named after it. */
export const workspaceOfPart = ({ pk }: Key): string => pk.split('#')[1] ?? '';

export const tagNameKey = (workspaceId: string, foldedName: string): KeyIn<'WORKSPACE'> => ({
  pk: workspacePk(workspaceId),
  sk: `TAGNAME#${foldedName}`,
});

const templatesPk = (workspaceId: string): KeyIn<'TEMPLATES'>['pk'] => `TEMPLATES#${workspaceId}`;
export const templateKey = (workspaceId: string, templateId: string): KeyIn<'TEMPLATES'> => ({
  pk: templatesPk(workspaceId),
  sk: `TEMPLATE#${templateId}`,
});
export const templateNameKey = (workspaceId: string, foldedName: string): KeyIn<'TEMPLATES'> => ({
  pk: templatesPk(workspaceId),
  sk: `NAME#${foldedName}`,
});
export const templatesOf = (workspaceId: string): Beginning<'TEMPLATES'> => ({
  pk: templatesPk(workspaceId),
  skPrefix: 'TEMPLATE#',
});

export const webhookKey = (workspaceId: string, webhookId: string): KeyIn<'WORKSPACE'> => ({
  pk: workspacePk(workspaceId),
  sk: `WEBHOOK#${webhookId}`,
});

const secretsPk = (workspaceId: string): KeyIn<'SECRET'>['pk'] => `SECRET#${workspaceId}`;

/**
 * The secrets of a webhook, or with null those of all links' `webhookUrls`. Not under the workspace's partition key, so
 * that a function that may touch the workspace need not be allowed to read secrets.
 */
export const secretsKey = (workspaceId: string, webhookId: string | null): KeyIn<'SECRET'> => ({
  pk: secretsPk(workspaceId),
  sk: webhookId === null ? 'LINKS' : `WEBHOOK#${webhookId}`,
});

/** Whose secrets are under a key: a webhook's, or with null those of all links' `webhookUrls`. */
export const webhookOfSecrets = ({ sk }: Key): string | null => (sk === 'LINKS' ? null : behind(sk));

/**
 * The limits on requests that the table enforces exactly: on imports, on bulk updates and deletions, and on metadata.
 */
export type LimitName = 'bulk' | 'bulk-changes' | 'metadata';

export const limitKey = (workspaceId: string, name: LimitName): KeyIn<'WORKSPACE'> => ({
  pk: workspacePk(workspaceId),
  sk: `LIMIT#${name}`,
});

export const framingLimitKey = (workspaceId: string): KeyIn<'WORKSPACE'> => ({
  pk: workspacePk(workspaceId),
  sk: 'LIMIT#framing',
});

export const requestKey = (workspaceId: string, operation: string, keyHash: string): KeyIn<'WORKSPACE'> => ({
  pk: workspacePk(workspaceId),
  sk: `REQUEST#${operation}#${keyHash}`,
});

export const claimKey = (workspaceId: string, host: string): KeyIn<'WORKSPACE'> => ({
  pk: workspacePk(workspaceId),
  sk: `CLAIM#${host}`,
});

export const domainKey = (host: string): KeyIn<'DOMAIN'> => ({ pk: `DOMAIN#${host}`, sk: 'DOMAIN' });

export const domainFileKey = (host: string, name: DomainFile): KeyIn<'DOMAIN'> => ({ pk: `DOMAIN#${host}`, sk: `FILE#${name}` });

export const domainCheckKey = (host: string): KeyIn<'DOMAIN'> => ({ pk: `DOMAIN#${host}`, sk: 'CHECK' });

/** The certificate and the custom domain name that the service makes for a host. They may outlive its domain. */
export const certificateKey = (host: string): KeyIn<'CERTIFICATE'> => ({ pk: `CERTIFICATE#${host}`, sk: 'CERTIFICATE' });

const pendingPk: KeyIn<'CERTIFICATES'>['pk'] = 'CERTIFICATES#pending';
/** Says that something may happen soon with a host's certificate. */
export const pendingCertificateKey = (host: string): KeyIn<'CERTIFICATES'> => ({ pk: pendingPk, sk: `HOST#${host}` });
export const pendingCertificates: Beginning<'CERTIFICATES'> = { pk: pendingPk, skPrefix: 'HOST#' };
export const pendingHost = (sk: string): string => behind(sk);

/**
 * The limits on a workspace's certificates and names: which domains have some, and how many certificates it requested.
 */
export const certificateLimitKey = (workspaceId: string, name: 'hosts' | 'requests'): KeyIn<'CERTIFICATES'> => ({
  pk: `CERTIFICATES#${workspaceId}`,
  sk: `LIMIT#${name}`,
});

/** Whether the schedule for pending certificates is on. */
export const certificateScheduleKey: KeyIn<'CERTIFICATES'> = { pk: 'CERTIFICATES#schedule', sk: 'SCHEDULE' };

export const apiKeyKey = (fingerprint: string): KeyIn<'KEY'> => ({ pk: `KEY#${fingerprint}`, sk: 'KEY' });

/** @throws Error if the text isn't the id of an API key */
export const apiKeyKeyOf = (id: string): KeyIn<'KEY'> => apiKeyKey(partOf(id, fingerprintInId, 'an API key'));

/**
 * The members of a workspace, in their own partition, so that what writes the workspace needs no permission to write
 * members.
 */
const membersPk = (workspaceId: string): KeyIn<'MEMBERS'>['pk'] => `MEMBERS#${workspaceId}`;
export const memberKey = (workspaceId: string, memberId: string): KeyIn<'MEMBERS'> => ({
  pk: membersPk(workspaceId),
  sk: `MEMBER#${memberId}`,
});
export const membersOf = (workspaceId: string): Beginning<'MEMBERS'> => ({ pk: membersPk(workspaceId), skPrefix: 'MEMBER#' });

/** Says how many owners a workspace has, and changes with each member that is added. */
export const rosterKey = (workspaceId: string): KeyIn<'MEMBERS'> => ({ pk: membersPk(workspaceId), sk: 'ROSTER' });

const membershipsPk = (personId: string): KeyIn<'MEMBERSHIPS'>['pk'] => `MEMBERSHIPS#${personId}`;
/** Says which member of a workspace a person is, or was. */
export const membershipKey = (personId: string, workspaceId: string): KeyIn<'MEMBERSHIPS'> => ({
  pk: membershipsPk(personId),
  sk: `WORKSPACE#${workspaceId}`,
});
export const membershipsIn = (personId: string): Beginning<'MEMBERSHIPS'> => ({
  pk: membershipsPk(personId),
  skPrefix: 'WORKSPACE#',
});

const signInsPk = (personId: string): KeyIn<'SIGNIN'>['pk'] => `SIGNIN#${personId}`;
/** @param signInId `sgn_`, the 16 random characters of the person's id, and the hash of what proves the sign-in */
export const signInKey = (signInId: string): KeyIn<'SIGNIN'> => ({
  pk: signInsPk(`per_${signInId.slice(4, 20)}`),
  sk: `SIGNIN#${signInId.slice(20)}`,
});
export const signInsOf = (personId: string): Beginning<'SIGNIN'> => ({ pk: signInsPk(personId), skPrefix: 'SIGNIN#' });
/** Changes with each sign-in of a person. */
export const signInRosterKey = (personId: string): KeyIn<'SIGNIN'> => ({ pk: signInsPk(personId), sk: 'ROSTER' });

/**
 * Says whose sign-ins began with a session of the provider, and whether it has ended.
 *
 * @param hash see `providerSessionHash`
 */
export const providerSessionKey = (hash: string): KeyIn<'SID'> => ({ pk: `SID#${hash}`, sk: 'SID' });
/** A logout token of the provider that was used. @param hash see `logoutHash` */
export const logoutKey = (hash: string): KeyIn<'LOGOUT'> => ({ pk: `LOGOUT#${hash}`, sk: 'LOGOUT' });

const madeKeysPk = (memberId: string): KeyIn<'MADE'>['pk'] => `MADE#${memberId}`;
/** Says that a member made an API key, so that it is found when the member is removed. The index could show it late. */
export const madeKeyKey = (memberId: string, keyId: string): KeyIn<'MADE'> => ({ pk: madeKeysPk(memberId), sk: `KEY#${keyId}` });
export const madeKeysOf = (memberId: string): Beginning<'MADE'> => ({ pk: madeKeysPk(memberId), skPrefix: 'KEY#' });
/** The id of the API key that a member made. */
export const madeKeyId = ({ sk }: Key): string => behind(sk);
/** The sweep that revokes the keys that a member made. */
export const madeKeysSweepKey = (memberId: string): KeyIn<'MADE'> => ({ pk: madeKeysPk(memberId), sk: 'SWEEP' });

export const personKey = (personId: string): KeyIn<'PERSON'> => ({ pk: `PERSON#${personId}`, sk: 'PERSON' });

/** Finds a person. @param hash of who they are to their provider, see `identityHash` */
export const identityKey = (hash: string): KeyIn<'IDENTITY'> => ({ pk: `IDENTITY#${hash}`, sk: 'IDENTITY' });
/** The hash that an identity's key has. */
export const identityHashIn = ({ pk }: Key): string => behind(pk);

/** How often people have lately begun or finished signing in from an address. @param name see `addressName` */
export const addressLimitKey = (name: string, step: 'begin' | 'finish'): KeyIn<'ADDRESS'> => ({
  pk: `ADDRESS#${name}`,
  sk: `LIMIT#${step}`,
});

const linkPk = (location: string): KeyIn<'LINK'>['pk'] => `LINK#${location}`;
const linkPkOf = (linkId: string) => linkPk(partOf(linkId, locationInId, 'a link'));

/** The key of a link or tombstone at a location. */
export const linkKey = (location: string): KeyIn<'LINK'> => ({ pk: linkPk(location), sk: 'LINK' });

/**
 * The key of a link by its id. Check ids from clients with `locationInId` first.
 *
 * @throws Error if the text isn't a link id, because the key would not belong to any link. So do the keys of clicks,
 *   caps and attempts.
 */
export const linkKeyOf = (linkId: string): KeyIn<'LINK'> => ({ pk: linkPkOf(linkId), sk: 'LINK' });

/** Says which link of the workspace has an external id. */
export const externalIdKey = (workspaceId: string, externalId: string): KeyIn<'EXTERNAL'> => ({
  pk: `EXTERNAL#${workspaceId}#${externalId}`,
  sk: 'EXTERNAL',
});

export const countKey = (linkId: string): KeyIn<'COUNT'> => ({ pk: `COUNT#${checkedId(linkId)}`, sk: 'COUNT' });

/** The number of partitions over which a link's clicks are spread: each takes 1,000 writes a second. */
const clickPartitions = 16;

/**
 * The key of a click. The partition follows from the id, so that a repeated write finds the same item. A link's clicks
 * are in the 16 partitions of its id, in the order of time.
 *
 * @param click its `at` in ISO 8601, which sorts by time.
 */
export function clickKey({
  linkId,
  at,
  id,
}: {
  readonly linkId: string;
  readonly at: string;
  readonly id: string;
}): KeyIn<'CLICK'> {
  return { pk: `CLICK#${checkedId(linkId)}#${sumOf(id) % clickPartitions}`, sk: clickPosition({ at, id }) };
}

/** A click's position in the list of its link's clicks. */
const clickPosition = ({ at, id }: { readonly at: string; readonly id: string }): string => `${at}#${id}`;

/** The partitions of a link's clicks. */
export const clicksOf = (linkId: string) =>
  Array.from({ length: clickPartitions }, (_, part): KeyIn<'CLICK'>['pk'] => `CLICK#${checkedId(linkId)}#${part}`);

/** The positions of all clicks are between these: times begin with a digit, and the colon follows the nine. */
export const anyTime = ['0', ':'] as const;

/** The id and the time of a click, by its sort key. */
export function clickAt(sk: string) {
  const [at = '', id = ''] = sk.split('#');
  return { at, id };
}

/** Spreads texts over a few numbers. */
const sumOf = (text: string): number => [...text].reduce((total, character) => total + character.charCodeAt(0), 0);

/** The link that a click's partition key names; undefined if it names none. */
export function linkOfClick(pk: string): string | undefined {
  const [prefix, linkId = ''] = pk.split('#');
  return prefix === 'CLICK' && locationInId(linkId) ? linkId : undefined;
}

/** The secret of a day. @param day in UTC, as in `2030-01-31` */
export const daySecretKey = (day: string): KeyIn<'DAYSECRET'> => ({ pk: `DAYSECRET#${day}`, sk: 'DAYSECRET' });

/** How far a shard of the stream is counted everywhere. @param shard the name of its marks, see `marks.ts` */
export const checkpointKey = (shard: string): KeyIn<'SHARD'> => ({ pk: `SHARD#${shard}`, sk: 'CHECKPOINT' });

/**
 * The number of partitions over which a workspace's tail is spread. A shard's pieces are in one of them: it takes 1,000
 * units a second, and a piece of 300 kB 300.
 */
const tailPartitions = 8;
const tailPk = (workspaceId: string, part: number): KeyIn<'TAIL'>['pk'] => `TAIL#${workspaceId}#${part}`;

/**
 * A piece of a workspace's tail: rows of its clicks that a shard of the stream has delivered. Its key has the hash of
 * its content, so that a batch that is delivered again with another end, or is cut elsewhere, never replaces an item.
 *
 * @param shard the name of its marks, see `marks.ts`.
 * @param piece the sequence numbers of its first and last row, and a hash of its content.
 */
export const tailKey = (
  workspaceId: string,
  shard: string,
  { first, last, hash }: { readonly first: string; readonly last: string; readonly hash: string },
): KeyIn<'TAIL'> => ({ pk: tailPk(workspaceId, sumOf(shard) % tailPartitions), sk: `${shard}#${first}-${last}#${hash}` });
/** The hash in the key of a piece of a tail. */
export const tailHash = ({ sk }: Key): string => sk.split('#')[2] ?? '';
/** The partitions of a workspace's tail. */
export const tailOf = (workspaceId: string): KeyIn<'TAIL'>['pk'][] =>
  Array.from({ length: tailPartitions }, (_, part) => tailPk(workspaceId, part));

/** Says that a workspace has a tail. They are in 8 partitions. */
export const tailEntryKey = (workspaceId: string): KeyIn<'TAILS'> => ({
  pk: `TAILS#${sumOf(workspaceId) % tailEntryParts}`,
  sk: `WORKSPACE#${workspaceId}`,
});
const tailEntryParts = 8;
export const tailEntryPartitions: Beginning<'TAILS'>[] = /* @__PURE__ */ Array.from({ length: tailEntryParts }, (_, part) => ({
  pk: `TAILS#${part}`,
  skPrefix: 'WORKSPACE#',
}));
/** Says that a link's clicks of earlier epochs are erased, wherever they are. */
export const erasedNoteKey = (workspaceId: string, linkId: string): KeyIn<'ERASED'> => ({
  pk: `ERASED#${workspaceId}`,
  sk: `LINK#${checkedId(linkId)}`,
});
export const erasedNotesOf = (workspaceId: string): Beginning<'ERASED'> => ({ pk: `ERASED#${workspaceId}`, skPrefix: 'LINK#' });
/** The link that a note is about. */
export const linkOfErasedNote = ({ sk }: Key): string => behind(sk);
/** Says that all clicks of a workspace are erased. */
export const goneNoteKey = (workspaceId: string): KeyIn<'ERASED'> => ({ pk: `ERASED#${workspaceId}`, sk: 'WORKSPACE' });
/** Whether a note is about a whole workspace, not a link. */
export const isGoneNote = ({ sk }: Key): boolean => sk === 'WORKSPACE';
export const workspaceOfNote = ({ pk }: Key): string => behind(pk);

/** The workspace of a tail's entry. */
export const workspaceOfTail = ({ sk }: Key): string => behind(sk);

/**
 * The use of a link's cap: not under the link's own partition key, so that a function can write it without permission
 * to write links.
 */
export const capKey = (linkId: string): KeyIn<'CAP'> => ({ pk: `CAP#${checkedId(linkId)}`, sk: 'CAP' });

/**
 * Not under the link's own partition key, so that the function that writes attempts need not be allowed to write links.
 */
export const attemptsKey = (linkId: string, visitor: string): KeyIn<'ATTEMPTS'> => ({
  pk: `ATTEMPTS#${checkedId(linkId)}#${visitor}`,
  sk: 'ATTEMPTS',
});

export const pairKey = (tagId: string, link: { readonly createdAt: string; readonly id: string }): KeyIn<'TAG'> => ({
  pk: tagPk(tagId),
  sk: `LINK#${link.createdAt}#${link.id}`,
});

export const sweepKey = (tagId: string): KeyIn<'TAG'> => ({ pk: tagPk(tagId), sk: 'SWEEP' });

/** The sweep that removes a link's erased clicks. */
export const erasureKey = (linkId: string): KeyIn<'ERASURE'> => ({ pk: `ERASURE#${checkedId(linkId)}`, sk: 'SWEEP' });

/** The key of a record or message that a function put aside. If it is delivered again, it has the same key. */
export const failureKey = (reader: string, shardId: string, position: string): KeyIn<'FAILURE'> => ({
  pk: `FAILURE#${reader}#${shardId}#${position}`,
  sk: 'FAILURE',
});

/** All blocked destinations, as the operator sees them. */
export const blocklistKey: KeyIn<'BLOCKLIST'> = { pk: 'BLOCKLIST#all', sk: 'BLOCKLIST' };

/**
 * Copies of the names of all blocked destinations. A copy is one item, so that a visit needs one read for it, and most
 * visits none. Reading a full copy takes 26 units, and a partition provides 3,000 a second: if 1,000 functions start at
 * once and each reads one of 16, they take some 1,600 of each.
 */
export const blocklistCopies: readonly KeyIn<'BLOCKLIST'>[] = Array.from({ length: 16 }, (_, copy) => ({
  pk: `BLOCKLIST#${copy}`,
  sk: 'BLOCKLIST',
}));

/** A part of a list of harmful hosts. @param shard see `listed-hosts.ts` */
export const listedKey = (shard: number): KeyIn<'BLOCKLIST'> => ({ pk: `BLOCKLIST#listed#${shard}`, sk: 'BLOCKLIST' });

/** A report of a link to the operator. */
export const reportKey = (id: string): KeyIn<'REPORT'> => ({ pk: `REPORT#${id}`, sk: 'REPORT' });

/** Which links of a domain visitors have reported on a day. */
export const reportedLinksKey = (domainId: string, day: string): KeyIn<'REPORT'> => ({
  pk: `REPORT#${domainId}#${day}`,
  sk: 'DAY',
});

/** How many reports have come from an address. @param name see `reporterName` */
export const reporterKey = (name: string): KeyIn<'REPORTER'> => ({ pk: `REPORTER#${name}`, sk: 'LIMIT' });

/** The progress of the checks of all domains, and of merging the files of all clicks. */
export const checkRoundKey: KeyIn<'ROUND'> = { pk: 'ROUND#domains', sk: 'ROUND' };
export const mergeRoundKey: KeyIn<'ROUND'> = { pk: 'ROUND#clicks', sk: 'ROUND' };

/** A link's id as it is. @throws Error if the text isn't a link id */
const checkedId = (linkId: string): string => partOf(linkId, (id) => locationInId(id) && id, 'a link');

/** The part of an id that its key needs. @throws Error if the id has the wrong shape */
function partOf(id: string, read: (id: string) => string | undefined, thing: string): string {
  const part = read(id);
  if (part === undefined) throw new Error(`a text that isn't the id of ${thing} cannot be a key`);
  return part;
}

/**
 * The key of an entry of a subject's history. The subject is a link, tag, template, key or member by its id, or a
 * domain by its `domainId`, which is new for each owner.
 *
 * @param position in the order of the subject's changes: see `historyPosition`.
 */
export const historyKey = (subjectId: string, position: string): KeyIn<'HISTORY'> => ({
  pk: `HISTORY#${subjectId}`,
  sk: position,
});

/** The positions of all entries are between these: they begin with a digit or the letter D. */
export const anyEntry = ['0', 'Z'] as const;

/**
 * The position of a change: its stream's label, which is a timestamp, to the millisecond in 17 digits
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Stream.html), and the sequence number of
 * its record, which has 40 digits at most and sorts as a number does
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html).
 *
 * Only numbers of one stream say what was first. A restored table has a later stream, and its changes follow all those
 * that were restored.
 *
 * @param streamLabel as in `2030-01-31T12:00:00.000`
 */
export const historyPosition = (streamLabel: string, sequenceNumber: string): string =>
  `${streamLabel.replace(/\D/g, '').slice(0, 17).padEnd(17, '0')}${sequenceNumber.padStart(40, '0')}`;

/** The position of a deletion that has no stream record: after all changes. @param id unique */
export const lastHistoryPosition = (id: string): string => `D${id}`;

/** Whether a text is the position of a change or a deletion. */
export const isHistoryPosition = (text: string): boolean => /^(\d{57}|D[0-9A-Za-z]{16})$/.test(text);

/** What a sweep's partition key names: a tag, the link of an erasure, or a member who made keys. */
export function sweptBy(pk: string): { readonly kind: 'tag' | 'link' | 'member'; readonly id: string } {
  const [prefix, id = ''] = pk.split('#');
  return { kind: prefix === 'MADE' ? 'member' : prefix === 'ERASURE' ? 'link' : 'tag', id };
}

/** The partition of a receiver, which is a URL of a workspace that gets webhooks. */
export type ReceiverPk = KeyIn<'RECEIVER'>['pk'];

/** The partition of a receiver. @param url as it is sent to */
export const receiverPk = (workspaceId: string, url: string): ReceiverPk =>
  `RECEIVER#${workspaceId}#${toBase62(hash('sha256', url).slice(0, 32), 22)}`;

export const receiverKey = (pk: ReceiverPk): KeyIn<'RECEIVER'> => ({ pk, sk: 'RECEIVER' });

/** The limits on a workspace's calls to a host. @param host as `canonicalHost` returns it, which is never a URL */
export const hostCallsKey = (workspaceId: string, host: string): KeyIn<'RECEIVER'> => ({
  pk: receiverPk(workspaceId, host),
  sk: 'CALLS',
});

/** A delivery in the queue of its receiver. The keys sort by time. @param at in ISO 8601 */
export const queuedKey = (pk: ReceiverPk, at: string, deliveryId: string): KeyIn<'RECEIVER'> => ({
  pk,
  sk: `QUEUE#${at}#${deliveryId}`,
});

/** The part of a receiver's queue that is due. @param at in ISO 8601, like `since`, before which entries are ignored */
export const dueUntil = (pk: ReceiverPk, at: string, since = ''): Range<'RECEIVER'> => ({
  pk,
  between: [`QUEUE#${since}`, `QUEUE#${at}~`],
});
export const queueOf = (pk: ReceiverPk): Beginning<'RECEIVER'> => ({ pk, skPrefix: 'QUEUE#' });

/** When a queued delivery is due, and its id. */
export function queuedAt(sk: string) {
  const [, at = '', deliveryId = ''] = sk.split('#');
  return { at, deliveryId };
}

/** A request for a sender: to send one delivery at once, or to look at the queue. */
export const wakeKey = (pk: ReceiverPk, id: string): KeyIn<'RECEIVER'> => ({ pk, sk: `WAKE#${id}` });
export const wakesOf = (pk: ReceiverPk): Beginning<'RECEIVER'> => ({ pk, skPrefix: 'WAKE#' });
/** Whether a sort key of a receiver's partition is that of a request for a sender. */
export const isWake = (sk: string): boolean => sk.startsWith('WAKE#');
/** The id in the key of a request, which is that of the delivery that it is about, if it is about one. */
export const idOfWake = ({ sk }: Key): string => behind(sk);
/** The requests for a delivery to be sent at once. */
export const deliveryWakesOf = (pk: ReceiverPk): Beginning<'RECEIVER'> => ({ pk, skPrefix: 'WAKE#dlv_' });

export const deliveryKey = (id: string): KeyIn<'DELIVERY'> => ({ pk: `DELIVERY#${id}`, sk: 'DELIVERY' });
export const idOfDelivery = ({ pk }: Key): string => behind(pk);

/** A receiver's due entry says when a sender should come for it. They are in 8 partitions. */
export const dueKey = (pk: ReceiverPk): KeyIn<'DUE'> => ({ pk: `DUE#${sumOf(pk) % dueParts}`, sk: pk });
export const duePartitions: Beginning<'DUE'>[] = Array.from({ length: 8 }, (_, part) => ({
  pk: `DUE#${part}`,
  skPrefix: 'RECEIVER#',
}));
const dueParts = duePartitions.length;

/** Whether the schedule of the senders is on. */
export const scheduleKey: KeyIn<'DUE'> = { pk: 'DUE#schedule', sk: 'SCHEDULE' };

/** The lease for sealing the tail of a workspace, or merging its files. */
export const sealingLeaseKey = (workspaceId: string): KeyIn<'SEALING'> => ({ pk: `SEALING#${workspaceId}`, sk: 'LEASE' });

/** Whether the schedule of sealing is on. */
export const sealingScheduleKey: KeyIn<'SEALING'> = { pk: 'SEALING#schedule', sk: 'SCHEDULE' };

/** All of a partition, for `query`: sort keys begin with a letter or a digit. */
export const everythingIn = (pk: string) => ({ pk, between: ['0', '~'] as const });

/** The receivers of a workspace that have something to do. */
export const duesOf = (workspaceId: string): Beginning<'DUE'>[] =>
  duePartitions.map(({ pk }) => ({ pk, skPrefix: `RECEIVER#${workspaceId}#` }));

/** Partitions and sort key prefixes for `query`. */
export const tagsOf = (workspaceId: string): Beginning<'TAGS'>[] =>
  Array.from({ length: tagPartitions }, (_, part) => ({ pk: tagsPk(workspaceId, part), skPrefix: 'TAG#' }));
export const webhooksIn = (workspaceId: string): Beginning<'WORKSPACE'> => ({
  pk: workspacePk(workspaceId),
  skPrefix: 'WEBHOOK#',
});
/** The secrets of all webhooks of a workspace, and of its links' webhooks. */
export const secretsIn = (workspaceId: string): Range<'SECRET'> => ({
  pk: secretsPk(workspaceId),
  between: ['LINKS', 'WEBHOOK#~'],
});
export const claimsOf = (workspaceId: string): Beginning<'WORKSPACE'> => ({ pk: workspacePk(workspaceId), skPrefix: 'CLAIM#' });
export const pairsOf = (tagId: string): Beginning<'TAG'> => ({ pk: tagPk(tagId), skPrefix: 'LINK#' });

/** A link's position in the list of its workspace. It includes the domain, so that a filter by domain needs no read. */
export const linkPosition = ({ createdAt, id, domain }: { createdAt: string; id: string; domain: string }): string =>
  `${createdAt}#${id}#${domain}`;

/** The parts of a position. A pair's position has no host. */
export function linkAt(position: string) {
  const [createdAt = '', id = '', host] = position.split('#');
  return { createdAt, id, host };
}

/** A pair's position in the list of its tag. */
export const pairAt = (sk: string): string => behind(sk);

/** Some of the links of a workspace, and where their list continues. */
export type LinkRange = {
  /** Created from then on, and before then. In ISO 8601. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  /** The position after which the list continues, in its order. */
  readonly after?: string | undefined;
};

/**
 * The first and the last position of a range, both inclusive, in the index as well as among pairs; undefined if nothing
 * can be between them. Times begin with a digit, which the colon follows.
 */
function boundsOf({ createdAfter = '0', createdBefore = ':', order, after }: LinkRange): [string, string] | undefined {
  const from = order === 'asc' && after !== undefined ? laterOf(createdAfter, justAfter(after)) : createdAfter;
  const until = order !== 'asc' && after !== undefined ? earlierOf(createdBefore, justBefore(after)) : createdBefore;
  return from <= until ? [from, until] : undefined;
}

const laterOf = (one: string, other: string) => (one > other ? one : other);
const earlierOf = (one: string, other: string) => (one < other ? one : other);

/** A bound after a link's positions, and before those of the next. Ids have the same length. */
function justAfter(position: string): string {
  const { createdAt, id } = linkAt(position);
  return `${createdAt}#${id}~`;
}

/** A bound before a link's positions, and after those of the link before it. */
function justBefore(position: string): string {
  const { createdAt, id } = linkAt(position);
  const last = String.fromCharCode(id.charCodeAt(id.length - 1) - 1);
  return `${createdAt}#${id.slice(0, -1)}${last}~`;
}

/** A workspace's links in the index, archived or not, for `query`; undefined if the range is empty. */
export function linksWithin(workspaceId: string, isArchived: boolean, range: LinkRange) {
  const between = boundsOf(range);
  return between && { gsi1pk: linksIndex(workspaceId, isArchived), between };
}

/** A tag's pairs, for `query`; undefined if the range is empty. */
export function pairsWithin(tagId: string, range: LinkRange): Range<'TAG'> | undefined {
  const [first, last] = boundsOf(range) ?? [];
  return first === undefined || last === undefined ? undefined : { pk: tagPk(tagId), between: [`LINK#${first}`, `LINK#${last}`] };
}

/** Partitions of `gsi1`, and an item's position in one. */
export const workspacesIndex: IndexPartition = 'WORKSPACES';
export const domainsIndex = (workspaceId: string): IndexPartition => `${workspacePk(workspaceId)}#DOMAINS`;
export const apiKeysIndex = (workspaceId: string): IndexPartition => `${workspacePk(workspaceId)}#KEYS`;
/** The API keys of sign-ins, apart from those that are listed. */
export const signInKeysIndex = (workspaceId: string): IndexPartition => `${workspacePk(workspaceId)}#SIGNINKEYS`;
/** Archived links have their own partition, so that lists without them never read them. */
export const linksIndex = (workspaceId: string, isArchived: boolean): IndexPartition =>
  `${workspacePk(workspaceId)}#${isArchived ? 'ARCHIVED' : 'LINKS'}`;
export const linksIndexes = (workspaceId: string) => [false, true].map((isArchived) => linksIndex(workspaceId, isArchived));
export const domainChecksIndex: IndexPartition = 'DOMAINS';
export const certificatesIndex: IndexPartition = 'CERTIFICATES';
export const sweepsIndex: IndexPartition = 'SWEEPS';
/** Notes of erased clicks that may still be in files. Only Activity has them. */
export const erasuresIndex: IndexPartition = 'ERASURES';
/** Everybody who has signed in. */
export const peopleIndex: IndexPartition = 'PEOPLE';
export const failuresIndex: IndexPartition = 'FAILURES';
export const reportsIndex = (state: 'open' | 'closed'): IndexPartition => `REPORTS#${state}`;

/** The history of a workspace, in 8 partitions. Only Activity has them. */
export const historyIndexes = (workspaceId: string) =>
  Array.from({ length: historyIndexParts }, (_, part): IndexPartition => `HISTORY#${workspaceId}#${part}`);
export const historyIndex = (workspaceId: string, subjectId: string): IndexPartition =>
  `HISTORY#${workspaceId}#${sumOf(subjectId) % historyIndexParts}`;
const historyIndexParts = 8;

/**
 * An entry's position in the history of its workspace. It includes the actor, so that a filter by actor needs no read.
 */
export const historySortKey = (at: string, position: string, actor: string): string => `${at}#${position}#${actor}`;
/** Whether a text is an entry's position in the history of a workspace. */
export function isHistorySortKey(text: string): boolean {
  const [at = '', position = '', actor = '', ...more] = text.split('#');
  const isActor = /^(operator|service|key_[0-9A-Za-z_-]{43}|mbr_[0-9A-Za-z]{16})$/.test(actor);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) && isHistoryPosition(position) && isActor && more.length === 0;
}
/** The actor in a position. */
export const actorAt = (position: string): string => position.split('#')[2] ?? '';

/** The deliveries of a workspace, in 8 partitions of Activity's index, sorted by time. */
export const deliveriesIndexes = (workspaceId: string) =>
  Array.from({ length: deliveriesIndexParts }, (_, part): IndexPartition => `DELIVERIES#${workspaceId}#${part}`);
export const deliveriesIndex = (workspaceId: string, deliveryId: string): IndexPartition =>
  `DELIVERIES#${workspaceId}#${sumOf(deliveryId) % deliveriesIndexParts}`;
const deliveriesIndexParts = 8;

export const indexed = (gsi1pk: IndexPartition, gsi1sk: string) => ({ gsi1pk, gsi1sk });
