import * as z from 'zod/mini';
import { type FieldError, fieldRefused, RequestError, RuleError } from '../../core/errors.ts';
import { parseDomainName } from '../../core/host/host.ts';
import { bytesPerResponse, bytesPerResult, hostsPerImport, passwordsPerImport } from '../../core/limits.ts';
import { destinationHost } from '../../core/link/destination.ts';
import type { EntryResults, ImportEntry, ImportTags } from '../../core/link/import.ts';
import { destinationsOf, refuseContradiction } from '../../core/link/link.ts';
import { foldTagName } from '../../core/tag/tag.ts';
import { endpoint } from '../../http/endpoint.ts';
import * as field from '../../http/fields.ts';
import { repeatableRequest } from '../../http/idempotency-key.ts';
import { linksOfRequest } from '../../http/link-ids.ts';
import { ownSettings } from '../../http/link-settings.ts';
import { mergeUtm, utmFields } from '../../http/links/utm.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { reply } from '../../http/reply.ts';
import { check } from '../../http/validation.ts';
import { settingsOfMany } from '../../outbound/new-settings.ts';
import { addToMetrics } from '../../runtime/metrics.ts';
import { setting } from '../../runtime/settings.ts';
import { getOwnDomain } from '../../store/domains/domains.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { executeOnce } from '../../store/idempotency/leased.ts';
import { takeLookUps } from '../../store/limits/framing-limit.ts';
import { createLinks } from '../../store/links/imports.ts';
import { getTags, tagIdsByName } from '../../store/tags/tags.ts';
import { importResponse, largestResponse, largestResult, withTagPositions } from '../../views/import.ts';

export const body = z.strictObject({
  domain: z.string(),
  links: linksOfRequest(z.unknown()),
});

/** The schema of one link. Links are validated one by one, so that a bad one does not fail the request. */
export const linkBody = z.strictObject({
  ...ownSettings,
  ...utmFields,
  url: field.destination,
  customSlug: z.optional(field.slug),
});

const { refusedHosts } = destinationChecks();

const before = [rateLimit('bulk')];

export const handler = endpoint({ body, before }, async ({ workspaceId, body: { domain: host, links }, event }) => {
  const origin = setting('SHORT_URL_ORIGIN');
  const request = repeatableRequest(event, 'bulk-create-links');
  const { entries, failures } = checkLinks(links);
  const hosts = hostsOf(entries);

  const prepare = async () => {
    const domain = await getOwnDomain(workspaceId, parseDomainName(host));
    const tags = await tagsOf(workspaceId, entries);
    if (largestResponse(links, entries, failures, domain, origin, tags) > bytesPerResponse) {
      throw new RequestError(
        'answer_too_large',
        `The response could exceed ${bytesPerResponse / 1_000_000} MB. Send the links in several requests.`,
      );
    }
    if (largestResult(entries, tags) > bytesPerResult) {
      throw new RequestError('answer_too_large', 'The links have too many different tags. Send them in several requests.');
    }
    return { domain, tags, refusals: await refusedHosts(hosts) };
  };

  const { outcomes, ...result } = await executeOnce(request, {
    prepare,
    work: async (lease, { domain, tags, refusals }) => {
      const take = (wanted: number) => takeLookUps(workspaceId, wanted);
      const settingsOf = (open: readonly ImportEntry[]) => settingsOfMany(open, { domain: domain.host }, origin, take);
      const results = await createLinks(domain, entries, refusals, lease, { tags, settingsOf });
      return { domain, createdAt: lease.createdAt, ...withTagPositions(results, tags) };
    },
  });
  const response = importResponse(links, entries, { ...result, outcomes: { ...outcomes, ...failures } }, origin);
  addToMetrics({ Imports: 1, LinksCreated: response.created });
  return reply(200, response);
});

/**
 * Splits the links into valid entries and failures.
 *
 * @throws RequestError `validation_failed` if there are too many passwords
 */
function checkLinks(links: readonly unknown[]): { entries: ImportEntry[]; failures: EntryResults } {
  const entries: ImportEntry[] = [];
  const failures: EntryResults = {};
  links.forEach((link, index) => {
    const { value, errors: [first] = [] } = check(linkBody, link, 1);
    const { settings, refused = first }: Fitting = value ? fitting(value) : {};
    if (settings) entries.push({ index, ...settings });
    else if (refused) failures[index] = { code: refused.code, message: `${refused.path || 'The link'} ${refused.message}` };
  });
  const passwords = new Set(entries.flatMap(({ password }) => password ?? []));
  if (passwords.size > passwordsPerImport) throw tooMany('passwords', passwordsPerImport);
  return { entries, failures };
}

type LinkBody = z.output<typeof linkBody>;

/** The settings of a link with its parameters in its destination; or why they don't fit together. */
type Fitting = {
  readonly settings?: ReturnType<typeof mergeUtm<LinkBody>> & Pick<LinkBody, 'url'>;
  readonly refused?: FieldError | undefined;
};

function fitting(link: LinkBody): Fitting {
  try {
    const settings = mergeUtm(link);
    refuseContradiction(settings);
    return { settings };
  } catch (error) {
    if (error instanceof RequestError) return { refused: error.fieldErrors[0] };
    throw error;
  }
}

/** All hosts to which the links may lead. @throws RequestError `validation_failed` if there are too many */
function hostsOf(entries: readonly ImportEntry[]): ReadonlySet<string> {
  const hosts = new Set(entries.flatMap((entry) => destinationsOf(entry).map(({ url }) => destinationHost(url))));
  if (hosts.size > hostsPerImport) throw tooMany('hosts', hostsPerImport);
  return hosts;
}

const tooMany = (what: string, most: number) =>
  fieldRefused('/links', new RuleError('too_many', `must have at most ${most.toLocaleString('en-US')} different ${what}`));

/** The tags that the entries name, by ids or names. Two batch reads for every 100 tags; none without tags. */
async function tagsOf(workspaceId: string, entries: readonly ImportEntry[]): Promise<ImportTags> {
  const names = entries.flatMap(({ tagNames = [] }) => tagNames.map(foldTagName));
  const idOf = await tagIdsByName(workspaceId, names);
  const ids = new Set([...entries.flatMap(({ tagIds = [] }) => tagIds), ...idOf.values()]);
  const tags = await getTags(workspaceId, [...ids]);
  return { idOf, byId: new Map(tags.map(({ id, name, color }) => [id, { id, name, color }])) };
}
