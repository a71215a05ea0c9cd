// @ts-check
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

// Plain JavaScript: a thread that removes the types first takes almost twice as long to start.

/** @import { FromWorker, ToWorker, WorkerData } from './worker-thread.ts' */

const { file, exportName, functionName, functionArn, memorySize, timeoutMs } = /** @type {WorkerData} */ (workerData);
const send = (/** @type {FromWorker} */ message) => parentPort?.postMessage(message);

const module = await import(pathToFileURL(file).href);
/** @type {((event: unknown, context: object) => unknown) | undefined} */
const handler = module[exportName] ?? module.default?.[exportName];
if (typeof handler !== 'function') throw new Error(`${file} exports no function "${exportName}"`);
// Lambda's Node 24 runtime refuses callbacks too.
if (handler.length > 2)
  throw new Error(`the handler of ${functionName} takes a callback, which Node 24 on Lambda does not support`);

parentPort?.on('message', async (/** @type {ToWorker} */ { requestId, payload }) => {
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
