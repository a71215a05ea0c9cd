import * as z from 'zod/mini';
import { fieldRefused, RequestError, RuleError } from '../../core/errors.ts';
import { parseDomainName } from '../../core/host/host.ts';
import { bytesPerResponse, bytesPerResult, hostsPerImport, passwordsPerImport } from '../../core/limits.ts';
import { destinationHost } from '../../core/link/destination.ts';
import type { GivenByTemplate } from '../../core/link/given-settings.ts';
import type { EntryResults, ImportEntry } from '../../core/link/import.ts';
import { largestRecord, recordedResults } from '../../core/link/import-record.ts';
import { destinationsOf } from '../../core/link/link.ts';
import { givenBy } from '../../core/template/given.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import * as field from '../../http/fields.ts';
import { repeatableRequest } from '../../http/idempotency-key.ts';
import { linksOfRequest } from '../../http/link-ids.ts';
import { checkImportLink, importLink } from '../../http/links/import-link.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { reply } from '../../http/reply.ts';
import { tagsOfEntries } from '../../links/given-tags.ts';
import { findOut } from '../../links/new-settings.ts';
import { addToMetrics } from '../../runtime/metrics.ts';
import { setting } from '../../runtime/settings.ts';
import { getOwnDomain } from '../../store/domains/domains.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { executeOnce } from '../../store/idempotency/leased.ts';
import { createLinks } from '../../store/links/imports.ts';
import { templateToUse } from '../../store/templates/templates.ts';
import { importResponse, largestResponse } from '../../views/import.ts';

export const body = z.strictObject({
  domain: z.string(),
  templateId: z.optional(field.templateId),
  links: linksOfRequest(z.unknown()),
});

export { importLink as linkBody };

const { refusedHosts } = destinationChecks();

const before = [rateLimit('bulk')];

export const handler = endpoint({ body, before }, async ({ workspaceId, body, event }) => {
  const { domain: host, templateId, links } = body;
  const origin = setting('SHORT_URL_ORIGIN');
  const request = repeatableRequest(event, 'bulk-create-links');
  const alone = checkLinks(links);
  const hosts = hostsOf(alone.entries);
  const checkedWith = (given: GivenByTemplate | undefined) => (given ? checkLinks(links, given) : alone);

  const prepare = async (given: GivenByTemplate | undefined) => {
    const { entries, failures } = checkedWith(given);
    const domain = await getOwnDomain(workspaceId, parseDomainName(host));
    const tags = await tagsOfEntries(workspaceId, entries);
    if (largestResponse(links, entries, failures, domain, origin, tags) > bytesPerResponse) {
      throw new RequestError(
        'answer_too_large',
        `The response could exceed ${bytesPerResponse / 1_000_000} MB. Send the links in several requests.`,
      );
    }
    if (largestRecord(entries, tags, given) > bytesPerResult) {
      throw new RequestError('answer_too_large', 'The links have too many different tags. Send them in several requests.');
    }
    return { domain, tags, entries, given, refusals: await refusedHosts(hosts) };
  };

  const { outcomes, ...result } = await executeOnce(request, {
    fix:
      templateId === undefined ? undefined : async () => givenBy(await templateToUse(workspaceId, templateId), receivedAt(event)),
    prepare,
    work: async (lease, { domain, tags, entries, given, refusals }) => {
      const settingsOf = (open: readonly ImportEntry[]) =>
        findOut(
          workspaceId,
          open.map((sent) => ({ sent, link: { domain: domain.host } })),
        );
      const results = await createLinks(domain, entries, refusals, lease, { tags, settingsOf });
      return { domain, createdAt: lease.createdAt, ...(given && { given }), ...recordedResults(results, tags) };
    },
  });
  // The entries of the attempt that recorded this result.
  const { entries, failures } = checkedWith(result.given);
  const response = importResponse(links, entries, { ...result, outcomes: { ...outcomes, ...failures } }, origin);
  addToMetrics({ Imports: 1, LinksCreated: response.created });
  return reply(200, response);
});

/**
 * Splits the links into valid entries and failures. Each is validated on its own, so that one error doesn't fail the
 * request.
 *
 * @throws RequestError `validation_failed` if there are too many passwords
 */
function checkLinks(links: readonly unknown[], given?: GivenByTemplate): { entries: ImportEntry[]; failures: EntryResults } {
  const entries: ImportEntry[] = [];
  const failures: EntryResults = {};
  links.forEach((link, index) => {
    const { settings, refused } = checkImportLink(link, given);
    if (settings) entries.push({ index, ...settings });
    else failures[index] = { code: refused.code, message: `${refused.path || 'The link'} ${refused.message}` };
  });
  const passwords = new Set(entries.flatMap(({ password }) => password ?? []));
  if (passwords.size > passwordsPerImport) throw tooMany('passwords', passwordsPerImport);
  return { entries, failures };
}

/** All hosts to which the links may lead. @throws RequestError `validation_failed` if there are too many */
function hostsOf(entries: readonly ImportEntry[]): ReadonlySet<string> {
  const hosts = new Set(entries.flatMap((entry) => destinationsOf(entry).map(({ url }) => destinationHost(url))));
  if (hosts.size > hostsPerImport) throw tooMany('hosts', hostsPerImport);
  return hosts;
}

const tooMany = (what: string, most: number) =>
  fieldRefused('/links', new RuleError('too_many', `must have at most ${most.toLocaleString('en-US')} different ${what}`));
