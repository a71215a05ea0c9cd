import * as z from 'zod/mini';
import { askOrder, type InRange, keepOrder, keptOrder, linkSorts, orderName } from '../../click-log/link-order.ts';
import { endpoint } from '../../http/endpoint.ts';
import { linkListOf, linkListQuery } from '../../http/links/list-query.ts';
import { askedPage, isLinkPosition } from '../../http/list-pages.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { reply } from '../../http/reply.ts';
import { earliest, latest, rangeQuery, tagged } from '../../http/stats-query.ts';
import { setting } from '../../runtime/settings.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { detailsOf } from '../../store/links/details.ts';
import { type LinkFilter, type LinkPage, listGiven, listLinks } from '../../store/links/list.ts';
import { linkPageView } from '../../views/link.ts';

export const query = z.strictObject({ ...linkListQuery, ...rangeQuery, sort: z.optional(z.enum(linkSorts)) });

const blockedNow = blockedHostsMemory();

/**
 * Lists the links with clicks first, in an order that the first page fixes, and then all others, newest first:
 *
 *     ranked   a b c d e     kept with the first page
 *     others   z y . x w     the list of all links, without those above
 *
 * So each link is on one page only, even if new clicks change its rank. Its clicks in the range are those at the time
 * when the order was fixed.
 */
export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { sort = 'clicks', from = earliest, to = latest } = query;
  if (from >= to) throw parameterRefused('from', 'out_of_range', 'must be before "to"');
  const { scope, order, filter: readFilter } = await linkListOf(workspaceId, query);
  const page = askedPage(['ranked', ...scope, sort, from, to], query, isPlace);
  const filter = await readFilter(blockedNow);
  const place = page.after === undefined ? undefined : placeAt(page.after);
  const kept = place && (await keptOrder(workspaceId, place.name));
  if (place && !kept) throw parameterRefused('cursor', 'invalid_cursor', 'has expired: start again with the first page');
  const ranked = kept ?? (await askOrder(workspaceId, { from, to, ...(await scopeOf(workspaceId, filter)) }, sort, order));
  const { links, next } = await pageOf(workspaceId, filter, [...ranked.keys()], {
    limit: page.limit,
    ...(place ?? { looked: 0 }),
  });
  const name = next && (place?.name ?? (await keepOrder(workspaceId, ranked)));
  const details = await detailsOf(links, blockedNow, 'lately');
  const nextCursor = page.nextCursor(next && `${name}#${next}`);
  const view = linkPageView(details, nextCursor, setting('SHORT_URL_ORIGIN'));
  return reply(200, { ...view, links: view.links.map((link) => ({ ...link, inRange: shown(ranked.get(link.id)) })) });
});

const shown = (clicked: InRange | undefined) =>
  clicked ? { clicks: clicked.clicks, lastClickedAt: new Date(clicked.last).toISOString() } : { clicks: 0, lastClickedAt: null };

/**
 * Where a page begins: in the ranking, after `looked` of its links; or among the others, at a position in their list.
 */
type Start = { readonly looked: number; readonly position?: string | undefined };

/** The scope of clicks that includes those of all matching links. */
async function scopeOf(workspaceId: string, { domain, tagIds, match }: LinkFilter) {
  return { host: domain, linkIds: tagIds && (await tagged(workspaceId, { tagIds, match })) };
}

async function pageOf(
  workspaceId: string,
  filter: LinkFilter,
  ids: readonly string[],
  { limit, looked, position }: Start & { readonly limit: number },
): Promise<LinkPage> {
  const ranked =
    looked < ids.length ? await listGiven(workspaceId, filter, ids, { limit, after: looked }) : { links: [], next: undefined };
  if (ranked.next !== undefined) return ranked;
  const left = limit - ranked.links.length;
  if (left === 0) return { links: ranked.links, next: String(ids.length) };
  const others = { ...filter, except: new Set(ids) };
  const { links, next } = await listLinks(workspaceId, others, { limit: left, order: 'desc', after: position });
  return { links: [...ranked.links, ...links], next: next && `${ids.length}#${next}` };
}

const placePattern = new RegExp(`^${orderName}#\\d{1,9}(#.+)?$`);

const isPlace = (text: string): boolean => {
  const { position } = placeAt(text);
  return placePattern.test(text) && (position === undefined || isLinkPosition(position));
};

function placeAt(text: string): Start & { readonly name: string } {
  const [name = '', looked, ...position] = text.split('#');
  return { name, looked: Number(looked), position: position.length > 0 ? position.join('#') : undefined };
}
