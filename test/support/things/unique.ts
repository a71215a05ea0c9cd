import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';

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

/** The visitors that a link's clicks distinguish, as recorded: each once for each day and epoch. */
export async function visitorsOf(linkId: string): Promise<{ day: string; epoch: number; visitor: string }[]> {
  const { query } = await import('../../../lambdas/store/table/reads.ts');
  const { anyTime, clicksOf } = await import('../../../lambdas/store/table/keys.ts');
  const items = await Promise.all(clicksOf(linkId).map((pk) => Array.fromAsync(query({ pk, between: anyTime }))));
  const visitors = items.flat().flatMap(({ sk, epoch = 0, visitor }) => {
    if (visitor === undefined) return [];
    const one = { day: String(sk).slice(0, 10), epoch: Number(epoch), visitor: String(visitor) };
    return [[JSON.stringify(one), one] as const];
  });
  return [...new Map(visitors).values()];
}
