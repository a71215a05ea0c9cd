import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { listQuery } from '../service/address.ts';
import { api } from '../service/client.ts';
import { type LinkPage, linksKey, shorten } from '../service/links.ts';
import { useMore, usePages } from '../service/pages.ts';

/** A page of the links that match. */
export const linkPage = async (
  filters: ReturnType<typeof listQuery>,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<LinkPage> =>
  (
    await api.GET('/api/v1/links', {
      params: { query: { ...filters, limit: 100, ...(cursor !== undefined && { cursor }) } },
      signal,
    })
  ).data;

export type LinkList = ReturnType<typeof useLinks>;

/** The links that match, as far as somebody has scrolled. Until they are there, those of the filter before are. */
export function useLinks(filters: ReturnType<typeof listQuery>) {
  const queryKey = linksKey(filters);
  const list = usePages(queryKey, (cursor, signal) => linkPage(filters, cursor, signal), {
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const [lastShown, showTo] = useState(20);
  const { data } = list;
  const links = useMemo(() => data?.pages.flatMap((page) => page.links) ?? [], [data]);
  const sizes = data?.pages.map((page) => page.links.length) ?? [];
  const more = useMore(list, sizes, lastShown >= links.length - 1);
  // Somebody who comes back begins at the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key by its value
  useEffect(() => () => shorten({ queryKey, exact: true }, 1), [JSON.stringify(queryKey)]);
  const retry = () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch());
  return { ...list, ...more, links, showTo, retry };
}
