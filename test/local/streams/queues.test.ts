import { expect, onTestFinished, test, vi } from 'vitest';
import type { Functions } from '../../../local/functions/functions.ts';
import { startQueueReaders } from '../../../local/streams/queue-reader.ts';
import { openQueues } from '../../../local/streams/queues.ts';
import type { Template } from '../../../local/template/template.ts';

const arn = 'arn:aws:sqs:us-east-1:000000000000:jobs';
const other = 'arn:aws:sqs:us-east-1:000000000000:failed';

/** A template with two queues, of which a function reads one. */
function templateWith(queue: object, mapping: object = {}): Template {
  const queues = [
    { id: 'jobs12345678', name: 'jobs', properties: queue },
    { id: 'failed12345678', name: 'failed', properties: {} },
  ];
  const mappings = [{ name: 'mapping', properties: { EventSourceArn: arn, FunctionName: 'worker', ...mapping } }];
  return {
    ofType: (type: string) => (type === 'AWS::SQS::Queue' ? queues : mappings),
    attribute: ({ name }: { name: string }) => (name === 'jobs' ? arn : other),
  } as unknown as Template;
}

/** The queues, with a clock that the test sets. */
function open(queue: object = {}, mapping?: object) {
  const clock = { now: 0 };
  const lines: string[] = [];
  const template = templateWith(queue, mapping);
  const queues = openQueues(
    template,
    (line) => lines.push(line),
    (one) => one === arn,
    () => clock.now,
  );
  return { ...queues, queues, clock, lines, template };
}

test("A received message is hidden for the queue's visibility timeout, and then delivered again, until it is deleted.", () => {
  const { send, receive, remove, clock } = open({ VisibilityTimeout: 60 });
  const { messageId } = send(arn, 'text');
  expect(receive(arn, 10)).toMatchObject([{ messageId, body: 'text', attributes: { ApproximateReceiveCount: '1' } }]);
  clock.now = 59_999;
  expect(receive(arn, 10)).toEqual([]);
  clock.now = 60_000;
  expect(receive(arn, 10)).toMatchObject([{ messageId, attributes: { ApproximateReceiveCount: '2', SentTimestamp: '0' } }]);
  remove(arn, [messageId]);
  clock.now = 1_000_000;
  expect(receive(arn, 10)).toEqual([]);
});

test('A queue forgets messages after its retention period.', () => {
  const { send, receive, clock } = open({ MessageRetentionPeriod: 72_000 });
  send(arn, 'text');
  clock.now = 72_000_000;
  expect(receive(arn, 10)).toEqual([]);
});

test('A queue delivers no more messages than were asked for, and has a URL, an ARN and message ids.', () => {
  const { send, receive } = open();
  for (const which of [arn, 'jobs', 'https://sqs.us-east-1.amazonaws.com/000000000000/jobs']) send(which, which);
  expect([receive(arn, 2).length, receive(arn, 2).length]).toEqual([2, 1]);
  expect(() => send('unknown', '')).toThrow('the template has no queue "unknown"');
});

test('Only messages that no function reads are logged. All that were sent can be inspected, as objects or else as texts.', () => {
  const { send, messages, lines } = open();
  send(arn, { of: 'a visitor' });
  send(arn, 'text');
  send(other, { failed: true });
  expect(messages('jobs')).toEqual([{ of: 'a visitor' }, 'text']);
  expect(lines).toEqual([`${other} {"failed":true}`]);
});

/** Readers of the queue whose function has these results, one after the other; an error fails. */
function read(results: readonly unknown[], mapping: object = {}) {
  const opened = open({ VisibilityTimeout: 60 }, mapping);
  const batches: string[][] = [];
  const functions = {
    arnOf: (which: string) => `arn:${which}`,
    invoke: async (which: string, payload: string) => {
      expect(which).toBe('arn:worker');
      const { Records } = JSON.parse(payload) as { Records: { messageId: string; body: string; eventSource: string }[] };
      for (const record of Records) expect(record).toMatchObject({ eventSource: 'aws:sqs', eventSourceARN: arn });
      batches.push(Records.map(({ body }) => body));
      const result = results[batches.length - 1];
      if (result instanceof Error) throw result;
      return JSON.stringify(typeof result === 'function' ? result(Records) : (result ?? null));
    },
  } as unknown as Functions;
  for (const body of ['a', 'b', 'c']) opened.send(arn, body);
  const readers = startQueueReaders(opened.template, functions, opened.queues, (line) => opened.lines.push(line));
  onTestFinished(() => readers.stop());
  /** The messages that are delivered again after the visibility timeout. */
  const again = async (times: number) => {
    await vi.waitFor(() => expect(batches).toHaveLength(times), { interval: 10 });
    opened.clock.now += 60_000;
    await vi.waitFor(() => expect(batches).toHaveLength(times + 1), { interval: 10, timeout: 5_000 });
    return batches[times];
  };
  return { ...opened, batches, again };
}

const reports = { FunctionResponseTypes: ['ReportBatchItemFailures'] };
const naming =
  (...wanted: string[]) =>
  (records: { messageId: string; body: string }[]) => ({
    batchItemFailures: records
      .filter(({ body }) => wanted.includes(body))
      .map(({ messageId }) => ({ itemIdentifier: messageId })),
  });

test('Of a batch, only the messages that the function reports as failed are delivered again.', async () => {
  const { again, clock, receive } = read([naming('b')], reports);
  expect(await again(1)).toEqual(['b']);
  await vi.waitFor(() => {
    clock.now += 60_000;
    expect(receive(arn, 10)).toEqual([]);
  });
});

test.for<[string, unknown, object]>([
  ['fails', new Error('no'), reports],
  ['names a message that it did not get', { batchItemFailures: [{ itemIdentifier: 'unknown' }] }, reports],
  ['names one without an id', { batchItemFailures: [{}] }, reports],
])('If the function %s, the whole batch is delivered again.', async ([, result, mapping]) => {
  const { again } = read([result], mapping);
  expect(await again(1)).toEqual(['a', 'b', 'c']);
});

test('A batch is no larger than the mapping says, and without reports of failures all of it is done.', async () => {
  const { batches, clock, receive } = read([naming('a'), naming('c')], { BatchSize: 2 });
  await vi.waitFor(() => expect(batches).toEqual([['a', 'b'], ['c']]), { interval: 10 });
  await vi.waitFor(() => {
    clock.now += 60_000;
    expect(receive(arn, 10)).toEqual([]);
  });
});

test('A mapping with an unsupported property is refused.', () => {
  expect(() => read([], { FilterCriteria: {} })).toThrow('does not support FilterCriteria for a queue (mapping)');
});
