import { setting } from '../../runtime/settings.ts';

/** The tables that every stage has. Links holds what people set, Activity what happened. */
export type DataTable = 'Links' | 'Activity';

/** All tables. Secrets holds what must be in no backup, and is there only if the stage needs it. */
export type Table = DataTable | 'Secrets';

/** The setting that names each table. */
export const tableSettings = {
  Links: 'TABLE_NAME',
  Activity: 'ACTIVITY_TABLE_NAME',
  Secrets: 'SECRETS_TABLE_NAME',
} as const satisfies Record<Table, string>;

/**
 * Each kind of partition, by what its keys begin with up to the first `#`: the table that it is in, and which items are in it,
 * with their keys as `pk`, `sk`, and `gsi1pk`, `gsi1sk` if they are in the index. A kind belongs to one table, so that a key
 * says where its item is, and a policy's pattern of keys says which table it is about. `keys.ts` makes the keys.
 *
 * `gsi1`, the index of Links and of Activity, has keys only. `ttl`, in seconds, is when an item may be thrown away; nothing
 * relies on it.
 */
const tables = {
  // attempts to sign in of an address: ADDRESS#<24 bits of its SHA-256>, LIMIT#<name>
  ADDRESS: 'Links',
  // wrong passwords of late: ATTEMPTS#<linkId>#<visitor>, ATTEMPTS
  ATTEMPTS: 'Links',
  // blocked destinations: BLOCKLIST#all, BLOCKLIST
  // copy of their names: BLOCKLIST#<0–15>, BLOCKLIST
  // shard of a list of harmful hosts: BLOCKLIST#listed#<0–255>, BLOCKLIST
  BLOCKLIST: 'Links',
  // use of a link's cap: CAP#<linkId>, CAP
  CAP: 'Links',
  // certificate and name of a domain: CERTIFICATE#<host>, CERTIFICATE; CERTIFICATES, <host>
  CERTIFICATE: 'Links',
  // certificate that is on its way: CERTIFICATES#pending, HOST#<host>
  // schedule that looks after those: CERTIFICATES#schedule, SCHEDULE
  // a workspace's limits of those: CERTIFICATES#<workspaceId>, LIMIT#<name>
  CERTIFICATES: 'Links',
  // click: CLICK#<linkId>#<0–15>, <at>#<id>
  CLICK: 'Activity',
  // link's click counter: COUNT#<linkId>, COUNT
  // deleted link's counter (tombstone): COUNT#<linkId>, COUNT
  COUNT: 'Activity',
  // secret of a day: DAYSECRET#<day>, DAYSECRET
  DAYSECRET: 'Secrets',
  // delivery of a webhook: DELIVERY#<id>, DELIVERY; DELIVERIES#<workspaceId>#<0–7>, <createdAt>#<id>
  DELIVERY: 'Activity',
  // domain, ownership proven: DOMAIN#<host>, DOMAIN; WORKSPACE#<id>#DOMAINS, <host>
  // file of a domain: DOMAIN#<host>, FILE#<name>
  // domain to be looked after: DOMAIN#<host>, CHECK; DOMAINS, <host>
  DOMAIN: 'Links',
  // receiver that is due: DUE#<0–7>, RECEIVER#<workspaceId>#<URL>
  // schedule of the senders: DUE#schedule, SCHEDULE
  DUE: 'Activity',
  // note of a link's erased clicks: ERASED#<workspaceId>, LINK#<linkId>; ERASURES, <due>#<first or again>
  // note of a workspace that is gone: ERASED#<workspaceId>, WORKSPACE; ERASURES, <due>#<first or again>
  ERASED: 'Activity',
  // sweep of erased clicks: ERASURE#<linkId>, SWEEP; SWEEPS, <linkId>
  ERASURE: 'Links',
  // external id of a link (unique): EXTERNAL#<workspaceId>#<externalId>, EXTERNAL
  EXTERNAL: 'Links',
  // records and clicks put aside: FAILURE#<place>, FAILURE; FAILURES, <failedAt>#<seq>
  FAILURE: 'Links',
  // history entry: HISTORY#<subjectId>, <label><sequence number>; HISTORY#<workspaceId>#<0–7>, <at>#<seq>#<actor>
  HISTORY: 'Activity',
  // person's identity at a provider: IDENTITY#<hash>, IDENTITY; PEOPLE, <personId>
  IDENTITY: 'Links',
  // API key: KEY#<SHA-256>, KEY; WORKSPACE#<id>#KEYS, <createdAt>#<id>
  // API key of a sign-in: KEY#<SHA-256>, KEY; WORKSPACE#<id>#SIGNINKEYS, <createdAt>#<id>
  KEY: 'Links',
  // link: LINK#<location>, LINK; WORKSPACE#<id>#LINKS, <createdAt>#<id>#<host>
  // archived link: LINK#<location>, LINK; WORKSPACE#<id>#ARCHIVED, <createdAt>#<id>#<host>
  // deleted link (tombstone): LINK#<location>, LINK
  // alias of a link: LINK#<location of the alias>, LINK
  LINK: 'Links',
  // logout token that was used: LOGOUT#<hash>, LOGOUT
  LOGOUT: 'Links',
  // key that a member made: MADE#<memberId>, KEY#<keyId>
  // sweep of those keys: MADE#<memberId>, SWEEP; SWEEPS, <memberId>
  MADE: 'Links',
  // member: MEMBERS#<workspaceId>, MEMBER#<memberId>
  // roster: what counts members: MEMBERS#<workspaceId>, ROSTER
  MEMBERS: 'Links',
  // membership of a person: MEMBERSHIPS#<personId>, WORKSPACE#<workspaceId>
  MEMBERSHIPS: 'Links',
  // person: PERSON#<personId>, PERSON
  PERSON: 'Links',
  // receiver of webhooks: RECEIVER#<workspaceId>#<URL>, RECEIVER
  // entry of a receiver's queue: RECEIVER#<workspaceId>#<URL>, QUEUE#<at>#<deliveryId>
  // request for a sender: RECEIVER#<workspaceId>#<URL>, WAKE#<id>
  // calls to a host of receivers: RECEIVER#<workspaceId>#<host>, CALLS
  RECEIVER: 'Activity',
  // report of a link for the operator: REPORT#<id>, REPORT; REPORTS#<open or closed>, <createdAt>#<id>
  // links reported on a day: REPORT#<domainId>#<day>, DAY
  REPORT: 'Links',
  // reports from an address: REPORTER#<hash>, LIMIT
  REPORTER: 'Links',
  // round of domain checks: ROUND#domains, ROUND
  // round of merging clicks: ROUND#clicks, ROUND
  ROUND: 'Links',
  // lease on sealing a tail: SEALING#<workspaceId>, LEASE
  // schedule of sealing: SEALING#schedule, SCHEDULE
  SEALING: 'Activity',
  // secrets of a webhook: SECRET#<workspaceId>, WEBHOOK#<webhookId>
  // secrets of links' webhooks: SECRET#<workspaceId>, LINKS
  SECRET: 'Links',
  // checkpoint of a shard: SHARD#<shard>, CHECKPOINT
  SHARD: 'Activity',
  // session of the provider: SID#<hash>, SID
  SID: 'Links',
  // sign-in of a person: SIGNIN#<personId>, SIGNIN#<SHA-256>
  // roster: changes with each sign-in: SIGNIN#<personId>, ROSTER
  SIGNIN: 'Links',
  // tag-link pair: TAG#<tagId>, LINK#<createdAt>#<linkId>
  // sweep of a deleted tag: TAG#<tagId>, SWEEP; SWEEPS, <tagId>
  TAG: 'Links',
  // tag: TAGS#<workspaceId>#<0–7>, TAG#<tagId>
  TAGS: 'Links',
  // piece of a workspace's tail: TAIL#<workspaceId>#<0–7>, <shard>#<first>-<last>#<hash>
  TAIL: 'Activity',
  // workspace with a tail: TAILS#<0–7>, WORKSPACE#<workspaceId>
  TAILS: 'Activity',
  // workspace: WORKSPACE#<id>, WORKSPACE; WORKSPACES, <createdAt>#<id>
  // tag name (unique): WORKSPACE#<id>, TAGNAME#<folded name>
  // webhook: WORKSPACE#<id>, WEBHOOK#<webhookId>
  // exact limit of requests: WORKSPACE#<id>, LIMIT#<name>
  // look-ups for framing: WORKSPACE#<id>, LIMIT#framing
  // idempotency record: WORKSPACE#<id>, REQUEST#<operation>#<SHA-256>
  // domain, claimed only: WORKSPACE#<id>, CLAIM#<host>
  WORKSPACE: 'Links',
} as const satisfies Record<string, Table>;

export type Prefix = keyof typeof tables;

/** A partition's key, or a pattern of such keys. */
export type PartitionKey = `${Prefix}#${string}`;

const byPrefix: ReadonlyMap<string, Table> = new Map(Object.entries(tables));

/**
 * The table of a partition.
 *
 * @param pk its key, or a pattern of such keys with their whole prefix, as in `LINK#*`.
 * @throws Error if no table has partitions of that kind
 */
export function tableOf(pk: string): Table {
  const [prefix = ''] = pk.split('#', 1);
  const table = byPrefix.get(prefix);
  if (!table) throw new Error(`no table has partitions that begin with ${prefix}`);
  return table;
}

/** The name of the table that has an item with this key. */
export const tableNameOf = ({ pk }: { readonly pk: string }): string => setting(tableSettings[tableOf(pk)]);
