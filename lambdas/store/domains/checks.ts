import type { Domain } from '../../core/domain/domain.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { type Round, roundsOf } from '../schedules/rounds.ts';
import type { Item } from '../table/client.ts';
import { text } from '../table/fields.ts';
import { checkRoundKey, domainChecksIndex, domainKey, toKey, workspaceKey } from '../table/keys.ts';
import { getItems, query } from '../table/reads.ts';
import { copyInterestTo, interestOf } from '../webhooks/interest.ts';
import { toDomain } from './domains.ts';

/** The rounds of checks of all proven domains, by name. */
export const { currentRound, saveRound } = roundsOf(checkRoundKey);

const pageSize = 100;

/** How many domains to update at a time. */
const concurrentUpdates = 10;

/**
 * The next domains of a round: their hosts, and each domain as it is now, undefined if it is gone. `isLast` says that
 * there are no more.
 *
 * It also copies the interest of workspaces to those of their domains that are behind: the function that changed a
 * webhook died, or did not find the domain in the index yet. The domains are read first, so that none counts as behind
 * that was only updated in between.
 */
export async function nextDomains({ after }: Round): Promise<{
  hosts: string[];
  domains: (Domain | undefined)[];
  isLast: boolean;
}> {
  const entries = await Array.fromAsync(query({ gsi1pk: domainChecksIndex, after }, { limit: pageSize }));
  const hosts = entries.map((entry) => text(entry, 'gsi1sk'));
  const items = await getItems(hosts.map(domainKey));
  await copyInterests(items.filter((item) => item !== undefined));
  return { hosts, domains: items.map((item) => item && toDomain(item)), isLast: hosts.length < pageSize };
}

/** Gives the domains what the webhooks of their workspaces need, if they are behind. */
async function copyInterests(items: readonly Item[]): Promise<void> {
  const owners = [...new Set(items.map((item) => text(item, 'workspaceId')))];
  const workspaces = await getItems(owners.map(workspaceKey));
  const interests = new Map(owners.map((id, index) => [id, interestOf(workspaces[index])]));
  await inParallel(items, concurrentUpdates, async (item) => {
    const workspaceId = text(item, 'workspaceId');
    await copyInterestTo(workspaceId, { ...item, ...toKey(item) }, interests.get(workspaceId) ?? interestOf(undefined));
  });
}
