import { useQuery } from '@tanstack/react-query';
import { linkPage } from '../links/list.ts';
import { api } from '../service/client.ts';
import { linksKey } from '../service/links.ts';
import { usePages } from '../service/pages.ts';
import { useMay } from '../service/queries.ts';
import type { Link } from '../service/types.ts';

// What home asks for. Nothing is asked again by itself: a page that is left open costs nothing.

/** For so many days ahead, links that expire are named. */
export const soonDays = 7;
const dayMs = 24 * 60 * 60_000;
/** Searches read links, so nobody who goes back and forth starts them anew. */
const staleTime = 5 * 60_000;

/** Which links need attention, and why. */
export const kinds = {
  blocked: { state: 'blocked' },
  disabled: { state: 'disabled' },
  used_up: { state: 'used_up' },
  soon: { state: 'active', days: soonDays },
} as const satisfies Record<string, { readonly state: NonNullable<Link['state']>; readonly days?: number }>;
export type Kind = keyof typeof kinds;

/** The links of a kind, as far as one request finds them. */
const findKind = async (kind: Kind, signal: AbortSignal) => {
  const asked = kinds[kind];
  const expiresBefore = 'days' in asked ? new Date(Date.now() + asked.days * dayMs).toISOString() : undefined;
  const query = { state: asked.state, limit: 100, ...(expiresBefore && { expiresBefore }) };
  const { links, nextCursor } = (await api.GET('/api/v1/links', { params: { query }, signal })).data;
  return { kind, links: links as readonly Link[], isAll: nextCursor === null };
};

/** Links that need attention: those whose visitors do not get through, or soon will not. */
export const useTroubled = () =>
  useQuery({
    queryKey: ['link', 'troubled'],
    queryFn: ({ signal }) => Promise.all((Object.keys(kinds) as Kind[]).map((kind) => findKind(kind, signal))),
    staleTime,
    enabled: useMay('links:read'),
  });

/** The newest links: the first page of the list, which is there at once when somebody goes on to it. */
export const useNewest = () =>
  usePages(linksKey({}), (cursor, signal) => linkPage({}, cursor, signal), { staleTime: 10_000, enabled: useMay('links:read') });
