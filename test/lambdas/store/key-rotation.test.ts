import { beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../lambdas/domain/api-key.ts';
import { type Fault, underFaults } from '../../support/faults/faults.ts';
import { overtaken } from '../../support/faults/overtaken.ts';
import { type Store, useStore } from '../../support/store.ts';

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

test('a rotation makes a key of the same workspace, name and permissions, and the old one expires after the overlap', async () => {
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
    replaces: id,
  });
  expect(await old()).toMatchObject({ id, replacedBy: rotated.id, expiresAt: iso(start + hour + overlapMs) });
  expect(await list()).toHaveLength(2);
});

test.for([
  ['none, as the old one has none', {}, {}, undefined],
  ["as long a life as the old one's", { expiresAt: iso(start + 90 * hour) }, {}, iso(start + 91 * hour)],
  ['none, where that is asked for', { expiresAt: iso(start + 90 * hour) }, { expiresAt: null }, undefined],
  ['what is asked for', { expiresAt: iso(start + 90 * hour) }, { expiresAt: iso(start + 5 * hour) }, iso(start + 5 * hour)],
] as const)('the new key has for its expiry %s', async ([, old, options, expiresAt]) => {
  const { id } = await newKey(old);
  const rotated = await store.rotateApiKey(id, { overlapMs, ...options }, start + hour);
  expect('expiresAt' in rotated ? rotated.expiresAt : undefined).toBe(expiresAt);
});

test.for([
  [0, start + hour],
  [overlapMs, start + 3 * hour],
  [hour, start + 2 * hour],
] as const)(
  'with an overlap of %d ms a key that had two hours left expires then, and never later than it would have',
  async ([overlap, end]) => {
    const { id, old } = await newKey({ expiresAt: iso(start + 3 * hour) });
    await store.rotateApiKey(id, { overlapMs: overlap }, start + hour);
    expect((await old())?.expiresAt).toBe(iso(end));
  },
);

test('of 20 rotations at once one makes a key, and the others name it', async () => {
  const { id, list } = await newKey();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.rotateApiKey(id, { overlapMs }, start + hour)));
  const made = outcomes.flatMap((outcome) => ('key' in outcome ? [outcome.id] : []));
  expect(made).toHaveLength(1);
  expect(outcomes.filter((outcome) => 'refused' in outcome)).toEqual(
    Array(19).fill({ refused: 'replaced', replacedBy: made[0] }),
  );
  expect((await list()).map((key) => key.id).sort()).toEqual([id, made[0]].sort());
});

test('a replacement can be rotated in turn, which leaves the overlap of the first as it is', async () => {
  const { id, old, list } = await newKey();
  const second = await store.rotateApiKey(id, { overlapMs }, start);
  if ('refused' in second) throw new Error(second.refused);
  const before = await old();
  const third = await store.rotateApiKey(second.id, { overlapMs: 0 }, start);
  expect(third).toMatchObject({ replaces: second.id });
  expect(await old()).toEqual(before);
  expect((await list()).find((key) => key.id === second.id)).toMatchObject({ expiresAt: iso(start) });
});

describe('a key is not rotated, and nothing is made, where it', () => {
  test.for([
    ['is revoked', 'revoked', async (id: string) => void (await store.revokeApiKey(id)), start],
    ['expires at that very millisecond', 'expired', async () => {}, start + hour],
    ['is unknown', 'unknown', async () => {}, start],
  ] as const)('%s', async ([, refused, arrange, now]) => {
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
] as const)('a key that %s while it is rotated is not copied as it was', async ([, meanwhile, outcome]) => {
  const { id } = await newKey();
  const rotate = () => store.rotateApiKey(id, { overlapMs }, start);
  const rotated = await overtaken(store.client, () => meanwhile(id), rotate);
  expect(rotated).toMatchObject(outcome);
  if ('key' in rotated) expect(await store.findApiKey(fingerprintOf(rotated.key))).toMatchObject(outcome);
});

/** One fault at the transaction; the key is read before it. */
const atTransaction = (fault: Fault) => (attempt: { index: number }) => (attempt.index === 1 ? fault : undefined);

test.for(['throttle', 'lost-before', 'lost-after', 'conflict'] as const)(
  'one %s does not disturb a rotation, which makes one key',
  async (fault) => {
    const { id, list, old } = await newKey();
    const rotate = () => store.rotateApiKey(id, { overlapMs }, start);
    const { result } = await underFaults(store.client, atTransaction(fault), rotate);
    expect(result).toMatchObject({ replaces: id });
    expect((await old())?.replacedBy).toBe('id' in result && result.id);
    expect(await list()).toHaveLength(2);
  },
);

test('a rotation that dies before its transaction did nothing, and is done by its repetition', async () => {
  const { id, list } = await newKey();
  const rotate = () => store.rotateApiKey(id, { overlapMs }, start);
  await expect(underFaults(store.client, atTransaction('dead-before'), rotate)).rejects.toThrow('death');
  expect(await list()).toMatchObject([{ id, createdAt: iso(start) }]);
  expect(await rotate()).toMatchObject({ replaces: id });
  expect(await list()).toHaveLength(2);
});

test('a rotation that dies after its transaction is not done again: the key that nobody saw is named, and rotated in turn', async () => {
  const { id, old } = await newKey();
  const rotate = () => store.rotateApiKey(id, { overlapMs }, start);
  await expect(underFaults(store.client, atTransaction('dead-after'), rotate)).rejects.toThrow('death');
  const replacedBy = (await old())?.replacedBy ?? '';
  expect(await rotate()).toEqual({ refused: 'replaced', replacedBy });
  expect(await store.rotateApiKey(replacedBy, { overlapMs: 0 }, start)).toMatchObject({ replaces: replacedBy });
});
