import { RequestError, workspaceGone } from '../../core/errors.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import {
  all,
  any,
  type Expression,
  ifConditionFails,
  is,
  isLiveWorkspace,
  lacks,
  minus,
  plus,
  set,
} from '../table/expressions.ts';
import { flag, number, textSet } from '../table/fields.ts';
import { domainsIndex, type Key, toKey, workspaceKey } from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { checking, updateItem, type Write } from '../table/writes.ts';

/**
 * Whether a workspace's webhooks need clicks. Each of its domains has a copy of this, because the redirect reads the
 * domain anyway.
 *
 * The workspace's item is authoritative: it has the set of its webhooks that need clicks, `clickHooks`, and how often
 * that set was changed, `hooksVersion`. Both change in the transaction that changes a webhook. Afterwards the workspace
 * is read, and its interest is copied to each domain, with the version. No change of a webhook sets a domain back to an
 * earlier version. So the last change wins, however changes overlap. For example, one request creates a webhook that
 * needs clicks, and another one deletes it:
 *
 *     A   creates the webhook                        workspace: needs clicks, version 1
 *     A   reads the workspace: needs clicks, version 1
 *     B   deletes the webhook                        workspace: needs no clicks, version 2
 *     B   reads the workspace, copies version 2      domain: needs no clicks, version 2
 *     A   copies version 1: refused, because the domain has a later version
 *
 * If B dies before it copies anything, its client retries the deletion. That is refused, because the webhook is gone,
 * but the interest is copied anyway. If nobody retries, the daily check of domains copies it.
 */
export type Interest = {
  readonly wantsClicks: boolean;
  /** 0 if no webhook of the workspace has needed clicks yet. */
  readonly hooksVersion: number;
};

/** How many domains to update at a time. */
const concurrency = 10;

/** The interest of a workspace, by its item. */
export const interestOf = (workspace: Item | undefined): Interest =>
  workspace
    ? { wantsClicks: textSet(workspace, 'clickHooks').size > 0, hooksVersion: number(workspace, 'hooksVersion', 0) }
    : { wantsClicks: false, hooksVersion: 0 };

/** The copy of the interest that a domain has, by its item. */
export const interestOnDomain = (domain: Item): Interest => ({
  wantsClicks: flag(domain, 'wantsClicks', false),
  hooksVersion: number(domain, 'hooksVersion', 0),
});

/**
 * The interest with which a new domain of a workspace starts.
 *
 * @throws RequestError `unauthorized` if the workspace is being deleted, or gone
 */
export async function interestForDomain(workspaceId: string): Promise<Interest> {
  const workspace = await getItem(workspaceKey(workspaceId));
  if (!workspace || 'deletingSince' in workspace) throw workspaceGone();
  return interestOf(workspace);
}

/** How a change of a webhook changes its workspace. */
export type WorkspaceChange = {
  /** How many webhooks are added; negative if they are deleted. */
  readonly count?: number;
  /** Whether the webhook needs clicks from now on; undefined if that stays as it is. */
  readonly needs?: boolean | undefined;
};

/** The update of a workspace's item that goes with a change of a webhook. The change must not be empty. */
export function workspaceUpdate(webhookId: string, { count = 0, needs }: WorkspaceChange): Expression {
  const hook = new Set([webhookId]);
  return set({
    webhookCount: count === 0 ? undefined : plus(count),
    ...(needs !== undefined && { hooksVersion: plus(1), clickHooks: needs ? plus(hook) : minus(hook) }),
  });
}

/**
 * Part of a transaction that creates a domain with a copy of the interest: it fails if the interest has changed since,
 * or if the deletion of the workspace has begun. The request that did either may not have found the domain.
 */
export const ifInterestUnchanged = (workspaceId: string, { hooksVersion }: Interest): Write =>
  checking(
    workspaceKey(workspaceId),
    all(isLiveWorkspace, hooksVersion === 0 ? lacks('hooksVersion') : is('hooksVersion', hooksVersion)),
  );

/**
 * Changes webhooks of a workspace, and then copies its interest to its domains. If the change is refused, an earlier
 * attempt may have made it and died, so the interest is copied anyway.
 *
 * @param change makes the change.
 * @throws whatever the change and the calls throw. If the interest could not be copied, a retry of the change does it,
 *   or else the daily check of domains.
 */
export async function changeWebhooks<T>(workspaceId: string, change: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await change();
  } catch (error) {
    if (error instanceof RequestError && error.code !== 'temporarily_unavailable') await copyInterest(workspaceId);
    throw error;
  }
  await copyInterest(workspaceId);
  return result;
}

/**
 * Copies a workspace's interest to its domains. A domain that the index doesn't show yet is left to the daily check.
 */
async function copyInterest(workspaceId: string): Promise<void> {
  const interest = interestOf(await getItem(workspaceKey(workspaceId)));
  if (interest.hooksVersion === 0) return;
  const keys = (await Array.fromAsync(query({ gsi1pk: domainsIndex(workspaceId) }))).map(toKey);
  const domains = await getItems(keys);
  await inParallel(domains, concurrency, async (domain) => {
    if (domain?.workspaceId === workspaceId) await copyInterestTo(workspaceId, { ...domain, ...toKey(domain) }, interest);
  });
}

/**
 * Copies an interest to a domain of the workspace. No write if the domain's copy is as new.
 *
 * @param domain its item as it was read.
 */
async function copyInterestTo(workspaceId: string, domain: Key & Item, interest: Interest): Promise<void> {
  const { hooksVersion } = interest;
  if (interestOnDomain(domain).hooksVersion >= hooksVersion) return;
  const isBehind = { text: '#hooksVersion < :hooksVersion', values: { ':hooksVersion': hooksVersion } };
  await writeInterest(workspaceId, domain, interest, any(lacks('hooksVersion'), isBehind));
}

/**
 * Makes a domain's copy match its workspace. No write if it already does.
 *
 * A copy can be ahead of a workspace that is read later only if a partial restoration took the workspace from an
 * earlier second than the domain. Such a copy is set back, because no change of a webhook would replace it.
 *
 * @param domain its item, which must have been read before the interest.
 */
export async function correctInterest(workspaceId: string, domain: Key & Item, interest: Interest): Promise<void> {
  const copy = interestOnDomain(domain);
  const { wantsClicks, hooksVersion } = copy;
  if (hooksVersion < interest.hooksVersion) return copyInterestTo(workspaceId, domain, interest);
  if (hooksVersion === interest.hooksVersion && wantsClicks === interest.wantsClicks) return;
  await writeInterest(workspaceId, domain, interest, all(is('hooksVersion', hooksVersion), is('wantsClicks', wantsClicks)));
}

/** Writes a copy of an interest. No-op if the condition fails, or if the domain is not the workspace's any more. */
async function writeInterest(workspaceId: string, domain: Key, interest: Interest, condition: Expression): Promise<void> {
  const { wantsClicks, hooksVersion } = interest;
  const update = signed(set({ wantsClicks, hooksVersion }));
  const write = updateItem(domain, update, all(is('workspaceId', workspaceId), condition));
  // Another request has copied it, or an earlier attempt of this one has; or the domain is gone.
  await ifConditionFails(write, () => undefined);
}
