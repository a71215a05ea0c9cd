import { RuleError } from '../errors.ts';
import { parseDomainName } from '../host/host.ts';
import { ownerLength } from '../limits.ts';

const ownerRule = `1 to ${ownerLength} lower-case letters, digits and hyphens`;

/** The shape of an owner, for openapi.json and the schema of manifests too. */
export const ownerPattern = `^[a-z0-9-]{1,${ownerLength}}$`;

const ownerShape = new RegExp(ownerPattern);
const isOwner = (text: string): boolean => ownerShape.test(text);

/** The part of `managedBy` before the domain. @throws RuleError */
export function parseOwner(text: string): string {
  if (isOwner(text)) return text;
  throw new RuleError('invalid_owner', `must be ${ownerRule}`);
}

/**
 * What manages a link, such as a manifest in a repository: `owner@domain`, where the owner manages links of that short
 * domain. It is compared as a whole, so the domain is stored in its canonical form.
 *
 * @throws RuleError
 */
export function parseManagedBy(text: string): string {
  const [owner = '', domain = '', ...more] = text.split('@', 3);
  const host = isOwner(owner) && more.length === 0 ? parseDomainName(domain) : undefined;
  if (host !== undefined) return `${owner}@${host}`;
  throw new RuleError('invalid_managed_by', `must be "owner@domain", with an owner of ${ownerRule}, and a domain name`);
}
