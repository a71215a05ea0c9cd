import { workspaceGone } from '../core/errors.ts';
import type { GatewayKeys } from '../core/key/api-key.ts';
import { bulkRequests } from '../core/limits.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { everyKey } from '../store/api-keys/list.ts';
import { liftIn } from '../store/limits/request-limits.ts';
import { commit } from '../store/table/commit.ts';
import { isLiveWorkspace, isPresent, set } from '../store/table/expressions.ts';
import { apiKeyKeyOf, limitKey, workspaceKey } from '../store/table/keys.ts';
import { getItem } from '../store/table/reads.ts';
import { updating } from '../store/table/writes.ts';
import { getWorkspace } from '../store/workspaces/workspaces.ts';

/**
 * How the operator lifts a workspace's limit of imports for a time.
 *
 * The table's limit, which is exact, is the workspace's `LIMIT#bulk`. The gateway counts before that, by the gateway
 * key that the authorizer returns. So each API key of the workspace gets another gateway key, whose plan allows more,
 * and the time until which it is used. Both lifts end by themselves.
 *
 * 1. One transaction writes the limit, and writes the other gateway key into the workspace. New API keys copy it from
 *    the workspace, or from the key that makes them.
 * 2. The existing API keys get it, several at a time. Then the workspace is read again: if somebody has changed the
 *    lift meanwhile, all keys get the new one. So the last one of two changes wins everywhere.
 *
 * If this dies after the first step, or a key is made by one that did not have the lift yet, the gateway throttles some
 * keys as usual until the command is repeated. No workspace ever gets more from the table than the first step says.
 */

/** How many imports a minute a workspace may send, and until when; null if that is the usual number. */
export type ImportsPerMinute = { readonly perMinute: number; readonly until: string | null };

/** How many API keys are changed at a time. */
const concurrency = 10;

/** The limit in force. @param now in milliseconds since 1970 */
export async function importsPerMinute(workspaceId: string, now: number): Promise<ImportsPerMinute> {
  const lift = liftIn((await getItem(limitKey(workspaceId, 'bulk'))) ?? {});
  return lift && now < lift.until
    ? { perMinute: lift.quota, until: new Date(lift.until).toISOString() }
    : { perMinute: bulkRequests.quota, until: null };
}

/**
 * Lets a workspace send `perMinute` imports a minute until `until`. Replaces an earlier lift.
 *
 * @param lift `until` in milliseconds since 1970: a past time ends the lift. `gatewayKey` belongs to the plan that
 *   allows more imports.
 * @throws RequestError `unauthorized` if the workspace is being deleted, or gone
 */
export async function liftImports(
  workspaceId: string,
  { perMinute, until, gatewayKey }: { readonly perMinute: number; readonly until: number; readonly gatewayKey: string },
): Promise<void> {
  const end = new Date(until).toISOString();
  const { failed } = await commit({
    workspace: updating(workspaceKey(workspaceId), settingKeys({ gatewayKey, until: end }), isLiveWorkspace),
    limit: updating(limitKey(workspaceId, 'bulk'), set({ liftedQuota: perMinute, liftedUntil: until })),
  });
  if (failed) throw workspaceGone();
  let wanted: GatewayKeys['lifted'] = { gatewayKey, until: end };
  while (wanted) {
    await writeToKeys(workspaceId, wanted);
    const now: GatewayKeys['lifted'] = (await getWorkspace(workspaceId))?.lifted;
    wanted = now?.until === wanted.until && now.gatewayKey === wanted.gatewayKey ? undefined : now;
  }
}

const settingKeys = ({ gatewayKey, until }: NonNullable<GatewayKeys['lifted']>) =>
  set({ liftedGatewayKey: gatewayKey, liftedUntil: until });

/** Leaves out keys of sign-ins: they live for 15 minutes, and the next one copies the workspace's lift. */
async function writeToKeys(workspaceId: string, lifted: NonNullable<GatewayKeys['lifted']>): Promise<void> {
  await inParallel(await everyKey(workspaceId), concurrency, ({ id }) =>
    // A key that is gone by now needs nothing.
    commit({ key: updating(apiKeyKeyOf(id), settingKeys(lifted), isPresent) }),
  );
}
