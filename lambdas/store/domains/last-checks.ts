import {
  type Check,
  type CheckedDomain,
  type Claim,
  type Domain,
  type LastCheck,
  toLastCheck,
} from '../../core/domain/domain.ts';
import { signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { all, any, ifConditionFails, is, isPresent, lacks, set } from '../table/expressions.ts';
import { map, maybeMap, maybeText, text, texts } from '../table/fields.ts';
import { claimKey, domainCheckKey } from '../table/keys.ts';
import { getItems } from '../table/reads.ts';
import { updateItem } from '../table/writes.ts';

/**
 * What the last check of a domain saw is in its check item. It isn't in the domain's item, because visits read that,
 * and other writes would make its transactions fail. A claim's last check is in the claim.
 */

/** The last check in the item of a claim, or in a domain's check item; null if there was none. */
export function lastCheckIn(item: Item | undefined): LastCheck | null {
  const check = item && maybeMap(item, 'lastCheck');
  if (!check) return null;
  const { type, name, value } = map(check, 'wanted');
  return {
    at: text(check, 'at'),
    wanted: { type, name, value } as LastCheck['wanted'],
    seen: check.seen === null ? null : texts(check, 'seen', []),
  };
}

/** A domain with its last check. One of an earlier domain of that name is ignored. @param item its check item */
export const withLastCheck = (domain: Domain, item: Item | undefined): CheckedDomain => ({
  ...domain,
  lastCheck: item && maybeText(item, 'checkedId') === domain.domainId ? lastCheckIn(item) : null,
});

/** Adds their last checks to domains. 100 domains per call; claims have theirs already. */
export async function withLastChecks(domains: readonly (Domain | Claim)[]): Promise<CheckedDomain[]> {
  const items = await getItems(domains.map(({ host }) => domainCheckKey(host)));
  return domains.map((one, index) => (one.status === 'PENDING_OWNERSHIP' ? one : withLastCheck(one, items[index])));
}

/**
 * Records what a check saw, unless a later check is recorded already, or the domain or claim is gone. The time is the
 * table's, so functions with wrong clocks agree on what is later.
 */
export async function recordCheck(workspaceId: string, domain: Domain | Claim, check: Check): Promise<LastCheck> {
  const lastCheck = toLastCheck(check, new Date(tableTime()).toISOString());
  const isOlder = any(lacks('lastCheck'), { text: '#lastCheck.#at < :at', values: { ':at': lastCheck.at } });
  if (domain.status === 'PENDING_OWNERSHIP') {
    const update = signed(set({ lastCheck }));
    const write = updateItem(claimKey(workspaceId, domain.host), update, all(is('token', domain.token), isOlder));
    await ifConditionFails(write, () => undefined);
    return lastCheck;
  }
  const { host, domainId } = domain;
  const update = set({ lastCheck, checkedId: domainId });
  const isOther = { text: '#checkedId <> :domainId', values: { ':domainId': domainId } };
  await ifConditionFails(updateItem(domainCheckKey(host), update, all(isPresent, any(isOlder, isOther))), () => undefined);
  return lastCheck;
}
