import { RequestError } from '../../core/errors.ts';
import { newChangeToken } from '../../core/ids.ts';
import { externalIdTaken } from '../../core/link/import.ts';
import type { Link } from '../../core/link/link.ts';
import type { Item } from '../table/client.ts';
import { type Expression, is, isAbsent } from '../table/conditions.ts';
import { maybeText, text } from '../table/fields.ts';
import { externalIdKey } from '../table/keys.ts';
import { getItem, getItems } from '../table/reads.ts';
import { putting, type Write } from '../table/writes.ts';
import { type FoundLink, getLink } from './links.ts';

/**
 * An external id is an item of its own, which names the link that has it and so makes it unique in the workspace. It is
 * written in one transaction with the link. Links without an external id have no such item.
 *
 * A link that gives its external id up, or is deleted, leaves a tombstone. A link gets the id on the condition that the
 * item is as it was read. So a creation that arrives late, after its link or another one has had the id and lost it,
 * fails.
 */
export type ExternalId =
  | { readonly is: 'free'; readonly condition: Expression }
  | { readonly is: 'taken'; readonly linkId: string };

/** How long a tombstone is kept, in seconds: far longer than a write can be on its way. */
const keptSeconds = 48 * 60 * 60;

/** What the item of an external id says. Undefined stands for no item. */
function toExternalId(item: Item | undefined): ExternalId {
  if (!item) return { is: 'free', condition: isAbsent };
  const linkId = maybeText(item, 'linkId');
  return linkId === undefined ? { is: 'free', condition: is('freed', text(item, 'freed')) } : { is: 'taken', linkId };
}

/** Whether a link of the workspace has the external id, and which. One read. */
export const findExternalId = async (workspaceId: string, externalId: string): Promise<ExternalId> =>
  toExternalId(await getItem(externalIdKey(workspaceId, externalId)));

/** The same for several, by the ids. Each batch read covers 100. */
export async function findExternalIds(workspaceId: string, externalIds: readonly string[]): Promise<Map<string, ExternalId>> {
  const items = await getItems(externalIds.map((externalId) => externalIdKey(workspaceId, externalId)));
  return new Map(externalIds.map((externalId, index) => [externalId, toExternalId(items[index])]));
}

/**
 * The link of the workspace with that external id, and its click count. Two reads.
 *
 * The link says by itself which external id it has: it may have been given another one between the reads.
 */
export async function getLinkByExternalId(workspaceId: string, externalId: string): Promise<FoundLink | undefined> {
  const there = await findExternalId(workspaceId, externalId);
  const found = there.is === 'taken' ? await getLink(workspaceId, there.linkId) : undefined;
  return found?.link.externalId === externalId ? found : undefined;
}

type Owner = Pick<Link, 'id' | 'workspaceId'>;

/** Gives a link a free external id. @param condition that it still is as it was read. */
export const takingExternalId = ({ id, workspaceId }: Owner, externalId: string, condition: Expression): Write =>
  putting({ ...externalIdKey(workspaceId, externalId), linkId: id }, condition);

/** Frees the external id of a link, if it has one. Each tombstone differs from all others. */
export const freeingExternalId = ({ id, workspaceId }: Owner, externalId: string | null): Write[] => {
  if (externalId === null) return [];
  const ttl = Math.ceil(Date.now() / 1_000) + keptSeconds;
  return [putting({ ...externalIdKey(workspaceId, externalId), freed: newChangeToken(), ttl }, is('linkId', id))];
};

/** Another link has the external id. */
export const externalIdRefused = () =>
  new RequestError('external_id_taken', `${externalIdTaken.message}.`, {
    fieldErrors: [{ path: '/externalId', code: externalIdTaken.code, message: externalIdTaken.message.replace(/^\S+ /, '') }],
  });
