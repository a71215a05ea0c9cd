import * as z from 'zod/mini';
import { destinationHost, shortDomainError } from '../domain/destination.ts';
import { fieldRefused, notFound } from '../domain/errors.ts';
import { isPending, linkView, originOf, urlToBeFramed } from '../domain/link.ts';
import { hashPassword } from '../domain/password.ts';
import { setting } from '../env.ts';
import { endpoint } from '../http/endpoint.ts';
import * as field from '../http/fields.ts';
import { reply } from '../http/reply.ts';
import { framingAllowed } from '../outbound/framing.ts';
import { getDomain, shortDomainsAmong } from '../store/domains.ts';
import { getLink, updateLink } from '../store/links.ts';

const orNull = <S extends z.core.$ZodType>(schema: S) => z.optional(z.nullable(schema));

export const body = z.strictObject({
  url: z.optional(field.destination),
  title: orNull(field.title),
  description: orNull(field.description),
  image: orNull(field.image),
  redirectType: z.optional(field.redirectType),
  isActive: z.optional(z.boolean()),
  cloaked: z.optional(z.boolean()),
  forwardParameters: z.optional(z.boolean()),
  blockBots: z.optional(z.boolean()),
  password: orNull(field.password),
  expiresAt: orNull(field.timestamp),
  maxClicks: orNull(field.maxClicks),
  tagIds: z.optional(field.tagIds),
  metaPixelId: orNull(field.metaPixelId),
  googleTagId: orNull(field.googleTagId),
  webhookUrls: orNull(field.webhookUrls),
});

export const handler = endpoint({ body }, async ({ workspaceId, id, body: { password, ...changes } }) => {
  // Asked first, so that hashing a password and looking hosts up is not done for links that are not the caller's.
  const found = await getLink(workspaceId, id);
  if (!found) throw notFound('link');
  const isShortDomain = changes.url !== undefined && (await shortDomainsAmong([destinationHost(changes.url)])).size > 0;
  if (isShortDomain) throw fieldRefused('/url', shortDomainError());
  const origin = setting('SHORT_URL_ORIGIN');
  const passwordHash = password && (await hashPassword(password));
  const { link, clickCount, tags } = await updateLink(found, {
    ...changes,
    ...(passwordHash !== undefined && { passwordHash }),
    ...(await framing(urlToBeFramed(found.link, changes), originOf(found.link, origin))),
  });
  const pending = isPending(link, await getDomain(link.domain));
  return reply(200, { link: linkView(link, { origin, clickCount, tags, pending }) });
});

/** What is found out about a destination that shall be framed; nothing where it does not say. */
async function framing(url: string | undefined, pageOrigin: string) {
  const allowed = url === undefined ? undefined : await framingAllowed(url, pageOrigin);
  return allowed === undefined ? {} : { unframeableUrl: allowed ? null : (url ?? null) };
}
