import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { type Limits, turns, type Whose } from './turns.ts';
import type { FromWorker, ToWorker, WorkerData } from './worker.ts';

/** How Lambda answers for a function that threw, crashed, ran out of time or of room. */
export class FunctionError extends Error {
  readonly errorType: string;
  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

export type WorkerPoolOptions = WorkerData & {
  readonly env: Readonly<Record<string, string>>;
  /** How many invocations may run at once; further ones wait. */
  readonly limits: Limits;
  readonly log: (line: string) => void;
};

export type WorkerPool = {
  /** Runs the function once, when its caller's turn has come. @throws FunctionError when it fails in any way. */
  run(payload: string, whose: Whose): Promise<string>;
  stop(): Promise<void>;
};

type Job = ToWorker & { readonly resolve: (payload: string) => void; readonly reject: (error: Error) => void };
type Slot = { readonly worker: Worker; job?: Job | undefined; timer?: NodeJS.Timeout };

const initLimitMs = 10_000;
const idleLimitMs = 120_000;
const responseLimit = 6 * 1024 * 1024 + 100;

/**
 * Runs a function in worker threads: one invocation at a time in each, threads made when needed and kept warm for a while.
 *
 * A thread has an environment of its own, a memory limit and can be killed when its time is up. One that crashes takes only its
 * own invocation with it.
 */
export function startWorkerPool({ env, limits, log, ...workerData }: WorkerPoolOptions): WorkerPool {
  const { functionName, memorySize, timeoutMs } = workerData;
  const slots = new Set<Slot>();
  const turn = turns(limits);

  function start(slot: Slot, job: Job): void {
    clearTimeout(slot.timer);
    slot.job = job;
    slot.timer = setTimeout(() => timeOut(slot, initLimitMs), initLimitMs);
    slot.worker.postMessage({ requestId: job.requestId, payload: job.payload } satisfies ToWorker);
  }

  function timeOut(slot: Slot, limitMs: number): void {
    fail(slot, new FunctionError('Sandbox.Timedout', `Task timed out after ${(limitMs / 1000).toFixed(2)} seconds`));
    void slot.worker.terminate();
  }

  /** Ends the slot's invocation, if it has one, and the slot with it. */
  function fail(slot: Slot, error: FunctionError): void {
    clearTimeout(slot.timer);
    if (!slots.delete(slot)) return; // A thread that was ended tells so too.
    if (slot.job) {
      log(`${functionName} ${slot.job.requestId} ${error.errorType}: ${error.message}`);
      slot.job.reject(error);
      slot.job = undefined;
    }
  }

  function settle(slot: Slot, message: Exclude<FromWorker, { type: 'started' }>): void {
    const job = slot.job;
    if (!job) return;
    if (message.type === 'error') {
      log(`${functionName} ${job.requestId} ${message.trace || `${message.errorType}: ${message.errorMessage}`}`);
      job.reject(new FunctionError(message.errorType, message.errorMessage));
    } else if (Buffer.byteLength(message.payload) > responseLimit) {
      log(`${functionName} ${job.requestId} Function.ResponseSizeTooLarge`);
      job.reject(new FunctionError('Function.ResponseSizeTooLarge', `Response payload size exceeded ${responseLimit} bytes.`));
    } else {
      job.resolve(message.payload);
    }
    slot.job = undefined;
    clearTimeout(slot.timer);
    slot.timer = setTimeout(() => {
      slots.delete(slot);
      void slot.worker.terminate();
    }, idleLimitMs);
  }

  function grow(): Slot {
    const worker = new Worker(join(import.meta.dirname, 'worker.ts'), {
      workerData: workerData satisfies WorkerData,
      env,
      // Not the parent's: a loader or an inspector of its own is nothing to do with a function.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memorySize },
      stdout: true,
      stderr: true,
    });
    const slot: Slot = { worker };
    slots.add(slot);
    for (const stream of [worker.stdout, worker.stderr]) {
      createInterface(stream).on('line', (line) => log(`${functionName} ${line}`));
    }
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'started') {
        clearTimeout(slot.timer);
        slot.timer = setTimeout(() => timeOut(slot, timeoutMs), timeoutMs);
      } else {
        settle(slot, message);
      }
    });
    worker.on('error', (error: Error & { code?: string }) =>
      fail(slot, new FunctionError(error.code ?? error.name, error.message)),
    );
    worker.on('exit', (code) => fail(slot, new FunctionError('Runtime.ExitError', `Runtime exited with code ${code}`)));
    return slot;
  }

  let stopped = false;
  return {
    run: async (payload, whose) => {
      const endTurn = await turn(whose);
      try {
        if (stopped) throw new FunctionError('Stopped', 'the service is stopping');
        return await new Promise((resolve, reject) => {
          const idle = [...slots].find((slot) => !slot.job);
          start(idle ?? grow(), { requestId: randomUUID(), payload, resolve, reject });
        });
      } finally {
        endTurn();
      }
    },
    stop: async () => {
      stopped = true;
      await Promise.all([...slots].map(({ worker }) => worker.terminate()));
    },
  };
}
