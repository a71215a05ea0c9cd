import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { ApiKey } from '../../../../lambdas/core/key/api-key.ts';
import { defaultPermissions, type Permission, permissions } from '../../../../lambdas/core/key/permissions.ts';
import { permissionsOf, routes } from '../../../../lib/endpoints.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { type Keyring, newKeyring } from '../../../support/things/keys.ts';

// Whatever requests keys make, no key gives or gets permissions that the caller lacks. The gateway lets each key do
// everything, as it may for a minute after a key was revoked or reduced. So only the table decides.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const hour = 3_600_000;
const start = Date.parse('2030-01-02T03:04:05.678Z');
const iso = (time: number) => new Date(time).toISOString();
const endOf = (end: string | null | undefined) => (end ? Date.parse(end) : Number.POSITIVE_INFINITY);
const holds = (own: readonly Permission[], needed: readonly Permission[]) => needed.every((one) => own.includes(one));

/**
 * A request. `caller` and `target` are positions, either among all keys or, with `fits`, among the keys that may manage
 * keys and the keys within the caller's permissions.
 */
type Step = {
  readonly operation: string;
  readonly caller: number;
  readonly target: number;
  readonly fits: boolean;
  readonly permissions: readonly Permission[] | undefined;
  /** In hours from the start; null for no expiry. */
  readonly end: number | null | undefined;
};

/** The bodies of the operations that write keys. */
const bodies: Readonly<Record<string, (step: Step) => object | undefined>> = {
  'create-key': ({ permissions, end }) => ({ permissions, ...expiry(end) }),
  'update-key': ({ permissions, end }) => ({ permissions, ...expiry(end) }),
  'rotate-key': ({ end }) => ({ overlapSeconds: 3_600, ...expiry(end) }),
  'delete-key': () => undefined,
};
const expiry = (end: Step['end']) => (end === undefined ? {} : { expiresAt: end === null ? null : iso(start + end * hour) });

test('These tests try all operations that may write keys or need keys:write.', () => {
  const writing = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:PartiQLInsert'] as const;
  const writers = routes.filter(
    (route) =>
      permissionsOf(route).includes('keys:write') || writing.some((action) => route.tableActions[action]?.includes('KEY#*')),
  );
  expect(writers.map(({ name }) => name).sort()).toEqual(Object.keys(bodies).sort());
});

/** A second implementation of the rules: whether they allow a step. */
function isAllowed({ operation, permissions: asked, end }: Step, now: number, caller: ApiKey, target: ApiKey): boolean {
  const stands = !caller.revokedAt && now < endOf(caller.expiresAt) && caller.permissions.includes('keys:write');
  if (!stands) return false;
  const until = end === undefined ? undefined : end === null ? Number.POSITIVE_INFINITY : start + end * hour;
  if (until !== undefined && until <= now && operation !== 'delete-key') return false;
  const own = endOf(caller.expiresAt);
  if (operation === 'create-key') {
    const given = asked ?? defaultPermissions.filter((one) => caller.permissions.includes(one));
    return given.length > 0 && holds(caller.permissions, given) && (until ?? own) <= own;
  }
  if (!holds(caller.permissions, target.permissions)) return false;
  if (operation === 'delete-key') return true;
  if (target.revokedAt) return false;
  if (operation === 'rotate-key') {
    return !target.replacedBy && now < endOf(target.expiresAt) && (until === undefined || until <= own);
  }
  const isLater = until !== undefined && until > endOf(target.expiresAt);
  const isInBounds = !isLater || (!target.replacedBy && until <= Math.min(own, endOf(target.endsBy)));
  return holds(caller.permissions, asked ?? []) && isInBounds;
}

/** Expects that a step has given and taken only what its caller has. */
function expectNoEscalation(before: ReadonlyMap<string, ApiKey>, after: ReadonlyMap<string, ApiKey>, caller: ApiKey): void {
  for (const [id, key] of after) {
    const old = before.get(id);
    const gained = key.permissions.filter((one) => !old?.permissions.includes(one));
    expect(holds(caller.permissions, gained)).toBe(true);
    const most = old ? Math.max(endOf(old.expiresAt), endOf(caller.expiresAt)) : endOf(caller.expiresAt);
    expect(endOf(key.expiresAt)).toBeLessThanOrEqual(most);
    const { lastUsedAt: _, ...was } = old ?? ({} as ApiKey);
    const isChanged = JSON.stringify({ ...key, lastUsedAt: undefined }) !== JSON.stringify({ ...was, lastUsedAt: undefined });
    if (old && isChanged) expect(holds(caller.permissions, [...old.permissions, ...key.permissions])).toBe(true);
    if (old?.revokedAt) expect(key.revokedAt).toBe(old.revokedAt);
    if (old?.replacedBy) expect(endOf(key.expiresAt)).toBeLessThanOrEqual(endOf(old.expiresAt));
  }
  for (const id of before.keys()) expect(after.has(id)).toBe(true);
}

/** For each key that another key has created: the creator's expiry at that time. */
type Horizons = Map<string, number>;

/** Expects that no key outlives its creator's expiry at that time, and so on back to a key of the operator. */
function expectNoKeyToOutliveItsMaker(
  before: ReadonlyMap<string, ApiKey>,
  after: ReadonlyMap<string, ApiKey>,
  caller: ApiKey,
  horizons: Horizons,
): void {
  for (const [id, key] of after) {
    if (!before.has(id)) horizons.set(id, Math.min(endOf(caller.expiresAt), horizons.get(caller.id) ?? Number.POSITIVE_INFINITY));
    expect(endOf(key.expiresAt)).toBeLessThanOrEqual(horizons.get(id) ?? Number.POSITIVE_INFINITY);
  }
}

async function take(ring: Keyring, step: Step, now: number, horizons: Horizons): Promise<void> {
  const before = await ring.all();
  const keys = [...before.values()];
  const pick = (position: number, fits: (key: ApiKey) => boolean) => {
    const fitting = step.fits ? keys.filter(fits) : [];
    const among = fitting.length > 0 ? fitting : keys;
    return among[position % among.length] as ApiKey;
  };
  const caller = pick(step.caller, (key) => !key.revokedAt && key.permissions.includes('keys:write'));
  const target = pick(step.target, (key) => key !== caller && !key.revokedAt && holds(caller.permissions, key.permissions));
  const { status, body } = await callEndpoint(step.operation, {
    workspaceId: ring.workspaceId,
    keyId: caller.id,
    receivedAt: now,
    ...(step.operation !== 'create-key' && { id: target.id }),
    body: bodies[step.operation]?.(step),
  });
  expect([step, body, status < 300]).toEqual([step, body, isAllowed(step, now, caller, target)]);
  expect([200, 201, 204, 401, 403, 409, 422]).toContain(status);
  const after = await ring.all();
  if (status >= 300) expect(after).toEqual(before);
  expectNoEscalation(before, after, caller);
  expectNoKeyToOutliveItsMaker(before, after, caller, horizons);
  const counting = [...after.values()].filter(({ revokedAt, replacedBy }) => !revokedAt && !replacedBy);
  expect(await ring.counted()).toBe(counting.length);
}

/** Mostly large sets that may manage keys. */
const anySet = fc.oneof(
  fc.constantFrom<readonly Permission[]>(
    permissions,
    ['keys:write', 'keys:read'],
    ['keys:write', 'links:read', 'links:write'],
    ['keys:write', 'links:read'],
    defaultPermissions,
  ),
  fc.subarray([...permissions], { minLength: 1 }),
);
const anyEnd = fc.constantFrom(undefined, undefined, null, 2, 6, 24);
const steps = fc.array(
  fc.record<Step>({
    operation: fc.constantFrom(...Object.keys(bodies), 'create-key', 'update-key', 'update-key'),
    caller: fc.nat(50),
    target: fc.nat(50),
    fits: fc.boolean(),
    permissions: fc.option(anySet, { nil: undefined }),
    end: anyEnd,
  }),
  { minLength: 8, maxLength: 20 },
);
const roots = fc.array(fc.tuple(anySet, fc.constantFrom(undefined, 3, 30)), { minLength: 2, maxLength: 4 });

test("Whatever keys and the keys that they create do to keys, no key gets a permission or an expiry beyond the caller's.", async () => {
  await fc.assert(
    fc.asyncProperty(roots, steps, async (made, taken) => {
      const ring = await newKeyring(store);
      for (const [some, end] of made) await ring.newKey(some, end === undefined ? undefined : iso(start + end * hour));
      const horizons: Horizons = new Map();
      for (const [index, step] of taken.entries()) await take(ring, step, start + (index * hour) / 2, horizons);
    }),
    { numRuns: runs(16) },
  );
});
