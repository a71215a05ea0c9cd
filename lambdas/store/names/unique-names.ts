import { notFound, orNotFound, preconditionFailed, RequestError } from '../../core/errors.ts';
import { type Changes, revertRefused } from '../../core/history/history.ts';
import { foldTagName } from '../../core/tag/tag.ts';
import { type DeletionEntry, findLoss, hasOpenDeletion, markingRestored, recordingDeletion } from '../history/history.ts';
import { created, signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { commit, type Writes } from '../table/commit.ts';
import { all, any, type Expression, is, isAbsent, isAtRevision, isPresent, lacks, plus, set } from '../table/expressions.ts';
import { text } from '../table/fields.ts';
import { type Key, workspaceKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleting, putting, updating } from '../table/writes.ts';

/**
 * Things of a workspace with unique names: tags and templates. An item for each folded name makes it unique, and the
 * workspace's counter limits how many there are, however many requests arrive at once.
 */

type Named = { readonly id: string; readonly name: string; readonly revision: number };

/** A kind of such things. */
export type Kind<T extends Named> = {
  readonly what: 'tag' | 'template';
  /** Texts that aren't ids are not looked up: they may be too long for a key. */
  readonly isId: (text: string) => boolean;
  readonly keyOf: (workspaceId: string, id: string) => Key;
  readonly nameKeyOf: (workspaceId: string, foldedName: string) => Key;
  readonly read: (item: Item) => T;
  readonly most: number;
};

const nameTaken = ({ what }: Pick<Kind<Named>, 'what'>) =>
  new RequestError(`${what}_name_taken`, `The workspace already has a ${what} with that name: choose another one.`);

const limitReached = ({ what, most }: Pick<Kind<Named>, 'what' | 'most'>) =>
  new RequestError(`${what}_limit_reached`, `A workspace may have at most ${most} ${what}s: delete one first.`);

/** The attributes of a kind: the counter in the workspace's item, and the thing's id in the item of its name. */
const countOf = ({ what }: Pick<Kind<Named>, 'what'>) => `${what}Count` as const;
const holderIn = ({ what }: Pick<Kind<Named>, 'what'>) => `${what}Id` as const;

/** @throws RequestError `tag_name_taken`, `tag_limit_reached`, and the same for templates */
export async function createNamed<T extends Named>(kind: Kind<T>, workspaceId: string, thing: T, more: Item): Promise<T> {
  const { failed, items } = await commit(creating(kind, workspaceId, thing, { ...more, ...created() }));
  if (!failed) return thing;
  throw items.name ? nameTaken(kind) : limitReached(kind);
}

/** The writes that create a thing. @param item what is stored of it besides its key and its folded name */
function creating<T extends Named>(kind: Kind<T>, workspaceId: string, { id, name }: Pick<Named, 'id' | 'name'>, item: Item) {
  const { most, keyOf, nameKeyOf } = kind;
  const foldedName = foldTagName(name);
  const count = countOf(kind);
  const hasRoom = any(lacks(count), { text: `#${count} < :max`, values: { ':max': most } });
  return {
    name: putting({ ...nameKeyOf(workspaceId, foldedName), [holderIn(kind)]: id }, isAbsent),
    thing: putting({ ...keyOf(workspaceId, id), ...item, foldedName }, isAbsent),
    count: updating(workspaceKey(workspaceId), set({ [count]: plus(1) }), all(isPresent, hasRoom)),
  };
}

/** The item of the workspace's thing with that id; undefined if it has none. */
export const findNamed = async <T extends Named>(kind: Kind<T>, workspaceId: string, id: string): Promise<Item | undefined> =>
  kind.isId(id) ? getItem(kind.keyOf(workspaceId, id)) : undefined;

/** A thing as stored. Its name was folded by the Unicode version of that time. */
type Stored<T> = { readonly thing: T; readonly foldedName: string; readonly item: Item };

/** Reads a thing to change it. @throws RequestError `not_found`, `precondition_failed` */
async function readNamed<T extends Named>(kind: Kind<T>, workspaceId: string, id: string, asRead?: Named): Promise<Stored<T>> {
  const item = await findNamed(kind, workspaceId, id);
  if (!item) throw notFound(kind.what);
  const thing = kind.read(item);
  if (asRead && thing.revision !== asRead.revision) throw preconditionFailed();
  return { thing, foldedName: text(item, 'foldedName'), item };
}

/** The condition that a thing still exists, and that nobody has changed it. */
const isAsRead = ({ revision }: Named): Expression => all(isPresent, isAtRevision(revision));

/**
 * Makes all changes of a thing or none, and returns the changed thing. A new name replaces the old one in the same
 * transaction, so that no two things share a name and none lacks one.
 *
 * @param asRead the thing as it was read, to change it only if it is still the same.
 * @throws RequestError `not_found`, `precondition_failed`, `tag_name_taken`, `template_name_taken`
 */
export function updateNamed<T extends Named>(
  kind: Kind<T>,
  workspaceId: string,
  id: string,
  changes: Partial<T>,
  asRead?: Named,
): Promise<T> {
  return retrying(async () => {
    const { thing, foldedName } = await readNamed(kind, workspaceId, id, asRead);
    if (Object.keys(changes).length === 0) return thing;
    const { failed, items } = await commit(changing(kind, workspaceId, thing, foldedName, changes));
    if (!failed) return { ...thing, ...changes, revision: thing.revision + 1 };
    // If the thing has changed since it was read, the new name may already be its own.
    if (!items.thing && items.name && items.name[holderIn(kind)] !== id) throw nameTaken(kind);
    return overtaken;
  });
}

/** The writes that change a thing as it was read, and its name if the new one folds differently. */
function changing<T extends Named>(
  kind: Kind<T>,
  workspaceId: string,
  thing: Named,
  oldName: string,
  changes: Partial<T>,
): Writes {
  const { id } = thing;
  const newName = changes.name === undefined ? oldName : foldTagName(changes.name);
  const update = signed(set({ ...changes, foldedName: newName, revision: plus(1) }));
  return {
    thing: updating(kind.keyOf(workspaceId, id), update, isAsRead(thing)),
    ...(newName !== oldName && {
      name: putting({ ...kind.nameKeyOf(workspaceId, newName), [holderIn(kind)]: id }, isAbsent),
      oldName: deleting(kind.nameKeyOf(workspaceId, oldName), is(holderIn(kind), id)),
    }),
  };
}

/**
 * Deletes a thing, which makes its name available and room for another, and records that.
 *
 * @param lossOf what the history says is lost.
 * @param asRead the thing as it was read, to delete it only if it is still the same.
 * @param more what else is written in the same transaction.
 * @throws RequestError `not_found`, `precondition_failed`
 */
export function deleteNamed<T extends Named>(
  kind: Kind<T>,
  workspaceId: string,
  id: string,
  lossOf: (thing: T) => Changes,
  asRead?: Named,
  more: Writes = {},
): Promise<void> {
  return retrying(async () => {
    const { thing, foldedName, item } = await readNamed(kind, workspaceId, id, asRead);
    const creation = { createdAt: text(item, 'createdAt'), createdBy: text(item, 'createdBy'), requestId: null };
    const { failed } = await commit({
      thing: deleting(kind.keyOf(workspaceId, id), isAsRead(thing)),
      name: deleting(kind.nameKeyOf(workspaceId, foldedName), is(holderIn(kind), id)),
      count: updating(workspaceKey(workspaceId), set({ [countOf(kind)]: plus(-1) }), isPresent),
      history: recordingDeletion({
        workspaceId,
        action: `${kind.what}.deleted`,
        subjectId: id,
        changes: lossOf(thing),
        creation: { ...creation, restoredFrom: undefined },
        revision: thing.revision,
      }),
      ...more,
    });
    return failed ? overtaken : undefined;
  });
}

/**
 * Undoes a deletion once: the thing exists again, with its id. One transaction creates it and marks the entry of its
 * deletion, so a retry returns what is there, and does not undo a later deletion. Its revision continues, so a change
 * that was prepared before the deletion is refused.
 *
 * If the mark names a thing that neither exists nor was deleted again, tables were restored to different times, and the
 * mark is ignored.
 *
 * @returns the item, with its current values if it has been changed since.
 * @throws RequestError `not_found`, `revert_refused`, `tag_limit_reached`, `template_limit_reached`
 */
export function restoreNamed<T extends Named>(kind: Kind<T>, workspaceId: string, entry: DeletionEntry): Promise<Item> {
  const { what, isId } = kind;
  const { subjectId: id } = entry;
  return retrying(async () => {
    const known = isId(id) ? await findLoss(workspaceId, entry) : undefined;
    const { action, restoredAs, lost, creation, revision } = orNotFound(known, 'history entry');
    if (action !== `${what}.deleted`) throw new RequestError('revert_refused', `Only the deletion of a ${what} can be undone.`);
    const there = await findNamed(kind, workspaceId, id);
    if (there) return there;
    if (restoredAs !== undefined && (await hasOpenDeletion(id)))
      throw new RequestError(
        'revert_refused',
        `The ${what} was restored and has been deleted again since: revert that deletion instead.`,
      );
    const item = { ...lost, id, ...creation, revision: revision + 1 };
    const writes = creating(kind, workspaceId, { id, name: String(lost.name) }, item);
    const { failed, items } = await commit({ ...writes, entry: markingRestored(entry, id, restoredAs) });
    if (!failed) return item;
    if (items.thing || items.entry) return overtaken;
    if (!items.name) throw limitReached(kind);
    throw revertRefused([
      {
        path: '/name',
        code: `${what}_name_taken`,
        message: `cannot be restored, because another ${what} has that name: rename that one first`,
      },
    ]);
  });
}
