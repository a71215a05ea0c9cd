import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { connect, DynamoDbError } from '../../../local/database/dynamodb.ts';

/** A change of an item, as the engine keeps it in its stream. `id` orders the changes of all tables. */
export type Change = {
  readonly id: number;
  readonly table_name: string;
  readonly event_name: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly keys_json: string;
  readonly new_image: string | null;
};

/** All changes of the tables of an embedded engine since they were made, in order. */
export function changesIn(database: string): Change[] {
  const opened = new DatabaseSync(database, { readOnly: true, timeout: 2_000 });
  try {
    return opened
      .prepare('SELECT id, table_name, event_name, keys_json, new_image FROM _stream_records ORDER BY id')
      .all() as unknown as Change[];
  } finally {
    opened.close();
  }
}

/** The stand-in's data of a table. */
type Backed = { isRestorable: boolean; source?: string; at?: number; looks: number; isReadyForBackups?: true };

const now = () => Math.floor(Date.now() / 1_000);

/**
 * Stands in for the part of DynamoDB that the embedded engine lacks, and passes on everything else: point-in-time recovery.
 * A restored table is a table of the engine, with what the changes up to that point left, and without stream, expiry and
 * tags, as AWS says. It is not ready at once.
 *
 * @param points by time, in seconds since 1970: the last change that a restoration to that time has.
 * @param restorable the tables that have backups.
 */
export async function standInForBackups(
  { endpoint, database }: { readonly endpoint: string; readonly database: string },
  points: ReadonlyMap<number, number>,
  restorable: readonly string[],
) {
  const engine = connect(endpoint);
  const known = new Map<string, Backed>();
  const backed = (name: string): Backed => {
    const here = known.get(name) ?? { isRestorable: restorable.includes(name), looks: 0 };
    known.set(name, here);
    return here;
  };
  /** The names of the calls so far. */
  const calls: string[] = [];
  /** Each call that changes something loses its connection once, before or after it has done so. */
  const losing: { connections: 'none' | 'before' | 'after' } = { connections: 'none' };
  const lost = new Set<string>();

  type Call = { TableName: string; SourceTableName: string; TargetTableName: string; RestoreDateTime: number };
  const own: Readonly<Record<string, (input: Call) => Promise<object>>> = {
    DescribeContinuousBackups: async ({ TableName }) => ({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: backed(TableName).isRestorable
          ? { PointInTimeRecoveryStatus: 'ENABLED', EarliestRestorableDateTime: 1, LatestRestorableDateTime: now() }
          : { PointInTimeRecoveryStatus: 'DISABLED' },
      },
    }),
    UpdateContinuousBackups: async ({ TableName }) => {
      const table = backed(TableName);
      if (table.isReadyForBackups) table.isRestorable = true;
      else {
        table.isReadyForBackups = true;
        throw refusal('ContinuousBackupsUnavailableException', 'retry later');
      }
      return {};
    },
    RestoreTableToPointInTime: async ({ SourceTableName, TargetTableName, RestoreDateTime }) => {
      const last = points.get(RestoreDateTime);
      if (last === undefined) throw refusal('InvalidRestoreTimeException', `no point ${RestoreDateTime}`);
      if (await describe(TargetTableName)) throw refusal('TableAlreadyExistsException', TargetTableName);
      const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = (await describe(SourceTableName)) as Description;
      await engine.call('CreateTable', {
        TableName: TargetTableName,
        KeySchema,
        AttributeDefinitions,
        GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => ({
          IndexName,
          KeySchema,
          Projection,
        })),
        BillingMode: 'PAY_PER_REQUEST',
      });
      for (const Item of itemsAt(SourceTableName, last)) await engine.call('PutItem', { TableName: TargetTableName, Item });
      Object.assign(backed(TargetTableName), { source: SourceTableName, at: RestoreDateTime });
      return {};
    },
    DescribeTable: async ({ TableName }) => {
      const Table = await describe(TableName);
      if (!Table) throw refusal('ResourceNotFoundException', TableName);
      const { source, at, looks } = backed(TableName);
      if (source === undefined) return { Table };
      backed(TableName).looks++;
      const RestoreInProgress = looks < 1;
      const SourceTableArn = Table.TableArn.replace(TableName, source);
      return {
        Table: {
          ...Table,
          TableStatus: RestoreInProgress ? 'CREATING' : Table.TableStatus,
          RestoreSummary: { SourceTableArn, RestoreDateTime: at, RestoreInProgress },
        },
      };
    },
  };

  type Index = { IndexName: string; KeySchema: object; Projection: object };
  type Description = {
    TableArn: string;
    TableStatus: string;
    KeySchema: object;
    AttributeDefinitions: object;
    GlobalSecondaryIndexes: Index[];
  };
  const describe = async (TableName: string): Promise<Description | undefined> => {
    try {
      return (await engine.call<{ Table: Description }>('DescribeTable', { TableName })).Table;
    } catch (error) {
      if ((error as Error).name === 'ResourceNotFoundException') return undefined;
      throw error;
    }
  };
  const itemsAt = (table: string, last: number) => {
    const items = new Map<string, object>();
    for (const { id, table_name, keys_json, new_image } of changesIn(database)) {
      if (table_name !== table || id > last) continue;
      const { pk, sk } = JSON.parse(keys_json);
      if (new_image === null) items.delete(`${pk.S} ${sk.S}`);
      else items.set(`${pk.S} ${sk.S}`, JSON.parse(new_image));
    }
    return items.values();
  };

  const server = createServer(async (request, response) => {
    const input = JSON.parse((await Array.fromAsync(request.setEncoding('utf8'))).join('') || '{}');
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    calls.push(operation);
    const change = `${operation} ${input.TargetTableName ?? input.TableName ?? input.ResourceArn}`;
    const loses = losing.connections !== 'none' && /^(Restore|Update|Tag)/.test(operation) && !lost.has(change);
    if (loses) lost.add(change);
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    try {
      if (loses && losing.connections === 'before') return request.socket.destroy();
      const result = await (own[operation]?.(input) ?? engine.call<object>(operation, input));
      if (loses) return request.socket.destroy();
      return answer(200, result);
    } catch (error) {
      const { name, message } = error as Error;
      return answer(400, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    losing,
    lost,
    isRestorable: (table: string) => backed(table).isRestorable,
    stop: () => {
      engine.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

const refusal = (name: string, message: string) => Object.assign(new DynamoDbError(message), { name });
