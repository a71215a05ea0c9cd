import { setTimeout as sleep } from 'node:timers/promises';
import type { Functions } from './functions/functions.ts';
import type { Queues } from './streams/queues.ts';
import type { Template } from './template/template.ts';

type EventInvokeProperties = {
  readonly FunctionName: string;
  readonly MaximumRetryAttempts?: number;
  readonly MaximumEventAgeInSeconds?: number;
  readonly DestinationConfig?: { readonly OnFailure?: { readonly Destination: string } };
};

export type Events = {
  /**
   * Runs a function asynchronously.
   *
   * @throws Error if there is no such function.
   */
  invokeLater(which: string, payload: string): void;
  stop(): void;
};

/** The pauses before the retries: https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
const pausesMs = [60_000, 120_000];

/**
 * Lambda's queue of asynchronous events. A failed event is retried twice, unless its function's settings say otherwise,
 * and then goes to the destination for failures. Events that are waiting when the service stops are lost.
 */
export function openEvents(template: Template, functions: Functions, queues: Queues, log: (line: string) => void): Events {
  const settings = template.ofType<EventInvokeProperties>('AWS::Lambda::EventInvokeConfig');
  const stopping = new AbortController();

  const settingsOf = (arn: string) =>
    settings.find(({ properties }) => functions.arnOf(properties.FunctionName) === arn)?.properties;

  async function run(arn: string, payload: string): Promise<void> {
    const { MaximumRetryAttempts = 2, MaximumEventAgeInSeconds = 21_600, DestinationConfig } = settingsOf(arn) ?? {};
    const until = Date.now() + MaximumEventAgeInSeconds * 1_000;
    for (let failures = 0; ; ) {
      try {
        await functions.invoke(arn, payload);
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log(`${arn}: ${(error as Error).message}`);
      }
      failures++;
      const pause = pausesMs[failures - 1] ?? 0;
      const isOld = Date.now() + pause > until;
      if (failures <= MaximumRetryAttempts && !isOld) {
        await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return;
        continue;
      }
      const destination = DestinationConfig?.OnFailure?.Destination;
      if (destination) queues.send(destination, failureMessage(arn, payload, failures, isOld));
      return;
    }
  }

  return {
    invokeLater: (which, payload) => void run(functions.arnOf(which), payload),
    stop: () => stopping.abort(),
  };
}

/**
 * What Lambda sends to a destination for failures:
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
 */
const failureMessage = (arn: string, payload: string, invocations: number, isOld: boolean): object => ({
  version: '1.0',
  timestamp: new Date().toISOString(),
  requestContext: {
    functionArn: `${arn}:$LATEST`,
    condition: isOld ? 'EventAgeExceeded' : 'RetriesExhausted',
    approximateInvokeCount: invocations,
  },
  requestPayload: JSON.parse(payload),
});
