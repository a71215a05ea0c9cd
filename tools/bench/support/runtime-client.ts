import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { wholeProcessorMb } from '../../../lib/memory.ts';

// Runs a function with AWS's own runtime client for Node, against a small Runtime API
// (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html).

const version = '4.0.2';
const folder = join(import.meta.dirname, `../../../node_modules/.cache/runtime-client-${version}`);

/**
 * Installs the runtime client into the cache. It is not a dependency of the project, because it brings some seventy
 * packages that build its native part, which `native-client.cjs` replaces.
 *
 * @throws Error if npm fails.
 */
export function installRuntimeClient(): void {
  const arguments_ = ['install', '--prefix', folder, '--ignore-scripts', '--no-save', '--no-package-lock', '--prefer-offline'];
  const { status, stderr } = spawnSync('npm', [...arguments_, `aws-lambda-ric@${version}`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the runtime client ${version} cannot be installed: ${stderr}`);
}

/**
 * Times in milliseconds: `ready` from the start of the process until it requests an event, `first` from the first event
 * to its response, and `warm` from each later event to its response, on average. Names with `Cpu` are the processor
 * time of all threads of the process meanwhile.
 */
export type RunTimes = Readonly<Record<'ready' | 'first' | 'warm' | 'readyCpu' | 'firstCpu' | 'warmCpu', number>>;

/**
 * The processor time of a process so far, in milliseconds, by Linux: the first number of a thread's `schedstat` is in
 * nanoseconds (https://docs.kernel.org/scheduler/sched-stats.html). Not a number on other systems.
 */
function cpuOf(pid: number | undefined): number {
  const threads = `/proc/${pid}/task`;
  try {
    const times = readdirSync(threads).map((thread) => readFileSync(join(threads, thread, 'schedstat'), 'utf8').split(' ')[0]);
    return times.reduce((sum, time) => sum + Number(time), 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** Whether a response has no error status: a failure must not be measured like a success. */
const hasSucceeded = (body: string): boolean => !((JSON.parse(body)?.statusCode ?? 200) >= 400);

/**
 * Starts the function of a bundle in its own process, and calls it with each of the events, at least two.
 *
 * @throws Error if an invocation fails, or responds with an error's status.
 */
export async function runOnce(bundle: string, env: NodeJS.ProcessEnv, events: readonly unknown[]): Promise<RunTimes> {
  const asked = [...events, undefined].map(() => Promise.withResolvers<ServerResponse>());
  const answered = events.map(() => Promise.withResolvers<void>());
  let next = 0;
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return asked[next++]?.resolve(response);
    const body = (await Array.fromAsync(request)).join('');
    response.writeHead(202).end();
    const invocation = answered[next - 1];
    if (request.url?.endsWith('/response') && hasSucceeded(body)) invocation?.resolve();
    else invocation?.reject(new Error(`${bundle}: ${body}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const start = performance.now();
  const shim = join(import.meta.dirname, 'native-client.cjs');
  const client = join(folder, 'node_modules/aws-lambda-ric/index.mjs');
  const child = spawn(process.execPath, ['--require', shim, client], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...env,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_LAMBDA_FUNCTION_NAME: 'bench',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(wholeProcessorMb),
      AWS_LAMBDA_LOG_GROUP_NAME: 'bench',
      AWS_LAMBDA_LOG_STREAM_NAME: 'bench',
      _HANDLER: 'index.handler',
      LAMBDA_TASK_ROOT: bundle,
    },
  });
  const died = new Promise<never>((_, reject) => child.once('exit', (code) => reject(new Error(`${bundle} ended with ${code}`))));
  died.catch(() => {});

  const invoke = async (index: number): Promise<void> => {
    const response = (await asked[index]?.promise) as ServerResponse;
    response.writeHead(200, {
      'Lambda-Runtime-Aws-Request-Id': `request-${index}`,
      'Lambda-Runtime-Deadline-Ms': Date.now() + 25_000,
      'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:local:000000000000:function:bench',
    });
    response.end(JSON.stringify(events[index]));
    await answered[index]?.promise;
  };
  /** Both times of some work, once it is done and the process waits for the next event. */
  const timesOf = async (work: () => Promise<unknown>): Promise<[number, number]> => {
    const [from, cpuBefore] = [performance.now(), cpuOf(child.pid)];
    await Promise.race([work(), died]);
    const ms = performance.now() - from;
    return [ms, cpuOf(child.pid) - cpuBefore];
  };
  try {
    await Promise.race([asked[0]?.promise, died]);
    const ready = performance.now() - start;
    const readyCpu = cpuOf(child.pid);
    const [first, firstCpu] = await timesOf(() => invoke(0));
    const [all, allCpu] = await timesOf(async () => {
      for (let index = 1; index < events.length; index++) await invoke(index);
    });
    const later = events.length - 1;
    return { ready, first, warm: all / later, readyCpu, firstCpu, warmCpu: allCpu / later };
  } finally {
    child.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
  }
}
