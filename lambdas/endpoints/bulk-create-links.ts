import * as z from 'zod/mini';
import { destinationHost } from '../domain/destination.ts';
import { RequestError } from '../domain/errors.ts';
import { parseDomainName } from '../domain/host.ts';
import type { EntryResults, ImportEntry } from '../domain/import.ts';
import { bulkRequests, bytesPerAnswer } from '../domain/limits.ts';
import { endpoint } from '../http/endpoint.ts';
import * as field from '../http/fields.ts';
import { idempotencyKey } from '../http/idempotency-key.ts';
import { linksOfRequest } from '../http/link-ids.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { reply } from '../http/reply.ts';
import { check } from '../http/validation.ts';
import { setting } from '../runtime/settings.ts';
import { takeBulkSlot } from '../store/bulk-limit.ts';
import { destinationChecks } from '../store/destinations.ts';
import { getOwnDomain } from '../store/domains.ts';
import { once } from '../store/idempotency.ts';
import { createLinks } from '../store/links/imports.ts';
import { importAnswer, largestAnswer } from '../views/import.ts';

export const body = z.strictObject({
  domain: z.string(),
  links: linksOfRequest(z.unknown()),
});

/** The schema of one link. Links are validated one by one, so that a bad one does not fail the request. */
export const linkBody = z.strictObject({
  url: field.destination,
  customSlug: z.optional(field.slug),
  title: z.optional(field.title),
  redirectType: z.optional(field.redirectType),
});

const { refusedHosts } = destinationChecks();

const before = [rateLimit('bulk', bulkRequests, takeBulkSlot)];

export const handler = endpoint({ body, before }, async ({ workspaceId, body: { domain: host, links }, event }) => {
  const origin = setting('SHORT_URL_ORIGIN');
  const key = idempotencyKey(event);
  const { entries, failures } = checkLinks(links);

  const prepare = async () => {
    const domain = await getOwnDomain(workspaceId, parseDomainName(host));
    if (largestAnswer(links, entries, failures, domain, origin) > bytesPerAnswer) {
      throw new RequestError('answer_too_large', 'The response could exceed 5 MB. Send the links in several requests.');
    }
    return { domain, refusals: await refusedHosts(entries.map(({ url }) => destinationHost(url))) };
  };

  const request = { workspaceId, operation: 'bulk-create-links', key, body: event.body ?? '' };
  const { outcomes, ...result } = await once(request, {
    prepare,
    work: async (lease, { domain, refusals }) => ({
      domain,
      createdAt: lease.createdAt,
      outcomes: await createLinks(domain, entries, refusals, lease),
    }),
  });
  return reply(200, importAnswer(links, entries, { ...result, outcomes: { ...outcomes, ...failures } }, origin));
});

/** Splits the links into valid entries and failures. */
function checkLinks(links: readonly unknown[]): { entries: ImportEntry[]; failures: EntryResults } {
  const entries: ImportEntry[] = [];
  const failures: EntryResults = {};
  links.forEach((link, index) => {
    const { value, errors: [first] = [] } = check(linkBody, link);
    if (value) entries.push({ index, ...value });
    else if (first) failures[index] = { code: first.code, message: `${first.path || 'The link'} ${first.message}` };
  });
  return { entries, failures };
}
