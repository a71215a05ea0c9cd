import { type RowDimension, rowDimensions } from '../core/click/click.ts';
import type { Range } from '../core/click/statistics.ts';
import { RequestError } from '../core/errors.ts';
import { timeLeft } from '../runtime/deadline.ts';
import { tableTime } from '../store/table/clock.ts';
import { type AskClicks, type Asked, askClicks } from './asking.ts';
import { columnOf } from './columns.ts';

/**
 * Lists of clicks, newest first, page by page. Clicks of the same second are sorted by link, then by their fields, and
 * only then by their ids, which merging removes. So sealing and merging don't change the order:
 *
 *     L   shows up to click c, the third of its link and second
 *     M   merges the month: c has no id any more
 *     L   continues below the third of this link and second, where c still is
 *
 * As long as c has its id, L continues below c itself, so that new clicks of that second make no difference.
 */

/** A click of a list. */
export type ListedClick = {
  /** Null once merging has removed it. */
  readonly id: string | null;
  /** To the second, in ISO 8601. */
  readonly at: string;
  readonly linkId: string;
  /** Of the link's domain. */
  readonly host: string;
  readonly isUnique: boolean;
} & Readonly<Record<RowDimension, string>>;

/** Where a page ends: at a click, or before a whole second, with an empty `linkId`. */
export type ClickPlace = {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly linkId: string;
  /** The click's number among those of its link and second, from 1 on. */
  readonly number: number;
  readonly id: string | null;
};

/** @property after where the previous page ended */
type Page = { readonly limit: number; readonly after?: ClickPlace | undefined };

/** Clicks, and where the next page begins, if more may follow. */
export type Listed = { readonly clicks: readonly ListedClick[]; readonly next: ClickPlace | undefined };

/** The sort order of a link's clicks within one second. */
const order = [...rowDimensions.map(columnOf), 'host', 'is_unique', 'id'].join(', ');

const secondMs = 1_000;

/** How many months (UTC) a question covers. If there is too much to read, it covers fewer. `most` covers all clicks. */
const spans = { least: 1, less: 12, most: 12_000 };

/** How much time must be left for a further question, in milliseconds. */
const leastMs = 10_000;

/** The end of a page that has all clicks from a second on, and none before it. */
const before = (at: number): ClickPlace => ({ at, linkId: '', number: 0, id: null });

/**
 * A page of clicks. It asks for the newest month first, which fills most pages, and then for all others. If time runs
 * out, the page ends before it is full.
 *
 * @throws RequestError as `askClicks`
 */
export async function listClicks(workspaceId: string, asked: Asked, { limit, after = before(asked.to) }: Page): Promise<Listed> {
  const clicks: Placed[] = [];
  let place = after;
  const now = tableTime();
  let months = spans.least;
  for (;;) {
    const to = Math.min(asked.to, place.linkId === '' ? place.at : place.at + secondMs);
    // Fast clocks may have dated clicks in the future.
    const from = Math.max(asked.from, monthsBefore(Math.min(to, now), months));
    const more = await clicksOf(workspaceId, { ...asked, from, to }, { limit: limit + 1 - clicks.length, after: place }, months);
    if (!more) {
      months = months > spans.less ? spans.less : spans.least;
      continue;
    }
    clicks.push(...more);
    if (clicks.length > limit) return listed(clicks.slice(0, limit), clicks[limit - 1]?.place);
    if (from <= asked.from) return listed(clicks, undefined);
    place = before(from);
    if (timeLeft() < leastMs) return listed(clicks, place);
    months = spans.most;
  }
}

const listed = (placed: readonly Placed[], next: ClickPlace | undefined): Listed => ({
  clicks: placed.map(({ click }) => click),
  next,
});

/** The start of a month (UTC): that of the last click before a time, or an earlier one. */
function monthsBefore(time: number, months: number): number {
  const last = new Date(time - 1);
  return Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - (months - 1));
}

/** A click, and where a page that ends with it ends. */
type Placed = { readonly click: ListedClick; readonly place: ClickPlace };

/** The first clicks of a range below a place; undefined if it has more than one month and too much to read. */
async function clicksOf(
  workspaceId: string,
  asked: Asked & Range,
  page: Required<Page> & { readonly after: ClickPlace },
  months: number,
): Promise<Placed[] | undefined> {
  try {
    return await askClicks(workspaceId, asked, (ask) => firstClicks(ask, page));
  } catch (error) {
    if (months > spans.least && error instanceof RequestError && error.code === 'too_much_to_read') return undefined;
    throw error;
  }
}

async function firstClicks(
  ask: AskClicks,
  { limit, after }: { readonly limit: number; readonly after: ClickPlace },
): Promise<Placed[]> {
  const at = new Date(after.at).toISOString();
  // Only the seconds on the page need numbers.
  const [oldest] = await ask(
    `SELECT min(clicked_at) AS since FROM (
      SELECT clicked_at FROM clicks WHERE clicked_at < $at::TIMESTAMP_MS ORDER BY clicked_at DESC LIMIT $limit::BIGINT)`,
    { at, limit },
  );
  const rows = await ask(
    `, numbered AS MATERIALIZED (
      SELECT *, row_number() OVER (PARTITION BY clicked_at, link_id ORDER BY ${order}) AS number FROM clicks
      WHERE clicked_at BETWEEN $since::TIMESTAMP_MS AND $at::TIMESTAMP_MS
    )
    SELECT * FROM numbered
    WHERE clicked_at < $at::TIMESTAMP_MS OR link_id < $linkId
      OR (link_id = $linkId AND number < coalesce((SELECT number FROM numbered WHERE id = $id), $number::BIGINT))
    ORDER BY clicked_at DESC, link_id DESC, number DESC LIMIT $limit::BIGINT`,
    { at, since: oldest?.since ?? at, linkId: after.linkId, number: after.number, id: after.id, limit },
  );
  return rows.map((row) => {
    const id = row.id === null || row.id === undefined ? null : String(row.id);
    const [at, linkId] = [String(row.clicked_at), String(row.link_id)];
    const dimensions = Object.fromEntries(rowDimensions.map((dimension) => [dimension, String(row[columnOf(dimension)])]));
    return {
      click: {
        id,
        at,
        linkId,
        host: String(row.host),
        isUnique: row.is_unique === true,
        ...(dimensions as Record<RowDimension, string>),
      },
      place: { at: Date.parse(at), linkId, number: Number(row.number), id },
    };
  });
}
