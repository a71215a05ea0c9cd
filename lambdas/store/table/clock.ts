/**
 * The table's clock, estimated from its responses. A function's own clock may be wrong by seconds, and by far more
 * after a thaw; DynamoDB's clock is the same for all functions. Each response has it as `Date`, in whole seconds.
 */

/** How far the table's clock is ahead of this function's, in milliseconds; 0 until a response shows otherwise. */
let offset = 0;

/**
 * The tolerance for the clock, in milliseconds. A correct clock is off by milliseconds. A wrong one is corrected to
 * within half a second and half the response time, because `Date` has whole seconds.
 */
const clockSlackMs = 600;

/** The table's time, as far as its responses have shown it, in milliseconds since 1970. */
export const tableTime = (): number => Math.round(Date.now() + offset);

/**
 * Corrects the estimate of the table's time by a response. The response was made between the request and its arrival,
 * in the second that `Date` names. If the offset agrees with that, it does not change, so that a correct clock stays
 * exact to the millisecond. If it is off by at most `clockSlackMs`, it moves only as far as needed; otherwise to the
 * middle of what is possible.
 *
 * @param date the response's header `Date`. Without it, nothing changes.
 */
export function adjustClock(date: string | undefined, sentAt: number, receivedAt: number): void {
  const second = Date.parse(date ?? '');
  if (Number.isNaN(second)) return;
  const [least, most] = [second - receivedAt, second + 1_000 - sentAt];
  const nearest = Math.min(Math.max(offset, least), most);
  offset = Math.abs(nearest - offset) > clockSlackMs ? (least + most) / 2 : nearest;
}
