import { type AttemptLimit, sharedLimit, visitorLimit, visitorName } from '../../domain/attempts.ts';
import { randomBase62 } from '../../domain/base62.ts';
import type { Link } from '../../domain/link.ts';
import type { Item } from '../table/client.ts';
import { any, ifConditionFails, lacks } from '../table/conditions.ts';
import { textSet } from '../table/fields.ts';
import { attemptsKey, type Key } from '../table/keys.ts';
import { updateItem } from '../table/writes.ts';

/**
 * The tolerance for differences between clocks, in milliseconds. Marks further ahead come from a wrong clock and are
 * ignored.
 */
const toleranceMs = 10_000;

/** An attempt that may proceed, to be given back if the password is right; or how long to wait, in seconds. */
export type Attempt = { readonly giveBack: () => Promise<void> } | { readonly retryAfter: number };

/**
 * Takes an attempt at a link's password, before anything is hashed. However many requests arrive at once, the attempts
 * that are running or were wrong never exceed `visitorLimit` and `sharedLimit` in any window. Give the attempt back if
 * the password was right.
 */
export async function takeAttempt(link: Link, sourceIp: string, now: number): Promise<Attempt> {
  const mark = `${now.toString(36)}.${randomBase62(8)}`;
  const keyOf = (visitor: string) => attemptsKey(link.id, visitor);
  const ofVisitor = keyOf(visitorName(link, sourceIp));
  // The visitor's own limit first: it tells the number of this guess.
  const own = await takeMark(ofVisitor, mark, visitorLimit, now);
  if ('retryAfter' in own) return own;
  // Keyed with the password's hash, like a visitor's name, so that a new password resets the limit.
  const ofAll = keyOf(visitorName(link, `GUESS ${own.marks}`));
  const shared = await takeMark(ofAll, mark, sharedLimit(own.marks), now);
  if ('retryAfter' in shared) {
    await remove(ofVisitor, [mark]);
    return shared;
  }
  return { giveBack: async () => void (await Promise.all([remove(ofVisitor, [mark]), remove(ofAll, [mark])])) };
}

/**
 * Adds a mark if there are fewer than the limit in its window.
 *
 * The item has a set of marks, each with its time. A set takes a mark only once, and its size is part of the write's
 * condition. So neither concurrent requests nor a retry after a lost response are miscounted. Old marks are removed
 * once the set is full.
 *
 * @returns how many marks there are, including this one, or how many seconds to wait for room.
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
    // If the condition failed although the mark is there, an earlier attempt added it and its response was lost.
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

/** Removes marks; no-op for those that aren't there. */
const remove = (key: Key, marks: readonly string[]) =>
  updateItem(key, { text: 'DELETE #marks :marks', values: { ':marks': new Set(marks) } });

const timeOf = (mark: string): number => Number.parseInt(mark, 36);
