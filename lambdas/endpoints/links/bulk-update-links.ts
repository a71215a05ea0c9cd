import * as z from 'zod/mini';
import { refuseContradiction } from '../../core/link/link.ts';
import { endpoint } from '../../http/endpoint.ts';
import { bulkResult, distinct, linkIds } from '../../http/link-ids.ts';
import { linkSettings } from '../../http/link-settings.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { reply } from '../../http/reply.ts';
import { newSettings } from '../../outbound/new-settings.ts';
import { setting } from '../../runtime/settings.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { takeLookUps } from '../../store/limits/framing-limit.ts';
import { updateLinks } from '../../store/links/bulk-changes.ts';
import { getLinks } from '../../store/links/links.ts';
import { resumeUrls, urlsOf } from '../../store/webhooks/status.ts';

export const body = z.strictObject({ ids: linkIds, fields: z.strictObject(linkSettings) });

const before = [rateLimit('bulk-changes')];

const { refuseDestinations } = destinationChecks();

export const handler = endpoint({ body, before }, async ({ workspaceId, body: { ids, fields } }) => {
  refuseContradiction(fields, undefined, '/fields');
  const found = await getLinks(workspaceId, distinct(ids));
  const links = found.filter((link) => link !== undefined);
  await refuseDestinations(fields, '/fields');
  const settings = await newSettings(
    fields,
    links.map(({ link }) => link),
    setting('SHORT_URL_ORIGIN'),
    (wanted) => takeLookUps(workspaceId, wanted),
  );
  const updates = links.map((found, index) => ({ found, changes: settings[index] ?? {} }));
  const outcomes = await updateLinks(workspaceId, updates, { tagIds: fields.tagIds, tagPath: '/fields/tagIds' });
  await resumeUrls(workspaceId, urlsOf(fields.webhookUrls));
  const { done, failed } = bulkResult(ids, links, outcomes);
  return reply(200, { updated: done, failed });
});
