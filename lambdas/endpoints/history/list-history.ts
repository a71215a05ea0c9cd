import * as z from 'zod/mini';
import { RuleError } from '../../core/errors.ts';
import { isMemberId } from '../../core/ids.ts';
import { fingerprintInId } from '../../core/key/api-key.ts';
import { endpoint } from '../../http/endpoint.ts';
import { timestamp } from '../../http/fields.ts';
import { askedPage, pageQuery } from '../../http/list-pages.ts';
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
  ...pageQuery(),
  actor: z.optional(actor),
  from: z.optional(timestamp),
  to: z.optional(timestamp),
});

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { actor, from, to } = query;
  if (from !== undefined && to !== undefined && from >= to) throw parameterRefused('from', 'out_of_range', 'must be before "to"');
  const asked = askedPage([workspaceId, 'history', actor, from, to], query, isHistorySortKey);
  const { entries, next } = await workspaceHistory(workspaceId, { actor, from, to }, asked);
  const links = await findLinksById(
    workspaceId,
    entries.flatMap(({ subject }) => (subject.type === 'link' ? subject.id : [])),
  );
  const names = await memberNames(workspaceId, entries.flatMap(membersIn));
  const origin = setting('SHORT_URL_ORIGIN');
  return reply(200, {
    entries: entries.map((entry) => entryView(entry, links.get(entry.subject.id), origin, names)),
    nextCursor: asked.nextCursor(next),
  });
});
