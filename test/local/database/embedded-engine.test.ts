import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../../local/database/dynamodb.ts';
import { findEmbedded, startEmbedded } from '../../../local/database/embedded-engine.ts';
import { startUpkeep, sweepExpired, trim } from '../../../local/database/engine-upkeep.ts';
import { ensureTables } from '../../../local/database/table.ts';
import { findLoopback } from '../../../local/net/ports.ts';
import { loadTemplate } from '../../../local/template/template.ts';
import { type FixtureOptions, startFixture, synthFixture } from '../../support/laptop/local-fixture.ts';
import { patience } from '../../support/run/patience.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';
import { enginesOf, run } from '../../support/service/local-processes.ts';

const program = findEmbedded() ?? '';
const host = join(import.meta.dirname, '../../support/service/local-host.ts');
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: patience, interval: 20 });

function client(endpoint: string, TableName: string) {
  const { call, close } = connect(endpoint);
  onTestFinished(close);
  return {
    put: (when: number, item: object = {}) =>
      call('PutItem', { TableName, Item: { who: { S: 'me' }, when: { N: `${when}` }, ...item } }),
    count: async () => (await call<{ Count: number }>('Scan', { TableName, Select: 'COUNT' })).Count,
    call,
  };
}

/** Runs the fixture in its own process. */
async function runHost(outdir: string, dataDir: string, ...more: string[]) {
  const tableName = loadTemplate(outdir).output('TableName');
  const { output, kill, ended } = run(host, [outdir, dataDir, ...more]);
  const [line] = await output(/^\{.*\}$/m);
  const { endpoint } = JSON.parse(line);
  const killed = () => {
    kill('SIGKILL');
    return ended;
  };
  return { ...client(endpoint, tableName), killed, endpoint };
}

describe('A host killed with kill -9', () => {
  it('The engine of a killed host ends too, and no acknowledged write is lost.', async () => {
    const folder = temporaryFolder();
    const outdir = synthFixture(join(folder, 'cdk.out'));
    const first = await runHost(outdir, folder);
    let acknowledged = 0;
    const writing = (async () => {
      for (let when = 0; when < 10_000; when++) {
        await first.put(when);
        acknowledged++;
      }
    })().catch(() => 'cut off');
    await eventually(() => expect(acknowledged).toBeGreaterThan(50));
    await first.killed();
    expect(await writing).toBe('cut off');
    await eventually(() => expect(enginesOf(folder)).toEqual([]));

    const second = await startFixture(outdir, { inMemory: false, dataDir: folder });
    onTestFinished(() => second.stop());
    expect(await client(second.endpoint, second.tableName).count()).toBeGreaterThanOrEqual(acknowledged);
  });

  it('The changes that a killed host had not processed are processed after the next start.', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'consumer');
    const outdir = synthFixture(join(folder, 'cdk.out'), { consumers: { [file]: { batchSize: 1, retryAttempts: 0 } } });
    const got = () =>
      (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []).map(
        (line) => JSON.parse(line).Records[0].dynamodb.Keys.when.N,
      );
    const first = await runHost(outdir, folder);
    await first.put(1, { wish: { S: 'hang' } });
    await eventually(() => expect(got()).toEqual(['1']));
    await first.put(2);
    await first.killed();

    const second = await startFixture(outdir, { inMemory: false, dataDir: folder });
    onTestFinished(() => second.stop());
    await client(second.endpoint, second.tableName).put(3);
    await eventually(() => expect(got()).toEqual(['1', '1', '2', '3']));
  });

  it('A killed host that ran in memory leaves no files or processes.', async () => {
    const folder = temporaryFolder();
    const outdir = synthFixture(join(folder, 'cdk.out'));
    const { put, killed, endpoint } = await runHost(outdir, join(folder, 'data'), 'in-memory');
    await put(1);
    // Other tests run hosts in memory too. This one's engine has this port.
    const engines = enginesOf(new URL(endpoint).port);
    const [scratch = ''] = readdirSync('/dev/shm').filter(
      (name) => name.startsWith('local-') && enginesOf(name).some((pid) => engines.includes(pid)),
    );
    expect(scratch).not.toBe('');
    await killed();
    await eventually(() => expect(existsSync(join('/dev/shm', scratch))).toBe(false));
    expect(readdirSync(join(folder, 'data')).filter((name) => !name.endsWith('.log'))).toEqual([]);
  });
});

describe('The engine', () => {
  it('An engine that dies is restarted with all its data.', async () => {
    const folder = temporaryFolder();
    const service = await startFixture(synthFixture(join(folder, 'cdk.out')), { inMemory: false, dataDir: folder });
    onTestFinished(() => service.stop());
    const { put, count } = client(service.endpoint, service.tableName);
    await put(1);
    const [pid = 0] = enginesOf(folder);
    process.kill(pid, 'SIGKILL');
    await eventually(async () => {
      expect(enginesOf(folder)).not.toContain(pid);
      expect(await count()).toBe(1);
    });
    expect(service.lines.join()).toContain('engine ended: 137, restarting it');
    expect((await service.send('/open')).status).toBe(200);
  });

  it('An engine ends with its service, and several services can run at once.', async () => {
    const folder = temporaryFolder();
    const outdir = synthFixture(join(folder, 'cdk.out'));
    const folders = ['a', 'b', 'c'].map((name) => join(folder, name));
    const services = await Promise.all(folders.map((dataDir) => startFixture(outdir, { inMemory: false, dataDir })));
    expect(new Set(services.map(({ endpoint }) => endpoint)).size).toBe(3);
    expect(folders.map((name) => enginesOf(name).length)).toEqual([1, 1, 1]);
    await Promise.all(services.map(({ stop }) => stop()));
    expect(folders.map((name) => enginesOf(name).length)).toEqual([0, 0, 0]);
  });

  it('The address of an engine cannot be found by a web page that tries ports.', async () => {
    const folders = [temporaryFolder(), temporaryFolder()];
    const options = { scratch: false, log: () => {}, onFailure: () => {} };
    const engines = await Promise.all(folders.map((folder) => startEmbedded(program, { folder, ...options })));
    onTestFinished(async () => void (await Promise.all(engines.map(({ stop }) => stop()))));
    const addresses = engines.map(({ endpoint }) => new URL(endpoint).hostname);
    expect(new Set([...addresses, '127.0.0.1']).size).toBe(3);
    for (const { endpoint, tools } of engines) {
      for (const { hostname, port } of [endpoint, tools.url].map((url) => new URL(url))) {
        expect(hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
        for (const known of ['127.0.0.1', '[::1]']) await expect(fetch(`http://${known}:${port}/`)).rejects.toThrow();
        expect((await fetch(`http://${hostname}:${port}/`)).status).toBeGreaterThan(0);
      }
    }
  });

  it('An engine listens on 127.0.0.1 if the machine has no other loopback address.', async () => {
    // An address for documentation (RFC 5737), which no machine has.
    expect(await findLoopback('192.0.2.1')).toBe('127.0.0.1');
    expect(await findLoopback('127.1.2.3')).toBe('127.1.2.3');
  });

  it('Eight engines that start at once each get their own address.', async () => {
    const folders = Array.from({ length: 8 }, () => temporaryFolder());
    const options = { scratch: false, log: () => {}, onFailure: () => {} };
    const engines = await Promise.all(folders.map((folder) => startEmbedded(program, { folder, ...options })));
    expect(new Set(engines.map(({ endpoint }) => endpoint)).size).toBe(8);
    await Promise.all(engines.map(({ stop }) => stop()));
  });
});

describe('The tables', () => {
  /** The fixture's tables, on an engine in this folder. */
  async function tablesIn(folder: string, options: FixtureOptions = {}) {
    const template = loadTemplate(synthFixture(join(folder, 'cdk.out'), options));
    const engine = await startEmbedded(program, { folder, scratch: false, log: () => {}, onFailure: () => {} });
    onTestFinished(() => engine.stop());
    const { call, close } = connect(engine.endpoint);
    onTestFinished(close);
    await ensureTables(template, { call, close });
    const [tableName, otherName] = [template.output('TableName'), template.output('OtherTableName')];
    return { ...client(engine.endpoint, tableName), other: client(engine.endpoint, otherName), tableName, otherName, engine };
  }
  type Description = {
    Table: { GlobalSecondaryIndexes: { IndexName: string }[]; StreamSpecification: object; KeySchema: object[] };
  };

  it('Each table is created as in the template, with its keys, indexes, stream and time to live.', async () => {
    const { call, tableName, otherName } = await tablesIn(temporaryFolder());
    const { Table } = await call<Description>('DescribeTable', { TableName: tableName });
    expect(Table).toMatchObject({
      KeySchema: [
        { AttributeName: 'who', KeyType: 'HASH' },
        { AttributeName: 'when', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [{ IndexName: 'by-colour', Projection: { ProjectionType: 'KEYS_ONLY' } }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    });
    expect(await call('DescribeTimeToLive', { TableName: tableName })).toMatchObject({
      TimeToLiveDescription: { AttributeName: 'until', TimeToLiveStatus: 'ENABLED' },
    });
    const { Table: other } = await call<Description>('DescribeTable', { TableName: otherName });
    expect(other).toMatchObject({ StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } });
    expect(other.GlobalSecondaryIndexes ?? []).toEqual([]);
    expect(await call('DescribeTimeToLive', { TableName: otherName })).toMatchObject({
      TimeToLiveDescription: { AttributeName: 'end', TimeToLiveStatus: 'ENABLED' },
    });
  });

  it('An existing table keeps its data and gets the index that it lacks.', async () => {
    const folder = temporaryFolder();
    const before = await tablesIn(folder, { indexes: ['by-colour'] });
    await before.put(1, { colour: { S: 'red' } });
    await before.engine.stop();
    const after = await tablesIn(folder, { indexes: ['by-colour', 'by-colour-too'] });
    expect(await after.count()).toBe(1);
    const found = await after.call<{ Count: number }>('Query', {
      TableName: after.tableName,
      IndexName: 'by-colour-too',
      KeyConditionExpression: 'colour = :colour',
      ExpressionAttributeValues: { ':colour': { S: 'red' } },
    });
    expect(found.Count).toBe(1);
  });

  it('An existing table with other keys stops the start with one line.', async () => {
    const folder = temporaryFolder();
    await (await tablesIn(folder)).engine.stop();
    await expect(tablesIn(folder, { sortKey: 'where' })).rejects.toThrow(
      /^the table \S+ in the data folder has different keys .+$/,
    );
  });

  it('Expired items of every table are deleted, and all others stay.', async () => {
    const { put, count, other, engine } = await tablesIn(temporaryFolder());
    const [past, future] = [{ N: '1000' }, { N: String(Math.floor(Date.now() / 1000) + 10_000) }];
    await put(1, { until: past });
    await put(2, { until: future });
    // Each table has its own attribute.
    await put(3, { end: past });
    await other.put(1, { end: past });
    await other.put(2, { end: future, until: past });
    const lines: string[] = [];
    sweepExpired(engine, (line) => lines.push(line));
    await eventually(async () => expect([await count(), await other.count()]).toEqual([2, 1]));
    expect(lines).toEqual([]);
  });

  it("A table's old stream records are removed, except the unread ones and the newest, and no other table's.", async () => {
    const { put, other, tableName, otherName, engine } = await tablesIn(temporaryFolder());
    for (const when of [1, 2]) await other.put(when);
    for (const when of [1, 2, 3, 4]) await put(when);
    const database = new DatabaseSync(engine.database);
    onTestFinished(() => database.close());
    const left = (table = tableName) =>
      database
        .prepare('SELECT sequence_number AS it FROM _stream_records WHERE table_name = ? ORDER BY id')
        .all(table)
        .map(({ it }) => it);
    const tomorrow = Date.now() + 86_400_000;
    trim(database, tableName, 2n, tomorrow);
    expect(left()).toEqual(['3', '4']);
    trim(database, tableName, 99n, Date.now() - 86_400_000);
    expect(left()).toEqual(['3', '4']);
    trim(database, tableName, 99n, tomorrow);
    expect(left()).toEqual(['4']);
    await put(5);
    expect(left()).toEqual(['4', '5']);
    expect(left(otherName)).toEqual(['1', '2']);
    trim(database, otherName, 1n, tomorrow);
    expect([left(), left(otherName)]).toEqual([['4', '5'], ['2']]);
  });
});

it('DYNAMODB_ENDPOINT replaces the embedded engine with any other that speaks DynamoDB.', async () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const engine = await startEmbedded(program, { folder: elsewhere, scratch: false, log: () => {}, onFailure: () => {} });
  onTestFinished(() => engine.stop());
  vi.stubEnv('DYNAMODB_ENDPOINT', engine.endpoint);
  const file = join(folder, 'consumer');
  const outdir = synthFixture(join(folder, 'cdk.out'), { consumers: { [file]: {} } });
  const service = await startFixture(outdir, { inMemory: false, dataDir: folder }).finally(() => vi.unstubAllEnvs());
  onTestFinished(() => service.stop());
  expect(service.endpoint).toBe(engine.endpoint);
  expect(enginesOf(folder)).toEqual([]);
  await client(service.endpoint, service.tableName).put(1);
  await eventually(() => expect(existsSync(file)).toBe(true));
});

it('An engine with an unknown form of its stream stops the start, and its file stays as it is.', () => {
  const folder = temporaryFolder();
  const database = join(folder, 'dynamodb.sqlite');
  const file = new DatabaseSync(database);
  file.exec('CREATE TABLE _stream_records (id INTEGER PRIMARY KEY, name TEXT, created_at INTEGER)');
  file.close();
  const before = readFileSync(database);
  const engine = { database, endpoint: '', tools: { url: '', token: '' }, stop: async () => {} };
  expect(() =>
    startUpkeep(
      engine,
      () => new Map(),
      () => {},
    ),
  ).toThrow('this version of the database engine is not supported: its table _stream_records lacks table_name, sequence_number');
  expect(readFileSync(database).equals(before)).toBe(true);
});
