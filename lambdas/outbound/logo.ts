import { imageTypeOf } from '../core/domain/logo.ts';
import { RuleError } from '../core/errors.ts';
import { logoLength } from '../core/limits.ts';
import { failureText, type PublicResponse, publicReach, type Reach, sendPublicly } from './public-request.ts';

/** The most redirects to follow. */
const mostRedirects = 3;

const request = {
  method: 'GET',
  headers: {
    'User-Agent': 'links/1 (logo)',
    Accept: 'image/webp, image/png, image/jpeg, image/gif',
    'Accept-Encoding': 'identity',
  },
} as const;

/**
 * Fetches a logo from a public address, also if it redirects.
 *
 * @param signal ends the request.
 * @returns a `data:` URL, for pages that load nothing from elsewhere.
 * @throws RuleError `logo_unreachable`, `logo_too_large`, `logo_not_image`
 */
export async function fetchLogo(url: string, signal: AbortSignal, reach: Reach = publicReach): Promise<string> {
  const { status, isComplete, body } = await get(new URL(url), signal, reach);
  if (status !== 200) throw unreachable(`the server responds with ${status}`);
  if (body.length > logoLength) {
    throw new RuleError('logo_too_large', `must lead to an image of at most ${logoLength.toLocaleString('en-US')} bytes`);
  }
  if (!isComplete) throw unreachable('the response is incomplete');
  const type = imageTypeOf(body);
  if (!type) throw new RuleError('logo_not_image', 'must lead to a PNG, JPEG, GIF or WebP image');
  return `data:${type};base64,${body.toString('base64')}`;
}

const unreachable = (why: string) => new RuleError('logo_unreachable', `must lead to an image that can be fetched; ${why}`);

async function get(from: URL, signal: AbortSignal, reach: Reach): Promise<PublicResponse> {
  let url = from;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await send(url, signal, reach);
    const [target] = response.status >= 300 && response.status < 400 ? (response.headers.location ?? []) : [];
    if (target === undefined) return response;
    const next = URL.parse(target, url.href);
    if (next?.protocol !== 'https:') throw unreachable('it redirects to a URL without https');
    url = next;
  }
  throw unreachable(`it redirects more than ${mostRedirects} times`);
}

async function send(url: URL, signal: AbortSignal, reach: Reach): Promise<PublicResponse> {
  try {
    // One byte more tells whether it is too large.
    return await sendPublicly(url, request, logoLength + 1, signal, reach);
  } catch (error) {
    throw unreachable(failureText(error));
  }
}
