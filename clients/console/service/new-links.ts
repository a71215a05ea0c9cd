import { api } from './client.ts';
import { isUnsure } from './failures.ts';
import { tellOfLinks } from './links.ts';
import type { Versioned } from './types.ts';

/** What a text must be to become a link. The service checks the rest. */
export const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]+/i.test(text.trim());

/** An address in a text that somebody pasted somewhere on the page; undefined if it is not only that. */
export const pastedAddress = (text: string): string | undefined =>
  isAddress(text) && !/\s/.test(text.trim()) ? text.trim() : undefined;

type NewLink = { readonly domain: string; readonly url: string } & PageCard;

const pauses: readonly number[] = [1_000, 2_000, 4_000];

/**
 * Makes a link. If the answer is lost, it asks again under the same `Idempotency-Key`, which makes no second one.
 *
 * @param onUnsure called before it asks again.
 */
export async function createLink(body: NewLink, key: string, onUnsure: () => void): Promise<Versioned> {
  for (const pause of [...pauses, undefined]) {
    try {
      const params = { header: { 'Idempotency-Key': key } };
      const { data, response } = await api.POST('/api/v1/links', { params, body });
      tellOfLinks({ kind: 'created', link: data.link });
      return { link: data.link, etag: response.headers.get('ETag') ?? '' };
    } catch (error) {
      if (pause === undefined || !isUnsure(error)) throw error;
      onUnsure();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  throw new Error('unreachable');
}

/** What a link takes over from its page, so that chats show the same card. */
export type PageCard = { readonly title?: string; readonly description?: string; readonly image?: string };

/** What a page says about itself; undefined if it has no title or does not answer. A link can do without. */
export async function pageCard(url: string, signal: AbortSignal): Promise<PageCard | undefined> {
  try {
    const { data } = await api.GET('/api/v1/metadata', { params: { query: { url } }, signal });
    const { title, description, image } = data;
    return title === null ? undefined : { title, ...(description !== null && { description }), ...(image !== null && { image }) };
  } catch {
    return undefined;
  }
}
