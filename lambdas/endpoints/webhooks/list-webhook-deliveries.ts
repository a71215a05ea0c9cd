import * as z from 'zod/mini';
import { makeCursor, positionIn } from '../../core/cursor.ts';
import { linksPerPage } from '../../core/limits.ts';
import { shownStates } from '../../core/webhook/delivery.ts';
import { endpoint } from '../../http/endpoint.ts';
import { pageQuery } from '../../http/link-page.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { findLinksById } from '../../store/links/links.ts';
import { listDeliveries } from '../../store/webhooks/deliveries.ts';
import { deliveryView } from '../../views/webhook-delivery.ts';

export const query = z.strictObject({
  ...pageQuery,
  linkId: z.optional(z.string()),
  webhookId: z.optional(z.string()),
  state: z.optional(z.enum(shownStates)),
});

const positionPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#dlv_[0-9A-Za-z]{22}$/;

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { limit = linksPerPage.unlessAsked, cursor, ...filter } = query;
  const scope = [workspaceId, 'deliveries', filter.linkId, filter.webhookId, filter.state];
  const before = cursor === undefined ? undefined : positionIn(scope, cursor);
  if (cursor !== undefined && (before === undefined || !positionPattern.test(before))) {
    throw parameterRefused('cursor', 'invalid_cursor', 'must be the nextCursor of the previous page, with the same filter');
  }
  const { deliveries, next } = await listDeliveries(workspaceId, { limit, before, filter });
  const nextCursor = next === undefined ? null : makeCursor(scope, next);
  const links = await findLinksById(
    workspaceId,
    deliveries.flatMap(({ linkId }) => linkId ?? []),
  );
  const origin = setting('SHORT_URL_ORIGIN');
  return reply(200, { deliveries: deliveries.map((one) => deliveryView(one, links.get(one.linkId ?? ''), origin)), nextCursor });
});
