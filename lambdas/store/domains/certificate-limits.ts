import { certificateRequests, managedDomainsPerWorkspace } from '../../core/limits.ts';
import type { Slot } from '../../core/slots.ts';
import { takeSlotAt } from '../limits/request-limits.ts';
import { tableTime } from '../table/clock.ts';
import { failedCondition, hasRoomFor, ifConditionFails, lacks, minus, plus, set } from '../table/expressions.ts';
import { certificateLimitKey } from '../table/keys.ts';
import { deleteItem, updateItem } from '../table/writes.ts';

/**
 * The limits on a workspace's certificates and names, so that no workspace uses up the account's quotas. Both are taken
 * before a certificate is requested, and are exact, however many domains are processed at once.
 *
 * One item has the set of hosts for which something is made. A host leaves it once everything that was made for it is
 * removed, so deleting a domain makes room only then. Another item has the requests of the last 30 days. It does not
 * depend on domains, so deleting one and proving it again does not reset it.
 */

/**
 * Takes a place among the workspace's managed domains; no-op if the host has one. A retry after a lost response finds
 * the host in the set.
 *
 * @returns whether it has one now.
 */
export const takePlace = (workspaceId: string, host: string): Promise<boolean> =>
  ifConditionFails(
    updateItem(
      certificateLimitKey(workspaceId, 'hosts'),
      set({ hosts: plus(new Set([host])) }),
      hasRoomFor('hosts', host, managedDomainsPerWorkspace),
    ).then(() => true),
    () => false,
  );

/**
 * Gives a host's place back; no-op if it has none. The last one leaves no item, because the workspace may be deleted.
 */
export async function givePlaceBack(workspaceId: string, host: string): Promise<void> {
  const key = certificateLimitKey(workspaceId, 'hosts');
  const { hosts } = await updateItem(key, set({ hosts: minus(new Set([host])) }));
  if (hosts === undefined) await failedCondition(deleteItem(key, lacks('hosts')));
}

/** Takes one of the workspace's requests for certificates. @param attempt that makes the request */
export const takeRequest = (workspaceId: string, attempt: string): Promise<Slot> =>
  takeSlotAt(certificateLimitKey(workspaceId, 'requests'), attempt, tableTime(), certificateRequests, false);
