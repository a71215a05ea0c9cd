import type { Permission } from '../../../lambdas/core/key/permissions.ts';
import { callEndpoint, type EndpointCall } from '../http/invoke.ts';
import type { Store } from '../store/store.ts';

type More = Omit<EndpointCall, 'workspaceId' | 'keyId'>;

/** A workspace, and the endpoints of its keys, as a key of it calls them. The gateway takes each for one that may do all. */
export async function newKeyring(store: Store) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const calling = (keyId: string) => (name: string) => (more: More) => callEndpoint(name, { workspaceId, keyId, ...more });
  const as = (keyId: string) => {
    const call = calling(keyId);
    return {
      create: call('create-key'),
      list: call('list-keys'),
      get: call('get-key'),
      update: call('update-key'),
      revoke: call('delete-key'),
      rotate: call('rotate-key'),
    };
  };
  /** A key that the operator creates. */
  const newKey = (permissions: readonly Permission[], expiresAt?: string) =>
    store.createApiKey(workspace, { name: 'Made', permissions, ...(expiresAt !== undefined && { expiresAt }) });
  /** All keys as the table has them, by their ids. */
  const all = async () => new Map((await store.listApiKeys(workspaceId)).map((key) => [key.id, key]));
  const counted = async () => (await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.keyCount;
  return { workspace, workspaceId, as, newKey, all, counted };
}

export type Keyring = Awaited<ReturnType<typeof newKeyring>>;
