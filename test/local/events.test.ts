import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openEvents } from '../../local/events.ts';
import type { Functions } from '../../local/functions/functions.ts';
import type { Queues } from '../../local/streams/queues.ts';
import type { Template } from '../../local/template/template.ts';

// Vitest replaces only the global timers.
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, value: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((done, fail) => {
      const timer = setTimeout(() => done(value), ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        fail(signal.reason);
      });
    }),
}));

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2030-01-02T03:04:05Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const minute = 60_000;

/** Lambda's queue for a function that fails the first times, with these settings, if any. */
function queueOf(failures: number, settings?: object) {
  const startedAt = Date.now();
  /** The minutes after which the function ran, and with what. */
  const runs: [number, unknown][] = [];
  const sent: [string, object | string][] = [];
  const lines: string[] = [];
  const template = {
    ofType: () => (settings ? [{ properties: { FunctionName: 'sender', ...settings } }] : []),
  } as unknown as Template;
  const functions = {
    arnOf: (which: string) => {
      if (which !== 'sender') throw new Error(`no function ${which}`);
      return `arn:${which}`;
    },
    invoke: async (_: string, payload: string) => {
      runs.push([(Date.now() - startedAt) / minute, JSON.parse(payload)]);
      if (runs.length <= failures) throw new Error(`failure ${runs.length}`);
      return '';
    },
  } as unknown as Functions;
  const queues = { send: (arn: string, message: object) => void sent.push([arn, message]) } as unknown as Queues;
  return { runs, sent, lines, ...openEvents(template, functions, queues, (line) => lines.push(line)) };
}

const toQueue = { DestinationConfig: { OnFailure: { Destination: 'arn:failed' } } };
const hours = 3_600_000;

it('An event that succeeds runs its function once, asynchronously.', async () => {
  const { runs, sent, invokeLater } = queueOf(0, toQueue);
  expect(invokeLater('sender', '{"receiver":"one"}')).toBeUndefined();
  await vi.advanceTimersByTimeAsync(hours);
  expect([runs, sent]).toEqual([[[0, { receiver: 'one' }]], []]);
});

it('An event that fails is retried after one minute and after two more, until it succeeds.', async () => {
  const twice = queueOf(2, toQueue);
  twice.invokeLater('sender', '{}');
  await vi.advanceTimersByTimeAsync(hours);
  expect(twice.runs.map(([at]) => at)).toEqual([0, 1, 3]);
  expect([twice.lines, twice.sent]).toEqual([['arn:sender: failure 1', 'arn:sender: failure 2'], []]);
});

it('An event that fails three times is sent to the destination once, with the event and the number of attempts.', async () => {
  const { runs, sent, invokeLater } = queueOf(9, toQueue);
  invokeLater('sender', '{"receiver":"one"}');
  await vi.advanceTimersByTimeAsync(10 * hours);
  expect(runs).toHaveLength(3);
  expect(sent).toEqual([
    [
      'arn:failed',
      {
        version: '1.0',
        timestamp: '2030-01-02T03:07:05.000Z',
        requestContext: { functionArn: 'arn:sender:$LATEST', condition: 'RetriesExhausted', approximateInvokeCount: 3 },
        requestPayload: { receiver: 'one' },
      },
    ],
  ]);
});

it.for<[string, object, number, string]>([
  ['no retries', { MaximumRetryAttempts: 0 }, 1, 'RetriesExhausted'],
  ['one retry', { MaximumRetryAttempts: 1 }, 2, 'RetriesExhausted'],
  ['an age that ends before the first retry', { MaximumEventAgeInSeconds: 59 }, 1, 'EventAgeExceeded'],
  ['an age that ends before the second retry', { MaximumEventAgeInSeconds: 120 }, 2, 'EventAgeExceeded'],
])('With %s, an event is given up before that retry.', async ([, settings, count, condition]) => {
  const { runs, sent, invokeLater } = queueOf(9, { ...settings, ...toQueue });
  invokeLater('sender', '{}');
  await vi.advanceTimersByTimeAsync(10 * hours);
  expect(runs).toHaveLength(count);
  expect(sent).toMatchObject([['arn:failed', { requestContext: { condition, approximateInvokeCount: count } }]]);
});

it.for([undefined, {}])('Without a destination (%j), an event that was given up is only logged.', async (settings) => {
  const { lines, sent, invokeLater } = queueOf(9, settings);
  invokeLater('sender', '{}');
  await vi.advanceTimersByTimeAsync(hours);
  expect(lines).toEqual([1, 2, 3].map((number) => `arn:sender: failure ${number}`));
  expect(sent).toEqual([]);
});

it('An event that fails delays no other.', async () => {
  const { runs, invokeLater } = queueOf(1, toQueue);
  invokeLater('sender', '"fails"');
  invokeLater('sender', '"succeeds"');
  await vi.advanceTimersByTimeAsync(0);
  expect(runs.map(([, payload]) => payload)).toEqual(['fails', 'succeeds']);
  await vi.advanceTimersByTimeAsync(hours);
  expect(runs.at(-1)).toEqual([1, 'fails']);
});

it('An unknown function is refused at once.', () => {
  const { invokeLater } = queueOf(0);
  expect(() => invokeLater('other', '{}')).toThrow('no function other');
});

it('Nothing is retried, or sent to a destination, once the service stops.', async () => {
  const { runs, sent, invokeLater, stop } = queueOf(9, toQueue);
  invokeLater('sender', '{}');
  await vi.advanceTimersByTimeAsync(minute / 2);
  stop();
  await vi.advanceTimersByTimeAsync(hours);
  expect([runs.length, sent]).toEqual([1, []]);
});
