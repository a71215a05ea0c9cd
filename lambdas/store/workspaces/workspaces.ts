import { newWorkspaceId } from '../../core/ids.ts';
import type { GatewayKeys } from '../../core/key/api-key.ts';
import { gatewayKeysIn } from '../api-keys/gateway-keys.ts';
import type { Item } from '../table/client.ts';
import { defined, maybeText, text } from '../table/fields.ts';
import { indexed, type Key, toKey, workspaceKey, workspacesIndex } from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { putNewItem } from '../table/writes.ts';

export type Workspace = GatewayKeys & {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Since when the operator deletes it: see `lambdas/operator/workspace-deletion.ts`. */
  readonly deletingSince?: string;
};

export const toWorkspace = (item: Item): Workspace => ({
  id: text(item, 'id'),
  name: text(item, 'name'),
  createdAt: text(item, 'createdAt'),
  ...gatewayKeysIn(item),
  ...defined({ deletingSince: maybeText(item, 'deletingSince') }),
});

/** The item of a new workspace, which has no keys yet. */
const workspaceItem = (workspace: Omit<Workspace, 'lifted'>): Key & Item => ({
  ...workspaceKey(workspace.id),
  ...indexed(workspacesIndex, `${workspace.createdAt}#${workspace.id}`),
  ...workspace,
  keyCount: 0,
});

/**
 * Creates a workspace.
 *
 * @param makeGatewayKey creates the key that the gateway counts by. It runs before the workspace is written, so that
 *   the usage plan knows every workspace.
 */
export async function createWorkspace(
  name: string,
  makeGatewayKey: (workspaceId: string) => Promise<string>,
): Promise<Workspace> {
  const id = newWorkspaceId();
  const workspace = { id, name, createdAt: new Date().toISOString(), gatewayKey: await makeGatewayKey(id) };
  await putNewItem(workspaceItem(workspace));
  return workspace;
}

export async function getWorkspace(id: string): Promise<Workspace | undefined> {
  const item = await getItem(workspaceKey(id));
  return item && toWorkspace(item);
}

/** All workspaces, oldest first. One that was created a moment ago may be missing, because the index lags. */
export async function listWorkspaces(): Promise<Workspace[]> {
  const keys = (await Array.fromAsync(query({ gsi1pk: workspacesIndex }))).map(toKey);
  return (await getItems(keys)).flatMap((item) => (item ? toWorkspace(item) : []));
}
