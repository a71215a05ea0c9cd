import { isDeepStrictEqual } from 'node:util';
import type { Resource, Template } from '../template/template.ts';
import { type DynamoDb, DynamoDbError } from './dynamodb.ts';

type Key = { AttributeName: string; KeyType: 'HASH' | 'RANGE' };
type Index = { IndexName: string; KeySchema: Key[]; Projection: object };
type TableProperties = {
  readonly AttributeDefinitions: object[];
  readonly KeySchema: Key[];
  readonly GlobalSecondaryIndexes?: Index[];
  readonly LocalSecondaryIndexes?: Index[];
  readonly StreamSpecification?: { readonly StreamViewType: string };
  readonly TimeToLiveSpecification?: { readonly AttributeName?: string; readonly Enabled: boolean };
};
type Described = {
  Table: {
    KeySchema: Key[];
    GlobalSecondaryIndexes?: Index[];
    StreamSpecification?: { StreamEnabled?: boolean };
    LatestStreamArn?: string;
  };
};

export type Table = {
  readonly name: string;
  /** The ARN of the stream in the template. */
  readonly streamArn: string;
  /** The ARN of the stream in the engine. */
  readonly engineStreamArn: string | undefined;
};

/**
 * Ensures that the engine has the template's tables: creates each, or adds missing indexes, stream and TTL to an
 * existing one.
 *
 * @throws Error if an existing table, or one of its global indexes, has different keys: its data could not be read with
 * the new ones.
 */
export const ensureTables = (template: Template, engine: DynamoDb): Promise<Table[]> =>
  Promise.all(
    template
      .ofType<TableProperties>('AWS::DynamoDB::GlobalTable')
      .map((resource) => ensureTable(resource, template.attribute(resource, 'StreamArn'), engine)),
  );

/**
 * The restored table of a stream. No stack has a restored table, so the template names its stream as the engine does.
 * Undefined if the engine has no such stream.
 */
export async function tableOfStream(engine: DynamoDb, streamArn: string): Promise<Table | undefined> {
  const [, name] = /:table\/([^/]+)\/stream\//.exec(streamArn) ?? [];
  const existing = name === undefined ? undefined : await describe(engine, name);
  if (name === undefined || existing?.LatestStreamArn !== streamArn) return undefined;
  return { name, streamArn, engineStreamArn: streamArn };
}

async function ensureTable({ name, properties }: Resource<TableProperties>, streamArn: string, engine: DynamoDb): Promise<Table> {
  let existing = await describe(engine, name);
  if (existing) {
    await addMissing(engine, name, properties, existing);
  } else {
    await engine.call('CreateTable', {
      TableName: name,
      AttributeDefinitions: properties.AttributeDefinitions,
      KeySchema: properties.KeySchema,
      BillingMode: 'PAY_PER_REQUEST',
      ...indexes('GlobalSecondaryIndexes', properties.GlobalSecondaryIndexes),
      ...indexes('LocalSecondaryIndexes', properties.LocalSecondaryIndexes),
      ...(properties.StreamSpecification && { StreamSpecification: enabled(properties.StreamSpecification) }),
    });
  }
  await setTimeToLive(engine, name, properties.TimeToLiveSpecification);
  existing = await describe(engine, name);
  return { name, streamArn, engineStreamArn: existing?.LatestStreamArn };
}

async function describe(engine: DynamoDb, name: string): Promise<Described['Table'] | undefined> {
  try {
    return (await engine.call<Described>('DescribeTable', { TableName: name })).Table;
  } catch (error) {
    if (error instanceof DynamoDbError && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

// A global table's specification has no StreamEnabled, which CreateTable requires.
const enabled = ({ StreamViewType }: { StreamViewType: string }) => ({ StreamEnabled: true, StreamViewType });

const plain = ({ IndexName, KeySchema, Projection }: Index): Index => ({ IndexName, KeySchema, Projection });

const indexes = (property: string, list: Index[] = []) => (list.length ? { [property]: list.map(plain) } : {});

async function addMissing(engine: DynamoDb, name: string, wanted: TableProperties, existing: Described['Table']): Promise<void> {
  const sameKeys = (a: Key[], b: Key[]) => {
    const names = (keys: Key[]) => keys.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).sort();
    return isDeepStrictEqual(names(a), names(b));
  };
  const other = (what: string) =>
    new Error(`${what} in the data folder has different keys from the template: use another data folder, or remove this one`);
  if (!sameKeys(wanted.KeySchema, existing.KeySchema)) throw other(`the table ${name}`);
  for (const index of wanted.GlobalSecondaryIndexes ?? []) {
    const there = existing.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.IndexName);
    if (there && !sameKeys(index.KeySchema, there.KeySchema)) throw other(`the index ${index.IndexName}`);
    if (there) continue;
    await engine.call('UpdateTable', {
      TableName: name,
      AttributeDefinitions: wanted.AttributeDefinitions,
      GlobalSecondaryIndexUpdates: [{ Create: plain(index) }],
    });
  }
  if (wanted.StreamSpecification && !existing.StreamSpecification?.StreamEnabled) {
    await engine.call('UpdateTable', { TableName: name, StreamSpecification: enabled(wanted.StreamSpecification) });
  }
}

async function setTimeToLive(engine: DynamoDb, name: string, wanted: TableProperties['TimeToLiveSpecification']): Promise<void> {
  if (!wanted?.Enabled) return;
  type Result = { TimeToLiveDescription: { TimeToLiveStatus: string; AttributeName?: string } };
  const { TimeToLiveDescription: now } = await engine.call<Result>('DescribeTimeToLive', { TableName: name });
  if (now.TimeToLiveStatus === 'ENABLED' && now.AttributeName === wanted.AttributeName) return;
  await engine.call('UpdateTimeToLive', { TableName: name, TimeToLiveSpecification: wanted });
}
