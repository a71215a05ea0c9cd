import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fingerprintOf } from '../../../lambdas/core/key/api-key.ts';
import { defaultPermissions } from '../../../lambdas/core/key/permissions.ts';
import { patience } from '../../support/run/patience.ts';
import { adminOn, newDataFolder } from '../../support/service/commands.ts';
import { expectProblem, type Service, useService } from '../../support/service/service.ts';

let service: Service;
const folder = newDataFolder();
const { admin, json, refused } = adminOn(folder.dataDir);
let workspace: string;
beforeAll(async () => {
  service = await useService();
  folder.pointAt(service);
  workspace = (await json('workspaces', 'create', '--name', 'Acme')).id;
});
afterAll(() => folder.remove());

const create = (...args: string[]) => json('keys', 'create', '--workspace', workspace, ...args);
const listed = async (id: string) =>
  (await json('keys', 'list', '--workspace', workspace)).keys.find((key: { id: string }) => key.id === id);
const get = (key: string) => service.send('GET', '/api/v1/tags', { key });

/** Records a use as the authorizer does, but without giving up on a busy machine. */
async function recordUse(key: string) {
  const found = await service.findApiKey(fingerprintOf(key));
  if (found) await service.recordUse(found, Date.now(), 20_000);
}

const day = 86_400_000;
const future = '2040-01-31T12:00:00.000Z';
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

test('A key with an expiry is created, listed and printed with its time in UTC, and a key without one has no such field.', async () => {
  const { key, ...made } = await create('--name', 'ci', '--expires-at', '2040-01-31T13:00:00+01:00');
  expect(made).toEqual({
    id: expect.stringMatching(/^key_[\w-]{43}$/),
    prefix: key.slice(0, 7),
    name: 'ci',
    workspaceId: workspace,
    permissions: defaultPermissions,
    createdAt: timestamp,
    createdBy: 'operator',
    expiresAt: future,
  });
  expect(await listed(made.id)).toEqual(made);
  const in90Days = await create('--expires-in', '90d');
  expect(Date.parse(in90Days.expiresAt) - Date.parse(in90Days.createdAt)).toBe(90 * day);
  expect(await create()).not.toHaveProperty('expiresAt');
});

test('During a rotation both keys are valid, and the old one names its replacement and its expiry.', async () => {
  const old = await create('--name', 'ci', '--permissions', 'tags:read,links:read');
  expect((await get(old.key)).status).toBe(200);
  const rotated = await json('keys', 'rotate', '--id', old.id);
  const { key, ...made } = rotated;
  expect(rotated).toEqual({
    ...old,
    id: made.id,
    key: expect.stringMatching(/^lk_[0-9A-Za-z]{36}$/),
    prefix: key.slice(0, 7),
    createdAt: timestamp,
    replaces: old.id,
  });
  expect([(await get(old.key)).status, (await get(key)).status]).toEqual([200, 200]);
  await Promise.all([recordUse(old.key), recordUse(key)]);
  const replaced = await listed(old.id);
  const { key: _, ...rest } = old;
  expect(replaced).toEqual({ ...rest, lastUsedAt: timestamp, expiresAt: timestamp, replacedBy: made.id });
  expect(Date.parse(replaced.expiresAt) - Date.parse(made.createdAt)).toBe(day);
  expect(await listed(made.id)).toEqual({ ...made, lastUsedAt: timestamp });
  expect(await refused('keys', 'rotate', '--id', old.id)).toContain(`has been replaced by ${made.id};`);
  expect((await json('keys', 'revoke', '--id', old.id)).id).toBe(old.id);
});

test('With an overlap of 0, the old key is refused at once, and the new one is valid.', async () => {
  const old = await create();
  const { key } = await json('keys', 'rotate', '--id', old.id, '--overlap', '0');
  expectProblem(await get(old.key), 401, 'unauthorized');
  expect((await get(key)).status).toBe(200);
  expect(await refused('keys', 'rotate', '--id', old.id)).toContain('has been replaced by');
});

test('The new key has the lifetime of the old one unless the command sets another.', async () => {
  const life = ({ createdAt, expiresAt }: Record<string, string>) => Date.parse(expiresAt ?? '') - Date.parse(createdAt ?? '');
  const first = await create('--expires-in', '30d');
  const second = await json('keys', 'rotate', '--id', first.id);
  expect(life(second)).toBe(30 * day);
  const third = await json('keys', 'rotate', '--id', second.id, '--expires-in', '7d');
  expect(life(third)).toBe(7 * day);
  const fourth = await json('keys', 'rotate', '--id', third.id, '--no-expiry');
  expect(fourth).not.toHaveProperty('expiresAt');
  expect(await json('keys', 'rotate', '--id', fourth.id, '--expires-at', future)).toMatchObject({ expiresAt: future });
});

test('An update changes the fields that it names, prints the key as the list does, and takes effect.', async () => {
  const { key, ...made } = await create('--name', 'ci', '--permissions', 'links:read');
  expectProblem(await get((await create('--permissions', 'links:read')).key), 403, 'forbidden');
  const update = (...args: string[]) => json('keys', 'update', '--id', made.id, ...args);
  expect(await update('--name', 'nightly')).toEqual({ ...made, name: 'nightly' });
  const widened = { ...made, name: 'nightly', permissions: ['tags:read'], expiresAt: future };
  expect(await update('--permissions', 'tags:read', '--expires-at', future)).toEqual(widened);
  expect(await listed(made.id)).toEqual(widened);
  expect((await get(key)).status).toBe(200);
  expect(await update('--no-expiry')).not.toHaveProperty('expiresAt');
  expect(Date.parse((await update('--expires-in', '2d')).expiresAt)).toBeLessThanOrEqual(Date.now() + 2 * day);
});

test('The output for people has the same fields.', async () => {
  const { stdout } = await admin('keys', 'create', '--workspace', workspace, '--expires-at', future);
  expect(stdout).toMatch(/^id +key_\S+\nkey +lk_\w+\n(.+\n)+expiresAt +2040-01-31T12:00:00\.000Z\n$/);
});

test('No list, log or refusal contains a key.', async () => {
  const old = await create();
  const { key, id } = await json('keys', 'rotate', '--id', old.id);
  await get(old.key);
  await get(key);
  const { stdout } = await admin('keys', 'list', '--workspace', workspace);
  const printed = [stdout, await refused('keys', 'rotate', '--id', old.id), service.logged().join()].join();
  expect(printed).toContain(id);
  for (const secret of [old.key, key]) expect(printed).not.toContain(secret.slice(3 + 5));
});

describe('A refused key command', () => {
  const past = '2020-01-01T00:00:00Z';
  const unknown = `key_${'0'.repeat(43)}`;
  const on = ['--workspace', 'ws_none'];
  test.for([
    ['a new key with an expiry in the past', ['create', ...on, '--expires-at', past], 'in the past, at 2020-01-01T00:00:00.000Z'],
    ['a lifetime of zero', ['create', ...on, '--expires-in', '0'], 'in the past'],
    ['a time without a zone', ['create', ...on, '--expires-at', '2040-01-31T12:00:00'], 'ISO 8601'],
    ['an invalid duration', ['create', ...on, '--expires-in', 'soon'], 'must be a duration'],
    ['both a time and a duration', ['create', ...on, '--expires-at', future, '--expires-in', '1d'], 'cannot be used with'],
    ['--no-expiry for a new key, which has none anyway', ['create', ...on, '--no-expiry'], 'unknown option'],
    ['an update without changes', ['update', '--id', unknown], 'use at least one of'],
    ['an update to an expiry in the past', ['update', '--id', unknown, '--expires-at', past], 'revoke it'],
    [
      'an update with both an expiry and --no-expiry',
      ['update', '--id', unknown, '--expires-at', future, '--no-expiry'],
      'cannot be used',
    ],
    ['an update to an unknown permission', ['update', '--id', unknown, '--permissions', 'all'], '"all"'],
    ['an update of an unknown key', ['update', '--id', unknown, '--name', 'x'], `no API key ${unknown}`],
    ['an update without a key', ['update', '--name', 'x'], '--id'],
    ['a rotation of an unknown key', ['rotate', '--id', unknown], `no API key ${unknown}`],
    ['a rotation with an invalid id', ['rotate', '--id', 'x'.repeat(3_000)], 'no API key'],
    ['an invalid overlap', ['rotate', '--id', unknown, '--overlap', '-1h'], 'must be a duration'],
    ['a rotation to an expiry in the past', ['rotate', '--id', unknown, '--expires-at', past], 'in the past'],
  ] as const)('The command refuses %s with one clear line.', async ([, args, said]) => {
    expect(await refused('keys', ...args)).toContain(said);
  });

  test('The command refuses an update and a rotation of a revoked key with one clear line.', async () => {
    const { id } = await create();
    await json('keys', 'revoke', '--id', id);
    for (const args of [['rotate'], ['update', '--name', 'x']])
      expect(await refused('keys', ...args, '--id', id)).toContain(`${id} is revoked`);
  });
});

test('The history of a workspace has each change of a key by the operator, with the command.', async () => {
  const { id } = await create('--name', 'traced', '--permissions', 'links:read');
  const { key: reader } = await create('--permissions', 'history:read');
  await json('keys', 'update', '--id', id, '--permissions', 'links:read,tags:read');
  await json('keys', 'revoke', '--id', id);
  const operator = (name: string) => ({ type: 'operator', id: null, name });
  await vi.waitFor(
    async () => {
      const { body } = await service.send('GET', '/api/v1/history?actor=operator', { key: reader });
      const ofKey = body.entries.filter((entry: { subject: { id: string } }) => entry.subject.id === id);
      expect(ofKey).toMatchObject([
        { action: 'key.revoked', actor: operator('keys revoke'), requestId: expect.stringMatching(/^req_/) },
        {
          action: 'key.updated',
          actor: operator('keys update'),
          changes: { permissions: { from: ['links:read'], to: ['links:read', 'tags:read'] } },
        },
        { action: 'key.created', actor: operator('keys create') },
      ]);
    },
    { timeout: patience, interval: 200 },
  );
});
