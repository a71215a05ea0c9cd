import type { Command } from 'commander';
import { liftedImports } from '../../lambdas/core/limits.ts';
import type { Workspace } from '../../lambdas/store/workspaces/workspaces.ts';
import type { GatewayPlan } from '../shared/gateway-keys.ts';
import type { Store } from '../shared/store.ts';
import type { Target } from '../shared/target.ts';

/** What the commands of the operator share: how an action runs. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store, target: Target) => Promise<object>) => (options: O) => Promise<void>;
  readonly exitWith: (code: number) => void;
};

/** A key without a workspace that is younger than this may belong to a workspace that is just being created. */
const createdWithinMs = 60 * 60_000;

/** A key that the gateway should have, or may have if it is not needed any more. */
type WantedKey = { readonly workspaceId: string; readonly plan: GatewayPlan; readonly value: string; readonly isNeeded: boolean };

/**
 * The keys of a workspace. A lift's key is needed until the lift ends. It stays for as long as a lift can last, because
 * an API key may not know yet that the lift was ended early, and the gateway refuses requests with a deleted key.
 */
function wantedKeys({ id: workspaceId, gatewayKey, lifted }: Workspace): WantedKey[] {
  const usual = { workspaceId, plan: 'usual', value: gatewayKey, isNeeded: true } as const;
  const overFor = lifted ? Date.now() - Date.parse(lifted.until) : Number.POSITIVE_INFINITY;
  if (!lifted || overFor > keptLiftedMs) return [usual];
  return [usual, { workspaceId, plan: 'lifted', value: lifted.gatewayKey, isNeeded: overFor < 0 }];
}
const keptLiftedMs = (liftedImports.days + 1) * 24 * 60 * 60_000;

/**
 * Adds the command that compares the gateway's keys with the workspaces. They can differ after the tables were
 * restored, because the gateway's keys are in no table.
 */
export function addGatewayCommands(program: Command, { run, exitWith }: Shared): void {
  const gateway = program.command('gateway').description('keys of API Gateway, which count the requests of each workspace');
  gateway
    .command('verify')
    .description('compare the keys with the workspaces')
    .option('--repair', 'make missing keys again, and delete those without a workspace')
    .action(
      run(async ({ repair = false }: { repair?: boolean }, { listWorkspaces }, target) => {
        const keys = await target.listGatewayKeys();
        const workspaces = await listWorkspaces();
        const wanted = workspaces.flatMap(wantedKeys);
        const there = (one: WantedKey) =>
          keys.find(({ workspaceId, plan }) => workspaceId === one.workspaceId && plan === one.plan);
        const missing = wanted.filter((one) => target.hasGatewayKeys && one.isNeeded && there(one)?.value !== one.value);
        const unused = keys.filter(
          ({ workspaceId, plan, createdAt }) =>
            !wanted.some((one) => one.workspaceId === workspaceId && one.plan === plan) &&
            createdAt < Date.now() - createdWithinMs,
        );
        if (repair) {
          for (const one of missing) {
            // A key with another value would keep the name occupied.
            if (there(one)) await target.deleteGatewayKey(one.workspaceId, one.plan);
            await target.makeGatewayKey(one.workspaceId, one.plan, one.value);
          }
          for (const { workspaceId, plan } of unused) await target.deleteGatewayKey(workspaceId, plan);
        } else if (missing.length + unused.length > 0) exitWith(1);
        const idsIn = (found: readonly { readonly workspaceId: string }[]) => [
          ...new Set(found.map(({ workspaceId }) => workspaceId)),
        ];
        const verified = { missing: idsIn(missing), unused: idsIn(unused) };
        return { workspaces: workspaces.length, ...verified, repaired: repair };
      }),
    );
}
