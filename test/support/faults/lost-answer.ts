import { AsyncLocalStorage } from 'node:async_hooks';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Operation } from '../../../lambdas/store/table/operations.ts';
import { asOther } from './faults.ts';

/** What happens to a write whose response is lost: it is executed, never, or after the work has ended. */
export type Fate = 'done' | 'never done' | 'done late';

const isWrite = (operation: Operation) => !/^(Get|BatchGet|Query)/.test(operation);

/**
 * Runs the work, and loses the response to one of its writes.
 *
 * @param fate what happens to that write.
 * @param options.other what somebody else does: before the work sends anything else; or, if the write is done late,
 * after the work and before that write.
 * @param options.number which write loses its response, counted from 0.
 */
export async function lostAnswer<T>(
  fate: Fate,
  { other, work, number = 0 }: { other: () => Promise<unknown>; work: () => Promise<T>; number?: number },
): Promise<T> {
  let seen = 0;
  const mine = new AsyncLocalStorage<true>();
  let late = async (): Promise<unknown> => undefined;
  const stop = intercept(async (operation, input, next) => {
    if (!mine.getStore() || !isWrite(operation) || seen++ !== number) return next(input);
    if (fate === 'done') await next(input);
    // If the write is late, `other` acts only after the work has ended.
    if (fate === 'done late') late = () => next(input);
    else await asOther(other);
    throw Object.assign(new Error('injected TimeoutError'), { name: 'TimeoutError', $metadata: { httpStatusCode: 0 } });
  });
  try {
    const result = await mine.run(true, work);
    if (fate === 'done late') {
      await other();
      // The write's condition may fail by now.
      await late().catch(() => {});
    }
    return result;
  } finally {
    stop();
  }
}
