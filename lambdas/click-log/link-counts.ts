import { dayMs } from '../core/click/day.ts';
import { askClicks } from './asking.ts';

/** A row whose click may not be counted yet. @property at in milliseconds since 1970 */
type FreshRow = {
  readonly linkId: string;
  readonly epoch: number;
  readonly at: number;
  readonly shard: string;
  readonly sequenceNumber: string;
};

/** Rows of a link and epoch that must be counted by now. @property newest the last click, in milliseconds since 1970 */
type SettledRows = { readonly linkId: string; readonly epoch: number; readonly clicks: number; readonly newest: number };

/**
 * All rows of a workspace that are neither erased nor expired, each click once.
 *
 * @property duplicates ids that files have twice
 */
export type LinkCounts = {
  readonly settled: readonly SettledRows[];
  readonly fresh: readonly FreshRow[];
  readonly duplicates: readonly { readonly id: string; readonly times: number }[];
};

/**
 * Counts the rows of a workspace by link and epoch, however many there are.
 *
 * @param freshSince clicks from this time on may not have reached their counter yet, in milliseconds since 1970.
 * @throws RequestError `temporarily_unavailable` if a file is missing or can't be read
 */
export const askLinkCounts = (workspaceId: string, freshSince: number, now = Date.now()): Promise<LinkCounts> =>
  askClicks(
    workspaceId,
    // A clock may be ahead.
    { from: 0, to: now + 2 * dayMs },
    async (ask) => {
      const fresh = '(shard IS NOT NULL AND epoch_ms(clicked_at) >= $freshSince::BIGINT)';
      const parameters = { freshSince: String(Math.floor(freshSince)) };
      const settled = await ask(
        `SELECT link_id, epoch, count(DISTINCT id) + count(*) FILTER (id IS NULL) AS clicks, max(epoch_ms(clicked_at)) AS newest
        FROM clicks WHERE NOT ${fresh} GROUP BY link_id, epoch`,
        parameters,
      );
      const rows = await ask(
        `SELECT DISTINCT id, link_id, epoch, epoch_ms(clicked_at) AS at, shard, sequence_number FROM clicks WHERE ${fresh}`,
        parameters,
      );
      const duplicates = await ask(
        'SELECT id, count(*) AS times FROM clicks WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1 ORDER BY id',
      );
      return {
        settled: settled.map(({ link_id, epoch, clicks, newest }) => ({
          linkId: String(link_id),
          epoch: Number(epoch),
          clicks: Number(clicks),
          newest: Number(newest),
        })),
        fresh: rows.map(({ link_id, epoch, at, shard, sequence_number }) => ({
          linkId: String(link_id),
          epoch: Number(epoch),
          at: Number(at),
          shard: String(shard),
          sequenceNumber: String(sequence_number),
        })),
        duplicates: duplicates.map(({ id, times }) => ({ id: String(id), times: Number(times) })),
      };
    },
    Number.POSITIVE_INFINITY,
  );

/** The ids of a workspace's clicks from a time on, in milliseconds since 1970. */
export const askIds = (workspaceId: string, since: number, now = Date.now()): Promise<ReadonlySet<string>> =>
  askClicks(
    workspaceId,
    { from: 1_000 * Math.floor(since / 1_000), to: now + 2 * dayMs },
    async (ask) => new Set((await ask('SELECT id FROM clicks WHERE id IS NOT NULL')).map(({ id }) => String(id))),
    Number.POSITIVE_INFINITY,
  );
