import { isPending, type Link } from '../../core/link/link.ts';
import { isOwnState, type LinkState, ownState, stateOf } from '../../core/link/link-state.ts';
import type { Item } from '../table/client.ts';
import { text } from '../table/fields.ts';
import { capKey, domainKey } from '../table/keys.ts';
import { getItems, type Meter } from '../table/reads.ts';
import { usedOf } from './caps.ts';

/**
 * The links that are in a state now. Whether a link is off, early or late takes no reads. Otherwise there are batch
 * reads of the domains, each once, and of the caps of links that have one.
 */
export async function inState(
  links: readonly Link[],
  state: LinkState,
  reading: { readonly consistent?: boolean; readonly meter?: Meter } = {},
): Promise<Set<Link>> {
  const now = Date.now();
  if (isOwnState(state)) return new Set(links.filter((link) => ownState(link, now) === state));
  const others = links.filter((link) => ownState(link, now) === undefined);
  const hosts = [...new Set(others.map(({ domain }) => domain))];
  const capped = others.filter(({ maxClicks }) => maxClicks !== null);
  const items = await getItems([...hosts.map(domainKey), ...capped.map(({ id }) => capKey(id))], reading);
  const domains = new Map(hosts.map((host, index) => [host, servingOf(items[index])]));
  const used = new Map(capped.map((link, index) => [link.id, usedOf(link, items[hosts.length + index])]));
  const stateNow = (link: Link) =>
    stateOf(link, { used: used.get(link.id) ?? 0, pending: isPending(link, domains.get(link.domain)), now });
  return new Set(others.filter((link) => stateNow(link) === state));
}

/** What a domain's item says about whether it serves. */
const servingOf = (item: Item | undefined) =>
  item && ({ domainId: text(item, 'domainId'), status: text(item, 'status') === 'ACTIVE' ? 'ACTIVE' : 'PENDING_DNS' } as const);
