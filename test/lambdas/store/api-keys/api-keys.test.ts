import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { fingerprintOf } from '../../../../lambdas/core/key/api-key.ts';
import { type Fault, underFaults } from '../../../support/faults/faults.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const minute = 60_000;
const plenty = 20_000;
const start = Date.parse('2030-01-02T03:04:05.678Z');
const iso = (time: number) => new Date(time).toISOString();

async function newKey(more: { expiresAt?: string } = {}) {
  const workspace = await store.newWorkspace();
  const made = await store.createApiKey(workspace, { name: 'ci', permissions: ['links:read'], ...more }, start);
  const found = async () => {
    const item = await store.findApiKey(fingerprintOf(made.key));
    if (!item) throw new Error('no key');
    return item;
  };
  return { ...made, workspace, found };
}

/** The written units of the table; a refused write takes none. */
const unitsOf = async (fault: Fault | undefined, work: () => Promise<unknown>) => {
  const { commands, units } = await underFaults(() => fault, work);
  return { commands, written: units.write };
};

test('The list of keys has all fields of a key, but only a prefix of the key itself.', async () => {
  const expiresAt = iso(start + minute);
  const { key, workspace, ...made } = await newKey({ expiresAt });
  const listed = await store.listApiKeys(workspace.id);
  expect(listed).toMatchObject([{ id: made.id, prefix: key.slice(0, 7), name: 'ci', permissions: ['links:read'], expiresAt }]);
  expect(JSON.stringify(listed)).not.toContain(key.slice(0, 8));
});

test('100 uses of a key at once write once, and 100 more within the minute write nothing.', async () => {
  const { found } = await newKey();
  const read = await found();
  const useAll = (from: number) => () =>
    Promise.all(Array.from({ length: 100 }, (_, index) => store.recordUse(read, from + index, plenty)));
  const first = await unitsOf(undefined, useAll(start));
  expect([first.commands.length, first.written]).toEqual([100, 1]);
  const { lastUsedAt = '' } = await found();
  const last = Date.parse(lastUsedAt);
  expect((await unitsOf(undefined, useAll(last + minute - 100))).written).toBe(0);
  expect((await found()).lastUsedAt).toBe(lastUsedAt);
  expect((await unitsOf(undefined, useAll(last + minute))).written).toBe(1);
});

test('A use of a key is recorded if and only if the last recorded use is a minute or more ago, even if the key was read earlier.', async () => {
  const gaps = fc.array(fc.oneof(fc.nat(2 * minute), fc.constantFrom(0, 1, minute - 1, minute, minute + 1)), {
    minLength: 2,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(gaps, fc.boolean(), async (list, isStale) => {
      const { found } = await newKey();
      const first = await found();
      let [now, last] = [start, undefined as number | undefined];
      for (const gap of list) {
        now += gap;
        const read = isStale ? first : await found();
        const { commands } = await unitsOf(undefined, () => store.recordUse(read, now, plenty));
        const isDue = last === undefined || now - last >= minute;
        // In between, a caller that has read the current item makes no call.
        expect(commands).toEqual(isDue || isStale ? ['UpdateItem'] : []);
        if (isDue) last = now;
        expect((await found()).lastUsedAt).toBe(last && iso(last));
      }
    }),
    { numRuns: runs(2) },
  );
});

test.for(['throttle', 'lost-before', 'lost-after', 'conflict', 'dead-before'] as const)(
  'If recording a use meets the fault %s, it is not retried, and the log contains neither the key nor its id.',
  async (fault) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { key, id, found } = await newKey();
    const read = await found();
    const { commands } = await unitsOf(fault, () => store.recordUse(read, start, plenty));
    expect(commands).toEqual(['UpdateItem']);
    const logged = JSON.stringify(warn.mock.calls);
    expect(logged).toContain('the use of an API key was not recorded');
    for (const secret of [key.slice(3), id.slice(4)]) expect(logged).not.toContain(secret);
    expect((await found()).lastUsedAt).toBe(fault === 'lost-after' ? iso(start) : undefined);
    warn.mockRestore();
  },
);

test('Recording the use of a key that does not exist does not create it.', async () => {
  const { id, ...read } = await (await newKey()).found();
  const nobody = { ...read, id: `key_${'0'.repeat(43)}` };
  await store.recordUse(nobody, start, plenty);
  expect(await store.findApiKey('0'.repeat(43))).toBeUndefined();
});

test('Whichever fault its write meets, an update changes only the fields that it names.', async () => {
  const expiresAt = iso(start + minute);
  const changes = fc.record(
    {
      name: fc.constantFrom('a', 'b'),
      permissions: fc.subarray(['links:read', 'tags:read', 'tags:write'] as const, { minLength: 1 }),
      expiresAt: fc.constantFrom(null, iso(start + 2 * minute)),
    },
    { requiredKeys: [] },
  );
  const faults = fc.constantFrom<(Fault | undefined)[]>(undefined, 'throttle', 'lost-before', 'lost-after', 'conflict');
  await fc.assert(
    fc.asyncProperty(changes, faults, async (changed, fault) => {
      const { id, found } = await newKey({ expiresAt });
      const { revision: _, ...before } = await found();
      const { result } = await underFaults(
        ({ index }) => (index === 1 ? fault : undefined),
        () => store.updateApiKey(id, changed),
      );
      const { revision: __, ...after } = await found();
      const { expiresAt: end = expiresAt, ...others } = changed;
      expect(after).toEqual({ ...before, ...others, expiresAt: end ?? undefined });
      expect(result).toMatchObject(after);
    }),
    { numRuns: runs(2) },
  );
});

test('An update can revive an expired key.', async () => {
  const { id, found } = await newKey({ expiresAt: iso(start) });
  await store.updateApiKey(id, { expiresAt: null });
  expect(await found()).not.toHaveProperty('expiresAt');
});

test('A revoked or unknown key cannot be updated.', async () => {
  const { id, found } = await newKey();
  const revokedAt = await store.revokeApiKey(id);
  expect(await store.updateApiKey(id, { name: 'new' })).toBe('revoked');
  expect(await found()).toMatchObject({ name: 'ci', revokedAt });
  for (const unknown of [`key_${'0'.repeat(43)}`, 'key_none', ''])
    expect(await store.updateApiKey(unknown, { name: 'new' })).toBeUndefined();
});
