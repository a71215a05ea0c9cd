import type { QueryFilters } from '@tanstack/react-query';
import { type Made, type RequestId, recording } from './changes.ts';
import { api } from './client.ts';
import { deleteSurely, type Say } from './patience.ts';
import { queries } from './queries.ts';
import type { Patched, Tagged } from './settings.ts';
import type { DomainDetails, Tag, Template, Webhook } from './types.ts';

// What has a page or a form of its own, and an entity tag: one line each, which says what else shows it.

type Path =
  | '/api/v1/keys/{id}'
  | '/api/v1/links/{id}'
  | '/api/v1/members/{id}'
  | '/api/v1/tags/{id}'
  | '/api/v1/templates/{id}'
  | '/api/v1/webhooks/{id}'
  | '/api/v1/domains/{domain}';

type Kind<T> = {
  /** The names of the queries that show it, too. */
  readonly lists?: readonly string[];
  /** The thing in the body of an answer, if that is not the body itself. */
  readonly read?: (body: never) => T;
  /** Shows it where invalidated lists do not suffice. */
  readonly show?: (version: Tagged<T>) => void;
};

/**
 * How things of a kind are read and changed.
 *
 * @param name of the query that has one of them
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
      /** @param etag the version that is changed; without it, whatever is there */
      patch: async (body: object, etag = '', headers?: RequestId): Promise<Patched<T>> => {
        const header = etag === '' ? {} : { 'If-Match': etag };
        const version = tagged(await api.PATCH(path, { params: { ...params, header }, headers, body }));
        change<Tagged<T>>({ queryKey, exact: true }, () => version);
        show?.(version);
        refreshLists();
        return version;
      },
      /** Asks for it again, and for the lists that show it. */
      refresh: (): void => {
        void queries.invalidateQueries({ queryKey });
        refreshLists();
      },
      /**
       * Deletes it. Gone already is what was wanted.
       *
       * @returns the change; undefined if it was gone before
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
    // What a request under way brings may have been read before.
    if (query.state.fetchStatus !== 'idle') void query.promise?.then(apply, apply);
  }
}

export const tagAt = resource<Tag>('tag', '/api/v1/tags/{id}', { lists: ['tags', 'link'] });
export const templateAt = resource<Template>('template', '/api/v1/templates/{id}', { lists: ['templates', 'me'] });
export const domainAt = resource<DomainDetails>('domain', '/api/v1/domains/{domain}', { lists: ['domains'] });
export const webhookAt = resource<Webhook>('webhook', '/api/v1/webhooks/{id}', { lists: ['webhooks'] });
