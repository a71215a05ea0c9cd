import { newWorkspaceId } from '../domain/ids.ts';
import type { Item } from './table/client.ts';
import { workspaceKey } from './table/keys.ts';
import { getItem } from './table/reads.ts';
import { putNewItem } from './table/writes.ts';

export type Workspace = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** What the usage plan knows the workspace by. */
  readonly gatewayKey: string;
};

const toWorkspace = ({ id, name, createdAt, gatewayKey }: Item) => ({ id, name, createdAt, gatewayKey }) as Workspace;

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
  await putNewItem({ ...workspaceKey(id), ...workspace });
  return workspace;
}

export async function getWorkspace(id: string): Promise<Workspace | undefined> {
  const item = await getItem(workspaceKey(id));
  return item && toWorkspace(item);
}
