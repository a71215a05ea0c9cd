import { type Click, newClick, nothingKnown } from '../../lambdas/domain/click.ts';
import { RequestError } from '../../lambdas/domain/errors.ts';
import { newRequestToken } from '../../lambdas/domain/ids.ts';
import type { Link } from '../../lambdas/domain/link.ts';
import { withDeadline } from '../../lambdas/runtime/deadline.ts';
import { clickItem } from '../../lambdas/store/clicks/clicks.ts';
import { getLinkAt } from '../../lambdas/store/links/links.ts';
import { failedCondition } from '../../lambdas/store/table/conditions.ts';
import { linkKeyOf } from '../../lambdas/store/table/keys.ts';
import { putting, transact, updating } from '../../lambdas/store/table/writes.ts';

/**
 * How visits of capped links were counted before caps had items of their own: by one transaction of the link, which had
 * the use of its cap, and the click.
 *
 * @returns the status that the visitor gets.
 */
export async function visitByTransaction({ domainId, shortCode }: Link): Promise<number> {
  try {
    const link = await getLinkAt(domainId, shortCode);
    if (!link || link.disabledAt !== null) return 404;
    return (await withDeadline(5_000, () => takeClick(link, newClick(link, Date.now(), nothingKnown)))) ? 302 : 410;
  } catch (error) {
    if (error instanceof RequestError) return 503;
    throw error;
  }
}

async function takeClick(link: Link, click: Click): Promise<boolean> {
  const condition = { text: '(attribute_not_exists(#capUsed) OR #capUsed < #maxClicks) AND attribute_not_exists(#disabledAt)' };
  const use = updating(linkKeyOf(link.id), { text: 'ADD #capUsed :one', values: { ':one': 1 } }, condition);
  return !(await failedCondition(transact([use, putting(clickItem(click))], newRequestToken())));
}
