import { RequestError } from '../domain/errors.ts';
import { newRequestToken } from '../domain/ids.ts';
import {
  deleteLink,
  deletion,
  type LinkChanges,
  liveTags,
  refuseUnknownTags,
  settingsChange,
  updateLink,
} from './link-changes.ts';
import type { FoundLink } from './links.ts';
import { type TaggedChange, together, transactions } from './tagging.ts';
import { ConditionFailed, transact } from './writes.ts';

/** What came of one link: nothing to be said, or why it was not changed. */
type Outcome = RequestError | undefined;

/** Updates in flight: enough to hide the way to the table. */
const inFlight = 25;

/** A link that was found, and what is to be changed of it. */
export type LinkUpdate = { readonly found: FoundLink; readonly changes: LinkChanges };

/**
 * Applies changes to links, each all or none and by itself: one that cannot be changed does not stand in the way of the others.
 *
 * @param tagPath where the request names the tags, which all of the links come to have.
 * @returns an entry for each link.
 * @throws RequestError `tag_not_found`, and nothing is changed then.
 */
export async function updateLinks(updates: readonly LinkUpdate[], tagPath: string): Promise<Outcome[]> {
  const [first] = updates;
  if (!first) return [];
  const { tagIds } = first.changes;
  const changesOf = new Map(updates.map(({ found, changes }) => [found.link.id, changes]));
  const one = (found: FoundLink) => updateLink(found, changesOf.get(found.link.id) ?? {});
  const links = updates.map(({ found }) => found);
  if (!tagIds) return changeEach(links, one);
  const live = await liveTags(first.found.link.workspaceId, [...tagIds, ...links.flatMap(({ link }) => link.tagIds)]);
  refuseUnknownTags(tagIds, live, tagPath);
  const changeOf = ({ link, clickCount }: FoundLink) => settingsChange(link, clickCount, changesOf.get(link.id) ?? {});
  return changeTogether(links, live, changeOf, one);
}

/** Deletes links that were found, each all or none and by itself. @returns an entry for each link. */
export async function deleteLinks(found: readonly FoundLink[]): Promise<Outcome[]> {
  const workspaceId = found[0]?.link.workspaceId ?? '';
  const live = await liveTags(
    workspaceId,
    found.flatMap(({ link }) => link.tagIds),
  );
  return changeTogether(found, live, ({ link }) => deletion(link), deleteLink);
}

/** Changes links one by one, several at a time. */
async function changeEach(found: readonly FoundLink[], change: (found: FoundLink) => Promise<unknown>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const worker = async () => {
    for (let place = next++; place < found.length; place = next++) {
      outcomes[place] = await outcomeOf(() => change(found[place] as FoundLink));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return found.map((_, place) => outcomes[place]);
}

/**
 * Changes links many to a transaction, one transaction after another, since they count the same tags. Where one does not go through, for
 * whatever link's sake, each of its links is changed alone.
 */
async function changeTogether(
  found: readonly FoundLink[],
  live: ReadonlySet<string>,
  changeOf: (found: FoundLink) => TaggedChange,
  one: (found: FoundLink) => Promise<unknown>,
): Promise<Outcome[]> {
  const byId = new Map(found.map((each) => [each.link.id, each]));
  const outcomes = new Map<string, Outcome>();
  const groups = transactions(found.map(changeOf));
  for (const group of groups) {
    const ids = group.map(({ link }) => link.id);
    const isDone = await goesThrough(group, live);
    if (typeof isDone === 'object') for (const id of ids) outcomes.set(id, isDone);
    else if (!isDone) for (const id of ids) outcomes.set(id, await outcomeOf(() => one(byId.get(id) as FoundLink)));
  }
  return found.map(({ link }) => outcomes.get(link.id));
}

/** True where the transaction was done, false where a condition did not hold; the error where the store did not answer in time. */
async function goesThrough(group: readonly TaggedChange[], live: ReadonlySet<string>): Promise<boolean | RequestError> {
  const workspaceId = group[0]?.link.workspaceId ?? '';
  try {
    await transact(together(workspaceId, group, live), newRequestToken());
    return true;
  } catch (error) {
    if (error instanceof RequestError) return error;
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
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
