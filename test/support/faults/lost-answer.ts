import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** What becomes of a write whose answer is lost: it was done, it was not, or it is done when all is over. */
export type Fate = 'done' | 'never done' | 'done late';

const isWrite = (command: string | undefined) => !/^(Get|BatchGet|Query)/.test(command ?? '');

/**
 * Does the work, loses the answer to the first of its writes (from `number` on, counted from 0), and has somebody else act before anything
 * else of the work is sent. A write that is done late reaches the table once the work is over, and whatever `before` does then.
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
        // Whoever acts after a write that comes late acts after the work has had its answer, too.
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
      // Its condition may refuse it.
      await late().catch(() => {});
    }
    return result;
  } finally {
    client.middlewareStack.remove('lostAnswer');
  }
}
