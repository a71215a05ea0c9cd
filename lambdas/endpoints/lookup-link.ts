import * as z from 'zod/mini';
import { leadsTo } from '../domain/aliases.ts';
import { orNotFound } from '../domain/errors.ts';
import { parseDomainName } from '../domain/host.ts';
import { isSlug } from '../domain/slug.ts';
import { replyTagged } from '../http/conditional.ts';
import { endpoint } from '../http/endpoint.ts';
import { setting } from '../runtime/settings.ts';
import { getDomain } from '../store/domains.ts';
import { detailsOfOne } from '../store/links/details.ts';
import { getLink, getLinkAt } from '../store/links/links.ts';
import { linkView } from '../views/link.ts';

export const query = z.strictObject({ domain: z.string(), slug: z.string() });

export const handler = endpoint({ query }, async ({ workspaceId, query: { domain, slug }, event }) => {
  const host = isSlug(slug) ? parseDomainName(domain) : undefined;
  const at = host === undefined ? undefined : await getDomain(host);
  const there = at?.workspaceId === workspaceId ? await getLinkAt(at.domainId, slug) : undefined;
  const read = there && (await getLink(workspaceId, there.id));
  // The slug may have been removed between the two reads.
  const found = orNotFound(read && leadsTo(read.link, slug) ? read : undefined, 'link');
  return replyTagged(event, 200, { link: linkView(await detailsOfOne(found), setting('SHORT_URL_ORIGIN')) });
});
