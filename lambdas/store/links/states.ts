import type { BlockedHosts } from '../../core/link/destination.ts';
import { isPending, type Link } from '../../core/link/link.ts';
import { isOwnState, type LinkState, ownState, stateOf } from '../../core/link/state.ts';
import { instant } from '../../runtime/instant.ts';
import { memory } from '../../runtime/memory.ts';
import type { Item } from '../table/client.ts';
import { text } from '../table/fields.ts';
import { capKey, domainKey, type Key } from '../table/keys.ts';
import { getItems, type Meter } from '../table/reads.ts';
import { usedOf } from './caps.ts';

/** A link's state, and whether its domain isn't active yet, which can be true in other states than `pending`, too. */
export type LinkStatus = { readonly state: LinkState; readonly pending: boolean };

/** Caches which domains are active, by `domainId`, for as long as the redirect does. Others are read each time. */
const serving = memory<true>({ forMs: 60_000, most: 1_000 });

/** Caches how much of caps is used, for lists, by link and generation. */
const listedCaps = memory<number>({ forMs: 5_000, most: 5_000 });

/** The reads that tell the states of links, and how these follow from them. */
type StateReads = {
  readonly keys: readonly Key[];
  /** @param items those of the keys, in their order. */
  readonly statusOf: (items: readonly (Item | undefined)[], blocked: BlockedHosts) => (link: Link) => LinkStatus;
};

/**
 * The reads for the states of links: each domain that isn't cached, and the caps of links that may be used up.
 *
 * @param capsOf `lately` allows caps that are up to 5 seconds old.
 */
export function stateReads(links: readonly Link[], capsOf: 'now' | 'lately' = 'now'): StateReads {
  const now = instant();
  const hosts = [...new Set(links.flatMap(({ domain, domainId }) => (serving.get(domainId, now) ? [] : domain)))];
  const used = new Map<Link, number>();
  const capped = links.filter((link) => link.maxClicks !== null && !ownState(link, noHosts, now.wall));
  const unread = capped.filter((link) => {
    const known = capsOf === 'lately' ? listedCaps.get(capName(link), now) : undefined;
    if (known) used.set(link, known.value);
    return !known;
  });
  return {
    keys: [...hosts.map(domainKey), ...unread.map(({ id }) => capKey(id))],
    statusOf: (items, blocked) => {
      const domains = new Map(hosts.map((host, index) => [host, servingOf(items[index])]));
      for (const domain of domains.values()) if (domain?.status === 'ACTIVE') serving.set(domain.domainId, true, now);
      for (const [index, link] of unread.entries()) {
        const read = usedOf(link, items[hosts.length + index]);
        used.set(link, read);
        if (capsOf === 'lately') listedCaps.set(capName(link), read, now);
      }
      return (link) => {
        const pending = !serving.get(link.domainId, now) && isPending(link, domains.get(link.domain));
        const facts = { blocked, now: now.wall, used: used.get(link) ?? 0, pending };
        return { state: stateOf(link, facts), pending };
      };
    },
  };
}

const noHosts: BlockedHosts = new Set();

const capName = ({ id, capGeneration }: Link): string => `${id}/${capGeneration}`;

/** What a domain's item says about whether it serves. */
const servingOf = (item: Item | undefined) =>
  item && ({ domainId: text(item, 'domainId'), status: text(item, 'status') === 'ACTIVE' ? 'ACTIVE' : 'PENDING_DNS' } as const);

/** Lists only links in this state. */
export type StateFilter = { readonly is: LinkState; readonly blocked: BlockedHosts };

/**
 * The links that are in a state now, with their status. Links that their own settings put into another state take no
 * reads.
 */
export async function inState(
  links: readonly Link[],
  { is, blocked }: StateFilter,
  reading: { readonly consistent?: boolean; readonly meter?: Meter } = {},
): Promise<ReadonlyMap<Link, LinkStatus>> {
  const now = Date.now();
  const wanted = isOwnState(is) ? is : undefined;
  const candidates = links.filter((link) => ownState(link, blocked, now) === wanted);
  const { keys, statusOf } = stateReads(candidates);
  const status = statusOf(await getItems(keys, reading), blocked);
  return new Map(candidates.map((link) => [link, status(link)] as const).filter(([, { state }]) => state === is));
}
