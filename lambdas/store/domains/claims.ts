import { type Claim, claimEnds, claimedMs } from '../../core/domain/domain.ts';
import { newClaimToken } from '../../core/ids.ts';
import { created } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { any, failedCondition, isAbsent } from '../table/expressions.ts';
import { oneOf, text } from '../table/fields.ts';
import { claimKey, type Key } from '../table/keys.ts';
import { putItem } from '../table/writes.ts';
import { lastCheckIn } from './last-checks.ts';

const toClaim = (item: Item): Claim => ({
  host: text(item, 'host'),
  status: oneOf(item, 'status', ['PENDING_OWNERSHIP']),
  createdAt: text(item, 'createdAt'),
  verifiedAt: null,
  token: text(item, 'token'),
  lastCheck: lastCheckIn(item),
});

const claimItem = (workspaceId: string, { verifiedAt, lastCheck, ...claim }: Claim): Key & Item => ({
  ...claimKey(workspaceId, claim.host),
  ...claim,
  ttl: Math.ceil(claimEnds(claim) / 1_000),
  ...created(),
});

/** The claim in an item if it hasn't expired. */
export const unexpiredClaim = (item: Item | undefined): Claim | undefined => {
  if (!item) return undefined;
  const claim = toClaim(item);
  return claimEnds(claim) > Date.now() ? claim : undefined;
};

/**
 * Writes a claim unless there is one that hasn't expired, and returns the valid one. If the claim is withdrawn while
 * its write is retried, the retry brings it back: it reserves nothing, and can be withdrawn again.
 */
export async function putClaim(workspaceId: string, host: string): Promise<Claim> {
  const now = new Date();
  const createdAt = now.toISOString();
  const token = newClaimToken();
  const claim: Claim = { host, status: 'PENDING_OWNERSHIP', createdAt, verifiedAt: null, token, lastCheck: null };
  const hasLapsed = {
    text: '#createdAt <= :lapsed',
    values: { ':lapsed': new Date(now.getTime() - claimedMs).toISOString() },
  };
  const write = putItem(claimItem(workspaceId, claim), any(isAbsent, hasLapsed));
  const failed = await failedCondition(write);
  if (!failed) return claim;
  // Another request was first, or an earlier attempt of this one whose response was lost. Its claim wins.
  const there = unexpiredClaim(failed.items[0]);
  if (!there) throw failed;
  return there;
}
