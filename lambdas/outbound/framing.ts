import { allowsFraming } from '../domain/framing.ts';
import { type Head, type Reach, requestHead } from './public-request.ts';

/** How many redirects within the destination's own origin are followed. */
const mostRedirects = 3;

/**
 * Whether a destination lets a page of ours frame it, found out by asking it. A redirect to another origin cannot be framed, since the page
 * allows the destination's alone.
 *
 * @returns undefined where it could not be found out until the signal ended it.
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
    // A destination that does not answer, or that is not public, is no reason to refuse the link.
    return undefined;
  }
}

/** Where an answer leads, if it says so. */
function targetOf({ location }: Head['headers'], from: URL): URL | undefined {
  const [first] = [location ?? []].flat();
  return first === undefined ? undefined : (URL.parse(first, from.href) ?? undefined);
}

/** Chromium shows none in a sandboxed frame, whatever the sandbox allows. */
const isPdf = (headers: Head['headers']): boolean => /^application\/pdf\b/i.test([headers['content-type'] ?? ''].flat()[0] ?? '');

const framingHeaders = (headers: Head['headers']) => ({
  xFrameOptions: [headers['x-frame-options'] ?? []].flat(),
  contentSecurityPolicy: [headers['content-security-policy'] ?? []].flat(),
});
