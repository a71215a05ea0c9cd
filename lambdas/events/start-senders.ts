import type { Context } from 'aws-lambda';
import { disableSchedule, enableSchedule, mostStarted, startSenders } from '../outbound/senders.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { tableTime } from '../store/table/clock.ts';
import type { ReceiverPk } from '../store/table/keys.ts';
import { dueReceivers, endSchedule, ensureScheduled, getReceivers, keepScheduled } from '../store/webhooks/receivers.ts';

const schedule = { enable: enableSchedule, disable: disableSchedule };

/**
 * Starts senders for the receivers that are due. The schedule runs this function every minute while any receiver is
 * due, now or later. Once none is, the function switches the schedule off.
 *
 * @param event `{ "isHourly": true }` from the other schedule, which switches the first one on if that was missed.
 */
export const handler = (event: { readonly isHourly?: boolean }, context: Context): Promise<void> =>
  withinInvocation(context, async () => {
    if (event.isHourly) return keepScheduled(schedule);
    const due: ReceiverPk[] = [];
    let isAny = false;
    for await (const { pk, at } of dueReceivers()) {
      isAny = true;
      // The response of the query has corrected the function's idea of the table's time.
      if (at <= tableTime()) due.push(pk);
    }
    if (!isAny) return endSchedule(schedule);
    await startSenders(await inServingOrder(due), true);
    // Whoever switched the schedule on may have died before the item said so.
    await ensureScheduled(schedule);
  });

/**
 * Receivers in the order in which to serve them: at random, so that none is always the last if there are too many for
 * one run. In that case, those that were slow come after all others, because they must not take the others' senders.
 */
async function inServingOrder(due: readonly ReceiverPk[]): Promise<ReceiverPk[]> {
  const receivers = shuffled(due);
  if (receivers.length <= mostStarted()) return receivers;
  const { true: slow = [], false: others = [] } = Object.groupBy(await getReceivers(receivers), ({ isSlow }) => `${isSlow}`);
  return [...others, ...slow].map(({ pk }) => pk);
}

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((value) => ({ value, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
