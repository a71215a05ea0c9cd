import { type Claim, type Domain, type DomainStatus, domainDefaults } from '../../core/domain/domain.ts';
import { notFound, RequestError } from '../../core/errors.ts';
import { newDomainId } from '../../core/ids.ts';
import { domainsPerWorkspace } from '../../core/limits.ts';
import { created, signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { commit, type Writes } from '../table/commit.ts';
import { any, type Expression, is, isAbsent, set, unlessSet } from '../table/expressions.ts';
import { claimKey, domainCheckKey, domainChecksIndex, domainKey, domainsIndex, indexed, type Key } from '../table/keys.ts';
import { getItems } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleting, putting, updating } from '../table/writes.ts';
import { ifInterestUnchanged, interestForDomain } from '../webhooks/interest.ts';
import { putClaim, unexpiredClaim } from './claims.ts';
import { getDomain, listDomains, toDomain } from './domains.ts';

/**
 * How a workspace gets a domain. A domain claim reserves nothing: any number of workspaces may have one for the same
 * host. The first that proves its ownership gets the domain. For example, V and W want go.example.com:
 *
 *     V   puts its claim, with a token that its owner has to set in the DNS
 *     W   puts its claim, with another token
 *     W   finds its token in the DNS. Transaction: puts the domain, deletes W's claim      if there is no such domain
 *     V   finds its token in the DNS, too. The same transaction                            refused: `domain_taken`
 *
 * If W dies after its transaction, or its response is lost, the next request finds the domain in W's name. V's claim
 * expires after seven days.
 *
 * A domain starts with what the webhooks of its workspace need, as they are in that transaction
 * (`webhooks/interest.ts`).
 */

/**
 * Records a workspace's claim to a domain, and returns it. A claim reserves nothing. An existing claim that hasn't
 * expired stays as it is.
 *
 * @throws RequestError `domain_taken` if any workspace has proven its ownership; `domain_limit_reached`
 */
export async function claimDomain(workspaceId: string, host: string): Promise<Claim> {
  const [item, known] = await getItems([domainKey(host), claimKey(workspaceId, host)]);
  if (item) throw domainTaken();
  const good = unexpiredClaim(known);
  if (good) return good;
  // The limit isn't exact: the index lags, and concurrent claims are not counted.
  if ((await listDomains(workspaceId)).length >= domainsPerWorkspace) {
    throw new RequestError(
      'domain_limit_reached',
      `A workspace may have at most ${domainsPerWorkspace} domains: delete one first.`,
    );
  }
  return putClaim(workspaceId, host);
}

/**
 * Turns a proven claim into the workspace's domain. If several workspaces prove theirs at once, one of them gets it. It
 * starts with what the workspace's webhooks need at that time.
 *
 * @throws RequestError `domain_taken`; `not_found` if the claim was withdrawn in the meantime; `unauthorized` if the
 *   workspace is being deleted, or gone
 */
export function proveOwnership(workspaceId: string, { host, createdAt, token }: Claim): Promise<Domain> {
  return retrying(async () => {
    const interest = await interestForDomain(workspaceId);
    const domain: Domain = {
      host,
      domainId: newDomainId(),
      workspaceId,
      status: 'PENDING_DNS',
      createdAt,
      verifiedAt: new Date().toISOString(),
      token,
      ...domainDefaults,
      revision: 0,
      ...interest,
    };
    const { failed, items } = await commit({
      domain: putting(domainItem(domain), isAbsent),
      ...withDomain(workspaceId, host, is('token', token)),
      interest: ifInterestUnchanged(workspaceId, interest),
    });
    if (!failed) return domain;
    if (items.domain) {
      if (items.domain.workspaceId !== workspaceId) throw domainTaken();
      // Another request of the same workspace was first.
      return toDomain(items.domain);
    }
    if (items.claim) throw notFound('domain');
    // The workspace's webhooks have changed since they were read, or it is being deleted.
    return overtaken;
  });
}

const domainTaken = () => new RequestError('domain_taken', 'The domain is already registered.');

const domainItem = (domain: Domain): Key & Item => ({
  ...domainKey(domain.host),
  ...indexed(domainsIndex(domain.workspaceId), domain.host),
  ...domain,
  ...created(),
});

/** The writes that go with a domain: an index entry for the regular checks, and the deletion of the claim. */
const withDomain = (workspaceId: string, host: string, claimed?: Expression): Writes => ({
  check: putting({ ...domainCheckKey(host), ...indexed(domainChecksIndex, host), host }),
  claim: deleting(claimKey(workspaceId, host), claimed),
});

/**
 * Gives a workspace a domain without proof, on behalf of the operator, or changes the status of its domain. Cancels an
 * unfinished deletion. With status `PENDING_OWNERSHIP` it only records a claim, which reserves nothing.
 *
 * @returns undefined if another workspace has the domain, or if this one has it and a claim would be a step back. A
 *   claim is recorded even if another workspace has the domain.
 * @throws RequestError `unauthorized` if the workspace is being deleted, or gone
 */
export async function addDomain(workspaceId: string, host: string, status: DomainStatus): Promise<Domain | Claim | undefined> {
  if (status === 'PENDING_OWNERSHIP') {
    if ((await getDomain(host))?.workspaceId === workspaceId) return undefined;
    return putClaim(workspaceId, host);
  }
  return retrying(async () => {
    const interest = await interestForDomain(workspaceId);
    const now = new Date().toISOString();
    const { wantsClicks, hooksVersion } = interest;
    const update = signed(
      set({
        ...{ status, host, workspaceId, wantsClicks, hooksVersion, deletion: null },
        ...indexed(domainsIndex(workspaceId), host),
        domainId: unlessSet(newDomainId()),
        createdAt: unlessSet(now),
        verifiedAt: unlessSet(now),
        createdBy: unlessSet(created().createdBy),
      }),
    );
    const { failed, items } = await commit({
      domain: updating(domainKey(host), update, any(isAbsent, is('workspaceId', workspaceId))),
      ...withDomain(workspaceId, host),
      interest: ifInterestUnchanged(workspaceId, interest),
    });
    if (!failed) return getDomain(host);
    // Otherwise, the workspace's webhooks have changed since they were read, or it is being deleted.
    return items.domain ? undefined : overtaken;
  });
}
