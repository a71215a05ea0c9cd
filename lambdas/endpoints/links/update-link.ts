import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { refuseContradiction } from '../../core/link/link.ts';
import { readIfMatch, replyTagged } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import * as field from '../../http/fields.ts';
import { withTagIds } from '../../http/given-tags.ts';
import { ownSettings } from '../../http/link-settings.ts';
import { mergeUtm, utmFields } from '../../http/links/utm.ts';
import { showLink } from '../../http/shown/link.ts';
import { newSettings } from '../../outbound/new-settings.ts';
import { setting } from '../../runtime/settings.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { takeLookUps } from '../../store/limits/framing-limit.ts';
import { updateLink } from '../../store/links/changes.ts';
import { getNamedLink } from '../../store/links/named-links.ts';
import { resumeUrls, urlsOf } from '../../store/webhooks/status.ts';

export const body = z.strictObject({ ...ownSettings, ...utmFields, customSlug: z.optional(field.slug) });

const { refuseDestinations, blockedNow } = destinationChecks();
const show = showLink(blockedNow);

export const handler = endpoint({ body }, async ({ workspaceId, id, body: given, event }) => {
  const body = mergeUtm(given);
  const origin = setting('SHORT_URL_ORIGIN');
  const found = orNotFound(await getNamedLink(workspaceId, id), 'link');
  const asRead = await readIfMatch(event, async () => found, show);
  refuseContradiction(body, found.link);
  await refuseDestinations(body, { before: found.link });
  const { customSlug, ...sent } = body;
  const { settings, tagPaths } = await withTagIds(workspaceId, sent);
  const [changes = {}] = await newSettings(settings, [found.link], origin, (wanted) => takeLookUps(workspaceId, wanted));
  const changed = await updateLink(found, { ...changes, customSlug, tagPaths }, { asRead: asRead !== undefined });
  await resumeUrls(workspaceId, urlsOf(body.webhookUrls));
  return replyTagged(event, 200, await show(changed));
});
