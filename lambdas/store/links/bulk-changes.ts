import { notFound, RequestError } from '../../domain/errors.ts';
import { newChangeMark, newRequestToken } from '../../domain/ids.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { ifConditionFails } from '../table/conditions.ts';
import { transact } from '../table/writes.ts';
import { deleteLink, deletion, type LinkChanges, liveTags, refuseUnknownTags, settingsChange, updateLink } from './changes.ts';
import { type FoundLink, getLinks } from './links.ts';
import { type TaggedChange, together, transactions } from './tagging.ts';

/** What came of one link: nothing to be said, or why it was not changed. */
type LinkResult = RequestError | undefined;

/** Updates in flight: enough to hide the way to the table. */
const inFlight = 25;

/** A link that was found, and what is to be changed of it. */
export type LinkUpdate = { readonly found: FoundLink; readonly changes: LinkChanges };

/** The tags that all links of an update come to have, if it says so, and where the request names them. */
type Tags = { readonly tagIds: readonly string[] | undefined; readonly tagPath: string };

/**
 * Applies changes to links of a workspace, each all or none and by itself: one that cannot be changed does not stand in the way of the
 * others. One that is overtaken by somebody else's change is tried again with what is there by then.
 *
 * @param tags are those of each link's changes, too.
 * @returns an entry for each link.
 * @throws RequestError `tag_not_found`, and nothing is changed then.
 */
export async function updateLinks(
  workspaceId: string,
  updates: readonly LinkUpdate[],
  { tagIds, tagPath }: Tags,
): Promise<LinkResult[]> {
  const changesOf = new Map(updates.map(({ found, changes }) => [found.link.id, changes]));
  // One for all tries, so that none is made after another was.
  const mark = newChangeMark();
  const alone = (found: FoundLink) => updateLink(found, changesOf.get(found.link.id) ?? {}, { mark });
  const links = updates.map(({ found }) => found);
  if (!tagIds) return inParallel(links, inFlight, (found) => resultOf(() => alone(found)));
  const live = await liveTags(workspaceId, [...tagIds, ...links.flatMap(({ link }) => link.tagIds)]);
  refuseUnknownTags(tagIds, live, tagPath);
  const partOf = (found: FoundLink) => settingsChange({ ...found, changes: changesOf.get(found.link.id) ?? {}, mark });
  return inOrder(links, await changeTogether(links, live, { tagIds, partOf, alone }));
}

/** Deletes links of a workspace that were found, each all or none and by itself. @returns an entry for each link. */
export async function deleteLinks(workspaceId: string, found: readonly FoundLink[]): Promise<LinkResult[]> {
  const live = await liveTags(
    workspaceId,
    found.flatMap(({ link }) => link.tagIds),
  );
  return inOrder(
    found,
    await changeTogether(found, live, { tagIds: [], partOf: ({ link }) => deletion(link), alone: deleteLink }),
  );
}

/** How links are changed: with others in one transaction, or alone. All of them come to have `tagIds`. */
type Change = {
  readonly tagIds: readonly string[];
  readonly partOf: (found: FoundLink) => TaggedChange;
  readonly alone: (found: FoundLink) => Promise<unknown>;
};

/** What came of links, by their ids. */
type LinkResults = ReadonlyMap<string, LinkResult>;

const inOrder = (found: readonly FoundLink[], results: LinkResults) => found.map(({ link }) => results.get(link.id));

/** So often links are tried together; those that are overtaken each time are changed one by one. */
const mostPasses = 3;

/**
 * Changes links many to a transaction, one transaction after another, since they count the same tags. If others have changed a link or
 * deleted a tag, all links of its transaction are overtaken: they are tried again in the next pass, with what is there by then.
 */
async function changeTogether(found: readonly FoundLink[], live: ReadonlySet<string>, change: Change): Promise<LinkResults> {
  const results = new Map<string, LinkResult>();
  let [left, liveNow] = [found, live];
  for (let pass = 1; pass <= mostPasses && left.length > 0; pass++) {
    if (pass > 1) {
      const again = await readAgain(left, change.tagIds);
      for (const [id, error] of again.failed) results.set(id, error);
      [left, liveNow] = [again.left, again.live];
    }
    const overtaken = new Set<string>();
    for (const group of transactions(left.map(change.partOf))) {
      const result = await resultTogether(group, liveNow);
      for (const { link } of group) {
        if (result === 'overtaken') overtaken.add(link.id);
        else results.set(link.id, result);
      }
    }
    left = left.filter(({ link }) => overtaken.has(link.id));
  }
  const alone = await inParallel(left, 1, (one) => resultOf(() => change.alone(one)));
  for (const [place, { link }] of left.entries()) results.set(link.id, alone[place]);
  return results;
}

/** Reads links that were overtaken, and their tags: those that are left to be changed, and why the others cannot be. */
async function readAgain(
  overtaken: readonly FoundLink[],
  tagIds: readonly string[],
): Promise<{ left: readonly FoundLink[]; live: ReadonlySet<string>; failed: LinkResults }> {
  const workspaceId = overtaken[0]?.link.workspaceId ?? '';
  const ids = overtaken.map(({ link }) => link.id);
  const failed = new Map<string, LinkResult>();
  let left = overtaken;
  try {
    const found = await getLinks(workspaceId, ids);
    left = found.filter((link) => link !== undefined);
    for (const [place, id] of ids.entries()) if (!found[place]) failed.set(id, notFound('link'));
    const live = await liveTags(workspaceId, [...tagIds, ...left.flatMap(({ link }) => link.tagIds)]);
    refuseUnknownTags(tagIds, live);
    return { left, live, failed };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    for (const { link } of left) failed.set(link.id, error);
    return { left: [], live: new Set(), failed };
  }
}

/** What came of all links of a transaction; `overtaken` if a condition did not hold, and nothing was changed. */
function resultTogether(group: readonly TaggedChange[], live: ReadonlySet<string>): Promise<LinkResult | 'overtaken'> {
  const workspaceId = group[0]?.link.workspaceId ?? '';
  const result = resultOf(() => transact(together(workspaceId, group, live), newRequestToken()));
  return ifConditionFails(result, () => 'overtaken');
}

async function resultOf(work: () => Promise<unknown>): Promise<LinkResult> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}
