import { type AttemptLimit, sharedLimit, visitorLimit, visitorName } from '../domain/attempts.ts';
import { randomBase62 } from '../domain/base62.ts';
import type { Link } from '../domain/link.ts';
import type { Item } from './table/client.ts';
import { any, ifConditionFails, lacks } from './table/conditions.ts';
import { textSet } from './table/fields.ts';
import { attemptsKey, type Key } from './table/keys.ts';
import { updateItem } from './table/writes.ts';

/** How far clocks may be apart, in milliseconds. A mark that lies further ahead is of a clock that is wrong, and counts for nothing. */
const toleranceMs = 10_000;

/** An attempt that was let through, until it turns out that the password was right; or how long to wait, in seconds. */
export type Attempt = { readonly giveBack: () => Promise<void> } | { readonly retryAfter: number };

/**
 * Takes an attempt at a link's password, before anything is hashed: however many come at once, never more are under way or were wrong
 * in any time than `visitorLimit` and `sharedLimit` say. One whose password was right is to be given back.
 */
export async function takeAttempt(link: Link, sourceIp: string, now: number): Promise<Attempt> {
  const mark = `${now.toString(36)}.${randomBase62(8)}`;
  const keyOf = (visitor: string) => attemptsKey(link.id, visitor);
  const ofVisitor = keyOf(visitorName(link, sourceIp));
  // The visitor's own first: it says the how manieth guess it is.
  const own = await takeMark(ofVisitor, mark, visitorLimit, now);
  if ('retryAfter' in own) return own;
  // Named by the password's hash like a visitor, so that another password lifts the limit.
  const ofAll = keyOf(visitorName(link, `GUESS ${own.marks}`));
  const shared = await takeMark(ofAll, mark, sharedLimit(own.marks), now);
  if ('retryAfter' in shared) {
    await remove(ofVisitor, [mark]);
    return shared;
  }
  return { giveBack: async () => void (await Promise.all([remove(ofVisitor, [mark]), remove(ofAll, [mark])])) };
}

/**
 * Puts a mark among those of the limit's time where there are fewer than the limit.
 *
 * The item has a set of marks, each with its time. A set takes a mark once, and its size is part of the write's condition: so that
 * neither a crowd nor a repetition after a lost answer is counted wrong. What is too old is taken out when the set is full.
 *
 * @returns how many marks there are with it, or how many seconds it takes until there is room.
 */
async function takeMark(
  key: Key,
  mark: string,
  { limit, windowSeconds }: AttemptLimit,
  now: number,
): Promise<{ readonly marks: number } | { readonly retryAfter: number }> {
  const windowMs = windowSeconds * 1_000;
  const isCurrent = (one: string) => timeOf(one) > now - windowMs && timeOf(one) <= now + toleranceMs;
  const ttl = Math.ceil((now + windowMs) / 1_000);
  for (;;) {
    const write = updateItem(
      key,
      { text: 'ADD #marks :mine SET #ttl = :ttl', values: { ':mine': new Set([mark]), ':ttl': ttl } },
      any(lacks('marks'), { text: 'size(#marks) < :limit', values: { ':limit': limit } }),
    );
    const marks = marksOf(await ifConditionFails(write, (failed) => failed.held()));
    const current = marks.filter(isCurrent);
    // Where the condition failed, its answer was lost.
    if (marks.includes(mark)) return { marks: current.length };
    const old = marks.filter((one) => !isCurrent(one));
    if (old.length === 0) {
      const oldest = Math.min(...current.map(timeOf));
      return { retryAfter: Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000)) };
    }
    await remove(key, old);
  }
}

const marksOf = (item: Item): string[] => [...textSet(item, 'marks')];

/** Takes marks out; those that are not there do no harm. */
const remove = (key: Key, marks: readonly string[]) =>
  updateItem(key, { text: 'DELETE #marks :marks', values: { ':marks': new Set(marks) } });

const timeOf = (mark: string): number => Number.parseInt(mark, 36);
