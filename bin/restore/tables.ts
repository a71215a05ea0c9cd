import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { DataTable } from '../../lambdas/store/table/tables.ts';
import type { RestoredTable } from '../../lib/stages/settings.ts';
import { type Stage, tagsOf } from '../../lib/stages/stages.ts';
import { expiryAttribute, indexName, streamViews } from '../../lib/tables.ts';

// Restores both tables of a stage. Every step first checks whether it is already done, so after an interruption the
// operator runs the same command again.

type Names = Readonly<Record<DataTable, string>>;

/** What the steps share. */
export type Restoring = {
  readonly client: DynamoDBClient;
  readonly stage: Stage;
  /** Tells the operator what is going on. */
  readonly report: (line: string) => void;
  /** Milliseconds between two looks at a table that is not ready. The default is 15 seconds. */
  readonly pollMs?: number;
};

const tables = ['Links', 'Activity'] as const satisfies readonly DataTable[];

/** Does the same for both tables at once. */
const forBoth = async <T>(work: (table: DataTable) => Promise<T>): Promise<Readonly<Record<DataTable, T>>> => {
  // Both end before an error is reported, so that nothing continues afterwards.
  const [links, activity] = await Promise.allSettled(tables.map(work));
  if (links?.status !== 'fulfilled') throw links?.reason;
  if (activity?.status !== 'fulfilled') throw activity?.reason;
  return { Links: links.value, Activity: activity.value };
};

/** The name of a restored table: the same at each attempt. */
export const restoredName = ({ name }: Stage, table: DataTable, at: Date): string =>
  `Links-${name}-${table}-${at.toISOString().replace(/\.\d+|[-:]/g, '')}`;

/**
 * Makes new tables with the content of both tables at the same second, and waits for them. They lack what
 * `prepareTables` sets.
 *
 * @param sources the stage's current tables.
 * @param at a whole second.
 * @returns their names.
 * @throws Error with one line for the operator, before anything is made, if one of the tables cannot be restored to
 * that time.
 */
export async function restoreTables(restoring: Restoring, sources: Names, at: Date): Promise<Names> {
  const targets = await forBoth(async (table) => restoredName(restoring.stage, table, at));
  const existing = await forBoth((table) => describe(restoring, targets[table]));
  const missing = tables.filter((table) => !existing[table]);
  for (const table of missing) await requireBackup(restoring, table, sources[table], at);
  for (const table of tables) refuseOthers(existing[table], targets[table], sources[table], at);
  for (const table of missing) {
    await begin(restoring, sources[table], targets[table], at);
    restoring.report(`restoring ${table} as ${targets[table]}`);
  }
  await forBoth((table) => whenActive(restoring, targets[table]));
  return targets;
}

/**
 * Gives restored tables what DynamoDB does not restore: stream, expiry of items, backups, protection against deletion,
 * and tags. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableToPointInTime.html
 *
 * @param names the tables, which may also come from AWS Backup.
 * @returns the setting that makes the stage use them.
 * @throws Error with one line for the operator, before anything is changed, if one of them cannot be the stage's table.
 */
export async function prepareTables(restoring: Restoring, names: Names): Promise<Readonly<Record<DataTable, RestoredTable>>> {
  if (names.Links === names.Activity) throw new Error(`${names.Links} cannot be both tables`);
  const found = await forBoth((table) => whenActive(restoring, names[table]));
  for (const table of tables) requireForm(found[table], streamViews[table]);
  return forBoth((table) => prepare(restoring, table, names[table]));
}

async function prepare(restoring: Restoring, table: DataTable, name: string): Promise<RestoredTable> {
  const { client, stage, report } = restoring;
  const { keepData, backUpActivity } = stage.settings;
  const isBackedUp = table === 'Links' ? keepData : backUpActivity;
  const update = async (what: string, input: Omit<UpdateTableCommand['input'], 'TableName'>) => {
    await client.send(new UpdateTableCommand({ TableName: name, ...input }));
    report(`${name} has ${what}`);
    return whenActive(restoring, name);
  };

  let described = await whenActive(restoring, name);
  // Expiry comes before the stream: the stream's readers already know of the items that expire in between.
  if (!(await hasExpiry(client, name))) {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: expiryAttribute };
    await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
    report(`${name} has expiry`);
  }
  if (!described.StreamSpecification?.StreamEnabled) {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: streamViews[table] };
    described = await update('a stream', { StreamSpecification });
  }
  if (keepData && !described.DeletionProtectionEnabled) {
    described = await update('protection against deletion', { DeletionProtectionEnabled: true });
  }
  if (isBackedUp && !(await isRestorable(client, name))) {
    await backUp(restoring, name);
    report(`${name} has backups`);
  }
  const Tags = Object.entries(tagsOf(stage.name)).map(([Key, Value]) => ({ Key, Value }));
  await client.send(new TagResourceCommand({ ResourceArn: described.TableArn, Tags }));
  if (!described.LatestStreamArn) throw new Error(`${name} has no stream: start the same command again`);
  return { name, streamArn: described.LatestStreamArn };
}

/** A table's description; undefined if there is no such table. */
async function describe({ client }: Restoring, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (nameOf(error) === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/** Waits until a table and its index can be used. */
async function whenActive(restoring: Restoring, name: string): Promise<TableDescription> {
  for (let looks = 0; ; looks++) {
    const table = await describe(restoring, name);
    if (!table) throw new Error(`there is no table ${name}`);
    const indexes = table.GlobalSecondaryIndexes ?? [];
    const isReady =
      table.TableStatus === 'ACTIVE' &&
      !table.RestoreSummary?.RestoreInProgress &&
      indexes.every(({ IndexStatus }) => IndexStatus === undefined || IndexStatus === 'ACTIVE');
    if (isReady) return table;
    if (!['CREATING', 'UPDATING', 'ACTIVE'].includes(table.TableStatus ?? '')) {
      throw new Error(`the table ${name} is ${table.TableStatus}`);
    }
    if (looks === 0) restoring.report(`waiting for ${name}, which may take hours. If this is interrupted, start it again`);
    await sleep(restoring.pollMs ?? 15_000);
  }
}

/** @throws Error if a table cannot be restored to that time. */
async function requireBackup({ client }: Restoring, table: DataTable, source: string, at: Date): Promise<void> {
  const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName: source }));
  const { PointInTimeRecoveryStatus, EarliestRestorableDateTime, LatestRestorableDateTime } =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  if (PointInTimeRecoveryStatus !== 'ENABLED' || !EarliestRestorableDateTime || !LatestRestorableDateTime) {
    throw new Error(`${table} (${source}) has no backups to restore: see keepData and backUpActivity in docs/deploy.md`);
  }
  // Whole seconds, like the time.
  const [earliest, latest] = [EarliestRestorableDateTime, LatestRestorableDateTime].map(
    (time) => new Date(Math.floor(time.getTime() / 1_000) * 1_000),
  ) as [Date, Date];
  if (at < earliest || at > latest) {
    throw new Error(`${table} can be restored to a time from ${earliest.toISOString()} to ${latest.toISOString()}`);
  }
}

/**
 * AWS says from what a restored table was made. If it does not, the name is enough, which contains the stage and the
 * time.
 *
 * @throws Error if there is a table with the name that is not what this restoration makes.
 */
function refuseOthers(existing: TableDescription | undefined, target: string, source: string, at: Date): void {
  if (!existing?.RestoreSummary) return;
  const { SourceTableArn, RestoreDateTime } = existing.RestoreSummary;
  if (SourceTableArn?.endsWith(`:table/${source}`) && RestoreDateTime?.getTime() === at.getTime()) return;
  throw new Error(`there is a table ${target} that is not ${source} as it was at ${at.toISOString()}`);
}

async function begin({ client }: Restoring, source: string, target: string, at: Date): Promise<void> {
  const input = { SourceTableName: source, TargetTableName: target, RestoreDateTime: at };
  try {
    await client.send(new RestoreTableToPointInTimeCommand(input));
  } catch (error) {
    // The SDK retried the request, because the first response was lost.
    if (nameOf(error) !== 'TableAlreadyExistsException') throw error;
  }
}

/** @throws Error if a table's keys, index or stream view are not what the service needs. */
function requireForm(
  { TableName, KeySchema, GlobalSecondaryIndexes, StreamSpecification }: TableDescription,
  view: string,
): void {
  const keysOf = (schema: TableDescription['KeySchema'] = []) =>
    schema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).sort();
  const index = GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === indexName);
  if (
    String(keysOf(KeySchema)) !== 'HASH pk,RANGE sk' ||
    String(keysOf(index?.KeySchema)) !== `HASH ${indexName}pk,RANGE ${indexName}sk`
  ) {
    throw new Error(`${TableName} has other keys than the tables of the service, or no index ${indexName}`);
  }
  if (StreamSpecification?.StreamEnabled && StreamSpecification.StreamViewType !== view) {
    throw new Error(`the stream of ${TableName} must have ${view}, not ${StreamSpecification.StreamViewType}: turn it off`);
  }
}

async function hasExpiry(client: DynamoDBClient, name: string): Promise<boolean> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
  return ['ENABLED', 'ENABLING'].includes(TimeToLiveDescription?.TimeToLiveStatus ?? '');
}

async function isRestorable(client: DynamoDBClient, name: string): Promise<boolean> {
  const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName: name }));
  return ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED';
}

/** Turns backups on. Right after a table was made, DynamoDB may say that it isn't ready for that. */
async function backUp({ client, pollMs = 15_000 }: Restoring, name: string): Promise<void> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  for (;;) {
    try {
      await client.send(new UpdateContinuousBackupsCommand({ TableName: name, PointInTimeRecoverySpecification }));
      return;
    } catch (error) {
      if (nameOf(error) !== 'ContinuousBackupsUnavailableException') throw error;
      await sleep(pollMs);
    }
  }
}

const nameOf = (error: unknown): string => (error as Error).name;

/** The setting as it is written in the file of a stage. */
export const asSetting = ({ Links, Activity }: Readonly<Record<DataTable, RestoredTable>>): string =>
  `"restoredTables": ${JSON.stringify({ Links, Activity }, null, 2)}`;
