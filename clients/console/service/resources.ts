import type { QueryFilters } from '@tanstack/react-query';
import { type Made, type RequestId, recording } from './changes.ts';
import { api } from './client.ts';
import { deleteSurely, type Say } from './patience.ts';
import { queries } from './queries.ts';
import type { Patched, Tagged } from './settings.ts';
import type { DomainDetails, Tag, Template, Webhook } from './types.ts';

// Things with an entity tag and a page or form of their own: one line each, which names the queries that also show
// them.

type Path =
  | '/api/v1/keys/{id}'
  | '/api/v1/links/{id}'
  | '/api/v1/members/{id}'
  | '/api/v1/tags/{id}'
  | '/api/v1/templates/{id}'
  | '/api/v1/webhooks/{id}'
  | '/api/v1/domains/{domain}';

type Kind<T> = {
  /** The names of the queries that also show it. */
  readonly lists?: readonly string[];
  /** Reads the thing from the body of an answer, unless it is the body itself. */
  readonly read?: (body: never) => T;
  /** Shows it where invalidating lists is not enough. */
  readonly show?: (version: Tagged<T>) => void;
};

/**
 * How things of a kind are read and changed.
 *
 * @param name the name of the query of one thing
 */
export function resource<T extends object>(name: string, path: Path, { lists = [], read, show }: Kind<T> = {}) {
  const tagged = ({ data, response }: { readonly data: unknown; readonly response: Response }): Patched<T> => ({
    value: read ? read(data as never) : (data as T),
    etag: response.headers.get('ETag') ?? '',
    response,
  });
  return (id: string) => {
    const queryKey = [name, id] as const;
    const params = { path: { id, domain: id } };
    const refreshLists = () => {
      for (const list of lists) void queries.invalidateQueries({ queryKey: [list] });
    };
    const get = async (signal?: AbortSignal): Promise<Tagged<T>> => tagged(await api.GET(path, { params, signal }));
    return {
      get,
      /** @param etag the version to change; any version without it */
      patch: async (body: object, etag = '', headers?: RequestId): Promise<Patched<T>> => {
        const header = etag === '' ? {} : { 'If-Match': etag };
        const version = tagged(await api.PATCH(path, { params: { ...params, header }, headers, body }));
        change<Tagged<T>>({ queryKey, exact: true }, () => version);
        show?.(version);
        refreshLists();
        return version;
      },
      /** Reads it again, and the lists that show it. */
      refresh: (): void => {
        void queries.invalidateQueries({ queryKey });
        refreshLists();
      },
      /**
       * Deletes it; no-op if it is already deleted.
       *
       * @returns the change; undefined if it was already deleted
       * @throws ProblemError; UnsureError
       */
      remove: async (say: Say): Promise<Made | undefined> => {
        const record = recording();
        const isDone = await deleteSurely(() => record.send((headers) => api.DELETE(path, { params, headers })), say);
        refreshLists();
        return isDone || record.isUnsure() ? record.made() : undefined;
      },
      query: { queryKey, queryFn: ({ signal }: { readonly signal: AbortSignal }) => get(signal) },
    };
  };
}

/** Changes what is shown. */
export function change<T>(filters: QueryFilters, update: (data: T) => T): void {
  for (const query of queries.getQueryCache().findAll(filters)) {
    const apply = () => queries.setQueryData<T>(query.queryKey, (data) => data && update(data));
    apply();
    // A request under way may have been answered from before the change.
    if (query.state.fetchStatus !== 'idle') void query.promise?.then(apply, apply);
  }
}

export const tagAt = resource<Tag>('tag', '/api/v1/tags/{id}', { lists: ['tags', 'link'] });
export const templateAt = resource<Template>('template', '/api/v1/templates/{id}', { lists: ['templates', 'me'] });
export const domainAt = resource<DomainDetails>('domain', '/api/v1/domains/{domain}', { lists: ['domains'] });
export const webhookAt = resource<Webhook>('webhook', '/api/v1/webhooks/{id}', { lists: ['webhooks'] });
