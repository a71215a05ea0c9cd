import type { AddressDimension, Click, WebhookFields } from '../../core/click/click.ts';
import type { Link } from '../../core/link/link.ts';
import type { Item } from '../table/client.ts';
import { anyTime, clickAt, clicksOf, toKey } from '../table/keys.ts';
import { merged, query } from '../table/reads.ts';
import { recordedDimensions } from './clicks.ts';
import { epochOf } from './counts.ts';

/** A click as it was recorded. */
export type RecordedClick = Omit<Click, 'epoch' | 'workspaceId' | 'host' | 'visitor' | AddressDimension | keyof WebhookFields>;

/** Which of a link's clicks to list: those before a position, from `from` on and before `to`. */
type Part = {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** A page looks at this many records at most. It looks at so many only while an erasure is removing many clicks. */
const mostLookedAt = 1_000;

/**
 * The recorded clicks of a link, newest first. Erased ones are left out, even if their records are still there.
 *
 * A link's clicks are in 16 partitions, each sorted by time. They are merged as they are read, a few at a time.
 *
 * @param part `from` is before `to`, and `before` is between them.
 * @returns the clicks, fewer than `limit` if many are erased; and the position of the last record that was looked at, if
 *   more may follow.
 */
export async function listClicks(
  { id: linkId, clickEpoch }: Pick<Link, 'id' | 'clickEpoch'>,
  { limit, before, from, to }: Part,
): Promise<{ readonly clicks: readonly RecordedClick[]; readonly next: string | undefined }> {
  const partitions = clicksOf(linkId).map((pk) => {
    const between = [from ?? anyTime[0], to ?? anyTime[1]] as const;
    const after = before === undefined ? undefined : { pk, sk: before };
    return query({ pk, between }, { after, backwards: true, pageSize: Math.ceil(limit / 8), consistent: false });
  });
  const clicks: RecordedClick[] = [];
  let looked = 0;
  let last: string | undefined;
  for await (const item of merged(partitions, 'sk')) {
    if (clicks.length === limit || looked === mostLookedAt) return { clicks, next: last };
    looked++;
    last = toKey(item).sk;
    if (epochOf(item) >= clickEpoch) clicks.push(toRecordedClick(linkId, item));
  }
  return { clicks, next: undefined };
}

/** The click of an item. */
export const toRecordedClick = (linkId: string, item: Item): RecordedClick => ({
  ...clickAt(toKey(item).sk),
  linkId,
  ...recordedDimensions(item),
});
