import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { parseDomainName } from '../../core/host/host.ts';
import { leadsTo } from '../../core/link/aliases.ts';
import { isSlug } from '../../core/link/slug.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import * as field from '../../http/fields.ts';
import { showLink } from '../../http/shown/link.ts';
import { getDomain } from '../../store/domains/domains.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { getLinkByExternalId } from '../../store/links/external-ids.ts';
import { type FoundLink, getLink, getLinkAt } from '../../store/links/links.ts';

/** An address, with the slug under one of its two names, or an external id. */
export const query = z
  .strictObject({
    domain: z.optional(z.string()),
    shortCode: z.optional(z.string()),
    slug: z.optional(z.string()),
    externalId: z.optional(field.externalId),
  })
  .check(({ value, issues }) => {
    const refuse = (name: string, code: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [name], params: { code }, message });
    const { domain, shortCode, slug, externalId } = value;
    if (externalId !== undefined) {
      for (const [name, sent] of Object.entries({ domain, shortCode, slug }))
        if (sent !== undefined) refuse(name, 'not_together', 'must not be sent together with "externalId"');
      return;
    }
    if (domain === undefined) refuse('domain', 'required', 'is required');
    if (shortCode === undefined && slug === undefined) refuse('shortCode', 'required', 'is required');
    if (shortCode !== undefined && slug !== undefined)
      refuse('slug', 'not_together', 'must not be sent together with "shortCode", which means the same');
  });

const show = showLink(blockedHostsMemory());

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const { domain = '', shortCode, slug = '', externalId } = query;
  const found =
    externalId === undefined
      ? await findByAddress(workspaceId, domain, shortCode ?? slug)
      : await getLinkByExternalId(workspaceId, externalId);
  return replyTagged(event, 200, await show(orNotFound(found, 'link')));
});

async function findByAddress(workspaceId: string, domain: string, slug: string): Promise<FoundLink | undefined> {
  const host = isSlug(slug) ? parseDomainName(domain) : undefined;
  const at = host === undefined ? undefined : await getDomain(host);
  const there = at?.workspaceId === workspaceId ? await getLinkAt(at.domainId, slug) : undefined;
  const found = there && (await getLink(workspaceId, there.id));
  // The slug may have been removed between the two reads.
  return found && leadsTo(found.link, slug) ? found : undefined;
}
