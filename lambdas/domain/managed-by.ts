import { RuleError } from './errors.ts';
import { parseDomainName } from './host.ts';

/**
 * What manages a link, such as a manifest in a repository: `owner@domain`, with the short domain for which the owner
 * manages links. It is compared as a whole, so the domain is stored in its canonical form.
 *
 * @throws RuleError
 */
export function parseManagedBy(text: string): string {
  const [owner = '', domain = '', ...more] = text.split('@');
  const host = /^[a-z0-9-]{1,64}$/.test(owner) && more.length === 0 ? parseDomainName(domain) : undefined;
  if (host !== undefined) return `${owner}@${host}`;
  throw new RuleError(
    'invalid_managed_by',
    'must be "owner@domain", with an owner of 1 to 64 lower-case letters, digits and hyphens, and a domain name',
  );
}
