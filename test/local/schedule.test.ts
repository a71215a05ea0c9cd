import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Functions } from '../../local/functions/functions.ts';
import { startSchedules } from '../../local/schedule.ts';
import type { Template } from '../../local/template/template.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function schedule(properties: object, folder = mkdtempSync(join(tmpdir(), 'rules-'))) {
  const calls: { which: string; event: unknown }[] = [];
  const lines: string[] = [];
  const template = {
    ofType: () => [{ name: 'rule', properties: { Targets: [{ Arn: 'target', Id: 'x' }], ...properties } }],
    attribute: () => 'arn of the rule',
  } as unknown as Template;
  const functions = {
    arnOf: (which: string) => which,
    invoke: async (which: string, payload: string) => {
      calls.push({ which, event: JSON.parse(payload) });
      throw new Error('failed');
    },
  } as unknown as Functions;
  return { calls, lines, ...startSchedules(template, functions, folder, (line) => lines.push(line)) };
}

it('A target runs once per interval, first after one interval, whether or not it fails, until it is stopped.', async () => {
  const { calls, lines, stop } = schedule({ ScheduleExpression: 'rate(5 minutes)' });
  await vi.advanceTimersByTimeAsync(299_999);
  expect(calls).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(600_001);
  expect(calls).toHaveLength(3);
  expect(calls[0]).toMatchObject({
    which: 'target',
    event: { 'detail-type': 'Scheduled Event', source: 'aws.events', resources: ['arn of the rule'], detail: {} },
  });
  expect(lines).toEqual(Array(3).fill('rule: failed'));
  stop();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(calls).toHaveLength(3);
});

it('A target gets its own input if it has one.', async () => {
  const { calls } = schedule({ ScheduleExpression: 'rate(1 hour)', Targets: [{ Arn: 'target', Id: 'x', Input: '{"a":1}' }] });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(calls).toEqual([{ which: 'target', event: { a: 1 } }]);
});

it('A disabled rule never runs.', async () => {
  const { calls } = schedule({ ScheduleExpression: 'rate(1 day)', State: 'DISABLED' });
  await vi.advanceTimersByTimeAsync(86_400_000 * 3);
  expect(calls).toEqual([]);
});

it('A rule that is switched on or off stays so, also in the next run of the service.', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rules-'));
  const properties = { ScheduleExpression: 'rate(1 minute)', State: 'DISABLED' };
  const first = schedule(properties, folder);
  first.setEnabled('rule', true);
  first.setEnabled('rule', true);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(first.calls).toHaveLength(2);
  first.stop();
  const second = schedule(properties, folder);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(second.calls).toHaveLength(1);
  second.setEnabled('rule', false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(second.calls).toHaveLength(1);
  const third = schedule(properties, folder);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(third.calls).toEqual([]);
  expect(() => third.setEnabled('another', true)).toThrow('the template has no rule "another"');
});

it.each([
  ['a cron expression', { ScheduleExpression: 'cron(0 12 * * ? *)' }, 'cron(0 12 * * ? *)'],
  ['no schedule', {}, '""'],
  ['a rate of zero', { ScheduleExpression: 'rate(0 minutes)' }, 'rate(0 minutes)'],
  ['a rate that is too long for a timer', { ScheduleExpression: 'rate(25 days)' }, 'rate(25 days)'],
  [
    'a transformed input',
    { ScheduleExpression: 'rate(1 day)', Targets: [{ Arn: 'target', Id: 'x', InputPath: '$' }] },
    'InputPath',
  ],
])('A rule with %s is not supported, and stops the host with an error that names it.', (_, properties, name) => {
  expect(() => schedule(properties)).toThrow(name);
});
