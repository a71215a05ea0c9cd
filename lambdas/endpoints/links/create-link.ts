import * as z from 'zod/mini';
import { fieldRefused, RuleError } from '../../core/errors.ts';
import { type GivenByTemplate, withTemplate } from '../../core/link/given-settings.ts';
import { refuseContradiction } from '../../core/link/link.ts';
import { givenBy } from '../../core/template/given.ts';
import { receivedAt } from '../../http/api-event.ts';
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
import { templateToUse } from '../../store/templates/templates.ts';
import { linkView } from '../../views/link.ts';

/** `domain` is required, unless the request names a template, which may have one. */
export const body = z
  .strictObject({
    ...ownSettings,
    ...utmFields,
    domain: z.optional(z.string()),
    url: field.destination,
    customSlug: z.optional(field.slug),
    templateId: z.optional(field.templateId),
  })
  .check(
    z.refine(({ domain, templateId } = {} as never) => domain !== undefined || templateId !== undefined, {
      path: ['domain'],
      error: 'is required',
      params: { code: 'required' },
      // Report it together with the errors of other fields.
      when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
    }),
  );

const checks = destinationChecks();

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const { domain, templateId, ...sent } = body;
  const origin = setting('SHORT_URL_ORIGIN');
  const settingsWith = (given: GivenByTemplate) => {
    const settings = mergeUtm(withTemplate(sent, given));
    refuseContradiction(settings);
    return settings;
  };
  const own = settingsWith({});
  const request = repeatableRequest(event, 'create-link');
  const view = await executeOnce(request, {
    find: async (lease, domainId) => {
      const created = await findCreated(domainId, sent.customSlug, lease);
      const found = created && (await getLink(workspaceId, created.id));
      return found && linkView(await detailsOfOne(found, checks.blockedNow), origin);
    },
    fix:
      templateId === undefined ? undefined : async () => givenBy(await templateToUse(workspaceId, templateId), receivedAt(event)),
    prepare: async (given) => {
      const host = domain ?? given?.domain;
      if (host == null)
        throw fieldRefused('/domain', new RuleError('required', 'is required, because the template has no domain'));
      return prepareLink(checks, workspaceId, host, given ? settingsWith(given) : own);
    },
    work: async (lease, prepared) => linkView(await makeLink(prepared, lease), origin),
  });
  addToMetrics({ LinksCreated: 1 });
  return replyTagged(event, 201, shownLink(view), { Location: `${event.requestContext.path}/${view.id}` });
});
