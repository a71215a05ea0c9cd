import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findLoopback, findPort } from '../ports.ts';

export type Engine = {
  readonly endpoint: string;
  /** The engine's own tools, beside DynamoDB's interface. */
  readonly tools: { readonly url: string; readonly token: string };
  readonly database: string;
  stop(): Promise<void>;
};

export type EngineOptions = {
  readonly folder: string;
  /** Remove the folder when the engine ends, however it ends. */
  readonly scratch: boolean;
  readonly log: (line: string) => void;
  /** Called once when the engine cannot be kept alive. */
  readonly onFailure: (error: Error) => void;
};

/**
 * Keeps the engine running for as long as our end of its standard input is open, and no longer: when this process dies, even by
 * `kill -9`, the input ends, and the engine with it. An engine that dies alone is started again on the same data.
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
/** In its whole life: an engine that ends more often has something wrong with it. */
const restartsAllowed = 5;
const startLimitMs = 10_000;

/**
 * Starts the embedded engine on a database file in the folder.
 *
 * The engine answers every origin and checks neither host nor signature, and has no option against that. So it gets a random
 * address beside its random port: a web page can try the ports of 127.0.0.1, but not those of 16 million addresses.
 *
 * @throws Error in one line when there is none for this platform.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const binary = engineBinary();
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(binary, options);
    } catch (error) {
      // Another process may have taken the port since it was found free.
      if (attempt === attempts) throw error;
    }
  }
}

async function startOnce(binary: string, { folder, scratch, log, onFailure }: EngineOptions): Promise<Engine> {
  const database = join(folder, 'dynamodb.sqlite');
  const token = randomBytes(24).toString('hex');
  // For port 0 it would not say which one it took.
  const address = await findLoopback();
  if (address === '127.0.0.1') log('the database engine is at 127.0.0.1, where a web page that tries all ports finds it');
  const [port, toolPort] = [await findPort(0, address), await findPort(0, address)];
  const engine = ['serve', '--host', address, '--port', `${port}`, '--db-path', database];
  const tools = ['--mcp', '--mcp-host', address, '--mcp-allowed-host', address, '--mcp-port', `${toolPort}`];
  const child = spawn('/bin/sh', ['-c', keeper, binary, binary, ...engine, ...tools], {
    stdio: ['pipe', 'ignore', 'pipe'],
    // A process group of its own: Ctrl-C reaches this process alone, which then ends the engine last.
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
    const limit = setTimeout(() => fail('no answer'), startLimitMs);
    let last = '';
    let listening = 0;
    let restarts = 0;
    const fail = (reason: string) => {
      clearTimeout(limit);
      if (stopping) return;
      const error = new Error(`the database engine does not run: ${reason}`);
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
        log(`${line}, starting it again`);
        if (++restarts > restartsAllowed) fail('it keeps ending');
      } else if (line) last = line;
    });
  });
  return { endpoint: `http://${address}:${port}`, tools: { url: `http://${address}:${toolPort}/mcp`, token }, database, stop };
}

function engineBinary(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const packaged = createRequire(import.meta.url).resolve(`@dynoxide/${platform}/package.json`);
    const binary = join(packaged, '../dynoxide');
    if (existsSync(binary)) return binary;
  } catch {
    // Not among the installed packages: it may be on the path.
  }
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, 'dynoxide'), constants.X_OK);
      return join(folder, 'dynoxide');
    } catch {
      // Not here.
    }
  }
  throw new Error(
    `no database engine for ${platform}: put "dynoxide" on the PATH (https://github.com/nubo-db/dynoxide) or name any DynamoDB endpoint in DYNAMODB_ENDPOINT`,
  );
}
