import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blocklistCopies, blocklistKey } from '../../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
// All tests of a process share the list, so it is deleted before each.
beforeEach(() => Promise.all([blocklistKey, ...blocklistCopies].map((key) => store.deleteItem(key))));

describe('The destination checks', () => {
  test('Short domains and blocked hosts are refused, each with its reason, with one call for 100 hosts once the list is cached.', async () => {
    const { domain } = await store.newWorkspace();
    await store.blockHost('evil.example');
    await store.blockHost('[2606:4700::1]');
    const asked = [
      domain.host,
      'evil.example',
      'www.evil.example',
      '[2606:4700::1]',
      `${'a.'.repeat(200)}evil.example`,
      'notevil.example',
      'evil.example.org',
      `${'a.'.repeat(200)}example`,
      ...Array.from({ length: 93 }, (_, index) => `good${index}.example`),
      'evil.example',
    ];
    const { refusedHosts } = store.destinationChecks();
    const refused = () =>
      underFaults(
        () => undefined,
        () => refusedHosts(asked),
      );
    expect((await refused()).commands).toEqual(['GetItem', 'BatchGetItem']);
    const { result, commands } = await refused();
    expect([...result].map(([host, { code }]) => [host, code])).toEqual([
      [domain.host, 'destination_short_domain'],
      ['evil.example', 'destination_blocked'],
      ['www.evil.example', 'destination_blocked'],
      ['[2606:4700::1]', 'destination_blocked'],
      [`${'a.'.repeat(200)}evil.example`, 'destination_blocked'],
    ]);
    expect(commands).toEqual(['BatchGetItem']);
  });

  test('Nothing is refused, and no call is made, if there are no hosts to check.', async () => {
    const { result, commands } = await underFaults(
      () => undefined,
      () => store.destinationChecks().refusedHosts([]),
    );
    expect([result.size, commands]).toEqual([0, []]);
  });
});
