import { type Asked, askClicks } from './asking.ts';
import type { Counts } from './statistics.ts';

/** A link's clicks in a range, and in the range of the same length before it. The link may have been deleted. */
export type RankedLink = Counts & { readonly id: string; readonly previous: Counts };

/** Where a page of a ranking ends: the last link, and its clicks. */
export type Place = Pick<RankedLink, 'id' | 'clicks'>;

/**
 * The links with the most clicks, and among equals by their ids.
 *
 * @param page `after` is where the previous page ended.
 * @returns one link more than `limit`, if more follow.
 * @throws RequestError as `askClicks`
 */
export async function askRanking(
  workspaceId: string,
  asked: Asked,
  { limit, after }: { readonly limit: number; readonly after?: Place | undefined },
): Promise<RankedLink[]> {
  const { from, to } = asked;
  const query = `
    , ranked AS (
      SELECT link_id,
        count(*) FILTER (is_now) AS clicks, count(*) FILTER (is_now AND is_unique) AS uniques,
        count(*) FILTER (NOT is_now) AS clicks_before, count(*) FILTER (NOT is_now AND is_unique) AS uniques_before
      FROM (SELECT link_id, is_unique, clicked_at >= $middle::TIMESTAMP_MS AS is_now FROM clicks) GROUP BY link_id
    )
    SELECT * FROM ranked
    WHERE clicks > 0 AND ($after IS NULL OR clicks < $most::BIGINT OR (clicks = $most::BIGINT AND link_id > $after))
    ORDER BY clicks DESC, link_id LIMIT $limit::BIGINT`;
  const parameters = {
    middle: new Date(from).toISOString(),
    after: after?.id ?? null,
    most: after?.clicks ?? 0,
    limit: limit + 1,
  };
  // No click is older than 1970.
  const before = Math.max(0, from - (to - from));
  const rows = await askClicks(workspaceId, { ...asked, from: before }, (ask) => ask(query, parameters));
  return rows.map(({ link_id, clicks, uniques, clicks_before, uniques_before }) => ({
    id: String(link_id),
    clicks: Number(clicks),
    unique: Number(uniques),
    previous: { clicks: Number(clicks_before), unique: Number(uniques_before) },
  }));
}
