import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** What happens to a write whose response is lost: it is executed, never, or after the work has ended. */
export type Fate = 'done' | 'never done' | 'done late';

const isWrite = (command: string | undefined) => !/^(Get|BatchGet|Query)/.test(command ?? '');

/**
 * Runs the work, and loses the response to one of its writes.
 *
 * @param fate what happens to that write.
 * @param options.other what somebody else does: before the work sends anything else; or, if the write is done late,
 * after the work and before that write.
 * @param options.number which write loses its response, counted from 0.
 */
export async function lostAnswer<T>(
  client: DynamoDBClient,
  fate: Fate,
  { other, work, number = 0 }: { other: () => Promise<unknown>; work: () => Promise<T>; number?: number },
): Promise<T> {
  let seen = 0;
  let isBusy = false;
  let late = async (): Promise<unknown> => undefined;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (isBusy || !isWrite(commandName) || seen++ !== number) return next(args);
        isBusy = true;
        if (fate === 'done') await next(args);
        // If the write is late, `other` acts only after the work has ended.
        if (fate === 'done late') late = () => next(args);
        else await other();
        isBusy = false;
        throw Object.assign(new Error('injected TimeoutError'), { name: 'TimeoutError', $metadata: { httpStatusCode: 0 } });
      },
    { step: 'finalizeRequest', priority: 'low', name: 'lostAnswer', override: true },
  );
  try {
    const result = await work();
    if (fate === 'done late') {
      await other();
      // The write's condition may fail by now.
      await late().catch(() => {});
    }
    return result;
  } finally {
    client.middlewareStack.remove('lostAnswer');
  }
}
