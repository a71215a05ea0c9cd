import { RequestError } from '../../domain/errors.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { all, any, type Expression, ifConditionFails, is, lacks } from '../table/conditions.ts';
import { flag, number, textSet } from '../table/fields.ts';
import { domainsIndex, type Key, toKey, workspaceKey } from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { checking, updateItem, type Write } from '../table/writes.ts';

/**
 * Whether a workspace's webhooks need clicks: the mark on each of its domains, which the redirect reads anyway.
 *
 * The workspace has the truth: the set of its webhooks that need clicks, `clickHooks`, and how often that set was
 * changed, `hooksVersion`. Both change in the transaction that changes a webhook. Afterwards the workspace is read, and
 * what it says is written to each domain, with its version. A domain never goes back to an earlier version. So however
 * changes of webhooks overlap, the last one decides, and marking domains again only adds what is missing.
 */
export type Interest = {
  readonly wantsClicks: boolean;
  /** 0 if no webhook of the workspace has needed clicks yet. */
  readonly hooksVersion: number;
};

/** How many domains are marked at a time. */
const inFlight = 10;

/** What a workspace's item says. */
export const interestOf = (workspace: Item | undefined): Interest =>
  workspace
    ? { wantsClicks: textSet(workspace, 'clickHooks').size > 0, hooksVersion: number(workspace, 'hooksVersion', 0) }
    : { wantsClicks: false, hooksVersion: 0 };

/** What a domain's item says. */
export const markOf = (domain: Item): Interest => ({
  wantsClicks: flag(domain, 'wantsClicks', false),
  hooksVersion: number(domain, 'hooksVersion', 0),
});

export const readInterest = async (workspaceId: string): Promise<Interest> =>
  interestOf(await getItem(workspaceKey(workspaceId)));

/** How a change of a webhook changes its workspace. */
export type WorkspaceChange = {
  /** How many webhooks it has more. */
  readonly count?: number;
  /** Whether the webhook needs clicks from now on; undefined if that stays as it is. */
  readonly needs?: boolean | undefined;
};

/** The update of a workspace's item that goes with a change of a webhook, which must change something of it. */
export function workspaceUpdate(webhookId: string, { count = 0, needs }: WorkspaceChange): Expression {
  const adds = [
    ...(count === 0 ? [] : ['#webhookCount :count']),
    ...(needs === undefined ? [] : ['#hooksVersion :next']),
    ...(needs === true ? ['#clickHooks :hook'] : []),
  ];
  return {
    text: `ADD ${adds.join(', ')}${needs === false ? ' DELETE #clickHooks :hook' : ''}`,
    values: {
      ...(count !== 0 && { ':count': count }),
      ...(needs !== undefined && { ':next': 1, ':hook': new Set([webhookId]) }),
    },
  };
}

/**
 * Part of a transaction that writes a domain with this mark: it fails if the workspace's webhooks have changed since.
 * They would not find the domain to mark it.
 */
export const ifStillInterested = (workspaceId: string, { hooksVersion }: Interest): Write =>
  checking(workspaceKey(workspaceId), hooksVersion === 0 ? lacks('hooksVersion') : is('hooksVersion', hooksVersion));

/**
 * Changes webhooks of a workspace, and then marks its domains. If the change is refused, an earlier attempt of it may
 * have been made and then died, so the domains are marked all the same.
 *
 * @throws whatever the change and the calls throw. If the domains could not be marked, a repetition of the change
 *   completes it, and otherwise the daily check of domains.
 */
export async function andMarkDomains<T>(workspaceId: string, change: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await change();
  } catch (error) {
    if (error instanceof RequestError && error.code !== 'temporarily_unavailable') await markDomains(workspaceId);
    throw error;
  }
  await markDomains(workspaceId);
  return result;
}

/**
 * Marks a workspace's domains with what its webhooks need. A domain that the index doesn't show yet is left to the daily
 * check.
 */
async function markDomains(workspaceId: string): Promise<void> {
  const interest = await readInterest(workspaceId);
  if (interest.hooksVersion === 0) return;
  const keys = (await Array.fromAsync(query({ gsi1pk: domainsIndex(workspaceId) }))).map(toKey);
  const domains = await getItems(keys);
  await inParallel(domains, inFlight, async (domain) => {
    if (domain?.workspaceId === workspaceId) await markDomain(workspaceId, { ...domain, ...toKey(domain) }, interest);
  });
}

/**
 * Marks a domain, unless its mark is as new. No write if it is.
 *
 * @param domain its item as it was read.
 */
export async function markDomain(workspaceId: string, domain: Key & Item, interest: Interest): Promise<void> {
  const { wantsClicks, hooksVersion } = interest;
  if (markOf(domain).hooksVersion >= hooksVersion) return;
  const write = updateItem(
    domain,
    signed({
      text: 'SET #wantsClicks = :wantsClicks, #hooksVersion = :hooksVersion',
      values: { ':wantsClicks': wantsClicks, ':hooksVersion': hooksVersion },
    }),
    all(
      is('workspaceId', workspaceId),
      any(lacks('hooksVersion'), { text: '#hooksVersion < :hooksVersion', values: { ':hooksVersion': hooksVersion } }),
    ),
  );
  // It was marked by another request, or by an earlier attempt of this one; or it is gone.
  await ifConditionFails(write, () => undefined);
}
