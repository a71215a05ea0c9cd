import type { AppLinks, CheckedDomain } from '../../core/domain/domain.ts';
import { servedNames, setting } from '../../runtime/settings.ts';
import { readDomainFile } from '../../store/domains/files.ts';
import { fullDomainView } from '../../views/domain.ts';
import type { Shown } from '../conditional.ts';

/**
 * A domain as responses about a single domain show it, with its files for apps. Costs one read for each file. If a file
 * is changed meanwhile, a field may be newer than the others; a change with `If-Match` is then refused.
 */
export async function showDomain(domain: CheckedDomain): Promise<Shown> {
  const read = async (name: keyof AppLinks): Promise<string | null> => {
    if (domain.status === 'PENDING_OWNERSHIP' || domain[name] === null) return null;
    return (await readDomainFile(domain, name)) ?? null;
  };
  const [appleAppSiteAssociation, assetLinks] = await Promise.all([read('appleAppSiteAssociation'), read('assetLinks')]);
  const stage = { target: setting('DOMAIN_TARGET'), served: servedNames() };
  const body = fullDomainView(domain, stage, { appleAppSiteAssociation, assetLinks });
  // The stage, and what the DNS answers, change without the domain's owner.
  const { covered, lastCheck, ...settings } = body;
  return { body, settings };
}
