import { ProblemError } from '../../typescript/problem.ts';
import { api } from './client.ts';
import { SaidError } from './failures.ts';
import { untilAnswered, waitFor } from './patience.ts';
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
export async function patchLink(id: string, body: object, etag?: string): Promise<Versioned> {
  const params = { path: { id }, ...(etag && { header: { 'If-Match': etag } }) };
  const { data, response } = await api.PATCH('/api/v1/links/{id}', { params, body });
  tellOfLinks({ kind: 'changed', link: data.link });
  return { link: data.link, etag: etagOf(response) };
}

export async function deleteLink(id: string, etag?: string): Promise<void> {
  await api.DELETE('/api/v1/links/{id}', { params: { path: { id }, ...(etag && { header: { 'If-Match': etag } }) } });
  tellOfLinks({ kind: 'deleted', ids: new Set([id]) });
}

/** How long the history may take to have a deletion: usually two seconds. */
const historyTries = 40;
const historyPauseMs = 750;

/** The newest entry of a link's history. Until the history has a deletion, it has nothing of the link at all. */
async function newestEntry(id: string) {
  try {
    const { data } = await api.GET('/api/v1/links/{id}/history', { params: { path: { id }, query: { limit: 1 } } });
    return data.entries[0];
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * Makes a deleted link again, once the history has its deletion.
 *
 * @param how `quietly` if whoever undoes many of them tells the page about all.
 * @throws SaidError if the history does not have it in time; ProblemError if its address is taken by now; UnsureError
 */
export async function undoDeletion(id: string, how?: 'quietly'): Promise<Link> {
  for (let n = 0; n < historyTries; n++) {
    const newest = await untilAnswered(() => newestEntry(id));
    if (newest?.action === 'link.deleted') {
      const params = { path: { id, entryId: newest.id } };
      const { data: restored } = await untilAnswered(() => api.POST('/api/v1/links/{id}/history/{entryId}/revert', { params }));
      if (how !== 'quietly') tellOfLinks({ kind: 'created', link: restored.link });
      return restored.link;
    }
    await waitFor(historyPauseMs);
  }
  throw new SaidError('The history does not have the deletion yet. You can undo it there in a moment.');
}
