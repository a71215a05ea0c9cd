import { RuleError } from '../errors.ts';
import { canonicalHost } from '../host/host.ts';
import { parseHttpUrl } from '../host/http-url.ts';
import { isPublicHost } from '../host/public-host.ts';

/**
 * Parses the URL of a logo, as a browser would normalise it.
 *
 * @throws RuleError `logo_invalid`, `logo_scheme`, `logo_credentials`, `logo_too_long`, `logo_private`
 */
export function parseLogoUrl(text: string): string {
  const url = parseHttpUrl(text, 'logo', { schemes: ['https:'] });
  if (!isPublicHost(canonicalHost(url.hostname))) {
    throw new RuleError('logo_private', 'must point to a public address or a name under a top-level domain such as .com');
  }
  return url.href;
}

/** The first bytes of image files. @see https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern */
const beginnings: readonly [type: string, beginning: string][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
];

/** The media type of an image, by its first bytes; undefined if pages may not show it, as with an SVG. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 14);
  // The four bytes between are the length.
  if (start.startsWith('RIFF') && start.endsWith('WEBPVP')) return 'image/webp';
  return beginnings.find(([, beginning]) => start.startsWith(beginning))?.[0];
}
