import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { prepareTables, type Restoring, restoredName, restoreTables } from '../../bin/restore/tables.ts';
import { localServiceOf, pointStoreAt } from '../../bin/shared/target.ts';
import { bundlesIn } from '../../lib/bundles.ts';
import { addService } from '../../lib/service.ts';
import { localStage, type Stage } from '../../lib/stages/stages.ts';
import { connect } from '../../local/database/dynamodb.ts';
import { type Service, startService } from '../../local/service.ts';
import { rawRequest } from '../support/http/raw-request.ts';
import { patience } from '../support/run/patience.ts';
import { adminOn, newDataFolder, runCommand, runHere } from '../support/service/commands.ts';
import { type Change, changesIn, standInForBackups } from '../support/stacks/backups.ts';
import { stackAnswer } from '../support/stacks/stack-answer.ts';
import { newApp } from '../support/stacks/stacks.ts';
import { ownStage } from '../support/stacks/stages.ts';
import { withValidation } from '../support/stacks/with-validation.ts';

// Practises a restoration: a service with traffic, both tables at a moment at which a sweep and a count were under way, and
// then the service on the restored tables.

const folder = mkdtempSync(join(tmpdir(), 'links-restore-'));
const { dataDir, ...commands } = newDataFolder();
const { json } = adminOn(dataDir);
/** Two seconds: at the first, a sweep was half done. At the second, nothing was under way. */
const [atSweep, atRest] = [new Date('2026-11-21T10:00:00Z'), new Date('2026-11-21T10:00:01Z')];
const points = new Map<number, number>();
const stage: Stage = { name: 'local', settings: { ...localStage(0).settings, keepData: true, backUpActivity: true } };

let service: Service;
let plane: Awaited<ReturnType<typeof standInForBackups>>;
let sources: { Links: string; Activity: string };
let key: string;
let workspace: string;
let links: { id: string; shortCode: string }[];
let kept: string;
let gone: string;

const call = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${service.baseUrl}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text && JSON.parse(text) };
};
const visit = async ({ shortCode }: { shortCode: string }) => {
  const port = Number(new URL(service.baseUrl).port);
  const answer = await rawRequest(port, [`GET /${shortCode} HTTP/1.1`, 'Host: go.example.com', 'User-Agent: curl/8.10.1']);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
};
/** A link's history, newest first: the titles that it got, and what else was done. */
const historyOf = async (id: string | undefined): Promise<string[]> => {
  type Entry = { readonly action: string; readonly changes: { readonly title?: { readonly to: string } } };
  const { entries } = (await call('GET', `/links/${id}/history`)).body as { entries: Entry[] };
  return entries.map(({ action, changes }) => (action === 'link.updated' && changes.title?.to) || action);
};
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: patience, interval: 50 });
const isOf = (prefix: string) => (change: Change) => JSON.parse(change.keys_json).pk.S.startsWith(prefix);
const changes = () => changesIn(join(folder, 'dynamodb.sqlite'));

beforeAll(async () => {
  const { outdir } = inject('service');
  service = await startService({ outdir, dataDir: folder, log: () => {} });
  commands.pointAt(service as never);
  pointStoreAt(localServiceOf(service));
  sources = { Links: service.output('TableName'), Activity: service.output('ActivityTableName') };

  workspace = (await json('workspaces', 'create', '--name', 'Acme')).id;
  ({ key } = await json('keys', 'create', '--workspace', workspace));
  await json('domains', 'add', '--workspace', workspace, '--domain', 'go.example.com');
  const newTag = async (name: string) => (await call('POST', '/tags', { name, color: '#123456' })).body.id;
  gone = await newTag('gone');
  kept = await newTag('kept');
  const wanted = Array.from({ length: 12 }, () => ({ url: 'https://example.org/', tagIds: [gone, kept] }));
  ({ links } = (await call('POST', '/links/bulk', { domain: 'go.example.com', links: wanted })).body);

  // Traffic: a change, visitors all the time, and a deleted tag.
  await call('PATCH', `/links/${links[1]?.id}`, { title: 'Before' });
  await eventually(async () => expect(await historyOf(links[1]?.id)).toHaveLength(2));
  const visits = Promise.all(links.slice(0, 8).map(visit));
  await call('DELETE', `/tags/${gone}`);
  expect(await visits).toEqual(Array(8).fill(302));
  await eventually(async () => expect((await call('GET', `/links/${links[0]?.id}`)).body.link.tags).toHaveLength(1));
  const pairs = () => changes().filter((change) => change.event_name === 'REMOVE' && isOf(`TAG#${gone}`)(change));
  await eventually(async () => expect(pairs().length).toBeGreaterThan(links.length));
  await eventually(async () => {
    const { body } = await call('GET', `/links/${links[7]?.id}`);
    expect(body.link.clickCount).toBe(1);
  });

  // A pair goes last in its transaction, so the point is between two transactions.
  const swept = pairs().filter(({ keys_json }) => keys_json.includes('"LINK#'));
  points.set(atSweep.getTime() / 1_000, swept[3]?.id ?? 0);
  points.set(atRest.getTime() / 1_000, changes().at(-1)?.id ?? 0);
  const database = join(folder, 'dynamodb.sqlite');
  plane = await standInForBackups({ endpoint: service.endpoint, database }, points, Object.values(sources));
});
afterAll(async () => {
  plane?.stop();
  await service?.stop();
  commands.remove();
  rmSync(folder, { recursive: true, force: true });
});

const restoring = (more: Partial<Restoring> = {}): Restoring => ({
  client: new DynamoDBClient({
    endpoint: plane.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  }),
  stage,
  report: () => {},
  pollMs: 1,
  ...more,
});

const restore = async (at: Date, more: Partial<Restoring> = {}) =>
  prepareTables(restoring(more), await restoreTables(restoring(more), sources, at));

/** What the operator's command prints, which runs in a process of its own: it must find the tables by itself. */
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCommand('admin', ['--data-dir', dataDir, ...args, '--json'], {});
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

/** A template of the laptop's stage on restored tables. */
function synthesisedOn(restoredTables: Awaited<ReturnType<typeof restore>>): string {
  const app = newApp({ packed: true });
  const { name, settings } = localStage(3000);
  addService(app, { name, settings: { ...settings, restoredTables } }, bundlesIn(join(inject('service').outdir, 'bundles')));
  withValidation(false, () => app.synth());
  return app.outdir;
}

/** Restarts the service with another template. */
async function startAgain(outdir: string): Promise<void> {
  await service.stop();
  service = await startService({ outdir, dataDir: folder, log: () => {} });
  commands.pointAt(service as never);
}

/** Calls the engine, which has another address after each start. */
async function onEngine<T>(operation: string, input: object): Promise<T> {
  const engine = connect(service.endpoint);
  return engine.call<T>(operation, input).finally(() => engine.close());
}

/** What a table has besides items. */
const equipmentOf = async (name: string) => {
  type Expiry = { TimeToLiveDescription: { TimeToLiveStatus: string; AttributeName?: string } };
  const { TimeToLiveDescription } = await onEngine<Expiry>('DescribeTimeToLive', { TableName: name });
  type Described = {
    Table: {
      TableArn: string;
      DeletionProtectionEnabled?: boolean;
      StreamSpecification?: { StreamEnabled: boolean; StreamViewType: string };
    };
  };
  const { Table } = await onEngine<Described>('DescribeTable', { TableName: name });
  const { StreamSpecification, DeletionProtectionEnabled = false, TableArn } = Table;
  const { Tags } = await onEngine<{ Tags: object[] }>('ListTagsOfResource', { ResourceArn: TableArn });
  return {
    stream: StreamSpecification?.StreamEnabled ? StreamSpecification.StreamViewType : 'none',
    expiry: TimeToLiveDescription.AttributeName ?? 'none',
    isProtected: DeletionProtectionEnabled,
    isRestorable: plane.isRestorable(name),
    tags: Tags,
  };
};
const tags = [
  { Key: 'service', Value: 'links' },
  { Key: 'stage', Value: 'local' },
];
const whole = { expiry: 'ttl', isProtected: true, isRestorable: true, tags };

test('Restored tables lack everything but items until they are prepared.', async () => {
  const names = await restoreTables(restoring(), sources, atRest);
  const bare = { stream: 'none', expiry: 'none', isProtected: false, isRestorable: false, tags: [] };
  expect(await equipmentOf(names.Links)).toEqual(bare);
  expect(await equipmentOf(names.Activity)).toEqual(bare);
  await prepareTables(restoring(), names);
  expect(await equipmentOf(names.Links)).toEqual({ ...whole, stream: 'NEW_AND_OLD_IMAGES' });
  expect(await equipmentOf(names.Activity)).toEqual({ ...whole, stream: 'NEW_IMAGE' });
});

test('A second run changes nothing, and returns the same.', async () => {
  const first = await restore(atRest);
  plane.calls.length = 0;
  expect(await restore(atRest)).toEqual(first);
  expect([...new Set(plane.calls)].filter((call) => !call.startsWith('Describe'))).toEqual(['TagResource']);
});

test.for([
  ['before', 3],
  ['after', 4],
] as const)(
  'A restoration that dies %s each of its changes, and is started again each time, is complete in the end.',
  async ([when, later]) => {
    const at = new Date(atRest.getTime() + later * 1_000);
    points.set(at.getTime() / 1_000, points.get(atRest.getTime() / 1_000) ?? 0);
    plane.losing.connections = when;
    plane.lost.clear();
    const attempts = async () => {
      for (let attempt = 1; attempt < 50; attempt++) {
        const restored = await restore(at).catch(() => undefined);
        if (restored) return restored;
      }
      throw new Error('it never ends');
    };
    const { Links, Activity } = await attempts();
    plane.losing.connections = 'none';
    // Each table: restored, expiry, stream, protection, backups, tags.
    expect([...plane.lost]).toHaveLength(2 * 5);
    expect(await equipmentOf(Links.name)).toEqual({ ...whole, stream: 'NEW_AND_OLD_IMAGES' });
    expect(await equipmentOf(Activity.name)).toEqual({ ...whole, stream: 'NEW_IMAGE' });
  },
);

test('A stage without backups of Activity and without kept data gets tables without backups and protection.', async () => {
  const at = new Date(atRest.getTime() + 5_000);
  points.set(at.getTime() / 1_000, points.get(atRest.getTime() / 1_000) ?? 0);
  const dev: Stage = { ...stage, settings: { ...stage.settings, keepData: false, backUpActivity: false } };
  const { Activity } = await restore(at, { stage: dev });
  expect(await equipmentOf(Activity.name)).toMatchObject({ stream: 'NEW_IMAGE', isProtected: false, isRestorable: false });
});

test.for([
  [
    'a table without backups',
    () => ({ ...sources, Activity: restoredName(stage, 'Activity', atSweep) }),
    atSweep,
    /Activity .* has no backups/,
  ],
  [
    'a time before the first backup',
    () => sources,
    new Date(0),
    /Links can be restored to a time from 1970-01-01T00:00:01.000Z to/,
  ],
  ['a time that is yet to come', () => sources, new Date('2100-01-01'), /Links can be restored to a time from/],
  [
    'names that are taken',
    () => ({ Links: sources.Activity, Activity: sources.Links }),
    atRest,
    /there is a table .* that is not/,
  ],
] as const)('A restoration of %s is refused before anything is made.', async ([, of, at, message]) => {
  plane.calls.length = 0;
  await expect(restoreTables(restoring(), of(), at)).rejects.toThrow(message);
  expect(plane.calls).not.toContain('RestoreTableToPointInTime');
});

describe('The command', () => {
  /** CloudFormation, which only says which tables a stage has. */
  const stacks = createServer((_request, response) => {
    const outputs = { TableName: sources.Links, ActivityTableName: sources.Activity };
    response.writeHead(200, { 'Content-Type': 'text/xml' }).end(stackAnswer(outputs));
  });
  beforeAll(() => new Promise<void>((resolve) => stacks.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void stacks.close());
  const command = (run: typeof runCommand, ...args: string[]) =>
    run('restore', ['--stage', 'dev', ...args], {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: plane.endpoint,
      AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${(stacks.address() as AddressInfo).port}`,
    });

  test('The command finds the tables of a stage, and prints the setting that points the stage at the restored ones.', async () => {
    // Restored already, so that the command does not have to wait.
    const { Links, Activity } = await restore(atRest, { stage: { ...ownStage('dev') } });
    const printed = await command(runCommand, '--at', '2026-11-21T10:00:01Z');
    expect([printed.code, JSON.parse(`{${printed.stdout}}`)]).toEqual([0, { restoredTables: { Links, Activity } }]);
    expect(printed.stderr).toContain('stages/dev.json');
    const named = await command(runHere, '--links', Links.name, '--activity', Activity.name, '--json');
    expect(JSON.parse(named.stdout)).toEqual({ restoredTables: { Links, Activity } });
  });

  test.for([
    ['no time', [], 'give the time with --at'],
    ['only one table', ['--links', 'one'], 'give the time with --at'],
    ['a time without its zone', ['--at', '2026-11-21T10:00:00'], 'It must be a time in UTC to the second'],
    ['a time that does not exist', ['--at', '2026-13-21T10:00:00Z'], 'It must be a time in UTC to the second'],
    ['a time and a table', ['--at', '2026-11-21T10:00:00Z', '--links', 'one'], 'cannot be used with'],
  ] as const)('The command refuses %s with one line.', async ([, args, message]) => {
    const { code, stdout, stderr } = await command(runHere, ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: [^\n]*\n$/);
    expect(stderr).toContain(message);
  });
});

test('Tables with other keys, or one table for both, are refused before anything is changed.', async () => {
  await onEngine('CreateTable', {
    TableName: 'other',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  plane.calls.length = 0;
  const { Links } = sources;
  await expect(prepareTables(restoring(), { Links, Activity: 'other' })).rejects.toThrow('other has other keys');
  await expect(prepareTables(restoring(), { Links, Activity: Links })).rejects.toThrow('cannot be both tables');
  await expect(prepareTables(restoring(), { Links, Activity: 'missing' })).rejects.toThrow('there is no table missing');
  await expect(prepareTables(restoring(), { Links: sources.Activity, Activity: Links })).rejects.toThrow(
    'must have NEW_AND_OLD_IMAGES',
  );
  expect(plane.calls.filter((call) => !call.startsWith('Describe'))).toEqual([]);
});

test('A stage with traffic continues with both tables as they were at one moment, and returns to its own.', async () => {
  const [first, second] = links;
  if (!first || !second) throw new Error('there are no links');
  // Traffic continues while the tables are restored: all of this is after the point.
  const later = await call('POST', '/links', { domain: 'go.example.com', url: 'https://example.org/later' });
  await call('PATCH', `/links/${first.id}`, { title: 'Later' });
  const visits = Promise.all(links.map(visit));
  const restored = await restore(atSweep);
  await visits;
  // The clicks move into files, which no restoration touches, and then one more arrives.
  const clicks = 8 + links.length + 1;
  const counted = async () => {
    const { body } = await call('GET', '/links?limit=100');
    return body.links.reduce((sum: number, { clickCount }: { clickCount: number }) => sum + clickCount, 0);
  };
  const inStatistics = async () => (await call('GET', '/stats')).body.total;
  await eventually(async () => expect(await counted()).toBe(clicks - 1));
  expect(await run('clicks', 'seal')).toEqual({ tails: 1, sealed: 1 });
  expect(await visit(first)).toBe(302);
  await eventually(async () => expect(await counted()).toBe(clicks));

  await startAgain(synthesisedOn(restored));
  expect(service.output('TableName')).toBe(restored.Links.name);
  expect((await call('GET', `/links/${later.body.link.id}`)).status).toBe(404);
  expect((await call('GET', `/links/${first.id}`)).body.link.title).toBeNull();

  // The sweep was a third done. It has not moved since, so the hourly run restarts it.
  const [before] = await keptAndGone();
  expect(before).toEqual({ gone: 8, kept: 12 });
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await onEngine('UpdateItem', {
    TableName: restored.Links.name,
    Key: { pk: { S: `TAG#${gone}` }, sk: { S: 'SWEEP' } },
    UpdateExpression: 'SET movedAt = :t',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':t': { S: hourAgo } },
  });
  await service.invoke('restart-sweeps', {});
  await eventually(async () => expect((await keptAndGone())[0]).toEqual({ gone: 0, kept: 12 }));
  expect((await call('GET', '/tags')).body.tags).toMatchObject([{ id: kept, _count: { links: 12 } }]);

  // The files have all clicks except the last one, which is in the former table. Each click is there once.
  expect(await run('clicks', 'replay', '--table', sources.Activity)).toMatchObject({ pieces: 1, skipped: 0 });
  await run('stats', 'recount', '--settled');
  expect(await run('stats', 'verify', '--settled')).toEqual({ links: links.length, differences: [] });
  expect([await counted(), await inStatistics()]).toEqual([clicks, clicks]);

  // The streams of these tables are read from now on.
  const { clickCount } = (await call('GET', `/links/${second.id}`)).body.link;
  expect(await visit(second)).toBe(302);
  await call('PATCH', `/links/${second.id}`, { title: 'Now' });
  await eventually(async () => {
    expect((await call('GET', `/links/${second.id}`)).body.link.clickCount).toBe(clickCount + 1);
    expect(await historyOf(second.id)).toEqual(['Now', 'Before', 'link.created']);
  });
  await eventually(async () => expect(await run('stats', 'verify')).toMatchObject({ differences: [] }));
  expect(await run('gateway', 'verify')).toEqual({ workspaces: 1, missing: [], unused: [], repaired: false });

  // The way back: its own tables are as they were left, with the last clicks counted.
  await startAgain(inject('service').outdir);
  expect(service.output('TableName')).toBe(sources.Links);
  expect((await call('GET', `/links/${first.id}`)).body.link.title).toBe('Later');
  expect((await call('GET', `/links/${later.body.link.id}`)).status).toBe(200);
  // The click of the time on the restored tables is replayed, too. Repeating this is harmless.
  for (let again = 0; again < 2; again++) await run('clicks', 'replay', '--table', restored.Activity.name);
  await run('stats', 'recount', '--settled');
  expect(await run('stats', 'verify', '--settled')).toEqual({ links: links.length + 1, differences: [] });
  expect([await counted(), await inStatistics()]).toEqual([clicks + 1, clicks + 1]);
});

/** The number of pairs of each tag in the restored table. */
async function keptAndGone() {
  const count = async (tag: string) => {
    const { Count } = await onEngine<{ Count: number }>('Query', {
      TableName: restoredName(stage, 'Links', atSweep),
      KeyConditionExpression: 'pk = :p AND begins_with(sk, :s)',
      ExpressionAttributeValues: { ':p': { S: `TAG#${tag}` }, ':s': { S: 'LINK#' } },
      Select: 'COUNT',
    });
    return Count;
  };
  return [{ gone: await count(gone), kept: await count(kept) }];
}
