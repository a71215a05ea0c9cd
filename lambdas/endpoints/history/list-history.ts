import * as z from 'zod/mini';
import { makeCursor, positionIn } from '../../core/cursor.ts';
import { RuleError } from '../../core/errors.ts';
import { isMemberId } from '../../core/ids.ts';
import { fingerprintInId } from '../../core/key/api-key.ts';
import { linksPerPage } from '../../core/limits.ts';
import { endpoint } from '../../http/endpoint.ts';
import { timestamp } from '../../http/fields.ts';
import { pageQuery } from '../../http/link-page.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { reply } from '../../http/reply.ts';
import { ruled } from '../../http/validation.ts';
import { setting } from '../../runtime/settings.ts';
import { workspaceHistory } from '../../store/history/history.ts';
import { findLinksById } from '../../store/links/links.ts';
import { memberNames } from '../../store/members/names.ts';
import { isHistorySortKey } from '../../store/table/keys.ts';
import { entryView, membersIn } from '../../views/history.ts';

const actor = ruled((text) => {
  if (text === 'operator' || isMemberId(text) || fingerprintInId(text)) return text;
  throw new RuleError('invalid_actor', 'must be the id of a key or member, or operator');
});

export const query = z.strictObject({
  ...pageQuery,
  actor: z.optional(actor),
  from: z.optional(timestamp),
  to: z.optional(timestamp),
});

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { limit = linksPerPage.unlessAsked, cursor, ...filter } = query;
  const { actor, from, to } = filter;
  if (from !== undefined && to !== undefined && from >= to) throw parameterRefused('from', 'out_of_range', 'must be before "to"');
  const scope = [workspaceId, 'history', actor, from, to];
  const before = cursor === undefined ? undefined : positionIn(scope, cursor);
  if (cursor !== undefined && (before === undefined || !isHistorySortKey(before))) {
    throw parameterRefused('cursor', 'invalid_cursor', 'must be the nextCursor of the previous page, with the same filter');
  }
  const { entries, next } = await workspaceHistory(workspaceId, filter, { limit, before });
  const links = await findLinksById(
    workspaceId,
    entries.flatMap(({ subject }) => (subject.type === 'link' ? subject.id : [])),
  );
  const names = await memberNames(workspaceId, entries.flatMap(membersIn));
  const origin = setting('SHORT_URL_ORIGIN');
  return reply(200, {
    entries: entries.map((entry) => entryView(entry, links.get(entry.subject.id), origin, names)),
    nextCursor: next === undefined ? null : makeCursor(scope, next),
  });
});
