import type { Click } from '../domain/click.ts';
import { newRequestToken } from '../domain/ids.ts';
import type { Link } from '../domain/link.ts';
import { timeLeft, withDeadline } from '../runtime/deadline.ts';
import { clickItem } from './clicks/clicks.ts';
import { isStillThere } from './links/conditions.ts';
import { isLink, toLink } from './links/links.ts';
import { all, any, failedCondition, is, lacks } from './table/conditions.ts';
import { linkKeyOf } from './table/keys.ts';
import { putting, transact, updating } from './table/writes.ts';

/** How long a visit to a capped link is retried on conflicts, in milliseconds. */
const turnBudget = 5_000;

/** Whether a click was taken. If not, the link as it is instead; undefined if it is gone. */
export type Taken = { readonly taken: true } | { readonly taken: false; readonly link: Link | undefined };

/**
 * Takes one of a capped link's clicks and records it, both or neither, if the link can still be visited: it exists, is
 * active, not disabled by the operator, unexpired and capped, and has a click left. Exact, however many visits arrive
 * at once and whichever responses are lost.
 *
 * @throws RequestError `temporarily_unavailable` if conflicts last too long
 */
export const takeClick = (link: Link, click: Click): Promise<Taken> =>
  withDeadline(Math.min(timeLeft(), turnBudget), async () => {
    const isOpen = all(
      isStillThere(link),
      { text: '#capUsed < #maxClicks' },
      any(lacks('isActive'), is('isActive', true)),
      lacks('disabledAt'),
      any(lacks('expiresAt'), { text: '#expiresAt > :now', values: { ':now': click.at } }),
    );
    const key = linkKeyOf(link.id);
    const use = updating(key, { text: 'ADD #capUsed :one', values: { ':one': 1 } }, isOpen);
    const failed = await failedCondition(transact([use, putting(clickItem(click))], newRequestToken()));
    if (!failed) return { taken: true };
    const there = failed.held();
    return { taken: false, link: isLink(there) ? toLink(there) : undefined };
  });
