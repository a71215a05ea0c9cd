import { RequestError } from '../../core/errors.ts';
import { newChangeToken } from '../../core/ids.ts';
import { externalIdTaken } from '../../core/link/import.ts';
import type { Link } from '../../core/link/link.ts';
import type { Item } from '../table/client.ts';
import { all, type Expression, is, isAbsent } from '../table/expressions.ts';
import { maybeText, text } from '../table/fields.ts';
import { externalIdKey } from '../table/keys.ts';
import { getItem, getItems } from '../table/reads.ts';
import { putting, type Write } from '../table/writes.ts';
import { type FoundLink, findLink, findLinks, getLink } from './links.ts';

/**
 * An external id is an item of its own, which names the link that has it and so makes it unique in the workspace. It is
 * written in one transaction with the link. Links without an external id have no such item.
 *
 * A link that gives its external id up, or is deleted, leaves a tombstone. A link gets the id on the condition that the
 * item is as it was read. So a creation that arrives late, after its link or another one has had the id and lost it,
 * fails.
 *
 * The link is authoritative: if it is gone, or has another external id or none, the item is stray. Transactions never
 * leave such an item, but a partial restoration may. Each time a link takes the id, `taken` differs. So a stray item is
 * replaced only if it is still as it was read before its link, even if that link has given the id up and got it back:
 *
 *     A   reads the item: it names L
 *     L   gives the id up
 *     A   reads L, which has no external id
 *     L   takes the id again: the item names L as before, and has another `taken`
 *     A   replaces the item, if it still names L and has the `taken` that was read: refused
 */
export type ExternalId =
  | { readonly is: 'free'; readonly condition: Expression }
  | { readonly is: 'taken'; readonly holder: Link };

/** How long a tombstone is kept, in seconds: far longer than a write can be on its way. */
const keptSeconds = 48 * 60 * 60;

/** The id of the link that the item of an external id names. */
const linkIdIn = (item: Item | undefined): string | undefined => item && maybeText(item, 'linkId');

/** The condition that the item of an external id is as it was read. */
function isStill(item: Item | undefined): Expression {
  const linkId = linkIdIn(item);
  if (!item) return isAbsent;
  if (linkId === undefined) return is('freed', text(item, 'freed'));
  return all(is('linkId', linkId), is('taken', text(item, 'taken')));
}

/** Whether an external id is free, by its item and the link that the item names, which was read later. */
const toExternalId = (externalId: string, item: Item | undefined, named: Link | undefined): ExternalId =>
  named?.externalId === externalId ? { is: 'taken', holder: named } : { is: 'free', condition: isStill(item) };

/** Whether a link of the workspace has the external id, and which. One read; two if its item names a link. */
export async function findExternalId(workspaceId: string, externalId: string): Promise<ExternalId> {
  const item = await getItem(externalIdKey(workspaceId, externalId));
  const linkId = linkIdIn(item);
  return toExternalId(externalId, item, linkId === undefined ? undefined : await findLink(workspaceId, linkId));
}

/** The same for several, by the ids. Each batch read covers 100 items or links. */
export async function findExternalIds(workspaceId: string, externalIds: readonly string[]): Promise<Map<string, ExternalId>> {
  const items = await getItems(externalIds.map((externalId) => externalIdKey(workspaceId, externalId)));
  const links = await findLinks(
    workspaceId,
    items.flatMap((item) => linkIdIn(item) ?? []),
  );
  const byId = new Map(links.map((link) => [link.id, link]));
  return new Map(
    externalIds.map((externalId, index) => {
      const item = items[index];
      return [externalId, toExternalId(externalId, item, byId.get(linkIdIn(item) ?? ''))];
    }),
  );
}

/**
 * The ids of the links that the items of external ids name. The links may have given them up. Each batch read covers
 * 100.
 */
export async function linkIdsOf(workspaceId: string, externalIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const items = await getItems(externalIds.map((externalId) => externalIdKey(workspaceId, externalId)));
  return new Map(
    externalIds.flatMap((externalId, index) => {
      const linkId = linkIdIn(items[index]);
      return linkId === undefined ? [] : [[externalId, linkId] as const];
    }),
  );
}

/**
 * The link of the workspace with that external id, and its click count. Two reads.
 *
 * The link itself is checked, because it may have been given another external id between the reads.
 */
export async function getLinkByExternalId(workspaceId: string, externalId: string): Promise<FoundLink | undefined> {
  const linkId = linkIdIn(await getItem(externalIdKey(workspaceId, externalId)));
  const found = linkId === undefined ? undefined : await getLink(workspaceId, linkId);
  return found?.link.externalId === externalId ? found : undefined;
}

type Owner = Pick<Link, 'id' | 'workspaceId'>;

/** Gives a link a free external id. @param condition that it still is as it was read. */
export const takingExternalId = ({ id, workspaceId }: Owner, externalId: string, condition: Expression): Write =>
  putting({ ...externalIdKey(workspaceId, externalId), linkId: id, taken: newChangeToken() }, condition);

/** Frees the external id of a link, if it has one. Each tombstone differs from all others. */
export const freeingExternalId = ({ id, workspaceId }: Owner, externalId: string | null): Write | undefined => {
  if (externalId === null) return undefined;
  const ttl = Math.ceil(Date.now() / 1_000) + keptSeconds;
  return putting({ ...externalIdKey(workspaceId, externalId), freed: newChangeToken(), ttl }, is('linkId', id));
};

/** Another link has the external id. */
export const externalIdRefused = () =>
  new RequestError('external_id_taken', `${externalIdTaken.message}.`, {
    fieldErrors: [{ path: '/externalId', code: externalIdTaken.code, message: externalIdTaken.message.replace(/^\S+ /, '') }],
  });
