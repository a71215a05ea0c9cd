import {
  type CheckedDomain,
  type Claim,
  type Domain,
  type DomainDeletion,
  type DomainSettings,
  domainOrder,
} from '../../core/domain/domain.ts';
import { notFound, preconditionFailed, RequestError } from '../../core/errors.ts';
import { sorted } from '../../core/list-order.ts';
import { signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { commit } from '../table/commit.ts';
import { all, type Expression, is, isAtRevision, plus, set } from '../table/expressions.ts';
import { flag, maybeMap, maybeText, number, oneOf, text } from '../table/fields.ts';
import { claimKey, claimsOf, domainCheckKey, domainKey, domainsIndex, toKey } from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { updating } from '../table/writes.ts';
import { interestOnDomain } from '../webhooks/interest.ts';
import { unexpiredClaim } from './claims.ts';
import { type DomainFiles, writingFiles } from './files.ts';
import { withLastCheck } from './last-checks.ts';

export function toDomain(item: Item): Domain {
  const deletion = maybeMap(item, 'deletion');
  return {
    host: text(item, 'host'),
    domainId: text(item, 'domainId'),
    workspaceId: text(item, 'workspaceId'),
    status: oneOf(item, 'status', ['PENDING_DNS', 'ACTIVE']),
    createdAt: text(item, 'createdAt'),
    verifiedAt: text(item, 'verifiedAt'),
    token: maybeText(item, 'token') ?? null,
    rootUrl: maybeText(item, 'rootUrl') ?? null,
    notFoundUrl: maybeText(item, 'notFoundUrl') ?? null,
    expiredUrl: maybeText(item, 'expiredUrl') ?? null,
    publicQr: flag(item, 'publicQr', false),
    allowIndexing: flag(item, 'allowIndexing', false),
    accentColor: maybeText(item, 'accentColor') ?? null,
    logoUrl: maybeText(item, 'logoUrl') ?? null,
    appleAppSiteAssociation: maybeText(item, 'appleAppSiteAssociation') ?? null,
    assetLinks: maybeText(item, 'assetLinks') ?? null,
    revision: number(item, 'revision', 0),
    ...(deletion && { deletion: toDeletion(deletion) }),
    ...interestOnDomain(item),
  };
}

function toDeletion(map: Item): DomainDeletion {
  const before = maybeText(map, 'before');
  return { id: text(map, 'id'), ...(before !== undefined && { before }) };
}

/** The domain with that host, if its ownership is proven, in any workspace. */
export async function getDomain(host: string): Promise<Domain | undefined> {
  const item = await getItem(domainKey(host));
  return item && toDomain(item);
}

/**
 * The workspace's own domain with that host, for creating links. The error is the same for a domain that nobody has
 * registered and for another workspace's domain.
 *
 * @throws RequestError `domain_not_verified`, `domain_deletion_in_progress`
 */
export async function getOwnDomain(workspaceId: string, host: string | undefined): Promise<Domain> {
  const domain = host === undefined ? undefined : await getDomain(host);
  if (domain?.workspaceId === workspaceId) {
    if (!domain.deletion) return domain;
    throw new RequestError(
      'domain_deletion_in_progress',
      'The domain is being deleted. Finish that with DELETE /api/v1/domains/{domain}, or keep the domain with POST …/verify.',
    );
  }
  throw new RequestError(
    'domain_not_verified',
    'The workspace has not proven that it owns this domain. Claim it with POST /api/v1/domains, and verify it.',
  );
}

/**
 * The workspace's domain or claim with that host, and its last check; undefined if it has none. One batch read. If the
 * workspace has neither, there is a second one, so that another workspace's domain takes as long as one that nobody
 * has.
 */
export async function findDomain(workspaceId: string, host: string): Promise<CheckedDomain | undefined> {
  const [item, claim, check] = await getItems([domainKey(host), claimKey(workspaceId, host), domainCheckKey(host)]);
  const isOurs = item?.workspaceId === workspaceId || claim !== undefined;
  // A batch isn't a snapshot: if a proof is written between its two reads, it sees neither the domain nor the claim.
  const [domain] = isOurs ? [item] : await getItems([domainKey(host)]);
  // A claim may have been made at the same time as the proof. The proof wins.
  return domain?.workspaceId === workspaceId ? withLastCheck(toDomain(domain), check) : unexpiredClaim(claim);
}

/**
 * Activates a domain whose DNS leads here. It is a transaction so that its token makes it idempotent: retried after a
 * lost response, it does not undo what the operator has changed since.
 *
 * @throws RequestError `not_found` if the workspace no longer has the domain
 */
export async function activate(domain: Domain): Promise<Domain> {
  const status = 'ACTIVE';
  const activation = updating(domainKey(domain.host), signed(set({ status })), is('domainId', domain.domainId));
  if ((await commit({ domain: activation })).failed) throw notFound('domain');
  return { ...domain, status };
}

/**
 * Changes settings of a workspace's domain, all of them or none, and returns the changed domain. Concurrent changes all
 * take effect; of the same setting, the last one wins.
 *
 * @param found the domain, read in this request.
 * @param files those whose digests change.
 * @param isExact to change it only if it is still as it was read.
 * @throws RequestError `not_found`, `precondition_failed`
 */
export async function updateDomain(
  found: Domain,
  changes: Partial<DomainSettings>,
  { files = {}, isExact }: { readonly files?: DomainFiles; readonly isExact: boolean },
): Promise<Domain> {
  if (Object.keys(changes).length === 0) return found;
  const change = signed(set({ ...changes, revision: plus(1) }));
  let domain = found;
  return retrying(async () => {
    const update = updating(domainKey(domain.host), change, isAsShown(domain));
    const { failed, items } = await commit({ domain: update, ...writingFiles(domain, files) });
    if (!failed) return { ...domain, ...changes, revision: domain.revision + 1 };
    if (items.domain?.domainId !== domain.domainId) throw notFound('domain');
    if (isExact) throw preconditionFailed();
    domain = toDomain(items.domain);
    return overtaken;
  });
}

/** Differs between all versions of a domain or claim that the API shows. The status changes without a new revision. */
export const versionOf = (domain: Domain | Claim): string =>
  domain.status === 'PENDING_OWNERSHIP' ? domain.token : `${domain.domainId} ${domain.status} ${domain.revision}`;

/** The condition that it is still the same version of a domain. */
export const isAsShown = ({ domainId, status, revision }: Domain): Expression =>
  all(is('domainId', domainId), is('status', status), isAtRevision(revision));

/**
 * The workspace's domains and unexpired claims, by name. A domain that was added a moment ago may be missing, because
 * the index lags.
 */
export async function listDomains(workspaceId: string): Promise<(Domain | Claim)[]> {
  const keys = (await Array.fromAsync(query({ gsi1pk: domainsIndex(workspaceId) }))).map(toKey);
  const proven = (await getItems(keys)).flatMap((item) => (item?.workspaceId === workspaceId ? toDomain(item) : []));
  const hosts = new Set(proven.map(({ host }) => host));
  // A claim may have been made at the same time as the proof. The proof wins.
  const claims = (await Array.fromAsync(query(claimsOf(workspaceId)))).flatMap((item) => unexpiredClaim(item) ?? []);
  return sorted([...proven, ...claims.filter(({ host }) => !hosts.has(host))], domainOrder);
}
