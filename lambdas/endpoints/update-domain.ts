import * as z from 'zod/mini';
import { destinationHost } from '../domain/destination.ts';
import type { Fallbacks } from '../domain/domain.ts';
import { fieldRefused, orNotFound, RequestError } from '../domain/errors.ts';
import { readIfMatch, replyTagged } from '../http/conditional.ts';
import { domainOf } from '../http/domain-parameter.ts';
import { endpoint } from '../http/endpoint.ts';
import * as field from '../http/fields.ts';
import { setting } from '../runtime/settings.ts';
import { destinationChecks } from '../store/destinations.ts';
import { findDomain, updateDomain } from '../store/domains.ts';
import { domainView } from '../views/domain.ts';

export const body = z.strictObject({
  rootUrl: z.optional(z.nullable(field.destination)),
  notFoundUrl: z.optional(z.nullable(field.destination)),
  expiredUrl: z.optional(z.nullable(field.destination)),
  publicQr: z.optional(z.boolean()),
});

const { refusedHosts } = destinationChecks();

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const show = (domain: Parameters<typeof domainView>[0]) => domainView(domain, setting('DOMAIN_TARGET'));
  const found = orNotFound(await findDomain(workspaceId, domainOf(event)), 'domain');
  const isExact = (await readIfMatch(event, async () => found, show)) !== undefined;
  if (found.status === 'PENDING_OWNERSHIP') {
    throw new RequestError(
      'domain_not_verified',
      'The domain is only claimed: prove its ownership with POST /api/v1/domains/{domain}/verify.',
    );
  }
  await refuseFallbacks(body);
  return replyTagged(event, 200, show(await updateDomain(found, body, { isExact })));
});

/** Refuses addresses that no link may lead to either. @throws RequestError `validation_failed` */
async function refuseFallbacks({ rootUrl, notFoundUrl, expiredUrl }: Partial<Fallbacks>): Promise<void> {
  const hosts = Object.entries({ rootUrl, notFoundUrl, expiredUrl }).flatMap(([name, url]) =>
    url ? [{ path: `/${name}`, host: destinationHost(url) }] : [],
  );
  const refused = await refusedHosts(hosts.map(({ host }) => host));
  for (const { path, host } of hosts) {
    const refusal = refused.get(host);
    if (refusal) throw fieldRefused(path, refusal);
  }
}
