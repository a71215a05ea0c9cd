import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { refuseContradiction } from '../../core/link/link.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch, replyTagged } from '../../http/entity-tag.ts';
import * as field from '../../http/fields.ts';
import { ownSettings } from '../../http/link-settings.ts';
import { mergeUtm, utmFields } from '../../http/links/utm.ts';
import { showLink } from '../../http/shown/link.ts';
import { changeLink } from '../../links/change-link.ts';
import { withTagIds } from '../../links/given-tags.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { getNamedLink } from '../../store/links/named-links.ts';

export const body = z.strictObject({ ...ownSettings, ...utmFields, customSlug: z.optional(field.slug) });

const { refuseDestinations, blockedNow } = destinationChecks();
const show = showLink(blockedNow);

export const handler = endpoint({ body }, async ({ workspaceId, id, body: given, event }) => {
  const body = mergeUtm(given);
  const found = orNotFound(await getNamedLink(workspaceId, id), 'link');
  const asRead = await readIfMatch(event, async () => found, show);
  refuseContradiction(body, found.link);
  await refuseDestinations(body, { before: found.link });
  const changed = await changeLink(found, await withTagIds(workspaceId, body), { asRead: asRead !== undefined });
  return replyTagged(event, 200, await show(changed));
});
