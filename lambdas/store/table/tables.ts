import { setting } from '../../runtime/settings.ts';

/** The tables that every stage has. Links holds what people set, Activity what happened. */
export type DataTable = 'Links' | 'Activity';

/** All tables. Secrets holds what must not be in a backup, and exists only if the stage needs it. */
export type Table = DataTable | 'Secrets';

/** The setting that names each table. */
export const tableSettings = {
  Links: 'TABLE_NAME',
  Activity: 'ACTIVITY_TABLE_NAME',
  Secrets: 'SECRETS_TABLE_NAME',
} as const satisfies Record<Table, string>;

/**
 * All kinds of items, each with its keys as `pk, sk`, and `; gsi1pk, gsi1sk` if it is in the index. Parts in angle
 * brackets differ from item to item. The compiler checks `keys.ts`, and `tables` below, against this list.
 *
 * `gsi1`, the index of Links and of Activity, has keys only. `ttl`, in seconds, is when an item may be deleted; nothing
 * relies on it.
 */
type Items = {
  Links: {
    'sign-in attempts from an address': 'ADDRESS#<24 bits of its SHA-256>, LIMIT#<name>';
    'recent guesses at a password': 'ATTEMPTS#<linkId>#<visitor>, ATTEMPTS';
    'blocked destinations': 'BLOCKLIST#all, BLOCKLIST';
    'copy of the blocked names': 'BLOCKLIST#<0–15>, BLOCKLIST';
    'shard of a list of harmful hosts': 'BLOCKLIST#listed#<0–255>, BLOCKLIST';
    "use of a link's cap": 'CAP#<linkId>, CAP';
    'certificate and name of a domain': 'CERTIFICATE#<host>, CERTIFICATE; CERTIFICATES, <host>';
    'pending certificate': 'CERTIFICATES#pending, HOST#<host>';
    'schedule of pending certificates': 'CERTIFICATES#schedule, SCHEDULE';
    "a workspace's certificate limits": 'CERTIFICATES#<workspaceId>, LIMIT#<name>';
    'domain, ownership proven': 'DOMAIN#<host>, DOMAIN; WORKSPACE#<id>#DOMAINS, <host>';
    'file of a domain': 'DOMAIN#<host>, FILE#<name>';
    'domain to be checked': 'DOMAIN#<host>, CHECK; DOMAINS, <host>';
    'sweep of erased clicks': 'ERASURE#<linkId>, SWEEP; SWEEPS, <linkId>';
    'external id of a link (unique)': 'EXTERNAL#<workspaceId>#<externalId>, EXTERNAL';
    'record or clicks put aside': 'FAILURE#<place>, FAILURE; FAILURES, <failedAt>#<seq>';
    "person's identity at a provider": 'IDENTITY#<hash>, IDENTITY; PEOPLE, <personId>';
    'API key': 'KEY#<SHA-256>, KEY; WORKSPACE#<id>#KEYS, <createdAt>#<id>';
    'API key of a sign-in': 'KEY#<SHA-256>, KEY; WORKSPACE#<id>#SIGNINKEYS, <createdAt>#<id>';
    link: 'LINK#<location>, LINK; WORKSPACE#<id>#LINKS, <createdAt>#<id>#<host>';
    'archived link': 'LINK#<location>, LINK; WORKSPACE#<id>#ARCHIVED, <createdAt>#<id>#<host>';
    'deleted link (tombstone)': 'LINK#<location>, LINK';
    'alias of a link': 'LINK#<location of the alias>, LINK';
    'logout token that was used': 'LOGOUT#<hash>, LOGOUT';
    'key that a member made': 'MADE#<memberId>, KEY#<keyId>';
    'sweep of those keys': 'MADE#<memberId>, SWEEP; SWEEPS, <memberId>';
    member: 'MEMBERS#<workspaceId>, MEMBER#<memberId>';
    'roster of members': 'MEMBERS#<workspaceId>, ROSTER';
    'membership of a person': 'MEMBERSHIPS#<personId>, WORKSPACE#<workspaceId>';
    person: 'PERSON#<personId>, PERSON';
    'report of a link for the operator': 'REPORT#<id>, REPORT; REPORTS#<open or closed>, <createdAt>#<id>';
    'links reported on a day': 'REPORT#<domainId>#<day>, DAY';
    'reports from an address': 'REPORTER#<hash>, LIMIT';
    'round of domain checks': 'ROUND#domains, ROUND';
    'round of merging clicks': 'ROUND#clicks, ROUND';
    'secrets of a webhook': 'SECRET#<workspaceId>, WEBHOOK#<webhookId>';
    "secrets of links' webhooks": 'SECRET#<workspaceId>, LINKS';
    'session of the provider': 'SID#<hash>, SID';
    'sign-in of a person': 'SIGNIN#<personId>, SIGNIN#<SHA-256>';
    'roster of sign-ins': 'SIGNIN#<personId>, ROSTER';
    'tag-link pair': 'TAG#<tagId>, LINK#<createdAt>#<linkId>';
    'sweep of a deleted tag': 'TAG#<tagId>, SWEEP; SWEEPS, <tagId>';
    tag: 'TAGS#<workspaceId>#<0–7>, TAG#<tagId>';
    template: 'TEMPLATES#<workspaceId>, TEMPLATE#<templateId>';
    'template name (unique)': 'TEMPLATES#<workspaceId>, NAME#<folded name>';
    workspace: 'WORKSPACE#<id>, WORKSPACE; WORKSPACES, <createdAt>#<id>';
    'tag name (unique)': 'WORKSPACE#<id>, TAGNAME#<folded name>';
    webhook: 'WORKSPACE#<id>, WEBHOOK#<webhookId>';
    'exact limit on requests': 'WORKSPACE#<id>, LIMIT#<name>';
    'limit on look-ups for framing': 'WORKSPACE#<id>, LIMIT#framing';
    'idempotency record': 'WORKSPACE#<id>, REQUEST#<operation>#<SHA-256>';
    'domain, claimed only': 'WORKSPACE#<id>, CLAIM#<host>';
  };
  Activity: {
    click: 'CLICK#<linkId>#<0–15>, <at>#<id>';
    "link's click counter": 'COUNT#<linkId>, COUNT';
    "deleted link's counter (tombstone)": 'COUNT#<linkId>, COUNT';
    'delivery of a webhook': 'DELIVERY#<id>, DELIVERY; DELIVERIES#<workspaceId>#<0–7>, <createdAt>#<id>';
    'receiver that is due': 'DUE#<0–7>, RECEIVER#<workspaceId>#<URL>';
    'schedule of the senders': 'DUE#schedule, SCHEDULE';
    "note of a link's erased clicks": 'ERASED#<workspaceId>, LINK#<linkId>; ERASURES, <due>#<first or again>';
    'note of a workspace that is gone': 'ERASED#<workspaceId>, WORKSPACE; ERASURES, <due>#<first or again>';
    'history entry': 'HISTORY#<subjectId>, <label><sequence number>; HISTORY#<workspaceId>#<0–7>, <at>#<seq>#<actor>';
    'receiver of webhooks': 'RECEIVER#<workspaceId>#<URL>, RECEIVER';
    "entry of a receiver's queue": 'RECEIVER#<workspaceId>#<URL>, QUEUE#<at>#<deliveryId>';
    'request for a sender': 'RECEIVER#<workspaceId>#<URL>, WAKE#<id>';
    "calls to a receiver's host": 'RECEIVER#<workspaceId>#<host>, CALLS';
    'lease on sealing a tail': 'SEALING#<workspaceId>, LEASE';
    'schedule of sealing': 'SEALING#schedule, SCHEDULE';
    'checkpoint of a shard': 'SHARD#<shard>, CHECKPOINT';
    "piece of a workspace's tail": 'TAIL#<workspaceId>#<0–7>, <shard>#<first>-<last>#<hash>';
    'workspace with a tail': 'TAILS#<0–7>, WORKSPACE#<workspaceId>';
  };
  Secrets: {
    'secret of a day': 'DAYSECRET#<day>, DAYSECRET';
  };
};

type RowsOf<InTable extends Table> = Items[InTable][keyof Items[InTable]];
type Row = { [InTable in Table]: RowsOf<InTable> }[Table];
type PrefixOf<OneRow> = OneRow extends `${infer Start}#${string}` ? Start : never;

/** What the keys of a kind of partition begin with, up to the first `#`. */
export type Prefix = PrefixOf<Row>;

/** A text with anything in place of what differs. */
type Pattern<Text> = Text extends `${infer Fixed}<${string}>${infer Rest}` ? `${Fixed}${string}${Pattern<Rest>}` : Text;
/** A text with anything from what differs on. */
type Beginning<Text> = Text extends `${infer Fixed}<${string}` ? `${Fixed}${string}` : Text;

type PartitionIn<Keys> = Keys extends `${infer Partition}, ${string}` ? Pattern<Partition> : never;
type SortKeyIn<OneRow> = OneRow extends `${string}, ${infer SortKey}; ${string}`
  ? Beginning<SortKey>
  : OneRow extends `${string}, ${infer SortKey}`
    ? Beginning<SortKey>
    : never;
type IndexPartitionIn<OneRow> = OneRow extends `${string}; ${infer Keys}` ? PartitionIn<Keys> : never;

/** A sort key in a kind of partition, or what some begin with. */
export type SortKey<Kind extends Prefix> = SortKeyIn<Row & `${Kind}#${string}`>;

/** A key in a kind of partition. */
export type KeyIn<Kind extends Prefix> = { readonly pk: PartitionIn<Row & `${Kind}#${string}`>; readonly sk: SortKey<Kind> };

/** A partition of an index. */
export type IndexPartition = IndexPartitionIn<Row>;

/**
 * Each kind of partition, and the table that it is in. A kind belongs to one table, so that a key says where its item
 * is, and a policy's pattern of keys says which table it is about.
 */
const tables = {
  ADDRESS: 'Links',
  ATTEMPTS: 'Links',
  BLOCKLIST: 'Links',
  CAP: 'Links',
  CERTIFICATE: 'Links',
  CERTIFICATES: 'Links',
  CLICK: 'Activity',
  COUNT: 'Activity',
  DAYSECRET: 'Secrets',
  DELIVERY: 'Activity',
  DOMAIN: 'Links',
  DUE: 'Activity',
  ERASED: 'Activity',
  ERASURE: 'Links',
  EXTERNAL: 'Links',
  FAILURE: 'Links',
  HISTORY: 'Activity',
  IDENTITY: 'Links',
  KEY: 'Links',
  LINK: 'Links',
  LOGOUT: 'Links',
  MADE: 'Links',
  MEMBERS: 'Links',
  MEMBERSHIPS: 'Links',
  PERSON: 'Links',
  RECEIVER: 'Activity',
  REPORT: 'Links',
  REPORTER: 'Links',
  ROUND: 'Links',
  SEALING: 'Activity',
  SECRET: 'Links',
  SHARD: 'Activity',
  SID: 'Links',
  SIGNIN: 'Links',
  TAG: 'Links',
  TAGS: 'Links',
  TAIL: 'Activity',
  TAILS: 'Activity',
  TEMPLATES: 'Links',
  WORKSPACE: 'Links',
} as const satisfies { [InTable in Table as PrefixOf<RowsOf<InTable>>]: InTable };

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
