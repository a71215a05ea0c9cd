import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findLoopback, findPort } from '../net/ports.ts';
import type { Engine, EngineOptions } from './engine-types.ts';

/** The embedded engine, as it runs. */
export type EmbeddedEngine = Engine & {
  /** The engine's MCP server, which has tools that DynamoDB's API lacks. */
  readonly tools: { readonly url: string; readonly token: string };
  readonly database: string;
};

export const isEmbedded = (engine: Engine): engine is EmbeddedEngine => 'tools' in engine;

/**
 * A shell script that keeps the engine running while our end of the script's standard input is open. If this process
 * dies, even by `kill -9`, the input ends and the script kills the engine. If only the engine dies, the script restarts
 * it on the same data.
 */
const keeper = `
  umask 077
  ( trap 'kill $engine; wait $engine; exit' TERM
    while :; do "$@" </dev/null & engine=$!; wait $engine; echo "engine ended: $?" >&2; sleep 0.2; done
  ) & loop=$!
  trap 'kill $loop; exit' TERM HUP INT
  read -r _; kill $loop; wait $loop
  [ -z "$SCRATCH" ] || rm -rf -- "$SCRATCH"`;

const attempts = 5;
/** In the engine's whole life: if it ends more often, something is wrong with it. */
const restartsAllowed = 5;
const startLimitMs = 10_000;

/**
 * Starts the embedded engine on a database file in the folder.
 *
 * The engine responds to every origin and checks neither host nor signature, and no option changes that. So it gets a
 * random address as well as a random port: a web page can scan the ports of 127.0.0.1, but not those of 16 million
 * addresses.
 *
 * @param binary as `findEmbedded` returns it.
 * @throws Error with a one-line message if it does not start.
 */
export async function startEmbedded(binary: string, options: EngineOptions): Promise<EmbeddedEngine> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToStart(binary, options);
    } catch (error) {
      // Another process may have taken the port since it was found free.
      if (attempt === attempts) throw error;
    }
  }
}

async function tryToStart(binary: string, { folder, scratch, log, onFailure }: EngineOptions): Promise<EmbeddedEngine> {
  const database = join(folder, 'dynamodb.sqlite');
  const token = randomBytes(24).toString('hex');
  // Not port 0: the engine would not say which port it took.
  const address = await findLoopback();
  if (address === '127.0.0.1')
    log('the database engine listens on 127.0.0.1, where a web page could find it by scanning all ports');
  const [port, toolPort] = [await findPort(0, address), await findPort(0, address)];
  const engine = ['serve', '--host', address, '--port', `${port}`, '--db-path', database];
  const tools = ['--mcp', '--mcp-host', address, '--mcp-allowed-host', address, '--mcp-port', `${toolPort}`];
  const child = spawn('/bin/sh', ['-c', keeper, binary, binary, ...engine, ...tools], {
    stdio: ['pipe', 'ignore', 'pipe'],
    // Its own process group, so that Ctrl-C reaches only this process, which stops the engine last.
    detached: true,
    env: { PATH: process.env.PATH || '/usr/bin:/bin', DYNOXIDE_MCP_AUTH_TOKEN: token, SCRATCH: scratch ? folder : '' },
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let stopping = false;
  const stop = () => {
    stopping = true;
    child.stdin.end();
    return ended;
  };

  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => fail('it did not start in time'), startLimitMs);
    let last = '';
    let listening = 0;
    let restarts = 0;
    const fail = (reason: string) => {
      clearTimeout(limit);
      if (stopping) return;
      const error = new Error(`the database engine is not running: ${reason}`);
      void stop().then(() => (listening < 2 ? reject(error) : onFailure(error)));
    };
    child.once('error', (error) => fail(error.message));
    void ended.then(() => fail(last || 'its keeper ended'));
    createInterface(child.stderr).on('line', (line) => {
      if (line.includes(' listening on ') && ++listening === 2) {
        clearTimeout(limit);
        resolve();
      }
      if (line.startsWith('engine ended')) {
        if (listening < 2) return fail(last || line);
        log(`${line}, restarting it`);
        if (++restarts > restartsAllowed) fail('it keeps ending');
      } else if (line) last = line;
    });
  });
  return { endpoint: `http://${address}:${port}`, tools: { url: `http://${address}:${toolPort}/mcp`, token }, database, stop };
}

/** The embedded engine's program: of the package for this platform, or on the PATH. */
export function findEmbedded(): string | undefined {
  try {
    const packaged = createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`);
    const binary = join(packaged, '../dynoxide');
    if (existsSync(binary)) return binary;
  } catch {
    // No package for this platform is installed.
  }
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, 'dynoxide'), constants.X_OK);
      return join(folder, 'dynoxide');
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
