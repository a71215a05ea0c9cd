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

/** Runs a function in threads. They start when they are needed, and stay warm for a while. */
export function startWorkerPool({ limits, ...options }: WorkerPoolOptions): WorkerPool {
  const threads = new Set<WorkerThread>();
  const turn = turns(limits);
  let stopped = false;

  function newThread(): WorkerThread {
    const thread = startThread(options, () => threads.delete(thread));
    threads.add(thread);
    return thread;
  }

  return {
    run: async (payload, whose) => {
      const endTurn = await turn(whose);
      try {
        if (stopped) throw new FunctionError('Stopped', 'the service is stopping');
        const free = [...threads].find((thread) => thread.isFree());
        return await (free ?? newThread()).run(payload);
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
