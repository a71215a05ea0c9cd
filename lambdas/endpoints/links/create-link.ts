import * as z from 'zod/mini';
import { parseDomainName } from '../../core/host/host.ts';
import { refuseContradiction } from '../../core/link/link.ts';
import { replyTagged } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import * as field from '../../http/fields.ts';
import { withTagIds } from '../../http/given-tags.ts';
import { repeatableRequest } from '../../http/idempotency-key.ts';
import { ownSettings } from '../../http/link-settings.ts';
import { mergeUtm, utmFields } from '../../http/links/utm.ts';
import { shownLink } from '../../http/shown/link.ts';
import { newSettings } from '../../outbound/new-settings.ts';
import { addToMetrics } from '../../runtime/metrics.ts';
import { setting } from '../../runtime/settings.ts';
import { getOwnDomain } from '../../store/domains/domains.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { executeOnce } from '../../store/idempotency/leased.ts';
import { takeLookUps } from '../../store/limits/framing-limit.ts';
import { createLink, findCreated } from '../../store/links/create.ts';
import { detailsOfNew, detailsOfOne } from '../../store/links/details.ts';
import { getLink } from '../../store/links/links.ts';
import { linkView } from '../../views/link.ts';

export const body = z.strictObject({
  ...ownSettings,
  ...utmFields,
  domain: z.string(),
  url: field.destination,
  customSlug: z.optional(field.slug),
});

const { refuseDestinations, blockedNow } = destinationChecks();

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const { domain: host, customSlug, ...sent } = mergeUtm(body);
  const origin = setting('SHORT_URL_ORIGIN');
  refuseContradiction({ ...sent, customSlug });
  const prepare = async () => {
    const domain = await getOwnDomain(workspaceId, parseDomainName(host));
    await refuseDestinations(sent);
    const take = (wanted: number) => takeLookUps(workspaceId, wanted);
    const { settings: tagged, tagPaths } = await withTagIds(workspaceId, sent);
    const [settings] = await newSettings(tagged, [{ domain: domain.host }], origin, take);
    return { domain, newLink: { ...settings, url: sent.url, customSlug, tagPaths } };
  };

  const request = repeatableRequest(event, 'create-link');
  const view = await executeOnce(request, {
    find: async (lease, domainId) => {
      const created = await findCreated(domainId, customSlug, lease);
      const found = created && (await getLink(workspaceId, created.id));
      return found && linkView(await detailsOfOne(found, blockedNow), origin);
    },
    prepare,
    work: async (lease, { domain, newLink }) => {
      const created = await createLink(domain, newLink, lease);
      return linkView(await detailsOfNew(created, domain), origin);
    },
  });
  addToMetrics({ LinksCreated: 1 });
  return replyTagged(event, 201, shownLink(view), { Location: `${event.requestContext.path}/${view.id}` });
});
