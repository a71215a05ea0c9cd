import * as z from 'zod/mini';
import { askRanking, type Place } from '../../click-log/ranking.ts';
import type { Range } from '../../core/click/statistics.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { askedPage, pageQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import {
  askInScope,
  countsUniques,
  earliest,
  filterIn,
  filterQuery,
  latest,
  rankedRange,
  rankedRangeQuery,
  scopeQuery,
} from '../../http/stats-query.ts';
import { setting } from '../../runtime/settings.ts';
import { findLinksById } from '../../store/links/links.ts';
import { topLinksView } from '../../views/statistics.ts';

export const query = z.strictObject({ ...rankedRangeQuery, ...scopeQuery, ...filterQuery(), ...pageQuery() });

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const { limit: most, cursor, ...asked } = query;
  const readAt = Date.now();
  const page = askedPage([workspaceId, 'top-links', asked], { limit: most, cursor }, isPlace);
  const { limit } = page;
  // Later pages have the same range, whenever they are requested.
  const { after, ...range } =
    page.after === undefined ? { ...rankedRange(asked, receivedAt(event)), after: undefined } : placeAt(page.after);
  const found = await askInScope(
    workspaceId,
    asked,
    (scope) => askRanking(workspaceId, { ...range, ...scope, filter: filterIn(asked) }, { limit, after }),
    (ranked) => ranked.length === 0,
  );
  const ranked = found.slice(0, limit);
  const links = await findLinksById(
    workspaceId,
    ranked.map(({ id }) => id),
  );
  const last = found.length > limit ? ranked.at(-1) : undefined;
  const nextCursor = page.nextCursor(last && positionAt(range, last));
  const read = { readAt, countsUniques: countsUniques(), origin: setting('SHORT_URL_ORIGIN') };
  return reply(200, topLinksView(ranked, links, range, nextCursor, read));
});

/** Where a page ends: its range, and its last link with its clicks. */
const positionAt = ({ from, to }: Range, { clicks, id }: Place): string => [from, to, clicks, id].join('#');
const positionPattern = /^\d{1,15}#\d{1,15}#\d{1,15}#lnk_[0-9A-Za-z]{28}$/;

const isPlace = (position: string): boolean => {
  const { from, to } = placeAt(position);
  return positionPattern.test(position) && earliest <= from && from < to && to <= latest;
};

function placeAt(position: string): Range & { readonly after: Place } {
  const [from, to, clicks, id = ''] = position.split('#');
  return { from: Number(from), to: Number(to), after: { clicks: Number(clicks), id } };
}
