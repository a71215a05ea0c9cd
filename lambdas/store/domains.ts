import type { Domain, DomainStatus } from '../domain/domain.ts';
import { RequestError } from '../domain/errors.ts';
import { newDomainId } from '../domain/ids.ts';
import type { Item } from './client.ts';
import { claimKey, claimsOf, domainKey, domainsIndex, indexed, type Key } from './keys.ts';
import { getItem, getItems, query } from './reads.ts';
import { ConditionFailed, deleteItem, putItem, updateItem } from './writes.ts';

export const toDomain = ({ host, domainId, workspaceId, status, createdAt }: Item) =>
  ({ host, domainId, workspaceId, status, createdAt }) as Domain;

/** The domain of that host, its ownership proven, whosever it is. */
export async function getDomain(host: string): Promise<Domain | undefined> {
  const item = await getItem(domainKey(host));
  return item && toDomain(item);
}

/**
 * The workspace's own domain of that host. What nobody has registered and what another workspace has are not told apart.
 *
 * @throws RequestError `domain_not_verified`
 */
export async function getOwnDomain(workspaceId: string, host: string | undefined): Promise<Domain> {
  const domain = host === undefined ? undefined : await getDomain(host);
  if (domain?.workspaceId === workspaceId) return domain;
  throw new RequestError('domain_not_verified', 'The workspace has no domain of that name whose ownership is proven.');
}

/** A domain as its workspace sees it: claimed only, or its ownership proven. */
export type ListedDomain = { readonly domain: string; readonly status: DomainStatus; readonly createdAt: string };

const listed = ({ host, status, createdAt }: Item) => ({ domain: host, status, createdAt }) as ListedDomain;

/**
 * Gives a workspace a domain, or moves the one it has to another state. A claim alone is only noted in the workspace, and
 * keeps the domain from nobody.
 *
 * @returns undefined where the domain's ownership is proven already: by another workspace, or by this one and a claim would
 *   be a step back.
 */
export async function addDomain(workspaceId: string, host: string, status: DomainStatus): Promise<ListedDomain | undefined> {
  const now = new Date().toISOString();
  if (status === 'PENDING_OWNERSHIP') {
    if ((await getDomain(host))?.workspaceId === workspaceId) return undefined;
    const claim = { host, status, createdAt: now };
    await putItem({ ...claimKey(workspaceId, host), ...claim });
    return listed(claim);
  }
  const index = indexed(domainsIndex(workspaceId), host);
  try {
    const item = await updateItem(
      domainKey(host),
      {
        text:
          'SET #status = :status, #host = :host, #workspaceId = :workspaceId, #gsi1pk = :gsi1pk, #gsi1sk = :gsi1sk, ' +
          '#domainId = if_not_exists(#domainId, :domainId), #createdAt = if_not_exists(#createdAt, :now)',
        values: {
          ':status': status,
          ':host': host,
          ':workspaceId': workspaceId,
          ':gsi1pk': index.gsi1pk,
          ':gsi1sk': index.gsi1sk,
          ':domainId': newDomainId(),
          ':now': now,
        },
      },
      { text: 'attribute_not_exists(pk) OR #workspaceId = :workspaceId', values: { ':workspaceId': workspaceId } },
    );
    await deleteItem(claimKey(workspaceId, host));
    return listed(item);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** The workspace's domains by name; one added a moment ago may be missing, since the index follows the table. */
export async function listDomains(workspaceId: string): Promise<ListedDomain[]> {
  const keys = (await Array.fromAsync(query({ gsi1pk: domainsIndex(workspaceId) }))) as (Item & Key)[];
  const proven = (await getItems(keys)).filter((item) => item !== undefined);
  const hosts = new Set(proven.map(({ host }) => host));
  // A claim is deleted behind the proof: where that was cut short, the proof counts.
  const claimed = (await Array.fromAsync(query(claimsOf(workspaceId)))).filter(({ host }) => !hosts.has(host));
  return [...proven, ...claimed].map(listed).sort((a, b) => (a.domain < b.domain ? -1 : 1));
}
