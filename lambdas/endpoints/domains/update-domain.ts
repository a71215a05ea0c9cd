import * as z from 'zod/mini';
import { digestOf } from '../../core/digest.ts';
import type { Fallbacks } from '../../core/domain/domain.ts';
import { fieldRefused, orNotFound, RequestError, RuleError } from '../../core/errors.ts';
import { appleAppSiteAssociation, assetLinks } from '../../http/app-links.ts';
import { domainOf } from '../../http/domain-parameter.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch, replyTagged } from '../../http/entity-tag.ts';
import * as field from '../../http/fields.ts';
import { showDomain } from '../../http/shown/domain.ts';
import { fetchLogo } from '../../outbound/logo.ts';
import { findDomain, updateDomain } from '../../store/domains/domains.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { defined } from '../../store/table/fields.ts';

export const body = z.strictObject({
  rootUrl: z.optional(z.nullable(field.fallbackUrl)),
  notFoundUrl: z.optional(z.nullable(field.fallbackUrl)),
  expiredUrl: z.optional(z.nullable(field.fallbackUrl)),
  publicQr: z.optional(z.boolean()),
  allowIndexing: z.optional(z.boolean()),
  accentColor: z.optional(z.nullable(field.accentColor)),
  logoUrl: z.optional(z.nullable(field.logoUrl)),
  appleAppSiteAssociation: z.optional(z.nullable(appleAppSiteAssociation)),
  assetLinks: z.optional(z.nullable(assetLinks)),
});

const { refuseUrls } = destinationChecks();

/** The domain's own destinations. They are checked like those of links. */
const fallbacks = ['rootUrl', 'notFoundUrl', 'expiredUrl'] as const satisfies readonly (keyof Fallbacks)[];

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const found = orNotFound(await findDomain(workspaceId, domainOf(event)), 'domain');
  const isExact = (await readIfMatch(event, async () => found, showDomain)) !== undefined;
  if (found.status === 'PENDING_OWNERSHIP') {
    throw new RequestError(
      'domain_not_verified',
      'The ownership of the domain is not proven yet. Prove it with POST /api/v1/domains/{domain}/verify.',
    );
  }
  await refuseUrls(
    fallbacks.flatMap((name) => (body[name] ? { path: `/${name}`, url: body[name] } : [])),
    fallbacks.flatMap((name) => found[name] ?? []),
  );
  const { appleAppSiteAssociation, assetLinks, ...settings } = body;
  const appLinks = mapped({ appleAppSiteAssociation, assetLinks }, JSON.stringify);
  const files = { ...appLinks, ...defined({ logo: await logoAt(settings.logoUrl) }) };
  const changed = await updateDomain(found, { ...settings, ...mapped(appLinks, digestOf) }, { files, isExact });
  return replyTagged(event, 200, await showDomain({ ...changed, lastCheck: found.lastCheck }));
});

/** Maps the fields that are given; null stays null. */
const mapped = <Name extends string, T>(
  fields: Partial<Record<Name, T | null | undefined>>,
  map: (value: T) => string,
): { [name in Name]?: string | null } =>
  Object.fromEntries(Object.entries(defined(fields)).map(([name, value]) => [name, value === null ? null : map(value as T)])) as {
    [name in Name]?: string | null;
  };

/** How long the logo may take, in milliseconds. */
const logoWithinMs = 5_000;

/** Fetches the logo at a URL; null and undefined are returned unchanged. @throws RequestError `validation_failed` */
async function logoAt(url: string | null | undefined): Promise<string | null | undefined> {
  if (!url) return url;
  try {
    return await fetchLogo(url, AbortSignal.timeout(logoWithinMs));
  } catch (error) {
    throw error instanceof RuleError ? fieldRefused('/logoUrl', error) : error;
  }
}
