import { client } from './client.ts';

/**
 * The table's clock, as its answers show it. A function's own clock may be wrong by seconds, and after a thaw by far more; that of
 * DynamoDB is the same for all functions. Each answer has it as `Date`, in whole seconds.
 */

/** What the table's clock is ahead of this function's, in milliseconds; 0 until an answer shows otherwise. */
let offset = 0;

/**
 * So much is no error of a clock. One that is right differs by milliseconds; one that was wrong is known to half a second, since `Date` has
 * whole ones.
 */
export const clockSlackMs = 600;

client.middlewareStack.add(
  (next) => async (args) => {
    const sentAt = Date.now();
    const result = await next(args);
    // Errors of the table come as answers here, too.
    const { headers } = result.response as { readonly headers?: Readonly<Record<string, string>> };
    const date = Date.parse(headers?.date ?? '');
    if (!Number.isNaN(date)) learn(date, sentAt, Date.now());
    return result;
  },
  // Next to the wire, so that it sees what others make of an answer before they do.
  { step: 'deserialize', priority: 'low', name: 'tableClock' },
);

/**
 * Moves the offset no further than an answer asks for. The answer was made after it was asked for, in the second that it names, and
 * before it came: a clock that agrees with that is left alone, so that one that is right stays exact to the millisecond.
 */
function learn(date: number, sentAt: number, receivedAt: number): void {
  const [least, most] = [date - receivedAt, date + 1_000 - sentAt];
  const nearest = Math.min(Math.max(offset, least), most);
  offset = Math.abs(nearest - offset) > clockSlackMs ? (least + most) / 2 : nearest;
}

/**
 * Does work by the table's time, as far as this function knows it.
 *
 * @returns what the work came to, the time that it began at and went by, in milliseconds since 1970, and whether the answers that it got
 *   agree with that time. If they do, it was off by at most 1.6 s, the resolution of `Date` and the slack, and by as long as its last
 *   answer took. If not, the next work goes by a better one.
 */
export async function byTableTime<T>(
  work: (now: number) => Promise<T>,
): Promise<{ readonly result: T; readonly now: number; readonly isRight: boolean }> {
  const before = offset;
  const now = Math.round(Date.now() + before);
  const result = await work(now);
  return { result, now, isRight: Math.abs(offset - before) <= clockSlackMs };
}
