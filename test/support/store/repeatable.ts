import type { Lease } from '../../../lambdas/store/idempotency/leased.ts';
import type { Key } from '../../../lambdas/store/table/keys.ts';
import type { Store } from './store.ts';

let made = 0;

/** A request under an Idempotency-Key, in a workspace of its own unless given. */
export const newRequest = (
  more: {
    readonly workspaceId?: string;
    readonly key?: string | undefined;
    readonly body?: string;
    readonly receivedAt?: number;
  } = {},
) => ({
  workspaceId: `ws_${++made}`,
  operation: 'test',
  key: 'key',
  body: 'body',
  receivedAt: Date.now(),
  ...more,
});

/** No preparation, and no refusal. */
export const nothing = async () => {};

/** A request, its checks, and its work. */
export type ExecutionArguments<R> = [
  request: Parameters<Store['executeOnce']>[0],
  prepare: () => Promise<void>,
  work: (lease: Lease) => Promise<R>,
];

/** Carries out requests for a domain that never changes. */
export const executeOnceOn =
  (store: Store) =>
  <R extends NonNullable<unknown>>(...[request, prepare, work]: ExecutionArguments<R>) =>
    store.executeOnce(request, {
      prepare: async () => {
        await prepare();
        return { domain: { domainId: 'dom_a' } };
      },
      work,
    });

/** The record of a workspace's only request. */
export async function recordOf(store: Store, workspaceId: string): Promise<Key & Record<string, unknown>> {
  const [record] = await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspaceId}`, skPrefix: 'REQUEST#' }));
  if (!record) throw new Error('no record');
  return record as Key & Record<string, unknown>;
}
