import { beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../../lambdas/core/key/api-key.ts';
import { type Fault, underFaults } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const hour = 3_600_000;
const start = Date.parse('2030-01-02T03:04:05.678Z');
const iso = (time: number) => new Date(time).toISOString();

async function newKey(more: { expiresAt?: string } = {}) {
  const workspace = await store.newWorkspace();
  const made = await store.createApiKey(workspace, { name: 'ci', permissions: ['links:write', 'tags:read'], ...more }, start);
  const list = () => store.listApiKeys(workspace.id);
  const old = async () => (await list()).find(({ id }) => id === made.id);
  return { ...made, workspace, list, old };
}

const overlapMs = 24 * hour;

test('A rotation makes a key of the same workspace, name and permissions, and the old one expires after the overlap.', async () => {
  const { id, key, workspace, list, old } = await newKey();
  const rotated = await store.rotateApiKey(id, { overlapMs }, start + hour);
  if ('refused' in rotated) throw new Error(rotated.refused);
  expect(rotated.key).not.toBe(key);
  expect(await store.findApiKey(fingerprintOf(rotated.key))).toEqual({
    id: rotated.id,
    prefix: rotated.key.slice(0, 7),
    name: 'ci',
    workspaceId: workspace.id,
    gatewayKey: workspace.gatewayKey,
    permissions: ['links:write', 'tags:read'],
    createdAt: iso(start + hour),
    createdBy: 'service -',
    replaces: id,
  });
  expect(await old()).toMatchObject({ id, replacedBy: rotated.id, expiresAt: iso(start + hour + overlapMs) });
  expect(await list()).toHaveLength(2);
});

test.for([
  ['no expiry if the old one has none', {}, {}, undefined],
  ['the lifetime of the old one', { expiresAt: iso(start + 90 * hour) }, {}, iso(start + 91 * hour)],
  ['no expiry if the request has null', { expiresAt: iso(start + 90 * hour) }, { expiresAt: null }, undefined],
  ["the request's expiry", { expiresAt: iso(start + 90 * hour) }, { expiresAt: iso(start + 5 * hour) }, iso(start + 5 * hour)],
] as const)('The new key gets %s.', async ([, old, options, expiresAt]) => {
  const { id } = await newKey(old);
  const rotated = await store.rotateApiKey(id, { overlapMs, ...options }, start + hour);
  expect('expiresAt' in rotated ? rotated.expiresAt : undefined).toBe(expiresAt);
});

test.for([
  [0, start + hour],
  [overlapMs, start + 3 * hour],
  [hour, start + 2 * hour],
] as const)(
  'With an overlap of %d ms, a key with two hours left expires after the overlap, and never later than before.',
  async ([overlap, end]) => {
    const { id, old } = await newKey({ expiresAt: iso(start + 3 * hour) });
    await store.rotateApiKey(id, { overlapMs: overlap }, start + hour);
    expect((await old())?.expiresAt).toBe(iso(end));
  },
);

test('Of 20 rotations at once, one makes a key, and the others name it.', async () => {
  const { id, list } = await newKey();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.rotateApiKey(id, { overlapMs }, start + hour)));
  const made = outcomes.flatMap((outcome) => ('key' in outcome ? [outcome.id] : []));
  expect(made).toHaveLength(1);
  expect(outcomes.filter((outcome) => 'refused' in outcome)).toEqual(
    Array(19).fill({ refused: 'replaced', replacedBy: made[0] }),
  );
  expect((await list()).map((key) => key.id).sort()).toEqual([id, made[0]].sort());
});

test('A replacement can itself be rotated, and the overlap of the first key stays as it is.', async () => {
  const { id, old, list } = await newKey();
  const second = await store.rotateApiKey(id, { overlapMs }, start);
  if ('refused' in second) throw new Error(second.refused);
  const before = await old();
  const third = await store.rotateApiKey(second.id, { overlapMs: 0 }, start);
  expect(third).toMatchObject({ replaces: second.id });
  expect(await old()).toEqual(before);
  expect((await list()).find((key) => key.id === second.id)).toMatchObject({ expiresAt: iso(start) });
});

describe('A key that cannot be rotated', () => {
  test.for([
    ['is revoked', 'revoked', async (id: string) => void (await store.revokeApiKey(id)), start],
    ['expires at that very millisecond', 'expired', async () => {}, start + hour],
    ['is unknown', 'unknown', async () => {}, start],
  ] as const)('A key that %s is not rotated, and no key is made.', async ([, refused, arrange, now]) => {
    const { id, list } = await newKey({ expiresAt: iso(start + hour) });
    await arrange(id);
    const asked = refused === 'unknown' ? `key_${'0'.repeat(43)}` : id;
    expect(await store.rotateApiKey(asked, { overlapMs }, now)).toEqual({ refused });
    expect(await list()).toHaveLength(1);
  });
});

test.for([
  ['is narrowed', (id: string) => store.updateApiKey(id, { permissions: ['tags:read'] }), { permissions: ['tags:read'] }],
  ['gets another name', (id: string) => store.updateApiKey(id, { name: 'new' }), { name: 'new' }],
  ['is revoked', (id: string) => store.revokeApiKey(id), { refused: 'revoked' }],
  ['is rotated by another', (id: string) => store.rotateApiKey(id, { overlapMs: 0 }, start), { refused: 'replaced' }],
] as const)('If a key %s during its rotation, the rotation does not copy its old state.', async ([, meanwhile, outcome]) => {
  const { id } = await newKey();
  const rotate = () => store.rotateApiKey(id, { overlapMs }, start);
  const rotated = await overtaken(() => meanwhile(id), rotate);
  expect(rotated).toMatchObject(outcome);
  if ('key' in rotated) expect(await store.findApiKey(fingerprintOf(rotated.key))).toMatchObject(outcome);
});

/** One fault at the transaction, which comes after the read of the key. */
const atTransaction = (fault: Fault) => (attempt: { index: number }) => (attempt.index === 1 ? fault : undefined);

test.for(['throttle', 'lost-before', 'lost-after', 'conflict'] as const)(
  'A rotation that meets the fault %s once makes exactly one key.',
  async (fault) => {
    const { id, list, old } = await newKey();
    const rotate = () => store.rotateApiKey(id, { overlapMs }, start);
    const { result } = await underFaults(atTransaction(fault), rotate);
    expect(result).toMatchObject({ replaces: id });
    expect((await old())?.replacedBy).toBe('id' in result && result.id);
    expect(await list()).toHaveLength(2);
  },
);

test('A rotation that dies before its transaction changes nothing, and a retry completes it.', async () => {
  const { id, list } = await newKey();
  const rotate = () => store.rotateApiKey(id, { overlapMs }, start);
  await expect(underFaults(atTransaction('dead-before'), rotate)).rejects.toThrow('death');
  expect(await list()).toMatchObject([{ id, createdAt: iso(start) }]);
  expect(await rotate()).toMatchObject({ replaces: id });
  expect(await list()).toHaveLength(2);
});

test('After a rotation that dies after its transaction, the next one names the lost key, which can be rotated.', async () => {
  const { id, old } = await newKey();
  const rotate = () => store.rotateApiKey(id, { overlapMs }, start);
  await expect(underFaults(atTransaction('dead-after'), rotate)).rejects.toThrow('death');
  const replacedBy = (await old())?.replacedBy ?? '';
  expect(await rotate()).toEqual({ refused: 'replaced', replacedBy });
  expect(await store.rotateApiKey(replacedBy, { overlapMs: 0 }, start)).toMatchObject({ replaces: replacedBy });
});
