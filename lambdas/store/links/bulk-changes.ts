import { notFound, RequestError } from '../../core/errors.ts';
import { newChangeToken } from '../../core/ids.ts';
import type { TagEdits } from '../../core/link/link-tags.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { commit } from '../table/commit.ts';
import { overtaken } from '../table/retrying.ts';
import { settingsChange } from './change-writes.ts';
import { type LinkChanges, updateLink, withEditedTags } from './changes.ts';
import { deleteLink, deletion } from './deletion.ts';
import { type FoundLink, getLinks } from './links.ts';
import { asTransaction, liveTags, refuseUnknownTags, type TaggedChange, transactions } from './tagging.ts';

/** Undefined if the link was changed; otherwise why it was not. */
type LinkResult = RequestError | undefined;

/** How many updates run at a time: enough to hide the latency of the table. */
const concurrency = 25;

/** A link as it was read, and its changes. */
export type LinkUpdate = { readonly found: FoundLink; readonly changes: LinkChanges };

/** The change of all links' tags, and where the request names each of those tags, as a JSON Pointer. */
export type TagsOfAll = { readonly tagPaths: readonly string[] } & (
  | { readonly tagIds: readonly string[]; readonly tagEdits?: undefined }
  /** `tagPaths` has those of the added tags first. */
  | { readonly tagEdits: TagEdits; readonly tagIds?: undefined }
);

/**
 * Applies changes to links of a workspace, to each link all or none. A link that cannot be changed does not affect the
 * others. A conflict with a concurrent change is retried with the current link.
 *
 * @param updates each link's changes, which include `tagIds` if all links get the same tags.
 * @param tags undefined if the request leaves tags alone.
 * @returns an entry for each link, in the order of `updates`.
 * @throws RequestError `tag_not_found`; then nothing is changed.
 */
export async function updateLinks(
  workspaceId: string,
  updates: readonly LinkUpdate[],
  tags: TagsOfAll | undefined,
): Promise<LinkResult[]> {
  const changesOf = new Map(updates.map(({ found, changes }) => [found.link.id, changes]));
  // All retries use one token, so that no change is made twice.
  const changeToken = newChangeToken();
  const { tagEdits, tagPaths } = tags ?? {};
  const alone = (found: FoundLink) => updateLink(found, { ...changesOf.get(found.link.id), tagEdits, tagPaths }, { changeToken });
  const links = updates.map(({ found }) => found);
  if (!tags) return inParallel(links, concurrency, (found) => resultOf(() => alone(found)));
  const named = tags.tagEdits ? [...tags.tagEdits.added, ...tags.tagEdits.removed] : tags.tagIds;
  const live = await liveTags(workspaceId, [...named, ...links.flatMap(({ link }) => link.tagIds)]);
  refuseUnknownTags(named, live, tagPaths);
  const partOf = async (found: FoundLink, liveNow: ReadonlySet<string>) => {
    const changes = withEditedTags(found.link, changesOf.get(found.link.id) ?? {}, tagEdits, liveNow);
    return Object.keys(changes).length > 0 ? settingsChange({ ...found, changes, changeToken }) : undefined;
  };
  const given = tags.tagEdits ? tags.tagEdits.added : tags.tagIds;
  return inOrder(links, await changeInTransactions(links, live, { given, partOf, alone }));
}

/**
 * Deletes links of a workspace, each all or none. A link that cannot be deleted does not affect the others.
 *
 * @returns an entry for each link, in the order of `found`.
 */
export async function deleteLinks(workspaceId: string, found: readonly FoundLink[]): Promise<LinkResult[]> {
  const live = await liveTags(
    workspaceId,
    found.flatMap(({ link }) => link.tagIds),
  );
  return inOrder(
    found,
    await changeInTransactions(found, live, { given: [], partOf: async ({ link }) => deletion(link), alone: deleteLink }),
  );
}

/**
 * How to change links: several in one transaction (`partOf`), or one by itself (`alone`). `given` are the tags that all
 * of them get.
 */
type Change = {
  readonly given: readonly string[];
  /** Undefined if nothing is to change; `overtaken` if the link must be read again. @param live the tags that exist. */
  readonly partOf: (found: FoundLink, live: ReadonlySet<string>) => Promise<TaggedChange | typeof overtaken | undefined>;
  readonly alone: (found: FoundLink) => Promise<unknown>;
};

/** The results by link id. */
type LinkResults = ReadonlyMap<string, LinkResult>;

const inOrder = (found: readonly FoundLink[], results: LinkResults) => found.map(({ link }) => results.get(link.id));

/**
 * How many times links are tried in shared transactions. Links that meet a conflict each time are then changed one by
 * one.
 */
const mostPasses = 3;

/**
 * Changes several links per transaction. The transactions run one after another because they update the counts of the
 * same tags. If another request has changed a link or deleted a tag, the whole transaction fails; the next pass reads
 * its links again and retries them.
 */
async function changeInTransactions(
  found: readonly FoundLink[],
  live: ReadonlySet<string>,
  change: Change,
): Promise<LinkResults> {
  const results = new Map<string, LinkResult>();
  let [left, liveNow] = [found, live];
  for (let pass = 1; pass <= mostPasses && left.length > 0; pass++) {
    if (pass > 1) {
      const again = await readAgain(left, change.given);
      for (const [id, error] of again.failed) results.set(id, error);
      [left, liveNow] = [again.left, again.live];
    }
    const late = new Set<string>();
    const parts = await inParallel(left, concurrency, async (one) => {
      let part: TaggedChange | typeof overtaken | undefined;
      const error = await resultOf(async () => (part = await change.partOf(one, liveNow)));
      if (error) results.set(one.link.id, error);
      if (part !== overtaken) return part;
      late.add(one.link.id);
      return undefined;
    });
    for (const group of transactions(parts.filter((part) => part !== undefined))) {
      const result = await resultOfTransaction(group, liveNow);
      for (const { link } of group) {
        if (result === overtaken) late.add(link.id);
        else results.set(link.id, result);
      }
    }
    left = left.filter(({ link }) => late.has(link.id));
  }
  const alone = await inParallel(left, 1, (one) => resultOf(() => change.alone(one)));
  for (const [index, { link }] of left.entries()) results.set(link.id, alone[index]);
  return results;
}

/**
 * Reads links again after a conflict, and their tags. Returns the links that can still be changed, and why the others
 * cannot.
 */
async function readAgain(
  late: readonly FoundLink[],
  given: readonly string[],
): Promise<{ left: readonly FoundLink[]; live: ReadonlySet<string>; failed: LinkResults }> {
  const workspaceId = late[0]?.link.workspaceId ?? '';
  const ids = late.map(({ link }) => link.id);
  const failed = new Map<string, LinkResult>();
  let left = late;
  try {
    const found = await getLinks(workspaceId, ids);
    left = found.filter((link) => link !== undefined);
    for (const [index, id] of ids.entries()) if (!found[index]) failed.set(id, notFound('link'));
    const live = await liveTags(workspaceId, [...given, ...left.flatMap(({ link }) => link.tagIds)]);
    refuseUnknownTags(given, live);
    return { left, live, failed };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    for (const { link } of left) failed.set(link.id, error);
    return { left: [], live: new Set(), failed };
  }
}

/**
 * Makes the transaction. The result applies to all its links; `overtaken` if a condition failed and nothing was
 * changed.
 */
async function resultOfTransaction(
  group: readonly TaggedChange[],
  live: ReadonlySet<string>,
): Promise<LinkResult | typeof overtaken> {
  const workspaceId = group[0]?.link.workspaceId ?? '';
  let isOvertaken = false;
  const result = await resultOf(async () => {
    isOvertaken = (await commit(asTransaction(workspaceId, group, live))).failed !== undefined;
  });
  return isOvertaken ? overtaken : result;
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
