import { setting } from '../../runtime/settings.ts';
import type { Key } from './keys.ts';

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
 * The table of each kind of partition, as in the chart in `keys.ts`. A prefix belongs to one table, so that a key says
 * where its item is, and a policy's pattern of keys says which table it is about.
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
  WORKSPACE: 'Links',
} as const satisfies Record<string, Table>;

/** What the partition keys of a kind begin with, up to the first `#`. */
export type Prefix = keyof typeof tables;

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
export const tableNameOf = ({ pk }: Pick<Key, 'pk'>): string => setting(tableSettings[tableOf(pk)]);
