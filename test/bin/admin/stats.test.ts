import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { addStatsCommands } from '../../../bin/admin/stats.ts';
import type { Store } from '../../../bin/shared/store.ts';

/** Runs "stats verify" on statistics that differ so. */
async function verify(differences: readonly object[], ...flags: string[]) {
  const said = { lines: [] as string[], code: 0, result: {}, options: {} };
  const verifyAll = async (options: object) => {
    said.options = options;
    return { days: 1, open: 0, differences };
  };
  const program = new Command();
  addStatsCommands(program, {
    run: (work) => async (options) => {
      said.result = await work(options, { verifyAll } as unknown as Store);
    },
    stage: () => 'local',
    exitWith: (code) => {
      said.code = code;
    },
    report: (line) => said.lines.push(line),
  });
  await program.parseAsync(['stats', 'verify', ...flags], { from: 'user' });
  return said;
}

const lower = { what: 'clicks', found: 4, expected: 3, repaired: false, lowers: true };
const higher = { what: 'clickCount', found: 3, expected: 4, repaired: true };

test('It exits with 1 while a difference remains, and says which flag lowers totals if some would be lowered.', async () => {
  expect(await verify([])).toMatchObject({ lines: [], code: 0 });
  expect(await verify([higher], '--repair')).toMatchObject({ lines: [], code: 0, options: { repair: true, lower: false } });
  const left = await verify([lower, higher], '--repair');
  expect(left).toMatchObject({ code: 1, result: { differences: [lower, higher] } });
  expect(left.lines).toEqual([expect.stringContaining('--repair --lower')]);
  const lowered = await verify([{ ...lower, repaired: true }], '--repair', '--lower');
  expect(lowered).toMatchObject({ lines: [], code: 0, options: { repair: true, lower: true } });
});

test('It does not lower anything without `--repair`.', async () => {
  await expect(verify([], '--lower')).rejects.toThrow('--lower needs --repair');
});

test('It knows the time of each comparison, because records expire while it runs.', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  try {
    const { options } = await verify([]);
    expect(options).toMatchObject({ now: 1_000 });
    vi.setSystemTime(2_000);
    expect(options).toMatchObject({ now: 2_000 });
  } finally {
    vi.useRealTimers();
  }
});
