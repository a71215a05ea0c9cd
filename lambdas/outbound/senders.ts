import { DisableRuleCommand, EnableRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { inParallel } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';

// The AWS services that start senders. Clients are made at their first use, which most runs of the schedule don't reach.
// Each call is one attempt: the stream repeats its batch, and the schedule runs again in a minute.

let lambda: LambdaClient | undefined;
let eventBridge: EventBridgeClient | undefined;

/** What a sender is invoked with. */
export type SenderEvent = { readonly receiver: string };

/** How many senders to start at a time. */
const inFlight = 25;

/**
 * Starts a sender for each receiver. Lambda keeps the events, and tries them again if the sender fails:
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async.html
 *
 * One that cannot be started is logged. Its receiver is marked as due, so the schedule starts it.
 */
export async function startSenders(receivers: Iterable<string>): Promise<void> {
  lambda ??= new LambdaClient({ maxAttempts: 1 });
  const client = lambda;
  await inParallel([...receivers], inFlight, async (receiver) => {
    const Payload = JSON.stringify({ receiver } satisfies SenderEvent);
    try {
      await client.send(new InvokeCommand({ FunctionName: setting('SENDER_FUNCTION'), InvocationType: 'Event', Payload }));
    } catch (error) {
      console.error({ message: 'a sender could not be started', receiver, name: (error as Error).name });
    }
  });
}

/** Switches the schedule of the senders on. Doing it again changes nothing. */
export async function enableSchedule(): Promise<void> {
  eventBridge ??= new EventBridgeClient({ maxAttempts: 1 });
  await eventBridge.send(new EnableRuleCommand({ Name: setting('SENDER_SCHEDULE') }));
}

/** Switches the schedule of the senders off. */
export async function disableSchedule(): Promise<void> {
  eventBridge ??= new EventBridgeClient({ maxAttempts: 1 });
  await eventBridge.send(new DisableRuleCommand({ Name: setting('SENDER_SCHEDULE') }));
}
