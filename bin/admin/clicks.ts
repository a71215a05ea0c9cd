import type { Command } from 'commander';
import { existingWorkspace, type Store } from '../shared/store.ts';
import type { Target } from '../shared/target.ts';

/** What the commands of the operator share: how an action runs. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store, target: Target) => Promise<object>) => (options: O) => Promise<void>;
  readonly exitWith: (code: number) => void;
};

/** What `seal-clicks` answers. */
type Sealed = { readonly tails: number; readonly sealed: number };

/** Adds the command that moves clicks into files without waiting until they are old enough. */
export function addClickCommands(program: Command, { run, exitWith }: Shared): void {
  program
    .command('clicks')
    .description('clicks, as they are kept')
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
}
