import { randomBase62 } from '../../core/base62.ts';
import type { RateLimit } from '../../core/limits.ts';
import type { Link } from '../../core/link/link.ts';
import { guesserName, sharedLimit, visitorLimit, visitorName } from '../../core/visit/password-guesses.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { hasRoomFor, ifConditionFails } from '../table/expressions.ts';
import { textSet } from '../table/fields.ts';
import { attemptsKey, type Key } from '../table/keys.ts';
import { updateItem } from '../table/writes.ts';

/**
 * How guesses at a link's password are limited. Before anything is hashed, a guess takes an entry in each of two sets:
 * that of the visitor, and that of all visitors whose guess has the same number. For example, with room for two:
 *
 *     visitor A   adds a1 to its own set, and to the set of first guesses     both have room: the password is hashed
 *     visitor A   the password was right: removes a1 from both
 *     visitor B   adds b1 to its own set, and to the set of first guesses     the password was wrong: b1 stays
 *     visitor C   adds c1 in the same way, and dies                           c1 stays
 *     visitor D   adds d1 to its own set; the set of first guesses is full    removes d1, and waits until b1 is old
 *
 * A set takes a guess only once, and its size is part of the write's condition. So neither concurrent requests nor a
 * retry after a lost response are miscounted. Old guesses are removed once a set is full.
 *
 * They have no ordered slots, as the requests of `request-limits.ts` have, because a right password gives its guess
 * back. Removing it from a set never conflicts with what others add; moving slots would, among all visitors of a link.
 */

/**
 * How much later than this guess a faster one may have been received, in milliseconds. Guesses further ahead come from
 * a restored table, and are ignored.
 */
const toleranceMs = 60_000;

/** A guess that may proceed, to be given back if the password is right; or how long to wait, in seconds. */
export type Guess = { readonly giveBack: () => Promise<void> } | { readonly retryAfter: number };

/**
 * Takes a guess at a link's password, before anything is hashed. However many requests arrive at once, the guesses that
 * are running or were wrong never exceed `visitorLimit` and `sharedLimit` in any window. Give the guess back if the
 * password was right.
 *
 * @param now when the gateway received the request, in milliseconds since 1970: a function whose clock is hours behind
 *   would take fresh guesses for those of a wrong clock, and remove them.
 */
export async function takeGuess(link: Link, sourceIp: string, now: number): Promise<Guess> {
  const guess = newGuess(now);
  const keyOf = (visitor: string) => attemptsKey(link.id, visitor);
  const ofVisitor = keyOf(visitorName(link, sourceIp));
  // The visitor's own limit first: it tells the number of this guess.
  const own = await addGuess(ofVisitor, guess, visitorLimit, now);
  if ('retryAfter' in own) return own;
  // Keyed with the password's hash, like a visitor's name, so that a new password resets the limit.
  const ofAll = keyOf(guesserName(link, `GUESS ${own.guesses}`));
  const shared = await addGuess(ofAll, guess, sharedLimit(own.guesses), now);
  if ('retryAfter' in shared) {
    await remove(ofVisitor, [guess]);
    return shared;
  }
  return { giveBack: async () => void (await Promise.all([remove(ofVisitor, [guess]), remove(ofAll, [guess])])) };
}

/**
 * The same for a guess by the link's workspace, whose keys may change links but not read passwords. All its guesses
 * have one set of `visitorLimit`, apart from those of visitors, so that neither uses up the other's.
 */
export async function takeOwnGuess(link: Link, now = tableTime()): Promise<Guess> {
  const guess = newGuess(now);
  const key = attemptsKey(link.id, guesserName(link, 'WORKSPACE'));
  const own = await addGuess(key, guess, visitorLimit, now);
  return 'retryAfter' in own ? own : { giveBack: async () => void (await remove(key, [guess])) };
}

/** A guess in a set: its time and a random part. */
const newGuess = (now: number): string => `${now.toString(36)}.${randomBase62(8)}`;

/**
 * Adds a guess to the set of an item, if there are fewer than the limit in its window.
 *
 * @returns how many guesses there are, including this one, or how many seconds to wait for room.
 */
async function addGuess(
  key: Key,
  guess: string,
  { quota, windowSeconds }: RateLimit,
  now: number,
): Promise<{ readonly guesses: number } | { readonly retryAfter: number }> {
  const windowMs = windowSeconds * 1_000;
  const isCurrent = (one: string) => timeOf(one) > now - windowMs && timeOf(one) <= now + toleranceMs;
  const ttl = Math.ceil((now + windowMs) / 1_000);
  for (;;) {
    const write = updateItem(
      key,
      { text: 'ADD #marks :mine SET #ttl = :ttl', values: { ':mine': new Set([guess]), ':ttl': ttl } },
      hasRoomFor('marks', guess, quota),
    );
    const guesses = guessesOf(await ifConditionFails(write, (failed) => failed.held()));
    const current = guesses.filter(isCurrent);
    if (guesses.includes(guess)) return { guesses: current.length };
    const old = guesses.filter((one) => !isCurrent(one));
    if (old.length === 0) {
      const oldest = Math.min(...current.map(timeOf));
      return { retryAfter: Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000)) };
    }
    await remove(key, old);
  }
}

const guessesOf = (item: Item): string[] => [...textSet(item, 'marks')];

/** Removes guesses; no-op for those that aren't there. */
const remove = (key: Key, guesses: readonly string[]) =>
  updateItem(key, { text: 'DELETE #marks :marks', values: { ':marks': new Set(guesses) } });

const timeOf = (guess: string): number => Number.parseInt(guess, 36);
