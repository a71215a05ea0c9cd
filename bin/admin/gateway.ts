import type { Command } from 'commander';
import type { Store } from '../shared/store.ts';
import type { Target } from '../shared/target.ts';

/** What the commands of the operator share: how an action runs. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store, target: Target) => Promise<object>) => (options: O) => Promise<void>;
  readonly exitWith: (code: number) => void;
};

/** A key without a workspace that is younger than this may belong to a workspace that is just being created. */
const createdWithinMs = 60 * 60_000;

/**
 * Adds the command that compares the gateway's keys with the workspaces. They can differ after the tables were restored,
 * because the gateway's keys are in no table.
 */
export function addGatewayCommands(program: Command, { run, exitWith }: Shared): void {
  const gateway = program.command('gateway').description("the gateway's keys, by which it counts the requests of workspaces");
  gateway
    .command('verify')
    .option('--repair', 'make the missing keys again, and delete those of no workspace')
    .action(
      run(async ({ repair = false }: { repair?: boolean }, { listWorkspaces }, target) => {
        const keys = await target.listGatewayKeys();
        const workspaces = await listWorkspaces();
        const isOf = new Map(keys.map(({ workspaceId, value }) => [workspaceId, value]));
        const known = new Set(workspaces.map(({ id }) => id));
        const missing = workspaces.filter(({ id, gatewayKey }) => target.hasGatewayKeys && isOf.get(id) !== gatewayKey);
        const unused = keys.filter(
          ({ workspaceId, createdAt }) => !known.has(workspaceId) && createdAt < Date.now() - createdWithinMs,
        );
        if (repair) {
          for (const { id, gatewayKey } of missing) {
            // A key with another value would keep the name occupied.
            if (isOf.has(id)) await target.deleteGatewayKey(id);
            await target.makeGatewayKey(id, gatewayKey);
          }
          for (const { workspaceId } of unused) await target.deleteGatewayKey(workspaceId);
        } else if (missing.length + unused.length > 0) exitWith(1);
        const verified = { missing: missing.map(({ id }) => id), unused: unused.map(({ workspaceId }) => workspaceId) };
        return { workspaces: workspaces.length, ...verified, repaired: repair };
      }),
    );
}
