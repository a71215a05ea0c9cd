import { type Command, Option } from 'commander';
import type { StageSettings } from '../../lib/stages/settings.ts';
import { localStage, stageOf } from '../../lib/stages/stages.ts';
import { existingWorkspace, type Store } from '../shared/store.ts';

/** What the commands of the operator share: how an action runs. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store) => Promise<object>) => (options: O) => Promise<void>;
  readonly exitWith: (code: number) => void;
  /** Tells the operator something beside the result. */
  readonly report: (line: string) => void;
  /** The stage that was named. */
  readonly stage: () => string;
};

/** Adds the command that compares the statistics with each other, and with the recorded clicks. */
export function addStatsCommands(program: Command, { run, stage, exitWith, report }: Shared): void {
  const stats = program.command('stats').description('statistics');
  stats
    .command('verify')
    .addOption(new Option('--workspace <id>', 'only this workspace').conflicts('link'))
    .option('--link <id>', 'only this link')
    .option('--settled', 'also compare recent days: nobody visits links at the moment')
    .option('--repair', 'correct what differs, by the recorded clicks')
    .option('--lower', 'with --repair: also lower totals that are too high')
    .action(
      run(
        async (
          {
            workspace,
            link: linkId,
            settled = false,
            repair = false,
            lower = false,
          }: { workspace?: string; link?: string; settled?: boolean; repair?: boolean; lower?: boolean },
          { findAnyLink, recordDays, verifyAll, verifyLink, verifyWorkspace, ...rest },
        ) => {
          const { clickDays } = settingsOf(stage());
          if (lower && !repair) throw new Error('--lower needs --repair');
          const options = {
            // Records expire while the command runs.
            get now() {
              return Date.now();
            },
            settled,
            repair,
            lower,
            recordDays,
            clickDays,
          };
          const verify = async () => {
            if (workspace !== undefined) return verifyWorkspace((await existingWorkspace(rest, workspace)).id, options);
            if (linkId === undefined) return verifyAll(options);
            const link = await findAnyLink(linkId);
            if (!link) throw new Error(`there is no link ${linkId}`);
            return verifyLink({ linkId, workspaceId: link.workspaceId }, options);
          };
          const verified = await verify();
          const left = verified.differences.filter(({ repaired }) => !repaired);
          if (left.length > 0) exitWith(1);
          if (!lower && left.some(({ lowers }) => lowers)) report('some totals are too high: only --repair --lower lowers them');
          return verified;
        },
      ),
    );
}

/** The settings of a stage, also of the one on a laptop. */
export const settingsOf = (stage: string): StageSettings => (stage === 'local' ? localStage(0) : stageOf(stage)).settings;
