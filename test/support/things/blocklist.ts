import type { Store } from '../store/store.ts';

/** Makes the list of blocked hosts as it is once the operator has blocked any host: without hosts, but with copies. */
export async function emptyBlocklist(store: Store): Promise<void> {
  await store.blockHost('blocked.example');
  await store.unblockHost('blocked.example');
}
