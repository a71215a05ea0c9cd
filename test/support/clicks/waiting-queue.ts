import { expect } from 'vitest';
import { asOther } from '../faults/faults.ts';
import { contextWith } from '../http/invoke.ts';

/** Delivers messages to the function that records waiting clicks. @returns those that stay in the queue, by their places */
export async function deliverWaiting(messages: readonly string[], budget = 20_000): Promise<number[]> {
  const { handler } = await import('../../../lambdas/events/record-waiting-clicks.ts');
  const Records = messages.map((body, place) => ({ messageId: `message-${place}`, body }));
  const { batchItemFailures } = await handler({ Records } as never, contextWith(budget));
  return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier.replace('message-', '')));
}

/** What SQS does with a message: it takes or refuses it. */
type Answer = 'taken' | 'refused';

/**
 * A queue in place of SQS, for `vi.mock`.
 *
 * @param isRead whether each message is delivered at once, outside of the work that sends it.
 */
export function waitingQueue({ isRead = false } = {}) {
  const sent: string[] = [];
  let answer: Answer = 'taken';
  return {
    sent,
    /** What happens to the messages from now on. */
    answers: (next: Answer) => {
      answer = next;
    },
    module: {
      sendClick: async (message: string) => {
        if (answer === 'refused') throw Object.assign(new Error('refused'), { name: 'OverLimit' });
        sent.push(message);
        if (isRead) expect(await asOther(() => deliverWaiting([message]))).toEqual([]);
      },
    },
  };
}
