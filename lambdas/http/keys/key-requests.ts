import * as z from 'zod/mini';
import { fieldRefused, fieldsRefused, RequestError, RuleError } from '../../core/errors.ts';
import { futureExpiry } from '../../core/key/key-expiry.ts';
import { parseKeyName } from '../../core/key/key-name.ts';
import { type Permission, permissions } from '../../core/key/permissions.ts';
import { expiresInSeconds } from '../../core/limits.ts';
import { parseTimestamp } from '../../core/timestamp.ts';
import type { KeyCaller } from '../../store/api-keys/callers.ts';
import { type ApiEvent, callerOf, receivedAt } from '../api-event.ts';
import { ruled } from '../validation.ts';

/** The API key that sends a request, for decisions that need its item in the table. */
export const keyCallerOf = (event: ApiEvent): KeyCaller => {
  const { workspaceId, keyId } = callerOf(event);
  return { workspaceId, keyId, receivedAt: receivedAt(event) };
};

export const keyName = ruled(parseKeyName);

/** At least one permission. Duplicates are dropped, the order is kept. */
export const keyPermissions = z.pipe(
  z.array(z.enum(permissions)).check(z.minLength(1), z.maxLength(permissions.length)),
  z.transform((some: Permission[]) => [...new Set(some)]),
);

/** When a key expires. `expiryIn` checks that it is in the future. */
export const keyExpiry = ruled(parseTimestamp);

export const expiryFields = {
  expiresAt: z.optional(z.nullable(keyExpiry)),
  expiresInSeconds: z.optional(z.int().check(z.minimum(1), z.maximum(expiresInSeconds))),
};

export const keySettings = {
  name: z.optional(z.nullable(keyName)),
  permissions: z.optional(keyPermissions),
  ...expiryFields,
};

type ExpiryFields = { readonly expiresAt?: string | null | undefined; readonly expiresInSeconds?: number | undefined };

/**
 * The requested expiry: null for none, undefined if the request doesn't say.
 *
 * @throws RequestError `validation_failed` if both fields are sent, or if it isn't in the future
 */
export function expiryIn({ expiresAt, expiresInSeconds }: ExpiryFields, event: ApiEvent): string | null | undefined {
  const now = receivedAt(event);
  if (expiresInSeconds !== undefined) {
    if (expiresAt === undefined) return new Date(now + expiresInSeconds * 1_000).toISOString();
    throw fieldRefused('/expiresInSeconds', new RuleError('not_together', 'must not be sent together with expiresAt'));
  }
  if (typeof expiresAt !== 'string') return expiresAt;
  try {
    return futureExpiry(expiresAt, now);
  } catch (error) {
    throw error instanceof RuleError ? fieldRefused('/expiresAt', error) : error;
  }
}

/**
 * Awaits work for a request with these fields.
 *
 * @throws what the work throws. If it refuses the expiry, the error names the field that was sent.
 */
export async function namingExpiry<T>({ expiresInSeconds }: ExpiryFields, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (expiresInSeconds === undefined || !(error instanceof RequestError) || error.code !== 'validation_failed') throw error;
    throw fieldsRefused(
      error.fieldErrors.map((one) => (one.path === '/expiresAt' ? { ...one, path: '/expiresInSeconds' } : one)),
    );
  }
}

/** The error for a change of a revoked key, or a rotation of an expired one. */
export const keyEnded = (how: 'is revoked' | 'has expired') =>
  new RequestError('key_ended', `The API key ${how}: create a new one.`);
