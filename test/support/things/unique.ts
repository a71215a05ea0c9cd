import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import type { Key } from '../../../lambdas/store/table/keys.ts';

// Unique clicks in the tables of a test. The modules are loaded when they are needed, because they belong to its store.

/** The day in UTC of a time in milliseconds since 1970. */
export const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Lets functions that start from now on count unique clicks. `vi.unstubAllEnvs` ends it. */
export const countUniques = (): void => {
  vi.stubEnv('UNIQUE_CLICKS', 'daily');
};

/** Gives days a secret, as the schedule does a day ahead, if they have none. */
export async function giveSecrets(...days: readonly string[]): Promise<void> {
  const { putIfAbsent } = await import('../../../lambdas/store/table/writes.ts');
  const { daySecretKey } = await import('../../../lambdas/store/table/keys.ts');
  for (const day of days) await putIfAbsent({ ...daySecretKey(day), secret: randomBytes(32).toString('base64url'), ttl: 1 });
}

/** The keys of the visitors whom a link saw. */
export async function visitorsOf(linkId: string): Promise<Key[]> {
  const { query } = await import('../../../lambdas/store/table/reads.ts');
  const { anyTime, seenOf, toKey } = await import('../../../lambdas/store/table/keys.ts');
  const parts = await Promise.all(seenOf(linkId).map((pk) => Array.fromAsync(query({ pk, between: anyTime }))));
  return parts.flat().map(toKey);
}
