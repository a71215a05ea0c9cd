import { getPublicSuffix } from 'tldts';
import { RuleError } from '../errors.ts';
import { parseDomainName } from '../host/host.ts';
import { isPublicHost } from '../host/public-host.ts';

/** A name may have 253 characters (RFC 1035, section 2.3.4), and the TXT record's name adds `_links.` to it. */
const longestName = 253 - '_links.'.length;

/**
 * Validates a domain for short links and returns its canonical form: lower case, ASCII (IDNA), no trailing dot.
 *
 * @param own names of the service itself.
 * @param target the name that domains point to. If it isn't public, as on a laptop, other private names are allowed
 * too.
 * @throws RuleError `domain_invalid`, `domain_public_suffix`, `domain_private`, `domain_own`, `too_long`
 */
export function parseShortDomain(text: string, own: readonly string[], target: string): string {
  const host = parseDomainName(text);
  if (host === undefined) {
    throw new RuleError('domain_invalid', 'must be a domain name such as go.example.com, not an address, URL or wildcard');
  }
  if (host.length > longestName) throw new RuleError('too_long', `must have at most ${longestName} characters`);
  // Anyone can register names under co.uk or github.io: https://publicsuffix.org
  if (getPublicSuffix(host, { allowPrivateDomains: true }) === host) {
    throw new RuleError('domain_public_suffix', 'must not be a public suffix, under which anyone can register names');
  }
  if (!isPublicHost(host) && isPublicHost(target)) {
    throw new RuleError('domain_private', 'must be under a public top-level domain such as .com');
  }
  if (own.includes(host) || host === target) throw new RuleError('domain_own', 'must not be a name of the service itself');
  return host;
}
