import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** A program that serves something while a judge checks it. */
export type Server = {
  /** Its output so far. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
};

type ServerOptions = {
  readonly cwd: string;
  /** The file for its output. */
  readonly logFile: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether it is ready, according to its output so far. */
  readonly isReady: (log: string) => boolean | Promise<boolean>;
  readonly withinSeconds: number;
};

/**
 * Starts a program, and waits until it is ready. It and its children end with this process.
 *
 * @throws Error with the last line of its output if it is not ready in time, or ends.
 */
export async function startServer(program: string, args: readonly string[], options: ServerOptions): Promise<Server> {
  const { cwd, logFile, env = process.env, isReady, withinSeconds } = options;
  const output = createWriteStream(logFile, { flags: 'a' });
  // Its own process group, because it starts processes.
  const server = spawn(program, args, { cwd, detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [server.stdout, server.stderr]) stream.pipe(output, { end: false });
  const log = () => readFileSync(logFile, 'utf8');
  const kill = () => endGroup(server);
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => server.once('error', () => resolve()).once('exit', () => resolve()));
  const stop = async () => {
    kill();
    process.removeListener('exit', kill);
    await ended;
  };
  await new Promise((resolve) => output.once('open', resolve));
  for (let attempts = 0; !(await isReady(log())); attempts++) {
    if (attempts === withinSeconds * 2 || server.exitCode !== null) {
      await stop();
      throw new Error(`it does not start: ${log().trim().split('\n').at(-1)}`);
    }
    await wait(500);
  }
  return { log, stop };
}

/** Whether something answers at a URL. */
export const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return true;
    },
    () => false,
  );

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
