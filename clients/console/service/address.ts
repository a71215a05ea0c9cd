import { parseConsolePath, type Screen } from '../../../lambdas/core/console/addresses.ts';
import { trimmed } from '../../../lambdas/core/invisible.ts';
import { tagsPerLink } from '../../../lambdas/core/limits.ts';

// Reads and writes the console's address. It contains all choices of a person, so that a view can be shared.

export const linkStates = ['active', 'inactive', 'scheduled', 'expired', 'used_up', 'pending', 'disabled', 'blocked'] as const;
type LinkState = (typeof linkStates)[number];

/** What links are sorted by besides their creation, as the API names it. */
const linkSorts = ['clicks', 'lastClickedAt'] as const;

/** The filters of a list. Defaults are left out of the address. */
export type Filter = {
  readonly q: string;
  readonly domain: string | undefined;
  readonly tags: readonly string[];
  readonly match: 'any' | 'all';
  readonly state: LinkState | undefined;
  /** The archive instead of the other links. */
  readonly isArchived: boolean;
  /** Only links without a click in a number of days, such as `90d`, or since a day; '' for all. */
  readonly unclicked: string;
  /** Only links that expire within a number of days, such as `7d`; '' for all. */
  readonly expiring: string;
  /** Undefined sorts by creation. */
  readonly sort: (typeof linkSorts)[number] | undefined;
  /** The clicks to sort by: a range as in the address of statistics; '' for all clicks. */
  readonly range: string;
  readonly order: 'desc' | 'asc';
};

export const noFilter: Filter = {
  q: '',
  domain: undefined,
  tags: [],
  match: 'any',
  state: undefined,
  isArchived: false,
  unclicked: '',
  expiring: '',
  sort: undefined,
  range: '',
  order: 'desc',
};

export type Address = {
  readonly workspaceId: string | undefined;
  readonly screen: Screen;
  readonly linkId: string | undefined;
  /** What another screen shows: the name of a domain, or the id of a webhook. */
  readonly item: string | undefined;
  readonly isEditing: boolean;
  /** Fills in the field of a new link. It is never submitted by itself. */
  readonly url: string | undefined;
  /** The link that a new one copies. */
  readonly from: string | undefined;
  readonly filter: Filter;
  /** The query of screens other than the links, which they read themselves. */
  readonly query: string;
};

/** What looks like a number of days, or a day. */
const unclickedIn = (text: string | null): string => /^([1-9]\d{0,3}d|20\d\d-\d\d-\d\d)$/.exec(text ?? '')?.[0] ?? '';

/** What looks like a number of days. */
const daysIn = (text: string | null): string => /^[1-9]\d{0,3}d$/.exec(text ?? '')?.[0] ?? '';

/** What looks like a range of days. */
const rangeIn = (text: string | null): string => /^[\w.-]+$/.exec(text ?? '')?.[0] ?? '';

/** Whether the addresses of a screen contain the list's filter, because it is shown beside the list. */
const hasList = (screen: Screen): boolean => screen === 'links' || screen === 'new';

/**
 * Reads an address. Invalid parts are ignored, so that an old or mistyped address still works.
 *
 * @param path what follows `/console`.
 * @param query with or without the question mark.
 */
export function parseAddress(path: string, query: string): Address {
  const { workspaceId, screen = 'home', item } = parseConsolePath(path) ?? {};
  const linkId = screen === 'links' ? item : undefined;
  const found = new URLSearchParams(hasList(screen) ? query : '');
  const state = linkStates.find((one) => one === found.get('state'));
  return {
    workspaceId,
    screen,
    linkId,
    item: screen === 'links' ? undefined : item,
    isEditing: linkId !== undefined && found.get('edit') === '1',
    url: found.get('url') ?? undefined,
    from: screen === 'new' ? /^lnk_\w+$/.exec(found.get('from') ?? '')?.[0] : undefined,
    filter: {
      q: found.get('q') ?? '',
      domain: found.get('domain') || undefined,
      tags: [...new Set((found.get('tag') ?? '').split(',').filter((id) => /^tag_\w+$/.test(id)))].slice(0, tagsPerLink),
      match: found.get('match') === 'all' ? 'all' : 'any',
      state,
      isArchived: found.get('archived') === '1',
      unclicked: unclickedIn(found.get('unclicked')),
      expiring: daysIn(found.get('expiring')),
      sort: linkSorts.find((one) => one === found.get('sort')),
      range: rangeIn(found.get('range')),
      order: found.get('order') === 'asc' ? 'asc' : 'desc',
    },
    query: hasList(screen) ? '' : new URLSearchParams(query).toString(),
  };
}

/** Writes an address, after `/console`. `parseAddress` reads it again. */
export function writeAddress(address: Address): string {
  const { workspaceId, screen } = address;
  const item = screen === 'links' ? address.linkId : address.item;
  const path = workspaceId === undefined ? '' : `/${workspaceId}/${screen}${item === undefined ? '' : `/${item}`}`;
  const query = hasList(screen) ? queryOfList(address) : address.query;
  return query === '' ? path : `${path}?${query.replaceAll('%2C', ',')}`;
}

function queryOfList({ screen, linkId, isEditing, url, from, filter }: Address): string {
  const query = new URLSearchParams();
  if (filter.q) query.set('q', filter.q);
  if (filter.domain) query.set('domain', filter.domain);
  if (filter.tags.length > 0) query.set('tag', filter.tags.join(','));
  if (filter.match === 'all') query.set('match', 'all');
  if (filter.state) query.set('state', filter.state);
  if (filter.isArchived) query.set('archived', '1');
  if (filter.unclicked) query.set('unclicked', filter.unclicked);
  if (filter.expiring) query.set('expiring', filter.expiring);
  if (filter.sort) query.set('sort', filter.sort);
  if (filter.range) query.set('range', filter.range);
  if (filter.order === 'asc') query.set('order', 'asc');
  if (linkId !== undefined && isEditing) query.set('edit', '1');
  if (screen === 'new' && url) query.set('url', url);
  if (screen === 'new' && from) query.set('from', from);
  return query.toString();
}

/** Whether a filter leaves out any link. The order does not. */
export const isFiltered = ({ q, domain, tags, state, isArchived, unclicked, expiring }: Filter): boolean =>
  [trimmed(q), domain, ...tags, state, isArchived, unclicked, expiring].some(Boolean);

/**
 * The query of a list with that filter. Parts that depend on the day are as in the address; `links/list.ts` converts
 * them.
 */
export const listQuery = ({ q, domain, tags, match, state, isArchived, unclicked, expiring, sort, range, order }: Filter) => ({
  ...(trimmed(q) !== '' && { q: trimmed(q) }),
  ...(domain !== undefined && { domain }),
  ...(tags.length > 0 && { tagIds: [...tags], match }),
  // Expired links are left out: they have already expired.
  ...((state !== undefined || expiring) && { state: state ?? 'active' }),
  ...(isArchived && { archived: 'true' as const }),
  ...(unclicked && { unclicked }),
  ...(expiring && { expiring }),
  ...(sort && { sort, range }),
  ...(order === 'asc' && { order }),
});
