import * as z from 'zod/mini';
import { nothingKnown } from '../../core/click/click.ts';
import { makeCursor, positionIn } from '../../core/cursor.ts';
import { orNotFound } from '../../core/errors.ts';
import { linksPerPage } from '../../core/limits.ts';
import type { ApiEvent } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { timestamp } from '../../http/fields.ts';
import { pageQuery } from '../../http/link-page.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { reply, replyCsv } from '../../http/reply.ts';
import { listClicks } from '../../store/clicks/list.ts';
import { findNamedLink } from '../../store/links/named-links.ts';
import { clicksAsCsv } from '../../views/click.ts';

export const query = z.strictObject({ ...pageQuery, from: z.optional(timestamp), to: z.optional(timestamp) });

const positionPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#\w{1,64}$/;

/** A click's position, if it is from `from` on and before `to`. */
const isPosition = (position: string, from = '', to = '~'): boolean =>
  positionPattern.test(position) && position >= from && position < to;

export const handler = endpoint({ query }, async ({ workspaceId, id, query, event }) => {
  const { limit = linksPerPage.unlessAsked, cursor, from, to } = query;
  if (from !== undefined && to !== undefined && from >= to) throw parameterRefused('from', 'out_of_range', 'must be before "to"');
  const scope = [workspaceId, 'clicks', id, from, to];
  const before = cursor === undefined ? undefined : positionIn(scope, cursor);
  if (cursor !== undefined && (before === undefined || !isPosition(before, from, to))) {
    throw parameterRefused('cursor', 'invalid_cursor', 'must be the nextCursor of the previous page, with the same filter');
  }
  const link = orNotFound(await findNamedLink(workspaceId, id), 'link');
  const { clicks, next } = await listClicks(link, { limit, before, from, to });
  const rows = clicks.map((click) => ({ ...nothingKnown, ...click, domain: link.domain, isUnique: null }));
  const nextCursor = next === undefined ? null : makeCursor(scope, next);
  if (!prefersCsv(event)) return reply(200, { clicks: rows, nextCursor });
  const following = new URLSearchParams({ ...(from && { from }), ...(to && { to }), limit: String(limit) });
  if (nextCursor) following.set('cursor', nextCursor);
  return replyCsv(clicksAsCsv(rows), nextCursor ? { Link: `<?${following}>; rel="next"` } : {});
});

/** Whether `Accept` names CSV before JSON. */
function prefersCsv({ multiValueHeaders }: ApiEvent): boolean {
  const accept = Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    /^accept$/i.test(name) ? (values ?? []) : [],
  );
  const [first] = /text\/csv|application\/json|\*\/\*/i.exec(accept.join()) ?? [];
  return first?.toLowerCase() === 'text/csv';
}
