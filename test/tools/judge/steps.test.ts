import { describe, expect, test } from 'vitest';
import { judged, newTrials, type Result } from '../../../tools/judge/steps.ts';

const limits = { windows: 'It has none' };
const passed: Result = { step: 'deploy', outcome: 'passed', said: '2 resources' };
const excused: Result = { step: 'windows', outcome: 'failed', said: 'nothing' };

describe('The list of steps that an emulator is known to fail', () => {
  test.for<[string, Result[], string[]]>([
    ['finds nothing if only those steps fail', [passed, excused], []],
    ['finds nothing if those steps are not tried', [passed, { ...excused, outcome: 'not tried' }], []],
    [
      'finds a step that should pass, with the reason why it failed',
      [{ ...passed, outcome: 'failed' }, excused],
      ['deploy: failed: 2 res'],
    ],
    ['finds a step that did not run', [{ step: 'deploy', outcome: 'not tried' }, excused], ['deploy: not tried']],
    ['finds an excused step that passes', [passed, { ...excused, outcome: 'passed' }], ['windows: it passes now, so remove it']],
    ['finds an excuse for an unknown step', [passed], ['windows: there is no such step, so remove it']],
  ])('The comparison %s.', ([, results, expected]) => {
    expect(judged(results, limits, 'judge/any.ts').findings).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  test('The report has each step, its outcome, and the excuse together with the error.', () => {
    const { report, remarks } = judged([passed, excused], limits, 'judge/any.ts');
    expect(report).toEqual(['deploy   passed: 2 resources', 'windows  excused: It has none – nothing']);
    expect(remarks).toBe('1 of 2 steps passed');
  });

  test('A step that throws has failed, with the first line of its error, and the next one runs.', async () => {
    const { step, results } = newTrials();
    await step('deploy', () => Promise.reject(new Error('refused\nmore')));
    await step('smoke', async () => undefined);
    expect(results).toEqual([
      { step: 'deploy', outcome: 'failed', said: 'refused' },
      { step: 'smoke', outcome: 'passed', said: undefined },
    ]);
  });
});
