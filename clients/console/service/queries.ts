import { QueryClient, useQuery } from '@tanstack/react-query';
import type { Permission } from '../../../lambdas/core/key/permissions.ts';
import { api } from './client.ts';
import { waitOf } from './failures.ts';
import { isRefusal, mostRefusals } from './patience.ts';
import type { Domain, Me, Tag, Template } from './types.ts';

const fiveMinutes = 5 * 60_000;

/** Queries that are refused for the moment are retried. `parts/waits.ts` says so meanwhile. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (refusals, error) => isRefusal(error) && refusals < mostRefusals,
      retryDelay: (_, error) => waitOf(error) * 1_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      staleTime: 10_000,
    },
  },
});

/** All items of a list that comes in large pages. */
export async function all<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

/** A list of the workspace, in full. */
export const listed = <Item>(name: string, pages: (init: { readonly signal: AbortSignal }) => AsyncIterable<Item>) => ({
  queryKey: [name] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => all(pages({ signal })),
});

/** The workspace and the key, with its permissions. */
export const useMe = () =>
  useQuery<Me>({
    queryKey: ['me'],
    queryFn: async ({ signal }) => (await api.GET('/api/v1/me', { signal })).data,
    staleTime: fiveMinutes,
  });

export const useDomains = (isOn = true) =>
  useQuery<Domain[]>({
    ...listed('domains', (init) => api.pages('/api/v1/domains', init)),
    staleTime: fiveMinutes,
    enabled: isOn,
  });

export const useTags = (isOn = true) =>
  useQuery<Tag[]>({ ...listed('tags', (init) => api.pages('/api/v1/tags', init)), staleTime: fiveMinutes, enabled: isOn });

export const useTemplates = (isOn = true) =>
  useQuery<Template[]>({ ...listed('templates', (init) => api.pages('/api/v1/templates', init)), enabled: isOn });

/** Whether Undo is possible: the stage keeps a history, and this key may read it. */
export function mayUndo(): boolean {
  const me = queries.getQueryData<Me>(['me']);
  return me !== undefined && me.limits.historyDays > 0 && me.key.permissions.includes('history:read');
}

/** Whether the key in use has that permission; true until the service has said which ones it has. */
export const useMay = (permission: Permission): boolean => useMe().data?.key.permissions.includes(permission) ?? true;
