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
  /** Identifies the workspace to the usage plan. */
  readonly gatewayKey: string;
};

export const toWorkspace = (item: Item): Workspace => ({
  id: text(item, 'id'),
  name: text(item, 'name'),
  createdAt: text(item, 'createdAt'),
  gatewayKey: text(item, 'gatewayKey'),
});

const workspaceItem = (workspace: Workspace): Key & Item => ({ ...workspaceKey(workspace.id), ...workspace });

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
