import type { Workspace } from '../../lambdas/store/workspaces/workspaces.ts';

/**
 * Loads the store. It reads its tables' names from the environment, so it must not be loaded before the target is
 * known.
 */
export const openStore = async () => ({
  ...(await import('../../lambdas/store/api-keys/api-keys.ts')),
  ...(await import('../../lambdas/store/api-keys/count.ts')),
  ...(await import('../../lambdas/store/api-keys/list.ts')),
  ...(await import('../../lambdas/store/clicks/clicks.ts')),
  ...(await import('../../lambdas/store/clicks/counts.ts')),
  ...(await import('../../lambdas/store/clicks/erased-notes.ts')),
  ...(await import('../../lambdas/operator/click-replay.ts')),
  ...(await import('../../lambdas/store/clicks/tail.ts')),
  ...(await import('../../lambdas/store/clicks/tail-entries.ts')),
  ...(await import('../../lambdas/store/erasures/erasure.ts')),
  ...(await import('../../lambdas/operator/recount.ts')),
  ...(await import('../../lambdas/operator/blocked-hosts.ts')),
  ...(await import('../../lambdas/operator/listed-hosts.ts')),
  ...(await import('../../lambdas/operator/listed-links.ts')),
  ...(await import('../../lambdas/operator/reports.ts')),
  ...(await import('../../lambdas/operator/disabled-links.ts')),
  ...(await import('../../lambdas/store/domains/certificates.ts')),
  ...(await import('../../lambdas/store/domains/domains.ts')),
  ...(await import('../../lambdas/store/domains/ownership.ts')),
  ...(await import('../../lambdas/store/api-keys/rotation.ts')),
  ...(await import('../../lambdas/operator/lifted-imports.ts')),
  ...(await import('../../lambdas/store/links/links.ts')),
  ...(await import('../../lambdas/store/member-changes/changes.ts')),
  ...(await import('../../lambdas/operator/person-erasure.ts')),
  ...(await import('../../lambdas/store/member-changes/invitations.ts')),
  ...(await import('../../lambdas/operator/listed-people.ts')),
  ...(await import('../../lambdas/operator/member-repair.ts')),
  ...(await import('../../lambdas/store/members/roster.ts')),
  ...(await import('../../lambdas/store/webhooks/interest.ts')),
  ...(await import('../../lambdas/store/webhooks/secrets.ts')),
  ...(await import('../../lambdas/store/webhooks/status.ts')),
  ...(await import('../../lambdas/store/webhooks/webhooks.ts')),
  ...(await import('../../lambdas/operator/workspace-deletion.ts')),
  ...(await import('../../lambdas/store/workspaces/workspaces.ts')),
});
export type Store = Awaited<ReturnType<typeof openStore>>;

/** The workspace with that id. @throws Error with one line for the operator if it doesn't exist or is being deleted. */
export async function existingWorkspace(store: Pick<Store, 'getWorkspace'>, id: string): Promise<Workspace> {
  const workspace = await anyWorkspace(store, id);
  if (workspace.deletingSince === undefined) return workspace;
  throw new Error(`the workspace ${id} is being deleted: finish that with "workspaces delete"`);
}

/**
 * The workspace with that id, even if it is being deleted. @throws Error with one line for the operator if it doesn't
 * exist.
 */
export async function anyWorkspace({ getWorkspace }: Pick<Store, 'getWorkspace'>, id: string): Promise<Workspace> {
  const workspace = /^ws_\w{1,64}$/.test(id) ? await getWorkspace(id) : undefined;
  if (!workspace) throw new Error(`there is no workspace ${id}`);
  return workspace;
}
