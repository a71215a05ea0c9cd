import { type BlockedHosts, blockedBy, blockedError, destinationHost, shortDomainError } from '../domain/destination.ts';
import { fieldRefused, type RuleError } from '../domain/errors.ts';
import { newRequestToken } from '../domain/ids.ts';
import { remembering } from './blocklist.ts';
import type { Item } from './table/client.ts';
import { all, any, failedCondition, has, ifConditionFails, lacks } from './table/conditions.ts';
import { text } from './table/fields.ts';
import { blocklistKey, domainKey } from './table/keys.ts';
import { getItem, getItems } from './table/reads.ts';
import { transact, updating } from './table/writes.ts';

/**
 * How much the list may hold, in bytes: some 4,000 hosts of common length, half of what DynamoDB lets an item have
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html). Every function that answers visitors, or takes
 * destinations, reads all of it once in 50 seconds.
 */
const mostBytes = 200_000;

/** What a host takes of the list: its name, and when it was blocked. */
const bytesOf = (host: string): number => host.length + 24;

/** The item has an attribute for each host. Every host has a dot or a colon, so that none is called like another attribute. */
const toHosts = (item: Item = {}): BlockedHosts =>
  new Map(
    Object.keys(item)
      .filter((name) => /[.:]/.test(name))
      .map((host) => [host, text(item, host)]),
  );

/** The blocked destinations. One read. */
export const getBlockedHosts = async (): Promise<BlockedHosts> => toHosts(await getItem(blocklistKey));

/** A function's memory of the blocked destinations: gives them as they were at most 50 seconds before a time. */
export const blocklistMemory = () => remembering(getBlockedHosts);

/**
 * Makes a function's checks of destinations, which remember the blocked ones as visits do: a block counts for new destinations within 60
 * seconds, too, and visitors are kept from those that slip through meanwhile.
 */
export function destinationChecks() {
  const blocklist = blocklistMemory();

  /**
   * Which of the hosts no link may lead to, and why: short domains of the service, whosever they are, and what is blocked. One call
   * for 100 hosts, and one for the list if it is not remembered.
   *
   * To be called once the link's own domain was read: then no chain of links leads in a circle (docs/decisions.md).
   */
  async function refusedHosts(hosts: Iterable<string>): Promise<ReadonlyMap<string, RuleError>> {
    const distinct = [...new Set(hosts)];
    if (distinct.length === 0) return new Map();
    // A longer text is no domain, and no key either.
    const names = distinct.filter((host) => host.length <= 253);
    const [{ hosts: blocked }, items] = await Promise.all([blocklist(Date.now()), getItems(names.map(domainKey))]);
    const shortDomains = new Set(names.filter((_, place) => items[place]));
    return new Map(
      distinct.flatMap((host) => {
        if (shortDomains.has(host)) return [[host, shortDomainError()]];
        return blockedBy(host, blocked) === undefined ? [] : [[host, blockedError()]];
      }),
    );
  }

  /** Refuses a destination that no link may lead to. @param path of the field. @throws RequestError `validation_failed` */
  async function refuseDestination(path: string, url: string | undefined): Promise<void> {
    const [refusal] = url === undefined ? [] : (await refusedHosts([destinationHost(url)])).values();
    if (refusal) throw fieldRefused(path, refusal);
  }

  return { refusedHosts, refuseDestination };
}

/**
 * Blocks a host, and with it what is under it. However many are blocked at once, all of them are. It is a transaction for its token's sake:
 * retried after a lost answer, it does not block again what another operator has unblocked since.
 *
 * @returns since when it is blocked, in ISO 8601; undefined where the list is full.
 */
export async function blockHost(host: string): Promise<string | undefined> {
  const names = { '#host': host };
  const blockedAt = new Date().toISOString();
  const block = updating(
    blocklistKey,
    { text: 'SET #host = :now ADD #bytes :size', values: { ':now': blockedAt, ':size': bytesOf(host) }, names },
    all(lacks('host'), any(lacks('bytes'), { text: '#bytes <= :room', values: { ':room': mostBytes - bytesOf(host) } })),
  );
  const failed = await failedCondition(transact([block], newRequestToken()));
  return failed ? toHosts(failed.items[0]).get(host) : blockedAt;
}

/** Takes a host off the list; no-op if it isn't blocked. A transaction like the block, for the same reason. */
export async function unblockHost(host: string): Promise<void> {
  const unblock = updating(
    blocklistKey,
    { text: 'REMOVE #host ADD #bytes :size', values: { ':size': -bytesOf(host) }, names: { '#host': host } },
    has('host'),
  );
  await ifConditionFails(transact([unblock], newRequestToken()), () => undefined);
}
