import { type Limits, turns, type Whose } from './turns.ts';
import { FunctionError, startThread, type ThreadOptions, type WorkerThread } from './worker-thread.ts';

export type WorkerPoolOptions = ThreadOptions & {
  /** How many invocations may run at once; others wait. */
  readonly limits: Limits;
};

export type WorkerPool = {
  /** Runs the function once, when it is its caller's turn. @throws FunctionError if the function fails in any way. */
  run(payload: string, whose: Whose): Promise<string>;
  stop(): Promise<void>;
};

/**
 * Runs a function in threads. They start when they are needed, one after another, and stay warm for a while: the first
 * thread has often handled a whole burst before another one could start.
 */
export function startWorkerPool({ limits, ...options }: WorkerPoolOptions): WorkerPool {
  const threads = new Set<WorkerThread>();
  const turn = turns(limits);
  let stopped = false;

  let change = Promise.withResolvers<void>();

  function onChange(): void {
    change.resolve();
    change = Promise.withResolvers();
  }

  function newThread(): WorkerThread {
    const thread = startThread(options, () => {
      if (thread.state() === 'ended') threads.delete(thread);
      onChange();
    });
    threads.add(thread);
    return thread;
  }

  /** A free thread, or else a new one, unless one is already starting. */
  function findThread(): WorkerThread | undefined {
    if (stopped) throw new FunctionError('Stopped', 'the service is stopping');
    const is = (state: ReturnType<WorkerThread['state']>) => [...threads].find((thread) => thread.state() === state);
    return is('free') ?? (is('starting') ? undefined : newThread());
  }

  return {
    run: async (payload, whose) => {
      const endTurn = await turn(whose);
      try {
        let thread = findThread();
        while (!thread) {
          await change.promise;
          thread = findThread();
        }
        return await thread.run(payload);
      } finally {
        endTurn();
      }
    },
    stop: async () => {
      stopped = true;
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}
