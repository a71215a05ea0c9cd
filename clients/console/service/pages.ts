import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useEffect } from 'react';

/** A page of a list, as the API has it. */
type Page = { readonly nextCursor: string | null };
type Options<P> = UseInfiniteQueryOptions<P, Error, InfiniteData<P, string | undefined>, QueryKey, string | undefined>;

/**
 * A list that comes page by page.
 *
 * @param load loads a page; the first one without a cursor
 * @param options options of the query cache
 */
export const usePages = <P extends Page>(
  queryKey: QueryKey,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<P>,
  options: Pick<Options<P>, 'staleTime' | 'placeholderData' | 'refetchInterval' | 'enabled'> = {},
) =>
  useInfiniteQuery<P, Error, InfiniteData<P, string | undefined>, QueryKey, string | undefined>({
    queryKey,
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    ...options,
  });

/** A page of a search covers a limited number of things, so it may be empty. After this many, the person is asked. */
const mostEmpty = 5;

/**
 * Loads as much of a list as is wanted, a page at a time, and continues after empty pages.
 *
 * @param sizes how many entries each page has
 * @param wantsMore whether more should be shown than is loaded
 */
export function useMore(
  { hasNextPage, isFetchNextPageError, isFetching, fetchNextPage }: UseInfiniteQueryResult,
  sizes: readonly number[],
  wantsMore: boolean,
): { readonly hasPaused: boolean; readonly goesOn: boolean } {
  const empty = sizes.length - 1 - sizes.findLastIndex((size) => size > 0);
  const hasPaused = hasNextPage && empty > 0 && empty % mostEmpty === 0;
  // After a failure, the person decides.
  const goesOn = hasNextPage && !isFetchNextPageError && !hasPaused && (empty > 0 || wantsMore);
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  return { hasPaused, goesOn };
}
