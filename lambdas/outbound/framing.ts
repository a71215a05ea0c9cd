import { allowsFraming } from '../domain/framing.ts';
import { type Head, type Reach, requestHead } from './public-request.ts';

/** The most redirects to follow within the destination's origin. */
const mostRedirects = 3;

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
  reach?: Reach,
): Promise<boolean | undefined> {
  let url = destination;
  try {
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const { status, headers } = await requestHead(url, signal, reach);
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

/** The target of a redirect, if it has a valid one. */
function targetOf({ location }: Head['headers'], from: URL): URL | undefined {
  const [first] = [location ?? []].flat();
  return first === undefined ? undefined : (URL.parse(first, from.href) ?? undefined);
}

/** Chromium shows no PDF in a sandboxed frame, whatever the sandbox allows. */
const isPdf = (headers: Head['headers']): boolean => /^application\/pdf\b/i.test([headers['content-type'] ?? ''].flat()[0] ?? '');

const framingHeaders = (headers: Head['headers']) => ({
  xFrameOptions: [headers['x-frame-options'] ?? []].flat(),
  contentSecurityPolicy: [headers['content-security-policy'] ?? []].flat(),
});
