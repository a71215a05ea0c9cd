import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestError } from '../../../../lambdas/core/errors.ts';
import type { ApiKey } from '../../../../lambdas/core/key/api-key.ts';
import {
  checkChanges,
  checkReach,
  newKeySettings,
  replacementSettings,
  standing,
} from '../../../../lambdas/core/key/authority.ts';
import { defaultPermissions, type Permission, permissions } from '../../../../lambdas/core/key/permissions.ts';
import { permissionsOf, routes } from '../../../../lib/endpoints.ts';

const now = Date.parse('2030-01-02T03:04:05.678Z');
const day = 86_400_000;
const iso = (time: number) => new Date(time).toISOString();

const keyWith = (some: readonly Permission[], more: Partial<ApiKey> = {}): ApiKey => ({
  id: `key_${'0'.repeat(43)}`,
  prefix: 'lk_0000',
  name: null,
  workspaceId: 'ws_1',
  permissions: some,
  createdAt: iso(now - day),
  createdBy: 'service -',
  gatewayKey: 'gateway',
  ...more,
});

/** The code of the refusal; undefined if there is none. */
function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.code;
  }
}

/** The sets that operations need, all permissions but one, and each permission by itself. */
const sets: readonly (readonly Permission[])[] = [
  [],
  permissions,
  defaultPermissions,
  ...permissions.map((one) => [one]),
  ...permissions.map((one) => permissions.filter((other) => other !== one)),
  ...routes.map((route) => permissionsOf(route)),
  ...routes.map((route) => [...new Set<Permission>([...permissionsOf(route), 'keys:write'])]),
];
const holds = (caller: readonly Permission[], needed: readonly Permission[]) => needed.every((one) => caller.includes(one));

test('For each pair of sets, a key gives only its own permissions, and changes, rotates and revokes only keys within them.', () => {
  for (const own of sets) {
    const caller = keyWith(own);
    for (const other of sets) {
      const key = keyWith(other);
      const isWithin = holds(own, other);
      const expected = isWithin ? undefined : 'forbidden';
      if (other.length > 0) expect(refusalOf(() => newKeySettings(caller, { permissions: other }))).toBe(expected);
      expect(refusalOf(() => checkReach(caller, key))).toBe(expected);
      expect(refusalOf(() => replacementSettings(caller, key, undefined, now))).toBe(expected);
      expect(refusalOf(() => checkChanges(caller, key, { name: 'New' }))).toBe(expected);
      // A key gets only the caller's permissions, and loses only those that the caller has.
      expect(refusalOf(() => checkChanges(caller, keyWith([]), { permissions: other }))).toBe(expected);
      expect(refusalOf(() => checkChanges(caller, key, { permissions: [] }))).toBe(expected);
    }
  }
});

const anySet = fc.subarray([...permissions]);
const ends = fc.option(fc.integer({ min: now - day, max: now + 3 * day }).map(iso), { nil: undefined });
const endOf = (end: string | null | undefined) => (end ? Date.parse(end) : Number.POSITIVE_INFINITY);

test('Whatever a request says, a new key has no permission that its creator lacks, and does not outlive it.', () => {
  fc.assert(
    fc.property(anySet, ends, fc.option(anySet, { nil: undefined }), fc.option(ends, { nil: null }), (own, end, asked, until) => {
      const caller = keyWith(own, end === undefined ? {} : { expiresAt: end });
      const wanted = { permissions: asked, expiresAt: until };
      const isAllowed = asked?.length !== 0 && holds(own, asked ?? []) && (until === undefined || endOf(until) <= endOf(end));
      const hasDefault = asked !== undefined || own.some((one) => defaultPermissions.includes(one));
      let made: ReturnType<typeof newKeySettings> | undefined;
      const refusal = refusalOf(() => {
        made = newKeySettings(caller, wanted);
      });
      expect(refusal === undefined).toBe(isAllowed && hasDefault);
      if (!made) return;
      expect(holds(own, made.permissions)).toBe(true);
      expect(endOf(made.expiresAt)).toBeLessThanOrEqual(endOf(end));
      expect(made.endsBy).toBe(end);
      if (asked === undefined) expect(made.permissions.filter((one) => /^(keys|members):/.test(one))).toEqual([]);
    }),
  );
});

test('A change of an expiry is allowed if and only if it shortens it, or stays within that of the caller and of the creator.', () => {
  fc.assert(
    fc.property(ends, ends, ends, fc.option(ends, { nil: null }), (callersEnd, end, endsBy, until) => {
      const caller = keyWith(permissions, callersEnd === undefined ? {} : { expiresAt: callersEnd });
      const key = keyWith(['links:read'], { ...(end && { expiresAt: end }), ...(endsBy && { endsBy }) });
      const isAllowed =
        until === undefined || endOf(until) <= endOf(end) || (endOf(until) <= endOf(callersEnd) && endOf(until) <= endOf(endsBy));
      const refusal = refusalOf(() => checkChanges(caller, key, { expiresAt: until }));
      expect(refusal).toBe(isAllowed ? undefined : 'validation_failed');
    }),
  );
});

test("The expiry of a replaced key can only be shortened, whatever the caller's expiry is.", () => {
  fc.assert(
    fc.property(
      ends,
      ends.filter((end) => end !== undefined),
      fc.option(ends, { nil: null }),
      (callersEnd, end, until) => {
        const caller = keyWith(permissions, callersEnd === undefined ? {} : { expiresAt: callersEnd });
        const replaced = keyWith(['links:read'], { expiresAt: end, replacedBy: 'key_new' });
        const isAllowed = until === undefined || endOf(until) <= endOf(end);
        expect(refusalOf(() => checkChanges(caller, replaced, { expiresAt: until }))).toBe(
          isAllowed ? undefined : 'key_replaced',
        );
      },
    ),
  );
});

test('A replacement has the name and permissions of the old key, and does not outlive the caller.', () => {
  fc.assert(
    fc.property(ends, ends, fc.option(ends, { nil: null }), (callersEnd, end, until) => {
      const caller = keyWith(permissions, callersEnd === undefined ? {} : { expiresAt: callersEnd });
      const old = keyWith(['links:read'], { name: 'Old', ...(end && { expiresAt: end }) });
      let made: ReturnType<typeof replacementSettings> | undefined;
      const refusal = refusalOf(() => {
        made = replacementSettings(caller, old, until, now);
      });
      expect(refusal === undefined).toBe(until === undefined || endOf(until) <= endOf(callersEnd));
      if (!made) return;
      expect([made.name, made.permissions]).toEqual(['Old', ['links:read']]);
      expect(endOf(made.expiresAt)).toBeLessThanOrEqual(endOf(callersEnd));
    }),
  );
});

test.for<[string, ApiKey | undefined, string | undefined]>([
  ['is gone', undefined, 'unauthorized'],
  ['is revoked', keyWith(permissions, { revokedAt: iso(now - 1) }), 'unauthorized'],
  ['expires at that very millisecond', keyWith(permissions, { expiresAt: iso(now) }), 'unauthorized'],
  ['lacks keys:write', keyWith(permissions.filter((one) => one !== 'keys:write')), 'forbidden'],
  ['expires a millisecond later', keyWith(permissions, { expiresAt: iso(now + 1) }), undefined],
  ['is replaced, and still valid', keyWith(permissions, { replacedBy: 'key_new' }), undefined],
])('The table decides whether a key that %s may manage keys.', ([, key, refusal]) => {
  expect(refusalOf(() => standing(key, now, 'keys:write'))).toBe(refusal);
});

test('A refusal names the field and the bound, or the permission that is missing.', () => {
  const caller = keyWith(['links:read', 'keys:write'], { expiresAt: iso(now + day) });
  expect(() => newKeySettings(caller, { permissions: ['stats:read'] })).toThrow(/lacks the permission stats:read/);
  expect(() => newKeySettings(caller, { expiresAt: null })).toThrow(`/expiresAt must not be later than ${iso(now + day)}`);
  expect(() => newKeySettings(keyWith(['keys:write', 'keys:read']), {})).toThrow('/permissions is required');
});
