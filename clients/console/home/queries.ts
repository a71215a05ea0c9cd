import { useQuery } from '@tanstack/react-query';
import { linkPage } from '../links/list.ts';
import { type Filter, listQuery, noFilter } from '../service/address.ts';
import { linksKey } from '../service/links.ts';
import { usePages } from '../service/pages.ts';
import { useMay } from '../service/queries.ts';

// The queries of the home screen. None is repeated by itself, so an open page costs nothing.

/** Links that expire within this many days are named. */
export const soonDays = 7;
/** Searches read many links, so going back and forth does not repeat them. */
const staleTime = 5 * 60_000;

/** Which links need attention, and why: as filters of the list. */
export const kinds = {
  blocked: { state: 'blocked' },
  disabled: { state: 'disabled' },
  used_up: { state: 'used_up' },
  soon: { expiring: `${soonDays}d` },
} as const satisfies Record<string, Partial<Filter>>;
export type Kind = keyof typeof kinds;

/** The links of a kind that one request finds. */
const findKind = async (kind: Kind, signal: AbortSignal) => {
  const { links, nextCursor } = await linkPage(listQuery({ ...noFilter, ...kinds[kind] }), undefined, signal);
  return { kind, links, isAll: nextCursor === null };
};

/** Links that need attention, because visitors do not get through, or soon will not. */
export const useTroubled = () =>
  useQuery({
    queryKey: ['link', 'troubled'],
    queryFn: ({ signal }) => Promise.all((Object.keys(kinds) as Kind[]).map((kind) => findKind(kind, signal))),
    staleTime,
    enabled: useMay('links:read'),
  });

/** The newest links: the first page of the list, which then opens at once. */
export const useNewest = () =>
  usePages(linksKey({}), (cursor, signal) => linkPage({}, cursor, signal), { staleTime: 10_000, enabled: useMay('links:read') });
