import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import type { listQuery } from '../service/address.ts';
import { api } from '../service/client.ts';
import { type LinkPage, linksKey, shorten } from '../service/links.ts';
import { useMore, usePages } from '../service/pages.ts';

type ListQuery = ReturnType<typeof listQuery>;

/**
 * A page of the links that match.
 *
 * @param cursor the previous page's. It contains the whole query: "the last 30 days" differ tomorrow.
 */
export async function linkPage(filters: ListQuery, cursor: string | undefined, signal: AbortSignal): Promise<LinkPage> {
  const query = cursor === undefined ? await askedNow(filters) : (JSON.parse(cursor) as Asked);
  const params = { query: { ...query, limit: 100 } };
  const { data } = await (query.sort === undefined
    ? api.GET('/api/v1/links', { params, signal })
    : api.GET('/api/v1/links/ranked', { params, signal }));
  return { links: data.links, nextCursor: data.nextCursor && JSON.stringify({ ...query, cursor: data.nextCursor }) };
}

type Asked = Omit<ListQuery, 'unclicked' | 'expiring' | 'range'> & { readonly cursor?: string };

/** Adds the times of filters by days, if there are any. */
export async function askedNow(filters: ListQuery): Promise<Asked> {
  const { unclicked, expiring, range, ...query } = filters;
  return [unclicked, expiring, range].every((days) => !days) ? query : (await import('./asked.ts')).askedOf(filters);
}

export type LinkList = ReturnType<typeof useLinks>;

/** The matching links that are loaded so far. Until there are any, those of the previous filter are shown. */
export function useLinks(filters: ListQuery) {
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
  // A list that is opened again begins at the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key by its value
  useEffect(() => () => shorten({ queryKey, exact: true }, 1), [JSON.stringify(queryKey)]);
  // The service keeps the order of a ranking for a day. After that, it is read from the start.
  const isOver = list.error instanceof ProblemError && list.error.status === 400;
  const retry = () => void (list.isFetchNextPageError && !isOver ? list.fetchNextPage() : list.refetch());
  return { ...list, ...more, links, showTo, retry };
}
