import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import { rolePermissions } from '../../../lambdas/core/member/roles.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Input } from '../../../lambdas/store/table/operations.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { type FaultProxy, startFaultProxy } from '../../support/faults/proxy.ts';
import { callEndpoint, contextWith } from '../../support/http/invoke.ts';
import { functionsOf, readTemplate, tableStatements } from '../../support/stacks/policies.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { type Joined, newTeam, type Team } from '../../support/things/members.ts';

// Runs the authorizer in this process, with a clock and a store that the test controls.

let proxy: FaultProxy;
let store: Store;
beforeAll(async () => {
  proxy = await startFaultProxy(inject('service').endpoint);
  store = await useStore();
  // The store's client reads this when it is first used.
  process.env.AWS_ENDPOINT_URL_DYNAMODB = proxy.endpoint;
});
afterAll(() => proxy.stop());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const start = Date.parse('2030-01-02T03:04:05.678Z');
const iso = (time: number) => new Date(time).toISOString();
const setTime = (now: number) => vi.useFakeTimers({ now, toFake: ['Date'] });

async function newKey(expiresAt?: string) {
  const workspace = await store.newWorkspace();
  const wanted = { name: null, permissions: ['links:read', 'tags:read'], ...(expiresAt && { expiresAt }) } as const;
  const { key, id } = await store.createApiKey(workspace, wanted);
  const authorize = () => authorizing(key);
  const found = async () => (await store.listApiKeys(workspace.id))[0];
  return { key, id, workspace, authorize, found };
}

/** The authorizer's answer for a key. */
async function authorizing(key: string) {
  const { handler } = await import('../../../lambdas/authorizer/authorize.ts');
  const methodArn = 'arn:aws:execute-api:x:1:api/stage/GET/api';
  return handler({ type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn }, contextWith(20_000));
}

test('A key is accepted until the millisecond before it expires, passes its expiry to the endpoints, and is refused from then on.', async () => {
  const { authorize, workspace } = await newKey(iso(start));
  setTime(start - 1);
  expect(await authorize()).toMatchObject({
    context: { workspaceId: workspace.id, permissions: 'links:read tags:read', expiresAt: iso(start) },
  });
  for (const now of [start, start + 1]) {
    setTime(now);
    await expect(authorize()).rejects.toThrow(/^Unauthorized$/);
  }
});

test('A key without an expiry passes none to the endpoints.', async () => {
  const { authorize, workspace } = await newKey();
  expect((await authorize()).context).toEqual({ workspaceId: workspace.id, permissions: 'links:read tags:read' });
});

test('100 authorisations at once all succeed, and record at most one use.', async () => {
  const { authorize } = await newKey();
  const work = () => Promise.all(Array.from({ length: 100 }, authorize));
  const { result, units } = await underFaults(() => undefined, work);
  expect(result.filter(({ policyDocument }) => policyDocument.Statement[0]?.Effect === 'Allow')).toHaveLength(100);
  // The store's tests check that it is exactly one, unless the store is slow.
  expect(units.write).toBeLessThanOrEqual(1);
});

test.for(['revoked', 'expired'] as const)('The use of a key that is %s is not recorded.', async (state) => {
  const { id, authorize, found } = await newKey(state === 'expired' ? iso(Date.now()) : undefined);
  if (state === 'revoked') await store.revokeApiKey(id);
  const { result, commands } = await underFaults(
    () => undefined,
    () => authorize().catch(({ message }) => message),
  );
  expect([result, commands]).toEqual(['Unauthorized', ['GetItem']]);
  expect((await found())?.lastUsedAt).toBeUndefined();
});

test('If the store is slow to record a use, the authorizer gives up before its timeout and accepts the key.', async () => {
  const { key, authorize } = await newKey();
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  proxy.plan(['pass', 'slow']);
  expect((await authorize()).policyDocument.Statement[0]?.Effect).toBe('Allow');
  // It gives up at its own deadline, not at the client's, which is a TimeoutError after 2 seconds.
  expect(warn.mock.calls).toMatchObject([
    [{ message: 'a store call failed', attempt: 1, name: 'AbortError' }],
    [{ message: 'the use of an API key was not recorded' }],
  ]);
  expect(JSON.stringify(warn.mock.calls)).not.toContain(key.slice(3));
});

test('Recording a use names exactly the attributes that the policy allows.', async () => {
  const { authorize } = await newKey();
  const named: string[] = [];
  const stop = intercept((operation, input, next) => {
    if (operation !== 'UpdateItem') return next(input);
    const { Key, ExpressionAttributeNames, ReturnValues } = input as Input<'UpdateItem'>;
    named.push(...Object.keys(Key ?? {}), ...Object.values(ExpressionAttributeNames ?? {}));
    expect(ReturnValues).toBeUndefined();
    return next(input);
  });
  await authorize().finally(stop);
  const { outdir } = inject('service');
  const allowed = readdirSync(outdir)
    .filter((file) => file.endsWith('-Api.template.json'))
    .flatMap((file) => functionsOf(readTemplate(join(outdir, file))))
    .filter(({ properties }) => properties.Description.includes('bearer key'))
    .flatMap(({ statements }) => tableStatements(statements))
    .flatMap(({ condition }) => condition?.['ForAllValues:StringEquals']?.['dynamodb:Attributes'] ?? []);
  expect(named.sort()).toEqual(allowed.sort());
});

test('A key that cannot be checked is logged for the alarm, without the key, and a refused one is not logged.', async () => {
  const { authorize, key } = await newKey(iso(start));
  const log = vi.spyOn(console, 'error').mockReturnValue();
  setTime(start + 1);
  await expect(authorize()).rejects.toThrow(/^Unauthorized$/);
  expect(log).not.toHaveBeenCalled();

  const restore = intercept(() => {
    throw Object.assign(new Error('no'), { name: 'AccessDeniedException' });
  });
  await expect(authorize()).rejects.toThrow();
  restore();
  expect(log.mock.calls).toEqual([[{ message: alarming.keyNotChecked, name: expect.any(String) }]]);
  expect(JSON.stringify(log.mock.calls)).not.toContain(key);
});

test('A plain key takes one read, and at most one write a minute; a key of a sign-in takes two reads.', async () => {
  const { authorize } = await newKey();
  const commandsOf = async (work: () => Promise<unknown>) => (await underFaults(() => undefined, work)).commands;
  expect(await commandsOf(authorize)).toEqual(['GetItem', 'UpdateItem']);
  expect(await commandsOf(authorize)).toEqual(['GetItem']);
  const { join } = await newTeam(store);
  const { key } = await join('viewer');
  expect(await commandsOf(() => authorizing(key.key))).toEqual(['GetItem', 'BatchGetItem']);
});

test('A key that a member made is a plain key: it takes no further read, and outlives its member.', async () => {
  const { join, workspaceId } = await newTeam(store);
  const { keyId, id } = await join('owner');
  const { body } = await callEndpoint('create-key', { workspaceId, keyId, body: { permissions: ['links:read'] } });
  await store.deleteItem({ pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${id}` });
  const { result, commands } = await underFaults(
    () => undefined,
    () => authorizing(body.key),
  );
  expect([result.context?.memberId, commands]).toEqual([undefined, ['GetItem', 'UpdateItem']]);
});

test("A key of a sign-in has its member's id and the permissions of the role.", async () => {
  const { join, workspaceId, workspace } = await newTeam(store);
  const { key, id } = await join('editor');
  expect(await authorizing(key.key)).toMatchObject({
    principalId: key.id,
    usageIdentifierKey: workspace.gatewayKey,
    context: { workspaceId, memberId: id, permissions: rolePermissions.editor.join(' '), expiresAt: key.expiresAt },
  });
});

const set = (team: Team, id: string, name: string, value: unknown) =>
  store.updateItem(
    { pk: `MEMBERS#${team.workspaceId}`, sk: `MEMBER#${id}` },
    { text: `SET #${name} = :value`, values: { ':value': value } },
  );

test.for<[string, (team: Team, one: Joined) => Promise<unknown>]>([
  ['the member is removed', (team, { id }) => set(team, id, 'state', 'removed')],
  [
    "the member's item is gone",
    ({ workspaceId }, { id }) => store.deleteItem({ pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${id}` }),
  ],
  ['the member waits for approval again', (team, { id }) => set(team, id, 'state', 'pending')],
  ['the member has a lower role', (team, { id }) => set(team, id, 'role', 'viewer')],
  ['the member has a higher role', (team, { id }) => set(team, id, 'role', 'owner')],
  ['the person has signed out', (_, { session }) => session.end()],
])('A key of a sign-in is refused once %s, while the sign-in of somebody else still works.', async ([_, end]) => {
  const team = await newTeam(store);
  const [one, other] = [await team.join('editor'), await team.join('editor')];
  await end(team, one);
  await expect(authorizing(one.key.key)).rejects.toThrow(/^Unauthorized$/);
  expect((await authorizing(other.key.key)).principalId).toBe(other.keyId);
});
