import { api } from './client.ts';
import type { Link, Versioned } from './types.ts';

// Calls about links, and news about changes that the page has made, so that every part of it shows them.

type News =
  | { readonly kind: 'changed' | 'created'; readonly link: Link }
  | { readonly kind: 'deleted'; readonly ids: ReadonlySet<string> }
  /** Many changed, or what a filter finds may have: lists start again. */
  | { readonly kind: 'many' };

const listeners = new Set<(news: News) => void>();

export const tellOfLinks = (news: News): void => {
  for (const listener of listeners) listener(news);
};

export function onLinkNews(listener: (news: News) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

const etagOf = (response: Response): string => response.headers.get('ETag') ?? '';

export async function getLink(id: string, signal?: AbortSignal): Promise<Versioned> {
  const { data, response } = await api.GET('/api/v1/links/{id}', { params: { path: { id } }, signal });
  return { link: data.link, etag: etagOf(response) };
}

/** @param etag the version that is changed; without it, whatever is there. */
export async function patchLink(id: string, body: object, etag?: string): Promise<Versioned & { readonly response: Response }> {
  const params = { path: { id }, ...(etag && { header: { 'If-Match': etag } }) };
  const { data, response } = await api.PATCH('/api/v1/links/{id}', { params, body });
  tellOfLinks({ kind: 'changed', link: data.link });
  return { link: data.link, etag: etagOf(response), response };
}

export async function deleteLink(id: string, etag?: string): Promise<{ readonly response: Response }> {
  const params = { path: { id }, ...(etag && { header: { 'If-Match': etag } }) };
  const { response } = await api.DELETE('/api/v1/links/{id}', { params });
  tellOfLinks({ kind: 'deleted', ids: new Set([id]) });
  return { response };
}
