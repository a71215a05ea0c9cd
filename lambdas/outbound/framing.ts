import { allowsFraming } from '../core/link/framing.ts';
import { type PublicResponse, publicReach, type Reach, sendPublicly } from './public-request.ts';

/** The most redirects to follow within the destination's origin. */
const mostRedirects = 3;

const request = { method: 'GET', headers: { 'User-Agent': 'links/1 (framing check)', Accept: 'text/html' } } as const;

/**
 * Asks a destination whether our page may frame it. A redirect to another origin cannot be framed, because the page
 * allows only the destination's origin.
 *
 * @returns undefined if there was no conclusive response before the signal.
 */
export async function framingAllowed(
  destination: URL,
  page: URL,
  signal: AbortSignal,
  reach: Reach = publicReach,
): Promise<boolean | undefined> {
  let url = destination;
  try {
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const { status, headers } = await sendPublicly(url, request, 0, signal, reach);
      const next = status >= 300 && status < 400 ? targetOf(headers, url) : undefined;
      if (!next) return status < 500 ? !isPdf(headers) && allowsFraming(framingHeaders(headers), url, page) : undefined;
      if (next.origin !== url.origin) return false;
      url = next;
    }
    return undefined;
  } catch {
    // The link is not refused if its destination does not answer or is not public.
    return undefined;
  }
}

type Headers = PublicResponse['headers'];

/** The target of a redirect, if it has a valid one. */
function targetOf({ location }: Headers, from: URL): URL | undefined {
  const [first] = location ?? [];
  return first === undefined ? undefined : (URL.parse(first, from.href) ?? undefined);
}

/** Chromium shows no PDF in a sandboxed frame, whatever the sandbox allows. */
const isPdf = (headers: Headers): boolean => /^application\/pdf\b/i.test(headers['content-type']?.[0] ?? '');

const framingHeaders = (headers: Headers) => ({
  xFrameOptions: headers['x-frame-options'] ?? [],
  contentSecurityPolicy: headers['content-security-policy'] ?? [],
});
