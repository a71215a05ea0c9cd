import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './data-folder.ts';
import { connect } from './database/dynamodb.ts';
import { type Engine, startEngine } from './database/engine.ts';
import { startUpkeep } from './database/engine-upkeep.ts';
import { ensureTable } from './database/table.ts';
import { startDns } from './dns.ts';
import { startFunctions } from './functions/functions.ts';
import { startGateway } from './gateway/gateway.ts';
import { lineLog } from './log.ts';
import { openQueues } from './queues.ts';
import { startSchedules } from './schedule.ts';
import { openCheckpoints } from './streams/checkpoints.ts';
import { startStreams } from './streams/stream.ts';
import { loadTemplate } from './template/template.ts';

export type ServiceOptions = {
  /** A folder that the CDK synthesised. */
  readonly outdir: string;
  /** Where the table and the log are kept. The caller holds it (`holdDataFolder`); not needed in memory. */
  readonly dataDir?: string;
  /** 0, the default, takes any free one. */
  readonly port?: number;
  /** Keep nothing: the table is gone when the service ends, however it ends. */
  readonly inMemory?: boolean;
  /** Gets each line that a function or the host writes; `functions.log` in the data folder unless given. */
  readonly log?: (line: string) => void;
  /** Called when a running service cannot go on. */
  readonly onFailure?: (error: Error) => void;
};

export type Service = {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string;
  /** The DynamoDB endpoint, for any AWS SDK with any credentials. */
  readonly endpoint: string;
  readonly tableName: string;
  /**
   * Runs a function as AWS would, by its ARN, name, logical id or the id of its construct.
   *
   * @throws FunctionError when the function fails.
   */
  invoke(which: string, event: unknown): Promise<unknown>;
  /** The host and port of the DNS that functions ask, and the file that its records are in. */
  readonly dnsServer: string;
  readonly dnsFile: string;
  /** What was sent to a queue since the start. */
  messages(queue: string): readonly object[];
  /** Lets requests under way end, then ends everything that was started. Safe to call twice. */
  stop(): Promise<void>;
};

/**
 * Runs a synthesised app: its table on the embedded engine (or on `DYNAMODB_ENDPOINT`), its functions, API, streams and schedules.
 * Several may run in one process.
 *
 * @throws Error in one line when something cannot be started; what was started by then is ended.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { outdir, dataDir, port = 0, inMemory = false } = options;
  const template = loadTemplate(outdir);
  if (!inMemory && !dataDir) throw new Error('a data folder is needed to keep data');
  const folder = inMemory || !dataDir ? mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'local-')) : dataDir;
  const cleanups: (() => unknown)[] = [() => inMemory && rmSync(folder, { recursive: true, force: true })];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      for (const cleanup of cleanups.reverse()) await cleanup();
    })();
    return stopping;
  };

  try {
    if (dataDir) makeFolder(dataDir);
    const log = options.log ?? lineLog(join(dataDir ?? folder, 'functions.log'));
    const fail = (error: Error) => (options.onFailure ?? (({ message }) => log(message)))(error);
    const engine: Pick<Engine, 'endpoint'> & Partial<Engine> = process.env.DYNAMODB_ENDPOINT
      ? { endpoint: process.env.DYNAMODB_ENDPOINT }
      : await startEngine({ folder, scratch: inMemory, log, onFailure: fail });
    cleanups.push(() => engine.stop?.());
    const { endpoint } = engine;

    const dynamoDb = connect(endpoint);
    cleanups.push(() => dynamoDb.close());
    const table = await ensureTable(template, dynamoDb);
    const dns = await startDns(join(dataDir ?? folder, 'dns.json'), log);
    cleanups.push(() => dns.stop());
    const functions = startFunctions(template, { endpoint, dnsServer: dns.server }, log);
    const queues = openQueues(template, log);
    const checkpoints = openCheckpoints(folder);
    const streams = await startStreams({ template, table, engine: dynamoDb, functions, queues, checkpoints, log });
    cleanups.push(async () => {
      // Together: the readers end when the functions that they wait for are gone.
      await Promise.all([streams.stop(), functions.stop()]);
    });
    const upkeep =
      engine.database === undefined ? undefined : startUpkeep(engine as Engine, () => checkpoints.lowest(streams.readers), log);
    cleanups.push(() => upkeep?.stop());
    const schedules = startSchedules(template, functions, log);
    cleanups.push(() => schedules.stop());
    const gateway = await startGateway(template, functions, port, log);
    cleanups.push(() => gateway.stop());

    return {
      baseUrl: `http://127.0.0.1:${gateway.port}`,
      endpoint,
      tableName: table.name,
      invoke: async (which, event) => JSON.parse(await functions.invoke(which, JSON.stringify(event))),
      messages: queues.messages,
      dnsServer: dns.server,
      dnsFile: dns.file,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
