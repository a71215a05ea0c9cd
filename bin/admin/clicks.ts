import type { Command } from 'commander';
import type { StageSettings } from '../../lib/stages/settings.ts';
import { existingWorkspace, type Store } from '../shared/store.ts';
import type { Target } from '../shared/target.ts';
import { replay } from './replay.ts';

/** What the commands of the operator share: how an action runs. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store, target: Target) => Promise<object>) => (options: O) => Promise<void>;
  readonly exitWith: (code: number) => void;
  /** The settings of the named stage. */
  readonly settings: () => StageSettings;
};

/** The response of `seal-clicks`. */
type Sealed = { readonly tails: number; readonly sealed: number };

/**
 * Adds the commands that move clicks into files before they are old enough, and that copy the clicks of another table.
 */
export function addClickCommands(program: Command, { run, exitWith, settings }: Shared): void {
  const clicks = program.command('clicks').description('the stored clicks');
  clicks
    .command('seal')
    .description('move the newest clicks from the table into files now')
    .option('--workspace <id>', 'only those of this workspace')
    .action(
      run(async ({ workspace }: { workspace?: string }, store, { sealClicks }) => {
        if (workspace !== undefined) await existingWorkspace(store, workspace);
        const answer = (await sealClicks({ now: { workspaceId: workspace } })) as Sealed;
        if (answer.sealed < answer.tails) exitWith(1);
        return answer;
      }),
    );
  clicks
    .command('replay')
    .description('after a restoration: copy the clicks of the Activity table that the stage used before')
    .requiredOption('--table <name>', 'the name of that table')
    .action(run(({ table }: { table: string }, store, target) => replay(table, store, target, settings())));
}
