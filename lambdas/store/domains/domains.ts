import {
  type Claim,
  claimEnds,
  claimedMs,
  type Domain,
  type DomainDeletion,
  type DomainSettings,
  type DomainStatus,
  domainDefaults,
  domainFiles,
} from '../../domain/domain.ts';
import { notFound, preconditionFailed, RequestError } from '../../domain/errors.ts';
import { domainLoss } from '../../domain/history.ts';
import { newClaimToken, newDomainId, newRequestToken } from '../../domain/ids.ts';
import { domainsPerWorkspace } from '../../domain/limits.ts';
import { backOff } from '../../runtime/deadline.ts';
import { recordingDeletion } from '../history/history.ts';
import { created, signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import {
  all,
  any,
  type Expression,
  failedCondition,
  ifConditionFails,
  is,
  isAbsent,
  isAtRevision,
  lacks,
} from '../table/conditions.ts';
import { flag, maybeMap, maybeText, number, oneOf, text } from '../table/fields.ts';
import {
  claimKey,
  claimsOf,
  domainCheckKey,
  domainChecksIndex,
  domainKey,
  domainsIndex,
  indexed,
  type Key,
  linkAt,
  linksWithin,
  toKey,
} from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { deleteItem, deleting, putItem, putting, transact, updateItem, updating } from '../table/writes.ts';
import { ifStillInterested, markOf, readInterest } from '../webhooks/interest.ts';
import { type DomainFiles, writingFiles } from './files.ts';

/** A domain from before `verifiedAt` existed was proven when it was created. */
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
    rootUrl: maybeText(item, 'rootUrl') ?? null,
    notFoundUrl: maybeText(item, 'notFoundUrl') ?? null,
    expiredUrl: maybeText(item, 'expiredUrl') ?? null,
    publicQr: flag(item, 'publicQr', false),
    accentColor: maybeText(item, 'accentColor') ?? null,
    logoUrl: maybeText(item, 'logoUrl') ?? null,
    appleAppSiteAssociation: maybeText(item, 'appleAppSiteAssociation') ?? null,
    assetLinks: maybeText(item, 'assetLinks') ?? null,
    revision: number(item, 'revision', 0),
    ...(deletion && { deletion: toDeletion(deletion) }),
    ...markOf(item),
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
  ...created(),
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
  ...created(),
});

/** The claim in an item if it hasn't expired. Claims from before claims had tokens don't count. */
const goodClaim = (item: Item | undefined): Claim | undefined => {
  if (item?.token === undefined) return undefined;
  const claim = toClaim(item);
  return claimEnds(claim) > Date.now() ? claim : undefined;
};

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
      'The domain is being deleted: finish that with DELETE /api/v1/domains/{domain}, or keep the domain with POST …/verify.',
    );
  }
  throw new RequestError(
    'domain_not_verified',
    'The workspace has no domain of that name whose ownership is proven: claim it with POST /api/v1/domains, and verify it.',
  );
}

/**
 * The workspace's domain or claim with that host; undefined if it has none. One batch read. If the workspace has
 * neither, there is a second one, so that another workspace's domain takes as long as one that nobody has.
 */
export async function findDomain(workspaceId: string, host: string): Promise<Domain | Claim | undefined> {
  const [item, claim] = await getItems([domainKey(host), claimKey(workspaceId, host)]);
  const isOurs = item?.workspaceId === workspaceId || claim !== undefined;
  // A batch isn't a snapshot: if a proof is written between its two reads, it sees neither the domain nor the claim.
  const [domain] = isOurs ? [item] : await getItems([domainKey(host)]);
  // A claim may have been made at the same time as the proof. The proof counts.
  return domain?.workspaceId === workspaceId ? toDomain(domain) : goodClaim(claim);
}

const domainTaken = () => new RequestError('domain_taken', 'The domain is registered already.');

/**
 * Records a workspace's claim to a domain, and returns it. A claim reserves nothing. An existing claim that hasn't
 * expired stays as it is.
 *
 * @throws RequestError `domain_taken` if any workspace has proven its ownership; `domain_limit_reached`
 */
export async function claimDomain(workspaceId: string, host: string): Promise<Claim> {
  const [item, known] = await getItems([domainKey(host), claimKey(workspaceId, host)]);
  if (item) throw domainTaken();
  const good = goodClaim(known);
  if (good) return good;
  // The limit isn't exact: the index lags, and concurrent claims are not counted.
  if ((await listDomains(workspaceId)).length >= domainsPerWorkspace) {
    throw new RequestError('domain_limit_reached', `A workspace may have at most ${domainsPerWorkspace} domains.`);
  }
  return putClaim(workspaceId, host);
}

/**
 * Writes a claim unless there is one that hasn't expired, and returns the one that is there then. If the claim is
 * withdrawn while its write is retried, the retry brings it back: it reserves nothing, and can be withdrawn again.
 */
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
  // Another request was first, or an earlier attempt of this one whose response was lost. Its claim counts.
  const there = goodClaim(failed.items[0]);
  if (!there) throw failed;
  return there;
}

/**
 * Turns a proven claim into the workspace's domain. If several workspaces prove theirs at once, one of them gets it. It
 * starts with the mark that the workspace's webhooks have for it at that time.
 *
 * @throws RequestError `domain_taken`; `not_found` if the claim was withdrawn in the meantime
 */
export async function proveOwnership(workspaceId: string, { host, createdAt, token }: Claim): Promise<Domain> {
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const interest = await readInterest(workspaceId);
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
    const writes = [
      putting(domainItem(domain), isAbsent),
      ...withDomain(workspaceId, host, is('token', token)),
      ifStillInterested(workspaceId, interest),
    ];
    const failed = await failedCondition(transact(writes, newRequestToken()));
    if (!failed) return domain;
    const [there, , claim] = failed.items;
    if (there) {
      if (there.workspaceId !== workspaceId) throw domainTaken();
      // Another request of the same workspace was first.
      return toDomain(there);
    }
    if (claim) throw notFound('domain');
    // The workspace's webhooks have changed since they were read.
  }
}

/** The writes that go with a domain: an index entry for the regular checks, and the deletion of the claim. */
const withDomain = (workspaceId: string, host: string, claimed?: Expression) => [
  putting({ ...domainCheckKey(host), ...indexed(domainChecksIndex, host), host }),
  deleting(claimKey(workspaceId, host), claimed),
];

/**
 * Activates a domain whose DNS leads here. It is a transaction so that its token makes it idempotent: retried after a
 * lost response, it does not undo what the operator has changed since.
 *
 * @throws RequestError `not_found` if the workspace no longer has the domain
 */
export async function activate(domain: Domain): Promise<Domain> {
  const status = 'ACTIVE';
  const update = updating(
    domainKey(domain.host),
    signed({ text: 'SET #status = :active', values: { ':active': status } }),
    is('domainId', domain.domainId),
  );
  if (await failedCondition(transact([update], newRequestToken()))) throw notFound('domain');
  return { ...domain, status };
}

/**
 * Changes settings of a workspace's domain, all of them or none, and returns the domain as it then is. Changes that are
 * made at once all take effect, and the last one of the same setting wins.
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
  const set = Object.entries(changes);
  if (set.length === 0) return found;
  const change = signed({
    text: `SET ${set.map(([field]) => `#${field} = :${field}`).join(', ')} ADD #revision :one`,
    values: { ...Object.fromEntries(set.map(([field, value]) => [`:${field}`, value])), ':one': 1 },
  });
  let domain = found;
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const update = updating(domainKey(domain.host), change, isAsShown(domain));
    const failed = await failedCondition(transact([update, ...writingFiles(domain, files)], newRequestToken()));
    if (!failed) return { ...domain, ...changes, revision: domain.revision + 1 };
    const item = failed.held();
    if (item.domainId !== domain.domainId) throw notFound('domain');
    if (isExact) throw preconditionFailed();
    domain = toDomain(item);
  }
}

/** Differs between all versions of a domain or claim that the API shows. The status changes without a new revision. */
const versionOf = (domain: Domain | Claim): string =>
  domain.status === 'PENDING_OWNERSHIP' ? domain.token : `${domain.domainId} ${domain.status} ${domain.revision}`;

/** The condition that it is still the same version of a domain. */
const isAsShown = ({ domainId, status, revision }: Domain): Expression =>
  all(is('domainId', domainId), is('status', status), isAtRevision(revision));

/** How many of a workspace's links a deletion searches per request: about 1,000 read units, and a second. */
const mostLookedThrough = 50_000;

/**
 * Deletes a workspace's domain or claim, unless there are links on the domain.
 *
 * A workspace may have more links than one request can search. Then the domain accepts no new links from the first
 * request on. The second request starts over (see `saveDeletion`), and each further one continues where the last one
 * stopped. It ends when a link on the domain is found, which cancels the deletion, or when there are no more links.
 *
 * A link whose creation had already begun may not be in the index yet, and is left behind. It then stays pending for
 * good: whoever proves the name next gets an empty domain, with another `domainId`.
 *
 * @param shown the domain or claim as it was read, to delete it only if it is still the same.
 * @param most how many links to search.
 * @throws RequestError `not_found`, `domain_in_use`, `domain_deletion_in_progress`, `precondition_failed`
 */
export async function deleteDomain(
  workspaceId: string,
  host: string,
  shown?: Domain | Claim,
  most = mostLookedThrough,
): Promise<void> {
  const domain = await findDomain(workspaceId, host);
  if (!domain) throw notFound('domain');
  if (shown && versionOf(domain) !== versionOf(shown)) throw preconditionFailed();
  if (domain.status === 'PENDING_OWNERSHIP') {
    const write = deleteItem(claimKey(workspaceId, host), is('token', domain.token));
    return ifConditionFails(write, async () => {
      // It was proven or withdrawn in the meantime, or deleted by an earlier attempt whose response was lost.
      const there = await findDomain(workspaceId, host);
      return there?.status === 'PENDING_OWNERSHIP' ? undefined : there && deleteDomain(workspaceId, host, shown, most);
    });
  }
  const { isFound, next } = await lookForLinkOn(workspaceId, host, { before: domain.deletion?.before, most });
  if (isFound) {
    if (domain.deletion) await keepDomain(domain);
    throw new RequestError('domain_in_use', 'There are links on the domain: delete them first.');
  }
  if (next !== undefined) throw await saveDeletion(domain, next);
  let last = domain;
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const writes = [
      // The history says what is lost, so it must not have changed.
      deleting(domainKey(host), all(asRead(domain), isAsShown(last))),
      deleting(domainCheckKey(host)),
      // A claim that was made beside the domain would reappear.
      deleting(claimKey(workspaceId, host)),
      // All of them, so that none is left behind whatever the domain says.
      ...writingFiles(domain, Object.fromEntries(domainFiles.map((name) => [name, null]))),
      ...recordingDeletion({
        workspaceId,
        action: 'domain.deleted',
        subjectId: host,
        partition: domain.domainId,
        changes: domainLoss(last),
      }),
    ];
    const failed = await failedCondition(transact(writes, newRequestToken()));
    if (!failed) return;
    // Another request was first, and has deleted the domain, changed it, kept it, or continued its deletion.
    const item = failed.held();
    if (item.domainId !== domain.domainId) throw notFound('domain');
    const there = toDomain(item);
    if (versionOf(there) === versionOf(last)) throw deletionInProgress();
    if (shown) throw preconditionFailed();
    last = there;
  }
}

/**
 * Whether one of the workspace's next links is on a domain, according to the index, which may lag behind.
 *
 * @param before the position at which the last search ended.
 * @param most how many links to search.
 * @returns `next`, the position at which this search ended, if there may be more.
 */
async function lookForLinkOn(
  workspaceId: string,
  host: string,
  { before, most }: { before: string | undefined; most: number },
): Promise<{ isFound: boolean; next: string | undefined }> {
  let looked = 0;
  let last: string | undefined;
  const within = linksWithin(workspaceId, { after: before });
  for await (const item of within ? query(within, { backwards: true, limit: most }) : []) {
    const position = text(item, 'gsi1sk');
    if (linkAt(position).host === host) return { isFound: true, next: undefined };
    looked++;
    last = position;
  }
  return { isFound: false, next: looked === most ? last : undefined };
}

/**
 * The condition that it is still the same domain, with the deletion where it was. Without one, the first search covered
 * all links, so it does not matter if another request has begun a deletion.
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
 * Saves how far a deletion has come, and returns the error for the response. The first search does not count, because
 * links may have been created behind it before the domain stopped accepting them. It is a transaction so that its token
 * makes it idempotent: retried after a lost response, it does not begin the deletion of a domain again that was kept
 * since.
 */
async function saveDeletion(domain: Domain, next: string): Promise<RequestError> {
  const deletion: DomainDeletion = domain.deletion ? { id: domain.deletion.id, before: next } : { id: newRequestToken() };
  const update = updating(
    domainKey(domain.host),
    signed({ text: 'SET #deletion = :next', values: { ':next': deletion } }),
    domain.deletion ? asRead(domain) : all(asRead(domain), lacks('deletion')),
  );
  const failed = await failedCondition(transact([update], newRequestToken()));
  // If the domain is still there, another request was first. The next request continues from there.
  return failed && failed.items[0]?.domainId !== domain.domainId ? notFound('domain') : deletionInProgress();
}

/**
 * Cancels an unfinished deletion, however far it has come: the domain accepts links again. @throws RequestError
 * `not_found`
 */
export async function keepDomain({ host, domainId, deletion }: Domain): Promise<Domain> {
  const write = updateItem(
    domainKey(host),
    signed({ text: 'REMOVE #deletion' }),
    all(is('domainId', domainId), { text: '#deletion.#id = :deletionId', values: { ':deletionId': deletion?.id } }),
  );
  // If it is still the same domain, another request has kept it, or an earlier attempt of this one.
  const there = await ifConditionFails(write, ({ items: [item] }) => item);
  if (there?.domainId !== domainId) throw notFound('domain');
  return toDomain(there);
}

/**
 * Gives a workspace a domain without proof, on behalf of the operator, or changes the status of its domain. Cancels an
 * unfinished deletion. With status `PENDING_OWNERSHIP` it only records a claim, which reserves nothing.
 *
 * @returns undefined if another workspace has the domain, or if this one has it and a claim would be a step back. A
 *   claim is recorded even if another workspace has the domain.
 */
export async function addDomain(workspaceId: string, host: string, status: DomainStatus): Promise<Domain | Claim | undefined> {
  if (status === 'PENDING_OWNERSHIP') {
    if ((await getDomain(host))?.workspaceId === workspaceId) return undefined;
    return putClaim(workspaceId, host);
  }
  const index = indexed(domainsIndex(workspaceId), host);
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const interest = await readInterest(workspaceId);
    const update = updating(
      domainKey(host),
      signed({
        text:
          'SET #status = :status, #host = :host, #workspaceId = :workspaceId, #gsi1pk = :gsi1pk, #gsi1sk = :gsi1sk, ' +
          '#wantsClicks = :wantsClicks, #hooksVersion = :hooksVersion, ' +
          '#domainId = if_not_exists(#domainId, :domainId), #createdAt = if_not_exists(#createdAt, :now), ' +
          '#verifiedAt = if_not_exists(#verifiedAt, :now), #createdBy = if_not_exists(#createdBy, :createdBy) REMOVE #deletion',
        values: {
          ':status': status,
          ':host': host,
          ':workspaceId': workspaceId,
          ':gsi1pk': index.gsi1pk,
          ':gsi1sk': index.gsi1sk,
          ':wantsClicks': interest.wantsClicks,
          ':hooksVersion': interest.hooksVersion,
          ':domainId': newDomainId(),
          ':now': new Date().toISOString(),
          ':createdBy': created().createdBy,
        },
      }),
      any(isAbsent, is('workspaceId', workspaceId)),
    );
    const writes = [update, ...withDomain(workspaceId, host), ifStillInterested(workspaceId, interest)];
    const failed = await failedCondition(transact(writes, newRequestToken()));
    if (!failed) return getDomain(host);
    if (failed.items[0]) return undefined;
    // The workspace's webhooks have changed since they were read.
  }
}

/**
 * The workspace's domains and unexpired claims, by name. A domain that was added a moment ago may be missing, because
 * the index lags.
 */
export async function listDomains(workspaceId: string): Promise<(Domain | Claim)[]> {
  const keys = (await Array.fromAsync(query({ gsi1pk: domainsIndex(workspaceId) }))).map(toKey);
  const proven = (await getItems(keys)).flatMap((item) => (item?.workspaceId === workspaceId ? toDomain(item) : []));
  const hosts = new Set(proven.map(({ host }) => host));
  // A claim may have been made at the same time as the proof. The proof counts.
  const claims = (await Array.fromAsync(query(claimsOf(workspaceId)))).flatMap((item) => goodClaim(item) ?? []);
  return [...proven, ...claims.filter(({ host }) => !hosts.has(host))].sort((a, b) => (a.host < b.host ? -1 : 1));
}
