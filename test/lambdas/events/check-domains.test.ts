import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useDns } from '../../support/dns.ts';
import { contextWith } from '../../support/invoke.ts';
import { type Store, useStore } from '../../support/store.ts';

let store: Store;
let dns: Awaited<ReturnType<typeof useDns>>;
beforeAll(async () => {
  store = await useStore();
  dns = await useDns();
  dns.set({});
  Object.assign(process.env, { DOMAIN_TARGET: 'links.localhost', DOMAIN_ACTIVATION: 'dns' });
});
afterAll(() => dns.stop());

/** So many domains whose proof is no longer in the DNS. */
async function newDomains(count: number): Promise<void> {
  const { workspaceId } = await store.newWorkspace();
  for (let index = 0; index < count; index++) {
    await store.proveOwnership(workspaceId, await store.claimDomain(workspaceId, `check${index}.acme.example`));
  }
}

test('checks as many domains as it has time to look up, and says where that is not all', async () => {
  await newDomains(3);
  const { handler } = await import('../../../lambdas/events/check-domains.ts');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const said = () => warn.mock.calls.map(([entry]) => entry.message);

  expect(await handler(undefined, contextWith(20_000))).toMatchObject({ failed: 3 });
  expect(said()).toEqual(Array(3).fill('a domain fails its check'));

  warn.mockClear();
  // Less than look-ups may take that do not answer.
  expect(await handler(undefined, contextWith(5_900))).toEqual({ checked: 0, failed: 0 });
  expect(said()).toEqual(['not every domain was checked in time']);
});
