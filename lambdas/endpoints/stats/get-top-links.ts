import * as z from 'zod/mini';
import { RuleError } from '../../core/errors.ts';
import { linksPerPage } from '../../core/limits.ts';
import { parseTimestamp } from '../../core/timestamp.ts';
import { endpoint } from '../../http/endpoint.ts';
import { pageLimit } from '../../http/link-page.ts';
import { reply } from '../../http/reply.ts';
import { ruled } from '../../http/validation.ts';
import { setting } from '../../runtime/settings.ts';
import { topLinks } from '../../store/stats/statistics.ts';
import { topLinksView } from '../../views/statistics.ts';

/** A day in UTC. */
const day = ruled((text) => {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return parseTimestamp(`${text}T00:00Z`).slice(0, 10);
  } catch {
    // The error below says more.
  }
  throw new RuleError('invalid_day', 'must be a day such as 2030-01-31');
});

export const query = z.strictObject({ day, limit: z.optional(pageLimit) });

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { day, limit = linksPerPage.unlessAsked } = query;
  const now = Date.now();
  return reply(200, topLinksView(day, await topLinks(workspaceId, day, limit), now, setting('SHORT_URL_ORIGIN')));
});
