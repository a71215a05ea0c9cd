import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addClickCommands } from '../../../bin/admin/clicks.ts';
import type { Store } from '../../../bin/shared/store.ts';
import type { Target } from '../../../bin/shared/target.ts';
import { localStage } from '../../../lib/stages/stages.ts';

/** Runs the command, while the function answers that. @returns its result, its exit code, and the function's event */
async function run(args: readonly string[], answer: object) {
  const did: { result?: object; code?: number; event?: object } = {};
  const store = { getWorkspace: async (id: string) => (id === 'ws_1' ? { id } : undefined) } as unknown as Store;
  const target = {
    sealClicks: async (event: object) => {
      did.event = event;
      return answer;
    },
  } as unknown as Target;
  const program = new Command();
  addClickCommands(program, {
    settings: () => localStage(0).settings,
    run: (work) => async (options) => {
      did.result = await work(options, store, target);
    },
    exitWith: (code) => {
      did.code = code;
    },
  });
  await program.parseAsync(['clicks', 'seal', ...args], { from: 'user' });
  return did;
}

test('The clicks of all workspaces, or of one, are moved into files, and the exit code tells whether some are left.', async () => {
  const all = { tails: 3, sealed: 3 };
  expect(await run([], all)).toEqual({ event: { now: { workspaceId: undefined } }, result: all });
  const some = { tails: 1, sealed: 0 };
  expect(await run(['--workspace', 'ws_1'], some)).toEqual({ event: { now: { workspaceId: 'ws_1' } }, result: some, code: 1 });
});

test('A workspace that does not exist is refused, and nothing runs.', async () => {
  await expect(run(['--workspace', 'ws_2'], {})).rejects.toThrow('ws_2');
});
