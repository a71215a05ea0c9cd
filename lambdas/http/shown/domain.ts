import type { AppLinks, CheckedDomain } from '../../core/domain/domain.ts';
import { optionalSetting, servedNames, setting } from '../../runtime/settings.ts';
import { getCertificate } from '../../store/domains/certificates.ts';
import { readDomainFile } from '../../store/domains/files.ts';
import { fullDomainView, type Served } from '../../views/domain.ts';
import type { Shown } from '../entity-tag.ts';

/** What responses about domains show of the stage. */
export const shownStage = (): Served => ({
  target: setting('DOMAIN_TARGET'),
  served: servedNames(),
  isManaging: optionalSetting('MANAGED_DOMAINS') !== undefined,
});

/**
 * A domain as responses about a single domain show it, with its files for apps. Costs one read for each file, and one
 * for its certificate if the service makes certificates. If a file is changed meanwhile, a field may be newer than the
 * others; a change with `If-Match` is then refused.
 */
export async function showDomain(domain: CheckedDomain): Promise<Shown> {
  const stage = shownStage();
  const read = async (name: keyof AppLinks): Promise<string | null> => {
    if (domain.status === 'PENDING_OWNERSHIP' || domain[name] === null) return null;
    return (await readDomainFile(domain, name)) ?? null;
  };
  const [appleAppSiteAssociation, assetLinks, certificate] = await Promise.all([
    read('appleAppSiteAssociation'),
    read('assetLinks'),
    stage.isManaging && domain.status !== 'PENDING_OWNERSHIP' ? getCertificate(domain) : undefined,
  ]);
  const body = fullDomainView(domain, stage, { files: { appleAppSiteAssociation, assetLinks }, certificate });
  // These fields also change without the domain's owner: by the stage, the DNS or AWS.
  const { covered, lastCheck, certificate: _certificate, ...settings } = body;
  return { body, settings };
}
