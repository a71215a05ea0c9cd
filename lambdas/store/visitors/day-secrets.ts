import { randomBytes } from 'node:crypto';
import { dayMs, dayOfTime } from '../../core/click/day.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { tableTime } from '../table/clock.ts';
import { text } from '../table/fields.ts';
import { daySecretKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { deleteItem, putIfAbsent } from '../table/writes.ts';

/**
 * Each day in UTC has a secret with which visitors are hashed (`../../core/visitor/visitor-hash.ts`). Once it is
 * deleted, nobody can tell any more whose hashes the day's are. So it is in a table without backups. Only the schedule
 * writes and deletes it (`../../events/rotate-day-secrets.ts`). It writes a day ahead, so that visitors don't wait at
 * midnight.
 *
 * All functions must use the same secret for a day, or a visitor would be counted twice. So it is put only if there is
 * none, and never changed. For example, two runs of the schedule overlap:
 *
 *     F   puts a secret for tomorrow, if there is none    done, and the response is lost
 *     G   puts a secret for tomorrow, if there is none    refused
 *     F   tries again                                     refused, and the first secret stays
 */

/**
 * How long a day's secret is kept after the day, in milliseconds: visits that began before midnight have ended by then.
 */
const keptMs = 60 * 60_000;

/**
 * The number of days before today whose secrets each run deletes, so that a schedule that was down for a week catches
 * up. DynamoDB deletes older ones by their `ttl`.
 */
const deletedDays = 7;

/** The day in UTC of a time in milliseconds since 1970. */
const dayAt = (ms: number): string => dayOfTime(new Date(ms).toISOString());

/** The secret of a day: 43 characters that stand for 256 random bits; undefined if there is none. */
export async function getDaySecret(day: string): Promise<string | undefined> {
  const item = await getItem(daySecretKey(day));
  return item && text(item, 'secret');
}

/** Whether a day is yesterday, today or tomorrow by the table's clock, as far as responses have shown it. */
export const isAround = (day: string, now = tableTime()): boolean => Math.abs(Date.parse(day) + dayMs / 2 - now) <= 1.5 * dayMs;

/** Makes the secrets of today and tomorrow if there are none, and deletes those of days that are over. */
export async function rotateDaySecrets(): Promise<void> {
  // The first response corrects the clock. A secret for a wrong day does no harm, while a deletion would.
  await makeSecret(dayAt(tableTime()));
  const now = tableTime();
  await inParallel([0, 1], 2, (ahead) => makeSecret(dayAt(now + ahead * dayMs)));
  const over = Array.from({ length: deletedDays }, (_, index) => dayAt(now - keptMs - (index + 1) * dayMs));
  await inParallel(over, deletedDays, (day) => deleteItem(daySecretKey(day)));
}

async function makeSecret(day: string): Promise<void> {
  const ttl = (Date.parse(day) + dayMs + keptMs) / 1_000;
  await putIfAbsent({ ...daySecretKey(day), secret: randomBytes(32).toString('base64url'), ttl });
}
