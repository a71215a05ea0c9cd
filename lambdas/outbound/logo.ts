import { imageTypeOf } from '../core/domain/logo.ts';
import { RuleError } from '../core/errors.ts';
import { logoLength } from '../core/limits.ts';
import { followPublicly, publicReach, type Reach } from './public-request.ts';

const request = {
  method: 'GET',
  headers: {
    'User-Agent': 'links/1 (logo)',
    Accept: 'image/webp, image/png, image/jpeg, image/gif',
    'Accept-Encoding': 'identity',
  },
} as const;

/**
 * Fetches a logo from a public address, and follows redirects.
 *
 * @param signal ends the request.
 * @returns a `data:` URL, for pages that load nothing from elsewhere.
 * @throws RuleError `logo_unreachable`, `logo_too_large`, `logo_not_image`
 */
export async function fetchLogo(url: string, signal: AbortSignal, reach: Reach = publicReach): Promise<string> {
  // One byte more tells whether it is too large.
  const following = { schemes: ['https'], most: 3, reachFor: () => reach, refused: unreachable };
  const { response } = await followPublicly(new URL(url), request, logoLength + 1, signal, following);
  const { status, isComplete, body } = response;
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
