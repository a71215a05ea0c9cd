import * as z from 'zod/mini';
import { leadsTo } from '../domain/aliases.ts';
import { orNotFound } from '../domain/errors.ts';
import { parseDomainName } from '../domain/host.ts';
import { isSlug } from '../domain/slug.ts';
import { replyTagged } from '../http/conditional.ts';
import { endpoint } from '../http/endpoint.ts';
import { parameterRefused } from '../http/parse-query.ts';
import { setting } from '../runtime/settings.ts';
import { getDomain } from '../store/domains.ts';
import { detailsOfOne } from '../store/links/details.ts';
import { getLink, getLinkAt } from '../store/links/links.ts';
import { linkView } from '../views/link.ts';

export const query = z.strictObject({ domain: z.string(), shortCode: z.optional(z.string()), slug: z.optional(z.string()) });

/** The slug, under one of its two names. @throws RequestError `validation_failed` if there is none, or two */
function slugIn({ shortCode, slug }: z.output<typeof query>): string {
  if (shortCode !== undefined && slug !== undefined)
    throw parameterRefused('slug', 'ambiguous', 'must not be sent with "shortCode", which is another name for it');
  const sent = shortCode ?? slug;
  if (sent === undefined) throw parameterRefused('shortCode', 'required', 'is required');
  return sent;
}

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const { domain } = query;
  const slug = slugIn(query);
  const host = isSlug(slug) ? parseDomainName(domain) : undefined;
  const at = host === undefined ? undefined : await getDomain(host);
  const there = at?.workspaceId === workspaceId ? await getLinkAt(at.domainId, slug) : undefined;
  const read = there && (await getLink(workspaceId, there.id));
  // The slug may have been removed between the two reads.
  const found = orNotFound(read && leadsTo(read.link, slug) ? read : undefined, 'link');
  return replyTagged(event, 200, { link: linkView(await detailsOfOne(found), setting('SHORT_URL_ORIGIN')) });
});
