import { type FieldError, fieldsRefused, type RuleError } from '../../core/errors.ts';
import { listedError } from '../../core/host/listed-hosts.ts';
import { type BlockedHosts, blockedBy, blockedError, destinationHost, shortDomainError } from '../../core/link/destination.ts';
import { type Destination, destinationsOf, type LinkSettings } from '../../core/link/link.ts';
import { instant } from '../../runtime/instant.ts';
import type { Item } from '../table/client.ts';
import { commit, type Writes } from '../table/commit.ts';
import { all, any, has, lacks } from '../table/conditions.ts';
import { number, text, textSet } from '../table/fields.ts';
import { blocklistCopies, blocklistKey, domainKey, type Key } from '../table/keys.ts';
import { getItem, getItems } from '../table/reads.ts';
import { minus, plus, set } from '../table/updates.ts';
import { checking, updating } from '../table/writes.ts';
import { type Blocked, remembering } from './blocklist.ts';
import { listedMemory } from './listed.ts';

/*
 * The blocked hosts are one item for the operator, with the time when each was blocked, and 16 copies of their names, of
 * which each function reads a random one. A transaction writes all of them, so they are always equal. Only in a restored
 * table they may differ, because it may have a part of what was written in its last second; `blockHost` repairs that.
 */

/**
 * The most bytes that the operator's list may hold: about 4,000 hosts of usual length, and half of what DynamoDB allows an
 * item (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html). With its copies, it stays below
 * the 4 MB of a transaction (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html).
 * Every function that serves visitors or accepts destinations reads a whole copy up to once every 50 seconds.
 */
const mostBytes = 200_000;

/** The bytes that a host takes in the operator's list: its name, and the time when it was blocked. */
const bytesOf = (host: string): number => host.length + 24;

/**
 * The item has an attribute for each host. Every host has a dot or a colon, so it cannot clash with other attributes.
 */
const toHosts = (item: Item = {}): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(item)
      .filter((name) => /[.:]/.test(name))
      .map((host) => [host, text(item, host)]),
  );

/** The operator's list: the blocked hosts, each with the time it was blocked, in ISO 8601. */
export const getBlockedHosts = async (): Promise<ReadonlyMap<string, string>> => toHosts(await getItem(blocklistKey));

/** One of the copies. The names are a set, which DynamoDB removes with its last element. */
async function readCopy(): Promise<Blocked> {
  const copy = (await getItem(blocklistCopies[Math.floor(Math.random() * blocklistCopies.length)] as Key)) ?? {};
  return { hosts: textSet(copy, 'hosts'), isListing: number(copy, 'listed', 0) > 0 };
}

/** A function's cache of the blocked destinations: at most 50 seconds old, or older if they cannot be read. */
export const blocklistMemory = () => remembering(readCopy);

/** The same, as the hosts alone. */
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
   * The hosts that no link may lead to, and why: short domains of the service, of any workspace, blocked hosts, and those
   * on the operator's list of harmful hosts, if there is one. One call per 100 hosts, and one for the blocked ones if they
   * aren't cached; then one per 100 shards of the list that may have one of the hosts and aren't cached.
   *
   * Call it after the link's own domain was read. Then links cannot form a loop (docs/decisions/0014): the link's domain
   * was proven by then, and the name it leads to was not, so along a chain each domain was proven after the one before.
   * A domain that is given up takes its links with it, because whoever proves it next has another `domainId`.
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
   * Refuses settings with a destination that no link may lead to. What the link leads to already may be on the list of
   * harmful hosts: a list stops no link, so it does not stop its other changes either.
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

/**
 * Blocks a host and its subdomains. Concurrent blocks all take effect. It is a transaction so that its token makes it
 * idempotent: retried after a lost response, it does not block again what another operator has unblocked since.
 *
 * @returns when it was blocked, in ISO 8601; undefined if the list is full.
 */
export async function blockHost(host: string): Promise<string | undefined> {
  const names = { '#host': host };
  const blockedAt = new Date().toISOString();
  const block = updating(
    blocklistKey,
    { text: 'SET #host = :now ADD #bytes :size', values: { ':now': blockedAt, ':size': bytesOf(host) }, names },
    all(lacks('host'), any(lacks('bytes'), { text: '#bytes <= :room', values: { ':room': mostBytes - bytesOf(host) } })),
  );
  const { failed, items } = await commit({ block, ...inCopies(plus, host) });
  if (!failed) return blockedAt;
  const blockedBefore = toHosts(items.block).get(host);
  if (blockedBefore) await commit({ isBlocked: checking(blocklistKey, { ...has('host'), names }), ...inCopies(plus, host) });
  return blockedBefore;
}

/** Unblocks a host; no-op if it isn't blocked. It is a transaction for the same reason as the block. */
export async function unblockHost(host: string): Promise<void> {
  const unblock = updating(
    blocklistKey,
    { text: 'REMOVE #host ADD #bytes :size', values: { ':size': -bytesOf(host) }, names: { '#host': host } },
    has('host'),
  );
  await commit({ unblock, ...inCopies(minus, host) });
}

/** The writes that add a host to all copies, or delete it from them. */
const inCopies = (change: typeof plus | typeof minus, host: string): Writes =>
  Object.fromEntries(blocklistCopies.map((copy) => [copy.pk + copy.sk, updating(copy, set({ hosts: change(new Set([host])) }))]));
