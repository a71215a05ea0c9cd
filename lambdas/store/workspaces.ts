import { newWorkspaceId } from '../domain/ids.ts';
import type { Item } from './table/client.ts';
import { text } from './table/fields.ts';
import { type Key, workspaceKey } from './table/keys.ts';
import { getItem } from './table/reads.ts';
import { putNewItem } from './table/writes.ts';

export type Workspace = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** What the usage plan knows the workspace by. */
  readonly gatewayKey: string;
};

const toWorkspace = (item: Item): Workspace => ({
  id: text(item, 'id'),
  name: text(item, 'name'),
  createdAt: text(item, 'createdAt'),
  gatewayKey: text(item, 'gatewayKey'),
});

const workspaceItem = (workspace: Workspace): Key & Item => ({ ...workspaceKey(workspace.id), ...workspace });

/**
 * Creates a workspace.
 *
 * @param makeGatewayKey makes the key that the gateway counts by, before the workspace is written: there is never a
 *   workspace that the usage plan does not know.
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
