import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../../local/database/dynamodb.ts';
import { type FixtureOptions, startFixture, synthFixture } from '../../support/laptop/local-fixture.ts';
import { patience } from '../../support/run/patience.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

type Batch = { Records: DynamoDBRecord[]; window?: { start: string; end: string }; state?: object; [field: string]: unknown };
type Consumers = NonNullable<FixtureOptions['consumers']>;

/** A fixture with one consumer with this mapping, on its own data folder. */
function consumer(mapping: Consumers[string], options: FixtureOptions = {}) {
  const folder = temporaryFolder();
  const file = join(folder, 'consumer');
  const outdir = synthFixture(join(folder, 'cdk.out'), { consumers: { [file]: mapping }, ...options });
  const batches = (): Batch[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return {
    folder,
    outdir,
    batches,
    /** The sort keys of the records that the consumer got, batch by batch. */
    got: () => batches().map(({ Records }) => Records.map(({ dynamodb }) => dynamodb?.Keys?.when?.N).join()),
    start: async () => {
      const service = await startFixture(outdir, { inMemory: false, dataDir: folder });
      onTestFinished(() => service.stop());
      const { call, close } = connect(service.endpoint);
      onTestFinished(close);
      const put = (when: number, wish = '') =>
        call('PutItem', { TableName: service.tableName, Item: { who: { S: 'me' }, when: { N: `${when}` }, wish: { S: wish } } });
      const remove = (when: number) =>
        call('DeleteItem', { TableName: service.tableName, Key: { who: { S: 'me' }, when: { N: `${when}` } } });
      return { ...service, put, remove };
    },
  };
}

/** Polls until the check passes: streams are read continuously, but at times that the test cannot know. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: patience, interval: 20 });

describe('A consumer', () => {
  it("A consumer gets every change in order, in Lambda's format.", async () => {
    const { start, batches, got } = consumer({ batchSize: 100 });
    const { put, remove } = await start();
    await put(1);
    await put(1, 'changed');
    await remove(1);
    await eventually(() => expect(got().join()).toBe('1,1,1'));
    const [insert, modify, removal] = batches().flatMap(({ Records }) => Records);
    expect(insert).toMatchObject({
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: expect.stringMatching(/^arn:aws:dynamodb:us-east-1:000000000000:table\/.+\/stream\//),
      dynamodb: {
        Keys: { who: { S: 'me' }, when: { N: '1' } },
        NewImage: { wish: { S: '' } },
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    });
    expect(modify).toMatchObject({
      eventName: 'MODIFY',
      dynamodb: { OldImage: { wish: { S: '' } }, NewImage: { wish: { S: 'changed' } } },
    });
    expect(removal).toMatchObject({ eventName: 'REMOVE', dynamodb: { OldImage: { wish: { S: 'changed' } } } });
  });

  it("A consumer gets only the changes of its own table, with that stream's images.", async () => {
    const folder = temporaryFolder();
    const files = ['table', 'other'].map((name) => join(folder, name));
    const [file = '', otherFile = ''] = files;
    const outdir = synthFixture(join(folder, 'cdk.out'), { consumers: { [file]: {}, [otherFile]: { reads: 'other' } } });
    const service = await startFixture(outdir, { inMemory: false, dataDir: folder });
    onTestFinished(() => service.stop());
    const { call, close } = connect(service.endpoint);
    onTestFinished(close);
    const put = (TableName: string, when: string, wish: string) =>
      call('PutItem', { TableName, Item: { who: { S: 'me' }, when: { N: when }, wish: { S: wish } } });
    const { tableName } = service;
    const otherName = service.output('OtherTableName');
    await put(tableName, '1', '');
    await put(otherName, '2', '');
    await put(otherName, '2', 'changed');
    await put(tableName, '3', '');
    const records = (of: string) =>
      (existsSync(of) ? readFileSync(of, 'utf8').trim().split('\n') : []).flatMap((line) => (JSON.parse(line) as Batch).Records);
    const whens = (of: string) => records(of).map(({ dynamodb }) => dynamodb?.Keys?.when?.N);
    await eventually(() =>
      expect(files.map(whens)).toEqual([
        ['1', '3'],
        ['2', '2'],
      ]),
    );
    const changed = records(otherFile)[1];
    expect(changed).toMatchObject({ dynamodb: { StreamViewType: 'NEW_IMAGE', NewImage: { wish: { S: 'changed' } } } });
    expect(changed?.dynamodb).not.toHaveProperty('OldImage');
    expect(changed?.eventSourceARN).toContain(otherName);
    expect(records(file)[0]?.eventSourceARN).toContain(tableName);
  });

  it('A consumer gets only what passes its filter, and never more than its batch size.', async () => {
    const { start, got } = consumer({ batchSize: 2, filters: [{ pattern: JSON.stringify({ eventName: ['REMOVE'] }) }] });
    const { put, remove } = await start();
    for (const when of [1, 2, 3, 4, 5]) {
      await put(when);
      await remove(when);
    }
    await eventually(() => expect(got().join()).toBe('1,2,3,4,5'));
    expect(Math.max(...got().map((batch) => batch.split(',').length))).toBeLessThanOrEqual(2);
  });

  it('A consumer with a batching window waits until a batch is full.', async () => {
    const { start, got } = consumer({ batchSize: 3, maxBatchingWindow: Duration.seconds(300) });
    const { put } = await start();
    for (const when of [1, 2, 3, 4]) await put(when);
    await eventually(() => expect(got()).toEqual(['1,2,3']));
  });

  it('A consumer that starts with LATEST gets no earlier change, and all later ones, even after a restart.', async () => {
    const { start, got, outdir, folder } = consumer({ startingPosition: 'LATEST' as never });
    synthFixture(outdir);
    const before = await start();
    await before.put(1);
    await before.stop();
    synthFixture(outdir, { consumers: { [join(folder, 'consumer')]: { startingPosition: 'LATEST' as never } } });
    const after = await start();
    await after.put(2);
    await eventually(() => expect(got()).toEqual(['2']));
  });
});

describe('A failing record', () => {
  it('A batch is retried from the failing record on, and earlier records are not delivered again.', async () => {
    const { start, got } = consumer({ batchSize: 3, maxBatchingWindow: Duration.seconds(300), retryAttempts: 1 });
    const { put, messages } = await start();
    await put(1);
    await put(2, 'fail');
    await put(3);
    await eventually(() => expect(messages('consumer-failed')).toHaveLength(1));
    expect(got()).toEqual(['1,2,3', '2,3']);
  });

  it('A record that keeps failing goes to the failure queue without its content, and does not block the next one.', async () => {
    const { start, got } = consumer({ batchSize: 1, retryAttempts: 2 });
    const { put, messages } = await start();
    await put(1, 'poison');
    await put(2);
    await eventually(() => expect(got()).toEqual(['1', '1', '1', '2']));
    expect(messages('consumer-failed')).toMatchObject([
      {
        requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 3 },
        DDBStreamBatchInfo: { batchSize: 1, startSequenceNumber: '1', endSequenceNumber: '1' },
      },
    ]);
    expect(JSON.stringify(messages('consumer-failed'))).not.toContain('poison');
  });

  it('A failing record is isolated if the batch is bisected.', async () => {
    const { start, got } = consumer({
      batchSize: 4,
      maxBatchingWindow: Duration.seconds(300),
      bisectBatchOnError: true,
      retryAttempts: 0,
    });
    const { put, messages } = await start();
    for (const when of [1, 2, 3, 4]) await put(when, when === 3 ? 'poison' : '');
    await eventually(() => expect(got()).toEqual(['1,2,3,4', '1,2', '3,4', '3', '4']));
    expect(messages('consumer-failed')).toHaveLength(1);
  });
});

describe('A tumbling window', () => {
  it('A tumbling window has a period, a shard and a state, hands the state to the next call, and ends with a last call.', async () => {
    const { start, batches } = consumer({ batchSize: 1, tumblingWindow: Duration.seconds(1) });
    const { put } = await start();
    await put(1);
    await eventually(() => expect(batches().at(-1)).toMatchObject({ isFinalInvokeForWindow: true }));
    const [first, last] = batches();
    expect(first).toMatchObject({
      window: { start: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
      state: {},
      shardId: expect.stringMatching(/./),
      eventSourceARN: expect.stringMatching(/^arn:/),
      isFinalInvokeForWindow: false,
      isWindowTerminatedEarly: false,
    });
    expect(last).toMatchObject({ Records: [], window: first?.window, state: { seen: 1 } });
  });
});

describe('A restart', () => {
  it('After a restart, a consumer continues where it was, and no processed record is delivered again.', async () => {
    const { start, got } = consumer({ batchSize: 10 });
    const first = await start();
    await first.put(1);
    await eventually(() => expect(got()).toEqual(['1']));
    await first.stop();
    const second = await start();
    await second.put(2);
    await eventually(() => expect(got()).toEqual(['1', '2']));
  });

  it('After a restart, records that were being processed when the service stopped are delivered again.', async () => {
    const { start, got } = consumer({ batchSize: 1, retryAttempts: 0 });
    const first = await start();
    await first.put(1, 'hang');
    await eventually(() => expect(got()).toEqual(['1']));
    await first.stop();
    const second = await start();
    await eventually(() => expect(got()).toEqual(['1', '1']));
    expect(second.messages('consumer-failed')).toEqual([]);
  });
});

it.each([
  ['an unknown filter operator', { filters: [{ pattern: '{"eventName":[{"wildcard":"*"}]}' }] }, 'wildcard'],
  ['parallel batches of a shard', { parallelizationFactor: 2 }, 'ParallelizationFactor'],
])('A mapping with %s is not supported, and stops the start with an error that names it.', async (_, mapping, name) => {
  await expect(consumer(mapping).start()).rejects.toThrow(name);
});
