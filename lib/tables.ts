import type { Table } from '../lambdas/store/table/tables.ts';

// What a table needs besides its keys, for the stack that makes the tables and for the command that restores them.

/** The attribute by which items expire: seconds since 1970. */
export const expiryAttribute = 'ttl';

/** The index that each table has. Its keys are the attributes `gsi1pk` and `gsi1sk`. */
export const indexName = 'gsi1';

/**
 * What the records of each table's stream hold.
 *
 * The readers of Links compare what an item was with what it is. Those of Activity need what was written, and never what
 * was there before. Another type would be a new stream with another ARN, and CloudFormation refuses to change an ARN that
 * a deployed stack imports:
 * https://docs.amazonaws.cn/AWSCloudFormation/latest/UserGuide/aws-properties-dynamodb-streamspecification.html
 */
export const streamViews = { Links: 'NEW_AND_OLD_IMAGES', Activity: 'NEW_IMAGE' } as const satisfies Readonly<
  Record<Table, string>
>;

/**
 * How many days AWS Backup keeps a backup: in the stage's region, where the tables have recovery of their own, and in the
 * other one. A backup is a whole one each time, and paid by its size.
 */
export const backupDays = { here: 2, copies: 14 } as const;
