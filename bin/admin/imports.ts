import type { Command, Option } from 'commander';
import { RuleError } from '../../lambdas/core/errors.ts';
import { bulkRequests, liftedImports } from '../../lambdas/core/limits.ts';
import { parseTimestamp } from '../../lambdas/core/timestamp.ts';
import { ruled } from '../shared/arguments.ts';
import { existingWorkspace, type Store } from '../shared/store.ts';
import type { Target } from '../shared/target.ts';

/** What the commands of the operator share: how an action runs, and the option for a workspace. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store, target: Target) => Promise<object>) => (options: O) => Promise<void>;
  readonly workspaceOption: () => Option;
};

const usual = bulkRequests.quota;

const perMinute = ruled((text: string): number => {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number >= usual && number <= liftedImports.perMinute) return number;
  throw new RuleError('out_of_range', `must be a whole number from ${usual} to ${liftedImports.perMinute}`);
});

/**
 * Adds the command that lets a workspace import faster for a time.
 *
 * @param workspaces the group of commands.
 */
export function addImportsCommand(workspaces: Command, { run, workspaceOption }: Shared): void {
  workspaces
    .command('imports')
    .description('show how many imports a minute a workspace may send, or let it send more for a time')
    .addOption(workspaceOption())
    .option('--per-minute <number>', `from ${usual} to ${liftedImports.perMinute}; ${usual} restores the default`, perMinute)
    .option(
      '--until <time>',
      `the end of that time, in ISO 8601; at most ${liftedImports.days} days ahead`,
      ruled(parseTimestamp),
    )
    .action(
      run(async (options: { workspace: string; perMinute?: number; until?: string }, store, target) => {
        const workspace = await existingWorkspace(store, options.workspace);
        const end = endOf(options, Date.now());
        // A workspace without a lift has nothing to end.
        if (end && (workspace.lifted || end.perMinute !== usual)) {
          const gatewayKey = await liftedKey(workspace, target);
          await store.liftImports(workspace.id, { ...end, gatewayKey });
        }
        return { workspaceId: workspace.id, ...(await store.importsPerMinute(workspace.id, Date.now())) };
      }),
    );
}

/** What to set; undefined if the options only ask. @throws Error with one line for the operator */
function endOf({ perMinute, until }: { perMinute?: number; until?: string }, now: number) {
  if (perMinute === undefined && until === undefined) return undefined;
  if (perMinute === undefined) throw new Error('--until needs --per-minute');
  if (perMinute === usual) {
    if (until !== undefined) throw new Error(`${usual} a minute is the default: leave out --until`);
    return { perMinute, until: now };
  }
  if (until === undefined) throw new Error(`name the end with --until: at most ${liftedImports.days} days ahead`);
  const end = Date.parse(until);
  if (end <= now || end > now + liftedImports.days * 24 * 60 * 60_000)
    throw new Error(`--until must be in the future, and at most ${liftedImports.days} days ahead`);
  return { perMinute, until: end };
}

/** The workspace's key in the gateway's plan for lifted imports. An existing one is used again. */
async function liftedKey(
  { id, lifted }: { readonly id: string; readonly lifted?: { readonly gatewayKey: string } },
  { hasGatewayKeys, listGatewayKeys, makeGatewayKey, deleteGatewayKey }: Target,
): Promise<string> {
  const there = (await listGatewayKeys()).filter(({ workspaceId, plan }) => workspaceId === id && plan === 'lifted');
  if (lifted && (!hasGatewayKeys || there.some(({ value }) => value === lifted.gatewayKey))) return lifted.gatewayKey;
  // A command that died may have left a key that is in no plan.
  if (there.length > 0) await deleteGatewayKey(id, 'lifted');
  return makeGatewayKey(id, 'lifted', lifted?.gatewayKey);
}
