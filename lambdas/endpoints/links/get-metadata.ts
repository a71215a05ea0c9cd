import * as z from 'zod/mini';
import { RuleError } from '../../core/errors.ts';
import { destinationHost } from '../../core/link/destination.ts';
import { endpoint } from '../../http/endpoint.ts';
import * as field from '../../http/fields.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { reply } from '../../http/reply.ts';
import { fetchMetadata, type PageMetadata } from '../../outbound/page-metadata.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';

export const query = z.strictObject({ url: field.pageUrl });

/** How long the page may take, in milliseconds. */
const pageWithinMs = 5_000;

const { refusedHosts } = destinationChecks();

export const handler = endpoint({ query, before: [rateLimit('metadata')] }, async ({ query: { url } }) => {
  const host = destinationHost(url);
  const refusal = (await refusedHosts([host])).get(host);
  if (refusal) throw parameterRefused('url', refusal.code, refusal.message);
  const { title, description, image } = await metadataAt(url);
  return reply(200, { url, title, description, image });
});

/** @throws RequestError `validation_failed`, which says why the page cannot be read */
async function metadataAt(url: string): Promise<PageMetadata> {
  try {
    return await fetchMetadata(url, AbortSignal.timeout(pageWithinMs));
  } catch (error) {
    throw error instanceof RuleError ? parameterRefused('url', error.code, error.message) : error;
  }
}
