import * as z from 'zod/mini';
import { destinationHost } from '../domain/destination.ts';
import { digestOf } from '../domain/digest.ts';
import type { Fallbacks } from '../domain/domain.ts';
import { fieldRefused, orNotFound, RequestError } from '../domain/errors.ts';
import { appleAppSiteAssociation, assetLinks } from '../http/app-links.ts';
import { readIfMatch, replyTagged } from '../http/conditional.ts';
import { domainOf } from '../http/domain-parameter.ts';
import { endpoint } from '../http/endpoint.ts';
import * as field from '../http/fields.ts';
import { showDomain } from '../http/shown-domain.ts';
import { destinationChecks } from '../store/destinations.ts';
import { findDomain, updateDomain } from '../store/domains.ts';
import { defined } from '../store/table/fields.ts';

export const body = z.strictObject({
  rootUrl: z.optional(z.nullable(field.destination)),
  notFoundUrl: z.optional(z.nullable(field.destination)),
  expiredUrl: z.optional(z.nullable(field.destination)),
  publicQr: z.optional(z.boolean()),
  appleAppSiteAssociation: z.optional(z.nullable(appleAppSiteAssociation)),
  assetLinks: z.optional(z.nullable(assetLinks)),
});

const { refusedHosts } = destinationChecks();

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const found = orNotFound(await findDomain(workspaceId, domainOf(event)), 'domain');
  const isExact = (await readIfMatch(event, async () => found, showDomain)) !== undefined;
  if (found.status === 'PENDING_OWNERSHIP') {
    throw new RequestError(
      'domain_not_verified',
      'The domain is only claimed: prove its ownership with POST /api/v1/domains/{domain}/verify.',
    );
  }
  await refuseFallbacks(body);
  const { appleAppSiteAssociation, assetLinks, ...settings } = body;
  const files = mapped({ appleAppSiteAssociation, assetLinks }, JSON.stringify);
  const changed = await updateDomain(found, { ...settings, ...mapped(files, digestOf) }, { files, isExact });
  return replyTagged(event, 200, await showDomain(changed));
});

/** Each field that is given, as `map` makes it; null stays null. */
const mapped = <Name extends string, T>(
  fields: Partial<Record<Name, T | null | undefined>>,
  map: (value: T) => string,
): { [name in Name]?: string | null } =>
  Object.fromEntries(Object.entries(defined(fields)).map(([name, value]) => [name, value === null ? null : map(value as T)])) as {
    [name in Name]?: string | null;
  };

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
