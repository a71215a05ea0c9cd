import { parseDomainName } from '../core/host/host.ts';
import { getOwnDomain } from '../store/domains/domains.ts';
import type { TemplateChanges } from '../store/templates/templates.ts';

/**
 * Settings of a template with the canonical name of their domain, which must belong to the workspace at this moment.
 *
 * @throws RequestError as `getOwnDomain` does
 */
export async function withOwnDomain<S extends TemplateChanges>(workspaceId: string, sent: S): Promise<S> {
  if (sent.domain == null) return sent;
  const { host } = await getOwnDomain(workspaceId, parseDomainName(sent.domain));
  return { ...sent, domain: host };
}
