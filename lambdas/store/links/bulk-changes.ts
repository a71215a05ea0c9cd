import { notFound, RequestError } from '../../domain/errors.ts';
import { newChangeMark, newRequestToken } from '../../domain/ids.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { ifConditionFails } from '../table/conditions.ts';
import { transact } from '../table/writes.ts';
import { deleteLink, deletion, type LinkChanges, liveTags, refuseUnknownTags, settingsChange, updateLink } from './changes.ts';
import { type FoundLink, getLinks } from './links.ts';
import { type TaggedChange, together, transactions } from './tagging.ts';

/** What came of one link: nothing to be said, or why it was not changed. */
type Outcome = RequestError | undefined;

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
): Promise<Outcome[]> {
  const changesOf = new Map(updates.map(({ found, changes }) => [found.link.id, changes]));
  // One for all tries, so that none is made after another was.
  const mark = newChangeMark();
  const alone = (found: FoundLink) => updateLink(found, changesOf.get(found.link.id) ?? {}, { mark });
  const links = updates.map(({ found }) => found);
  if (!tagIds) return inParallel(links, inFlight, (found) => outcomeOf(() => alone(found)));
  const live = await liveTags(workspaceId, [...tagIds, ...links.flatMap(({ link }) => link.tagIds)]);
  refuseUnknownTags(tagIds, live, tagPath);
  const partOf = (found: FoundLink) => settingsChange({ ...found, changes: changesOf.get(found.link.id) ?? {}, mark });
  return inOrder(links, await changeTogether(links, live, { tagIds, partOf, alone }));
}

/** Deletes links of a workspace that were found, each all or none and by itself. @returns an entry for each link. */
export async function deleteLinks(workspaceId: string, found: readonly FoundLink[]): Promise<Outcome[]> {
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
type Outcomes = ReadonlyMap<string, Outcome>;

const inOrder = (found: readonly FoundLink[], outcomes: Outcomes) => found.map(({ link }) => outcomes.get(link.id));

/** So often links are tried together; those that are overtaken each time are changed one by one. */
const mostPasses = 3;

/**
 * Changes links many to a transaction, one transaction after another, since they count the same tags. Where others have changed a link or
 * deleted a tag, the transactions that it was in are made anew with what is there by then.
 */
async function changeTogether(
  found: readonly FoundLink[],
  live: ReadonlySet<string>,
  change: Change,
  pass = 1,
): Promise<Outcomes> {
  const outcomes = new Map<string, Outcome>();
  const overtaken = new Set<string>();
  for (const group of transactions(found.map(change.partOf))) {
    const outcome = await outcomeTogether(group, live);
    for (const { link } of group) {
      if (outcome === 'overtaken') overtaken.add(link.id);
      else outcomes.set(link.id, outcome);
    }
  }
  if (overtaken.size === 0) return outcomes;
  const left = found.filter(({ link }) => overtaken.has(link.id));
  const later = pass < mostPasses ? await changeAgain(left, change, pass + 1) : await changeOneByOne(left, change);
  return new Map([...outcomes, ...later]);
}

/** Changes links that were overtaken, with what is there by now of them and their tags. */
async function changeAgain(found: readonly FoundLink[], change: Change, pass: number): Promise<Outcomes> {
  const ids = found.map(({ link }) => link.id);
  const outcomes = new Map<string, Outcome>(ids.map((id) => [id, notFound('link')]));
  const workspaceId = found[0]?.link.workspaceId ?? '';
  let there: FoundLink[] = found.slice();
  let live: ReadonlySet<string>;
  try {
    there = (await getLinks(workspaceId, ids)).filter((link) => link !== undefined);
    live = await liveTags(workspaceId, [...change.tagIds, ...there.flatMap(({ link }) => link.tagIds)]);
    refuseUnknownTags(change.tagIds, live);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    for (const { link } of there) outcomes.set(link.id, error);
    return outcomes;
  }
  return new Map([...outcomes, ...(await changeTogether(there, live, change, pass))]);
}

const changeOneByOne = async (found: readonly FoundLink[], { alone }: Change): Promise<Outcomes> => {
  const outcomes = await inParallel(found, 1, (one) => outcomeOf(() => alone(one)));
  return new Map(found.map(({ link }, place) => [link.id, outcomes[place]]));
};

/** What came of all links of a transaction; `overtaken` where a condition did not hold, and nothing was changed. */
function outcomeTogether(group: readonly TaggedChange[], live: ReadonlySet<string>): Promise<Outcome | 'overtaken'> {
  const workspaceId = group[0]?.link.workspaceId ?? '';
  const outcome = outcomeOf(() => transact(together(workspaceId, group, live), newRequestToken()));
  return ifConditionFails(outcome, () => 'overtaken');
}

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}
