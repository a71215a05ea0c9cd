import { type FieldError, fieldsRefused, type RuleError } from '../../core/errors.ts';
import { listedError } from '../../core/host/listed-hosts.ts';
import { type BlockedHosts, blockedBy, blockedError, destinationHost, shortDomainError } from '../../core/link/destination.ts';
import { type Destination, destinationsOf, type LinkSettings } from '../../core/link/link.ts';
import { instant } from '../../runtime/instant.ts';
import { number, textSet } from '../table/fields.ts';
import { blocklistCopies, domainKey, type Key } from '../table/keys.ts';
import { getItem, getItems } from '../table/reads.ts';
import { type Blocked, remembering } from './blocklist.ts';
import { listedMemory } from './listed.ts';

/**
 * One of the copies of the operator's list (`lambdas/operator/blocked-hosts.ts`). The names are a set, which DynamoDB
 * removes with its last element.
 */
async function readCopy(): Promise<Blocked> {
  const copy = (await getItem(blocklistCopies[Math.floor(Math.random() * blocklistCopies.length)] as Key)) ?? {};
  return { hosts: textSet(copy, 'hosts'), isListing: number(copy, 'listed', 0) > 0 };
}

/** A function's cache of the blocked destinations: at most 50 seconds old, or older if they cannot be read. */
export const blocklistMemory = () => remembering(readCopy);

/** The same, with only the hosts. */
export function blockedHostsMemory() {
  const blocklist = blocklistMemory();
  return async (): Promise<BlockedHosts> => (await blocklist(instant())).hosts;
}

/**
 * Creates a function's checks of destinations. They cache the blocked ones as visits do. So a block applies to new
 * destinations within 60 seconds, too. Destinations that slip through before that are still blocked for visitors.
 */
export function destinationChecks() {
  const blocklist = blocklistMemory();
  const listedAmong = listedMemory();
  const blockedNow = async (): Promise<BlockedHosts> => (await blocklist(instant())).hosts;

  /**
   * The hosts that no link may lead to, and why: short domains of the service, of any workspace, blocked hosts, and
   * those on the operator's list of harmful hosts, if there is one. One call per 100 hosts, and one for the blocked
   * ones if they aren't cached; then one per 100 shards of the list that may have one of the hosts and aren't cached.
   *
   * Call it after the link's own domain was read. Then links cannot form a loop (docs/decisions/0014): the link's
   * domain was proven by then, and the name it leads to was not, so along a chain each domain was proven after the one
   * before. A domain that is given up takes its links with it, because whoever proves it next has another `domainId`.
   */
  async function refusedHosts(hosts: Iterable<string>): Promise<ReadonlyMap<string, RuleError>> {
    const distinct = [...new Set(hosts)];
    if (distinct.length === 0) return new Map();
    // Longer texts aren't domains, and may be too long for a key.
    const names = distinct.filter((host) => host.length <= 253);
    const now = instant();
    const [{ hosts: blocked, isListing }, items] = await Promise.all([blocklist(now), getItems(names.map(domainKey))]);
    const listed = isListing ? await listedAmong(names, now) : new Map<string, string>();
    const shortDomains = new Set(names.filter((_, index) => items[index]));
    return new Map(
      distinct.flatMap((host) => {
        if (shortDomains.has(host)) return [[host, shortDomainError()]];
        if (blockedBy(host, blocked) !== undefined) return [[host, blockedError()]];
        return listed.has(host) ? [[host, listedError()]] : [];
      }),
    );
  }

  /** Which of the destinations no link may lead to, and why. */
  async function refusalsOf(destinations: readonly Destination[]): Promise<FieldError[]> {
    const refusals = await refusedHosts(destinations.map(({ url }) => destinationHost(url)));
    return destinations.flatMap(({ path, url }) => {
      const refusal = refusals.get(destinationHost(url));
      return refusal ? { path, code: refusal.code, message: refusal.message } : [];
    });
  }

  /**
   * Refuses settings with a destination that no link may lead to. Destinations that the link has already may be on the
   * list of harmful hosts: the list does not stop a link, so it does not stop its other changes either.
   *
   * @param path of the settings in the request.
   * @param before the settings that the link has.
   * @throws RequestError `validation_failed`
   */
  async function refuseDestinations(
    settings: Partial<LinkSettings>,
    { path = '', before = {} }: { readonly path?: string; readonly before?: Partial<LinkSettings> } = {},
  ): Promise<void> {
    await refuseUrls(
      destinationsOf(settings).map((one) => ({ ...one, path: path + one.path })),
      destinationsOf(before).map(({ url }) => url),
    );
  }

  /**
   * The same, for any fields with URLs.
   *
   * @param before URLs that were there already.
   * @throws RequestError `validation_failed`
   */
  async function refuseUrls(destinations: readonly Destination[], before: readonly string[]): Promise<void> {
    const unchanged = new Set(destinations.filter(({ url }) => before.includes(url)).map(({ path }) => path));
    const errors = await refusalsOf(destinations);
    const fieldErrors = errors.filter(({ code, path }) => code !== 'destination_listed' || !unchanged.has(path));
    if (fieldErrors.length > 0) throw fieldsRefused(fieldErrors);
  }

  return { blockedNow, refusedHosts, refusalsOf, refuseDestinations, refuseUrls };
}

/** A function's checks of destinations. */
export type DestinationChecks = ReturnType<typeof destinationChecks>;
