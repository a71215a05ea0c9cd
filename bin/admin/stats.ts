import { type Command, Option } from 'commander';
import { localStage, stageOf } from '../../lib/stages.ts';
import { existingWorkspace, type Store } from '../shared/store.ts';

/** What the commands of the operator share: how an action runs. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store) => Promise<object>) => (options: O) => Promise<void>;
  readonly exitWith: (code: number) => void;
  /** The stage that was named. */
  readonly stage: () => string;
};

/** Adds the command that compares the statistics with each other, and with the recorded clicks. */
export function addStatsCommands(program: Command, { run, stage, exitWith }: Shared): void {
  const stats = program.command('stats').description('statistics');
  stats
    .command('verify')
    .addOption(new Option('--workspace <id>', 'only this workspace').conflicts('link'))
    .option('--link <id>', 'only this link')
    .option('--settled', 'also compare recent days: nobody visits links at the moment')
    .option('--repair', 'correct what differs, by the recorded clicks')
    .action(
      run(
        async (
          {
            workspace,
            link: linkId,
            settled = false,
            repair = false,
          }: { workspace?: string; link?: string; settled?: boolean; repair?: boolean },
          { findAnyLink, verifyAll, verifyLink, verifyWorkspace, ...rest },
        ) => {
          const { clickDays, statsDays } = (stage() === 'local' ? localStage(0) : stageOf(stage())).settings;
          const options = { now: Date.now(), settled, repair, clickDays, statsDays };
          const verify = async () => {
            if (workspace !== undefined) return verifyWorkspace((await existingWorkspace(rest, workspace)).id, options);
            if (linkId === undefined) return verifyAll(options);
            const link = await findAnyLink(linkId);
            if (!link) throw new Error(`there is no link ${linkId}`);
            return verifyLink({ linkId, workspaceId: link.workspaceId }, link, options);
          };
          const verified = await verify();
          if (verified.differences.some(({ repaired }) => !repaired)) exitWith(1);
          return verified;
        },
      ),
    );
}
