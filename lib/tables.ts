import type { DataTable } from '../lambdas/store/table/tables.ts';

// Properties of the tables, shared by the stack that makes them and the command that restores them.

/** The attribute with the time at which an item expires, in seconds since 1970. */
export const expiryAttribute = 'ttl';

/** The index of each table. Its keys are the attributes `gsi1pk` and `gsi1sk`. */
export const indexName = 'gsi1';

/**
 * What the records of each table's stream contain.
 *
 * The readers of Links compare an item before and after its change. The readers of Activity only need the item that was
 * written. Another type would create a new stream with another ARN, and CloudFormation refuses to change an ARN that a
 * deployed stack imports:
 * https://docs.amazonaws.cn/AWSCloudFormation/latest/UserGuide/aws-properties-dynamodb-streamspecification.html
 */
export const streamViews = { Links: 'NEW_AND_OLD_IMAGES', Activity: 'NEW_IMAGE' } as const satisfies Readonly<
  Record<DataTable, string>
>;

/**
 * How many days AWS Backup keeps a backup: in the stage's own region, where the tables can also be restored to a point
 * in time, and in the other region. Every backup is a full one, billed by its size.
 */
export const backupDays = { here: 2, copies: 14 } as const;
