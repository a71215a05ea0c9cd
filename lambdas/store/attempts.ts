import { attemptLimits, visitorName } from '../domain/attempts.ts';
import { randomBase62 } from '../domain/base62.ts';
import { locationInId } from '../domain/ids.ts';
import type { Link } from '../domain/link.ts';
import { attemptsKey, type Key } from './keys.ts';
import { ConditionFailed, updateItem } from './writes.ts';

const windowMs = attemptLimits.windowSeconds * 1_000;

/** An attempt that was let through, until it turns out that the password was right; or how long to wait, in seconds. */
export type Attempt = { readonly giveBack: () => Promise<void> } | { readonly retryAfter: number };

/**
 * Takes an attempt at a link's password, before anything is hashed: however many come at once, never more are under way or were wrong
 * in any 15 minutes than `attemptLimits` says. One whose password was right is to be given back.
 */
export async function takeAttempt(link: Link, sourceIp: string, now: number): Promise<Attempt> {
  const mark = `${now.toString(36)}.${randomBase62(8)}`;
  const keyOf = (visitor: string) => attemptsKey(locationInId(link.id) ?? '', link.id, visitor);
  const ofVisitor = keyOf(visitorName(link, sourceIp));
  // Named by the password's hash like a visitor, so that another password lifts the lock.
  const ofAll = keyOf(visitorName(link, 'ALL'));
  // The visitor's own first, so that one visitor cannot use up what all have.
  const wait = await takeMark(ofVisitor, mark, attemptLimits.ofVisitor, now);
  if (wait !== undefined) return { retryAfter: wait };
  const waitOfAll = await takeMark(ofAll, mark, attemptLimits.ofAll, now);
  if (waitOfAll === undefined)
    return { giveBack: async () => void (await Promise.all([remove(ofVisitor, [mark]), remove(ofAll, [mark])])) };
  await remove(ofVisitor, [mark]);
  return { retryAfter: waitOfAll };
}

/**
 * Puts a mark among those of the last 15 minutes where there are fewer than the limit.
 *
 * The item has a set of marks, each with its time. A set takes a mark once, and its size is part of the write's condition: so that
 * neither a crowd nor a repetition after a lost answer is counted wrong. What is too old is taken out when the set is full.
 *
 * @returns undefined where it was put, else how many seconds it takes until there is room.
 */
async function takeMark(key: Key, mark: string, limit: number, now: number): Promise<number | undefined> {
  const ttl = Math.ceil((now + windowMs) / 1_000);
  try {
    await updateItem(
      key,
      { text: 'ADD #marks :mine SET #ttl = :ttl', values: { ':mine': new Set([mark]), ':ttl': ttl } },
      { text: 'attribute_not_exists(#marks) OR size(#marks) < :limit', values: { ':limit': limit } },
    );
    return undefined;
  } catch (error) {
    const item = error instanceof ConditionFailed ? error.items[0] : undefined;
    if (!item) throw error;
    const marks = [...(item.marks as Set<string>)];
    // Its answer was lost.
    if (marks.includes(mark)) return undefined;
    const old = marks.filter((one) => timeOf(one) <= now - windowMs);
    if (old.length === 0) return Math.max(1, Math.ceil((Math.min(...marks.map(timeOf)) + windowMs - now) / 1_000));
    await remove(key, old);
    return takeMark(key, mark, limit, now);
  }
}

/** Takes marks out; those that are not there do no harm. */
const remove = (key: Key, marks: readonly string[]) =>
  updateItem(key, { text: 'DELETE #marks :marks', values: { ':marks': new Set(marks) } });

const timeOf = (mark: string): number => Number.parseInt(mark, 36);
