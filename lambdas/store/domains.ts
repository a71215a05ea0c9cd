import { type Claim, claimEnds, claimedMs, type Domain, type DomainDeletion, type DomainStatus } from '../domain/domain.ts';
import { notFound, RequestError } from '../domain/errors.ts';
import { newClaimToken, newDomainId, newRequestToken } from '../domain/ids.ts';
import { domainsPerWorkspace } from '../domain/limits.ts';
import { lookForLinkOn } from './links/list.ts';
import type { Item } from './table/client.ts';
import { all, any, type Expression, failedCondition, ifConditionFails, is, isAbsent, lacks } from './table/conditions.ts';
import { maybeMap, maybeText, oneOf, text } from './table/fields.ts';
import {
  claimKey,
  claimsOf,
  domainCheckKey,
  domainChecksIndex,
  domainKey,
  domainsIndex,
  indexed,
  type Key,
  toKey,
} from './table/keys.ts';
import { getItem, getItems, query } from './table/reads.ts';
import { deleteItem, deleting, putItem, putting, transact, updateItem, updating } from './table/writes.ts';

/** A domain of before there was a proof of its own has been proven when it was made. */
export function toDomain(item: Item): Domain {
  const createdAt = text(item, 'createdAt');
  const deletion = maybeMap(item, 'deletion');
  return {
    host: text(item, 'host'),
    domainId: text(item, 'domainId'),
    workspaceId: text(item, 'workspaceId'),
    status: oneOf(item, 'status', ['PENDING_DNS', 'ACTIVE']),
    createdAt,
    verifiedAt: text(item, 'verifiedAt', createdAt),
    token: maybeText(item, 'token') ?? null,
    ...(deletion && { deletion: toDeletion(deletion) }),
  };
}

function toDeletion(map: Item): DomainDeletion {
  const before = maybeText(map, 'before');
  return { id: text(map, 'id'), ...(before !== undefined && { before }) };
}

const domainItem = (domain: Domain): Key & Item => ({
  ...domainKey(domain.host),
  ...indexed(domainsIndex(domain.workspaceId), domain.host),
  ...domain,
});

const toClaim = (item: Item): Claim => ({
  host: text(item, 'host'),
  status: oneOf(item, 'status', ['PENDING_OWNERSHIP']),
  createdAt: text(item, 'createdAt'),
  verifiedAt: null,
  token: text(item, 'token'),
});

const claimItem = (workspaceId: string, { verifiedAt, ...claim }: Claim): Key & Item => ({
  ...claimKey(workspaceId, claim.host),
  ...claim,
  ttl: Math.ceil(claimEnds(claim) / 1_000),
});

/** The claim of an item, while it is good. One that was made before claims had tokens is not. */
const goodClaim = (item: Item | undefined): Claim | undefined => {
  if (item?.token === undefined) return undefined;
  const claim = toClaim(item);
  return claimEnds(claim) > Date.now() ? claim : undefined;
};

/** The domain of that host, its ownership proven, whosever it is. */
export async function getDomain(host: string): Promise<Domain | undefined> {
  const item = await getItem(domainKey(host));
  return item && toDomain(item);
}

/**
 * The workspace's own domain of that host, on which links can be made. What nobody has registered and what another workspace has are not
 * told apart.
 *
 * @throws RequestError `domain_not_verified`, `domain_deletion_in_progress`
 */
export async function getOwnDomain(workspaceId: string, host: string | undefined): Promise<Domain> {
  const domain = host === undefined ? undefined : await getDomain(host);
  if (domain?.workspaceId === workspaceId) {
    if (!domain.deletion) return domain;
    throw new RequestError(
      'domain_deletion_in_progress',
      'The domain is being deleted: finish that with DELETE /api/v1/domains/{domain}, or keep the domain with POST …/verify.',
    );
  }
  throw new RequestError(
    'domain_not_verified',
    'The workspace has no domain of that name whose ownership is proven: claim it with POST /api/v1/domains, and verify it.',
  );
}

/**
 * The workspace's domain or claim of that host; undefined if it has none. One batch read; if it finds neither, another one, so that a domain
 * of another workspace takes as long as one that nobody has.
 */
export async function findDomain(workspaceId: string, host: string): Promise<Domain | Claim | undefined> {
  const [item, claim] = await getItems([domainKey(host), claimKey(workspaceId, host)]);
  const isOurs = item?.workspaceId === workspaceId || claim !== undefined;
  // A batch is no snapshot: where a proof came between its two reads it saw no domain yet, and no claim any more.
  const [domain] = isOurs ? [item] : await getItems([domainKey(host)]);
  // A claim may have been made beside the proof: the proof counts.
  return domain?.workspaceId === workspaceId ? toDomain(domain) : goodClaim(claim);
}

const domainTaken = () => new RequestError('domain_taken', 'The domain is registered already.');

/**
 * Notes that a workspace says that a domain is its own, which keeps the domain from nobody, and gives the claim; one that it has made
 * already, and that is good, stays as it is.
 *
 * @throws RequestError `domain_taken` where the ownership is proven already, by whomever; `domain_limit_reached`
 */
export async function claimDomain(workspaceId: string, host: string): Promise<Claim> {
  const [item, known] = await getItems([domainKey(host), claimKey(workspaceId, host)]);
  if (item) throw domainTaken();
  const good = goodClaim(known);
  if (good) return good;
  // As exact as the index: what is claimed in the same moment may come on top.
  if ((await listDomains(workspaceId)).length >= domainsPerWorkspace) {
    throw new RequestError('domain_limit_reached', `A workspace may have at most ${domainsPerWorkspace} domains.`);
  }
  return putClaim(workspaceId, host);
}

/** Writes a claim where there is none that is good. */
async function putClaim(workspaceId: string, host: string): Promise<Claim> {
  const now = new Date();
  const createdAt = now.toISOString();
  const claim: Claim = { host, status: 'PENDING_OWNERSHIP', createdAt, verifiedAt: null, token: newClaimToken() };
  const hasLapsed = {
    text: '#createdAt <= :lapsed',
    values: { ':lapsed': new Date(now.getTime() - claimedMs).toISOString() },
  };
  const write = putItem(claimItem(workspaceId, claim), any(isAbsent, hasLapsed, lacks('token')));
  const failed = await failedCondition(write);
  if (!failed) return claim;
  // Another request was faster, or this one, whose answer was lost: its claim is the claim.
  const there = goodClaim(failed.items[0]);
  if (!there) throw failed;
  return there;
}

/**
 * Makes a claim that was proven the workspace's domain. Of several workspaces that have proven theirs at once one gets it.
 *
 * @throws RequestError `domain_taken`; `not_found` where the claim has been taken back meanwhile
 */
export async function proveOwnership(workspaceId: string, { host, createdAt, token }: Claim): Promise<Domain> {
  const domain: Domain = {
    host,
    domainId: newDomainId(),
    workspaceId,
    status: 'PENDING_DNS',
    createdAt,
    verifiedAt: new Date().toISOString(),
    token,
  };
  const writes = [putting(domainItem(domain), isAbsent), ...withDomain(workspaceId, host, is('token', token))];
  const failed = await failedCondition(transact(writes, newRequestToken()));
  if (!failed) return domain;
  const [there] = failed.items;
  if (!there) throw notFound('domain');
  // Another request of the same workspace was faster.
  if (there.workspaceId !== workspaceId) throw domainTaken();
  return toDomain(there);
}

/** What is written with a domain: that it is to be looked after, by an entry in the index, and no claim any more. */
const withDomain = (workspaceId: string, host: string, claimed?: Expression) => [
  putting({ ...domainCheckKey(host), ...indexed(domainChecksIndex, host), host }),
  deleting(claimKey(workspaceId, host), claimed),
];

/**
 * Makes a domain serve that leads here by now. It is a transaction for its token's sake: retried after a lost answer, it does not undo what the
 * operator has said of the domain since.
 *
 * @throws RequestError `not_found` where it is not the workspace's any more.
 */
export async function activate(domain: Domain): Promise<Domain> {
  const status = 'ACTIVE';
  const update = updating(
    domainKey(domain.host),
    { text: 'SET #status = :active', values: { ':active': status } },
    is('domainId', domain.domainId),
  );
  if (await failedCondition(transact([update], newRequestToken()))) throw notFound('domain');
  return { ...domain, status };
}

/** How many of a workspace's links a deletion looks through at a time: about 1,000 read units, and a second. */
const mostLookedThrough = 50_000;

/**
 * Takes a domain, or a claim, from a workspace, unless it has links.
 *
 * A workspace may have more links than one request can look through. Then the domain takes no new ones from the first request on, and each
 * repetition goes on where the last one ended, until a link on the domain is found, which ends the deletion, or there are no more.
 *
 * A link whose creation had begun before may not be in the index yet, and stay: it then waits for ever for a domain that serves, and whoever
 * proves the name next has an empty one, with another `domainId`.
 *
 * @throws RequestError `not_found`, `domain_in_use`, `domain_deletion_in_progress`
 */
export async function deleteDomain(workspaceId: string, host: string, most = mostLookedThrough): Promise<void> {
  const domain = await findDomain(workspaceId, host);
  if (!domain) throw notFound('domain');
  if (domain.status === 'PENDING_OWNERSHIP') {
    const write = deleteItem(claimKey(workspaceId, host), is('token', domain.token));
    return ifConditionFails(write, async () => {
      // It was proven or taken back in this moment, or by this very write, whose answer was lost.
      const there = await findDomain(workspaceId, host);
      return there?.status === 'PENDING_OWNERSHIP' ? undefined : there && deleteDomain(workspaceId, host, most);
    });
  }
  const { isFound, next } = await lookForLinkOn(workspaceId, host, { before: domain.deletion?.before, most });
  if (isFound) {
    if (domain.deletion) await keepDomain(domain);
    throw new RequestError('domain_in_use', 'There are links on the domain: delete them first.');
  }
  if (next !== undefined) throw await saveDeletion(domain, next);
  const writes = [
    deleting(domainKey(host), asRead(domain)),
    deleting(domainCheckKey(host)),
    // One that was made beside the domain would come to light again.
    deleting(claimKey(workspaceId, host)),
  ];
  const failed = await failedCondition(transact(writes, newRequestToken()));
  // Another request was faster, and has deleted the domain, or kept it.
  if (failed) throw failed.items[0]?.domainId === domain.domainId ? deletionInProgress() : notFound('domain');
}

/**
 * The condition that it still is the same domain, and its deletion as far as it was. A first look was through all links, so that it does not
 * matter to it whether another request has begun one.
 */
const asRead = ({ domainId, deletion }: Domain): Expression =>
  deletion ? all(is('domainId', domainId), is('deletion', deletion)) : is('domainId', domainId);

const deletionInProgress = () =>
  new RequestError(
    'domain_deletion_in_progress',
    'The workspace has more links than one request looks through: send the same request again, until it is answered otherwise.',
    { retryAfter: 1 },
  );

/**
 * Notes how far a deletion has come, and gives what the request is answered with. What was looked through before it was noted that the domain
 * takes no links counts for nothing: one may have been made there since.
 */
async function saveDeletion(domain: Domain, next: string): Promise<RequestError> {
  const deletion: DomainDeletion = domain.deletion ? { id: domain.deletion.id, before: next } : { id: newRequestToken() };
  const write = updateItem(
    domainKey(domain.host),
    { text: 'SET #deletion = :next', values: { ':next': deletion } },
    domain.deletion ? asRead(domain) : all(asRead(domain), lacks('deletion')),
  );
  const failed = await failedCondition(write);
  // If the domain is still there, another request was faster, or this one, whose answer was lost: the next one goes on from there.
  return failed && failed.items[0]?.domainId !== domain.domainId ? notFound('domain') : deletionInProgress();
}

/** Ends a deletion that is not done, however far it has come: the domain takes links again. @throws RequestError `not_found` */
export async function keepDomain({ host, domainId, deletion }: Domain): Promise<Domain> {
  const write = updateItem(
    domainKey(host),
    { text: 'REMOVE #deletion' },
    all(is('domainId', domainId), { text: '#deletion.#id = :deletionId', values: { ':deletionId': deletion?.id } }),
  );
  // If it is still the same domain, another request has kept it, or this one, whose answer was lost.
  const there = await ifConditionFails(write, ({ items: [item] }) => item);
  if (there?.domainId !== domainId) throw notFound('domain');
  return toDomain(there);
}

/**
 * Gives a workspace a domain by the operator's word, or moves the one it has to another state, and ends its deletion, if that has begun. A claim alone is only noted in the
 * workspace, and keeps the domain from nobody.
 *
 * @returns undefined where the domain's ownership is proven already: by another workspace, or by this one and a claim would
 *   be a step back.
 */
export async function addDomain(workspaceId: string, host: string, status: DomainStatus): Promise<Domain | Claim | undefined> {
  if (status === 'PENDING_OWNERSHIP') {
    if ((await getDomain(host))?.workspaceId === workspaceId) return undefined;
    return putClaim(workspaceId, host);
  }
  const index = indexed(domainsIndex(workspaceId), host);
  const update = updating(
    domainKey(host),
    {
      text:
        'SET #status = :status, #host = :host, #workspaceId = :workspaceId, #gsi1pk = :gsi1pk, #gsi1sk = :gsi1sk, ' +
        '#domainId = if_not_exists(#domainId, :domainId), #createdAt = if_not_exists(#createdAt, :now), ' +
        '#verifiedAt = if_not_exists(#verifiedAt, :now) REMOVE #deletion',
      values: {
        ':status': status,
        ':host': host,
        ':workspaceId': workspaceId,
        ':gsi1pk': index.gsi1pk,
        ':gsi1sk': index.gsi1sk,
        ':domainId': newDomainId(),
        ':now': new Date().toISOString(),
      },
    },
    any(isAbsent, is('workspaceId', workspaceId)),
  );
  const failed = await failedCondition(transact([update, ...withDomain(workspaceId, host)], newRequestToken()));
  return failed ? undefined : getDomain(host);
}

/** The workspace's domains and good claims by name; one added a moment ago may be missing, since the index follows the table. */
export async function listDomains(workspaceId: string): Promise<(Domain | Claim)[]> {
  const keys = (await Array.fromAsync(query({ gsi1pk: domainsIndex(workspaceId) }))).map(toKey);
  const proven = (await getItems(keys)).flatMap((item) => (item?.workspaceId === workspaceId ? toDomain(item) : []));
  const hosts = new Set(proven.map(({ host }) => host));
  // A claim may have been made beside the proof: the proof counts.
  const claims = (await Array.fromAsync(query(claimsOf(workspaceId)))).flatMap((item) => goodClaim(item) ?? []);
  return [...proven, ...claims.filter(({ host }) => !hosts.has(host))].sort((a, b) => (a.host < b.host ? -1 : 1));
}
