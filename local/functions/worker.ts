import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

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

type Handler = (event: unknown, context: object) => unknown;

const { file, exportName, functionName, functionArn, memorySize, timeoutMs } = workerData as WorkerData;
const send = (message: FromWorker) => parentPort?.postMessage(message);

const module = (await import(pathToFileURL(file).href)) as Record<string, unknown> & { default?: Record<string, unknown> };
const handler = (module[exportName] ?? module.default?.[exportName]) as Handler | undefined;
if (typeof handler !== 'function') throw new Error(`${file} exports no function "${exportName}"`);
// Lambda's Node 24 runtime refuses callbacks too.
if (handler.length > 2)
  throw new Error(`the handler of ${functionName} takes a callback, which Node 24 on Lambda does not support`);

parentPort?.on('message', async ({ requestId, payload }: ToWorker) => {
  const deadline = Date.now() + timeoutMs;
  const context = {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn,
    memoryLimitInMB: String(memorySize),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  try {
    send({ type: 'result', payload: JSON.stringify(await handler(JSON.parse(payload), context)) ?? 'null' });
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    send({ type: 'error', errorType: name, errorMessage: message, trace: stack ?? '' });
  }
});

send({ type: 'started' });
