import type { Domain } from '../../core/domain/domain.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { type Round, roundsOf } from '../schedules/rounds.ts';
import type { Item } from '../table/client.ts';
import { text } from '../table/fields.ts';
import { checkRoundKey, domainChecksIndex, domainKey, toKey, workspaceKey } from '../table/keys.ts';
import { getItems, query } from '../table/reads.ts';
import { correctInterest, interestOf } from '../webhooks/interest.ts';
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
 * It also copies the interest of workspaces to those of their domains that differ. They do if the function that changed
 * a webhook died, or did not find the domain in the index yet, or if the tables were restored in part. The domains are
 * read first, so that none differs only because it was updated in between.
 */
export async function nextDomains({ after }: Round): Promise<{
  hosts: string[];
  domains: (Domain | undefined)[];
  isLast: boolean;
}> {
  const entries = await Array.fromAsync(query({ gsi1pk: domainChecksIndex, after }, { limit: pageSize }));
  const hosts = entries.map((entry) => text(entry, 'gsi1sk'));
  const items = await getItems(hosts.map(domainKey));
  await correctInterests(items.filter((item) => item !== undefined));
  return { hosts, domains: items.map((item) => item && toDomain(item)), isLast: hosts.length < pageSize };
}

/** Corrects the domains' copies of what the webhooks of their workspaces need. */
async function correctInterests(items: readonly Item[]): Promise<void> {
  const owners = [...new Set(items.map((item) => text(item, 'workspaceId')))];
  const workspaces = await getItems(owners.map(workspaceKey));
  const interests = new Map(owners.map((id, index) => [id, interestOf(workspaces[index])]));
  await inParallel(items, concurrentUpdates, async (item) => {
    const workspaceId = text(item, 'workspaceId');
    await correctInterest(workspaceId, { ...item, ...toKey(item) }, interests.get(workspaceId) ?? interestOf(undefined));
  });
}
