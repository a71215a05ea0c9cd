import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { alarming } from '../core/alarms.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';
import { switchRule, twice } from './schedules.ts';

// The AWS services that start senders. Clients are made at their first use, which most runs of the schedule don't
// reach.

let lambda: LambdaClient | undefined;

/** The event of a sender: its receivers, which it serves concurrently, and whether the schedule has started it. */
export type SenderEvent = { readonly receivers: readonly string[]; readonly isScheduled?: boolean };

/** How many senders to start at a time. */
const concurrency = 25;

/**
 * The most receivers that a sender serves. Each may have ten connections, and a function may have 1,024 open files:
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const receiversPerSender = 40;

/** The most receivers for which one call of `startSenders` starts senders. */
export const mostStarted = (): number => Number(setting('WEBHOOK_SENDERS')) * receiversPerSender;

/**
 * Starts senders for receivers: one for each, but at most `WEBHOOK_SENDERS`, which then share the receivers. Lambda
 * queues the events, and retries them if the sender fails:
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async.html
 *
 * Receivers beyond what these senders can serve are left out, from the end. If a sender cannot be started, that is
 * logged. In both cases the receivers have due entries, so the schedule starts senders for them.
 *
 * @param isScheduled whether the schedule starts them. Only then do they serve receivers that were slow.
 */
export async function startSenders(receivers: Iterable<string>, isScheduled = false): Promise<void> {
  lambda ??= new LambdaClient({ maxAttempts: 1 });
  const client = lambda;
  const most = Number(setting('WEBHOOK_SENDERS'));
  const served = [...receivers].slice(0, mostStarted());
  const shares = Map.groupBy(served.entries(), ([index]) => index % most);
  await inParallel([...shares.values()], concurrency, async (share) => {
    const event: SenderEvent = { receivers: share.map(([, receiver]) => receiver), ...(isScheduled && { isScheduled }) };
    const Payload = JSON.stringify(event);
    try {
      const FunctionName = setting('SENDER_FUNCTION');
      const invoke = new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload });
      await reportingDenials(() => twice(() => client.send(invoke)));
    } catch (error) {
      console.error({ message: alarming.senderNotStarted, ...event, name: (error as Error).name });
    }
  });
}

/** Switches the schedule of the senders on. Idempotent. */
export const enableSchedule = (): Promise<void> => switchRule(setting('SENDER_SCHEDULE'), true);

/** Switches the schedule of the senders off. */
export const disableSchedule = (): Promise<void> => switchRule(setting('SENDER_SCHEDULE'), false);
