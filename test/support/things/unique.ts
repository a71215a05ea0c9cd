import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import type { Link } from '../../../lambdas/core/link/link.ts';
import type { Key } from '../../../lambdas/store/table/keys.ts';
import { contextWith } from '../http/invoke.ts';

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

/** A visitor of a link. @property at in ISO 8601 */
type Visit = {
  readonly link: Pick<Link, 'id' | 'workspaceId' | 'domain' | 'clickEpoch'>;
  readonly at: string;
  readonly visitor: string;
};

/** Sees visitors, and counts those who are new, as the stream delivers them. Nothing is hashed. */
export async function seeVisitors(visits: readonly Visit[]): Promise<void> {
  const { handler } = await import('../../../lambdas/events/count-clicks.ts');
  const { recordSeen, seenItem } = await import('../../../lambdas/store/visitors/seen.ts');
  const { getItem } = await import('../../../lambdas/store/table/reads.ts');
  const shardId = `shardId-0000000189${String(++made).padStart(10, '0')}-unique`;
  const Records: object[] = [];
  for (const { link, at, visitor } of visits) {
    const { id: linkId, workspaceId, domain: host, clickEpoch: epoch } = link;
    const item = seenItem({ linkId, day: at.slice(0, 10), epoch, visitor }, { workspaceId, host });
    if (await getItem(item)) continue;
    await recordSeen(item);
    const NewImage = { workspaceId: { S: workspaceId }, host: { S: host }, ttl: { N: String(item.ttl) } };
    const place = { SequenceNumber: String(++made), ApproximateCreationDateTime: Math.floor(Date.parse(at) / 1_000) };
    Records.push({ dynamodb: { Keys: { pk: { S: item.pk }, sk: { S: item.sk } }, NewImage, ...place } });
  }
  if (Records.length > 0) await handler({ Records: Records as never, shardId }, contextWith(20_000));
}

let made = 0;

/** The keys of the visitors whom a link saw. */
export async function visitorsOf(linkId: string): Promise<Key[]> {
  const { query } = await import('../../../lambdas/store/table/reads.ts');
  const { anyTime, seenOf, toKey } = await import('../../../lambdas/store/table/keys.ts');
  const parts = await Promise.all(seenOf(linkId).map((pk) => Array.fromAsync(query({ pk, between: anyTime }))));
  return parts.flat().map(toKey);
}
