import { unsettled } from '../../core/errors.ts';
import type { Link } from '../../core/link/link.ts';
import type { Item } from '../table/client.ts';
import { any, type Expression, formerly, lacks } from '../table/expressions.ts';
import { toLink } from './links.ts';

/**
 * A link stores the tokens of its last ten changes, so that a change is made once even if its response is lost. For
 * example, A sets the title to "Spring", and B sets it to "Summer" before A's retry arrives:
 *
 *     A   SET title "Spring", m1 = a             if none of m1 to m10 is a. The response is lost
 *     B   SET title "Summer", m1 = b, m2 = a     if none of them is b
 *     A   sends its update again                 refused, because m2 is a
 *     A   finds its token in the item that comes with the refusal: its change was made, and the title is "Summer" now
 *
 * Without the tokens, A's retry would undo B's change. Once ten other changes have been made since the link was read,
 * A's token may have been dropped. Then its update is refused, too, and A cannot tell whether an earlier attempt made
 * it.
 */

/** The attributes with the tokens, the latest first. The names are short because every update pays for them. */
const tokenNames = Array.from({ length: 10 }, (_, index) => `m${index + 1}`);

/** The attribute of the latest token. */
export const latestTokenName = 'm1';

/** Moves the tokens along by one, as part of an update. `-` stands for a token that no change has. */
export const movedTokens = Object.fromEntries(
  tokenNames.slice(1).map((name, index) => [name, formerly(tokenNames[index] ?? '')]),
);

/** The conditions that the change with this token was not made yet, and that the link would still have its token. */
export const isUnmade = ({ revision }: Link, changeToken: string): Expression[] => [
  any(lacks('revision'), { text: '#revision < :bound', values: { ':bound': revision + tokenNames.length } }),
  { text: `NOT (${tokenNames.map((name) => `#${name} = :mine`).join(' OR ')})`, values: { ':mine': changeToken } },
];

/**
 * Finds out if a change whose condition failed was already made by an earlier attempt whose response was lost. Returns
 * the link as it now is; undefined if the change was not made.
 *
 * @param item what the table held when the condition failed.
 * @param isAmbiguous an earlier attempt may have been executed.
 * @throws RequestError `temporarily_unavailable` if the link no longer shows whether the change was made.
 */
export function findEarlierChange(
  item: Item | undefined,
  { asRead, changeToken, isAmbiguous }: { asRead: Link; changeToken: string; isAmbiguous: boolean },
): Link | undefined {
  if (!item || item.id !== asRead.id || item.workspaceId !== asRead.workspaceId) return undefined;
  if (tokenNames.some((name) => item[name] === changeToken)) return toLink(item);
  const isForgotten = Number(item.revision ?? 0) > asRead.revision + tokenNames.length;
  if (isForgotten && isAmbiguous) throw unsettled();
  return undefined;
}
