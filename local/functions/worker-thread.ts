import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

/** A function's failure as Lambda reports it: it threw, crashed, timed out, or exceeded a size limit. */
export class FunctionError extends Error {
  readonly errorType: string;
  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

/** What a worker gets when it starts. */
export type WorkerData = {
  readonly file: string;
  readonly exportName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memorySize: number;
  readonly timeoutMs: number;
};
/** Payloads are passed as JSON text, as on Lambda, so that nothing but JSON gets through. */
export type ToWorker = { readonly requestId: string; readonly payload: string };
export type FromWorker =
  | { readonly type: 'started' }
  | { readonly type: 'result'; readonly payload: string }
  | { readonly type: 'error'; readonly errorType: string; readonly errorMessage: string; readonly trace: string };

export type ThreadOptions = WorkerData & {
  readonly env: () => Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
};

/** A thread that runs one invocation of a function at a time. */
export type WorkerThread = {
  readonly state: () => 'starting' | 'free' | 'busy' | 'ended';
  /** @throws FunctionError if the function fails in any way. */
  run(payload: string): Promise<string>;
  terminate(): Promise<unknown>;
};

/** The end of an invocation. */
type Ended = Exclude<FromWorker, { type: 'started' }>;

type Job = ToWorker & { readonly resolve: (payload: string) => void; readonly reject: (error: Error) => void };

const initLimitMs = 10_000;
const idleLimitMs = 120_000;
const responseLimit = 6 * 1024 * 1024 + 100;

/**
 * Starts a thread for a function, with its own environment and a memory limit. The thread is killed if an invocation
 * times out, or after two minutes without an invocation. If it crashes, only its own invocation fails.
 *
 * @param onChange called when it has started, is free again, or takes no more invocations.
 */
export function startThread({ env, log, ...workerData }: ThreadOptions, onChange: () => void): WorkerThread {
  const { functionName, timeoutMs } = workerData;
  let job: Job | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasStarted = false;
  let hasEnded = false;
  const worker = newWorker(workerData, env());
  for (const stream of [worker.stdout, worker.stderr]) {
    createInterface(stream).on('line', (line) => log(`${functionName} ${line}`));
  }
  worker.on('message', (message: FromWorker) => {
    if (message.type === 'started') start();
    else settle(message);
  });
  worker.on('error', (error: Error & { code?: string }) => fail(new FunctionError(error.code ?? error.name, error.message)));
  worker.on('exit', (code) => fail(new FunctionError('Runtime.ExitError', `Runtime exited with code ${code}`)));

  function end(): void {
    clearTimeout(timer);
    hasEnded = true;
    onChange();
  }

  /**
   * Marks the thread as ended, and fails its invocation if it has one. No-op if it has ended: `exit` follows every end.
   */
  function fail(error: FunctionError): void {
    if (hasEnded) return;
    end();
    if (!job) return;
    log(`${functionName} ${job.requestId} ${error.errorType}: ${error.message}`);
    job.reject(error);
    job = undefined;
  }

  /** The module is loaded. From here, its first invocation has its own time. */
  function start(): void {
    hasStarted = true;
    if (job) limit(timeoutMs);
    onChange();
  }

  /** Kills the thread in `ms` milliseconds; replaces an earlier limit. */
  function limit(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      fail(new FunctionError('Sandbox.Timedout', `Task timed out after ${(ms / 1_000).toFixed(2)} seconds`));
      void worker.terminate();
    }, ms);
  }

  /** Ends the invocation with its result. From here, the thread may be idle for a while. */
  function settle(message: Ended): void {
    if (!job) return;
    const result = resultOf(message);
    if (typeof result === 'string') job.resolve(result);
    else {
      log(`${functionName} ${job.requestId} ${result.logged}`);
      job.reject(result.error);
    }
    job = undefined;
    clearTimeout(timer);
    timer = setTimeout(() => {
      end();
      void worker.terminate();
    }, idleLimitMs);
    onChange();
  }

  return {
    state: () => (hasEnded ? 'ended' : !hasStarted ? 'starting' : job ? 'busy' : 'free'),
    run: (payload) =>
      new Promise((resolve, reject) => {
        job = { requestId: randomUUID(), payload, resolve, reject };
        limit(hasStarted ? timeoutMs : initLimitMs);
        worker.postMessage({ requestId: job.requestId, payload } satisfies ToWorker);
      }),
    terminate: () => worker.terminate(),
  };
}

const newWorker = (workerData: WorkerData, env: Readonly<Record<string, string>>): Worker =>
  new Worker(join(import.meta.dirname, 'worker.mjs'), {
    workerData,
    env,
    // Otherwise the thread would inherit the parent's flags, such as a loader or an inspector.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: workerData.memorySize },
    stdout: true,
    stderr: true,
  });

/** The payload that a function has returned, or its error with what to log. */
function resultOf(message: Ended): string | { readonly error: FunctionError; readonly logged: string } {
  if (message.type === 'error') {
    const { errorType, errorMessage, trace } = message;
    return { error: new FunctionError(errorType, errorMessage), logged: trace || `${errorType}: ${errorMessage}` };
  }
  if (Buffer.byteLength(message.payload) <= responseLimit) return message.payload;
  const tooLarge = 'Function.ResponseSizeTooLarge';
  return {
    error: new FunctionError(tooLarge, `Response payload size exceeded ${responseLimit} bytes.`),
    logged: tooLarge,
  };
}
