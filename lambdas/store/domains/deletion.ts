import type { Claim, Domain, DomainDeletion } from '../../core/domain/domain.ts';
import { notFound, preconditionFailed, RequestError } from '../../core/errors.ts';
import { domainLoss } from '../../core/history/history.ts';
import { newRequestToken } from '../../core/ids.ts';
import { recordingDeletion } from '../history/history.ts';
import { signed } from '../table/authorship.ts';
import { commit } from '../table/commit.ts';
import { all, type Expression, ifConditionFails, is, lacks, set } from '../table/expressions.ts';
import { text } from '../table/fields.ts';
import { claimKey, domainCheckKey, domainKey, linkAt, linksWithin } from '../table/keys.ts';
import { inOneOrder } from '../table/list-pages.ts';
import { isFull, type Meter, query } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleteItem, deleting, updateItem, updating } from '../table/writes.ts';
import { findDomain, isAsShown, toDomain, versionOf } from './domains.ts';
import { removingFiles } from './files.ts';

/**
 * How a domain is deleted, if there are no links on it. One request searches at most 50,000 of the workspace's links,
 * and fewer if their entries are large, so a deletion may take several. For example, with 120,000 links:
 *
 *     request 1   searches the newest 50,000, and saves the deletion. From now on, no link can be created on the domain
 *     request 2   starts over: a link may have been created while request 1 searched. Saves where it ended
 *     request 3   searches the next 50,000, and saves where it ended
 *     request 4   searches the rest. Deletes the domain, if the deletion is still where it was read
 *
 * All but the last fail with `domain_deletion_in_progress`: the client sends the request again. If two clients do so at
 * once, only one of them saves its position. If a link on the domain is found, the deletion is cancelled. If nobody
 * sends the next request, the domain accepts no links until it is verified again or the operator adds it.
 *
 * The search can miss a link whose creation had already begun, or that is archived or brought back at that moment. It
 * is left behind. It then stays pending for good: whoever proves the name next gets an empty domain, with another
 * `domainId`.
 */

/**
 * How much of a workspace's links a deletion searches per request, which takes about a second. If domains have long
 * names, the read units run out first; the search then ends after the current page, of at most 1 MB.
 */
type Bounds = { readonly links?: number; readonly units?: number };
const mostLinks = 50_000;
const mostUnits = 1_000;

/**
 * Deletes a workspace's domain or claim, unless there are links on the domain.
 *
 * @param shown the domain or claim as it was read, to delete it only if it is still the same.
 * @param bounds how much to search.
 * @throws RequestError `not_found`, `domain_in_use`, `domain_deletion_in_progress`, `precondition_failed`
 */
export async function deleteDomain(
  workspaceId: string,
  host: string,
  shown?: Domain | Claim,
  bounds: Bounds = {},
): Promise<void> {
  const domain = await findDomain(workspaceId, host);
  if (!domain) throw notFound('domain');
  if (shown && versionOf(domain) !== versionOf(shown)) throw preconditionFailed();
  if (domain.status === 'PENDING_OWNERSHIP') {
    const write = deleteItem(claimKey(workspaceId, host), is('token', domain.token));
    return ifConditionFails(write, async () => {
      // It was proven or withdrawn in the meantime, or deleted by an earlier attempt whose response was lost.
      const there = await findDomain(workspaceId, host);
      return there?.status === 'PENDING_OWNERSHIP' ? undefined : there && deleteDomain(workspaceId, host, shown, bounds);
    });
  }
  const { isFound, next } = await lookForLinkOn(workspaceId, host, domain.deletion?.before, bounds);
  if (isFound) {
    if (domain.deletion) await keepDomain(domain);
    throw new RequestError('domain_in_use', 'There are links on the domain. Delete them first.');
  }
  if (next !== undefined) throw await saveDeletion(domain, next);
  await removeDomain(domain, shown !== undefined);
}

/**
 * Whether one of the workspace's next links is on a domain, according to the index, which may lag behind.
 *
 * @param before the position at which the last search ended.
 * @returns `next`, the position at which this search ended, if there may be more.
 */
async function lookForLinkOn(
  workspaceId: string,
  host: string,
  before: string | undefined,
  { links = mostLinks, units = mostUnits }: Bounds,
): Promise<{ isFound: boolean; next: string | undefined }> {
  const meter: Meter = { units: 0, most: units };
  let looked = 0;
  let last: string | undefined;
  const ranges = [false, true].flatMap((isArchived) => linksWithin(workspaceId, isArchived, { after: before }) ?? []);
  const sources = ranges.map((within) => query(within, { backwards: true, limit: links, meter }));
  for await (const item of inOneOrder(sources, 'gsi1sk', 'desc', meter)) {
    const position = text(item, 'gsi1sk');
    if (linkAt(position).host === host) return { isFound: true, next: undefined };
    looked++;
    last = position;
    if (looked === links) break;
  }
  return { isFound: false, next: looked === links || isFull(meter) ? last : undefined };
}

const deletionInProgress = () =>
  new RequestError(
    'domain_deletion_in_progress',
    'The workspace has more links than one request can search. Send the same request again until you get another response.',
    { retryAfter: 1 },
  );

/**
 * Saves how far a deletion has come, and returns the error for the response. The position of the first search isn't
 * saved, because links may have been created behind it before the domain stopped accepting them. It is a transaction so
 * that its token makes it idempotent: retried after a lost response, it does not restart the deletion of a domain that
 * was kept since.
 */
async function saveDeletion(domain: Domain, next: string): Promise<RequestError> {
  const deletion: DomainDeletion = domain.deletion ? { id: domain.deletion.id, before: next } : { id: newRequestToken() };
  const update = updating(
    domainKey(domain.host),
    signed(set({ deletion })),
    domain.deletion ? asRead(domain) : all(asRead(domain), lacks('deletion')),
  );
  const { failed, items } = await commit({ domain: update });
  // If the domain is still there, another request was first. The next request continues from there.
  return failed && items.domain?.domainId !== domain.domainId ? notFound('domain') : deletionInProgress();
}

/**
 * The condition that it is still the same domain, with the deletion where it was. Without one, the first search covered
 * all links, so it does not matter if another request has begun a deletion.
 */
const asRead = ({ domainId, deletion }: Domain): Expression =>
  deletion ? all(is('domainId', domainId), is('deletion', deletion)) : is('domainId', domainId);

/**
 * Deletes a domain that has no links, if its deletion is still where it was read. If only its settings have changed,
 * the history records them as they were last.
 *
 * @param isExact to delete it only if it is still as it was read.
 * @throws RequestError `not_found`, `domain_deletion_in_progress`, `precondition_failed`
 */
function removeDomain(domain: Domain, isExact: boolean): Promise<void> {
  const { host, workspaceId } = domain;
  let last = domain;
  return retrying(async () => {
    const { failed, items } = await commit({
      // The history says what is lost, so it must not have changed.
      domain: deleting(domainKey(host), all(asRead(domain), isAsShown(last))),
      check: deleting(domainCheckKey(host)),
      // Otherwise, a claim that was made at the same time as the domain would reappear.
      claim: deleting(claimKey(workspaceId, host)),
      ...removingFiles(domain),
      history: recordingDeletion({
        workspaceId,
        action: 'domain.deleted',
        subjectId: host,
        partition: domain.domainId,
        changes: domainLoss(last),
      }),
    });
    if (!failed) return undefined;
    // Another request was first, and has deleted the domain, changed it, kept it, or continued its deletion.
    if (items.domain?.domainId !== domain.domainId) throw notFound('domain');
    const there = toDomain(items.domain);
    if (versionOf(there) === versionOf(last)) throw deletionInProgress();
    if (isExact) throw preconditionFailed();
    last = there;
    return overtaken;
  });
}

/**
 * Cancels an unfinished deletion, however far it has come: the domain accepts links again.
 *
 * @throws RequestError `not_found`
 */
export async function keepDomain({ host, domainId, deletion }: Domain): Promise<Domain> {
  const write = updateItem(
    domainKey(host),
    signed(set({ deletion: null })),
    all(is('domainId', domainId), { text: '#deletion.#id = :deletionId', values: { ':deletionId': deletion?.id } }),
  );
  // If it is still the same domain, another request has kept it, or an earlier attempt of this one.
  const there = await ifConditionFails(write, ({ items: [item] }) => item);
  if (there?.domainId !== domainId) throw notFound('domain');
  return toDomain(there);
}
