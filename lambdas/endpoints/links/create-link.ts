import * as z from 'zod/mini';
import { refuseContradiction } from '../../core/link/link.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import * as field from '../../http/fields.ts';
import { repeatableRequest } from '../../http/idempotency-key.ts';
import { ownSettings } from '../../http/link-settings.ts';
import { mergeUtm, utmFields } from '../../http/links/utm.ts';
import { shownLink } from '../../http/shown/link.ts';
import { makeLink, prepareLink } from '../../links/new-link.ts';
import { addToMetrics } from '../../runtime/metrics.ts';
import { setting } from '../../runtime/settings.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { executeOnce } from '../../store/idempotency/leased.ts';
import { findCreated } from '../../store/links/create.ts';
import { detailsOfOne } from '../../store/links/details.ts';
import { getLink } from '../../store/links/links.ts';
import { linkView } from '../../views/link.ts';

export const body = z.strictObject({
  ...ownSettings,
  ...utmFields,
  domain: z.string(),
  url: field.destination,
  customSlug: z.optional(field.slug),
});

const checks = destinationChecks();

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const { domain, ...sent } = mergeUtm(body);
  const origin = setting('SHORT_URL_ORIGIN');
  refuseContradiction(sent);
  const request = repeatableRequest(event, 'create-link');
  const view = await executeOnce(request, {
    find: async (lease, domainId) => {
      const created = await findCreated(domainId, sent.customSlug, lease);
      const found = created && (await getLink(workspaceId, created.id));
      return found && linkView(await detailsOfOne(found, checks.blockedNow), origin);
    },
    prepare: () => prepareLink(checks, workspaceId, domain, sent),
    work: async (lease, prepared) => linkView(await makeLink(prepared, lease), origin),
  });
  addToMetrics({ LinksCreated: 1 });
  return replyTagged(event, 201, shownLink(view), { Location: `${event.requestContext.path}/${view.id}` });
});
