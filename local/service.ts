import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAwsApi } from './aws-api.ts';
import { openBuckets } from './buckets.ts';
import { makeFolder } from './data-folder.ts';
import { connect } from './database/dynamodb.ts';
import { isEmbedded } from './database/embedded-engine.ts';
import { startEngine } from './database/engine.ts';
import type { Engine } from './database/engine-types.ts';
import { startUpkeep } from './database/engine-upkeep.ts';
import { ensureTables } from './database/table.ts';
import { startDns } from './dns.ts';
import { openEvents } from './events.ts';
import { startFunctions } from './functions/functions.ts';
import { startGateway } from './gateway.ts';
import { startLifecycle } from './lifecycle.ts';
import { lineLog } from './log.ts';
import { lookUpIn, openManagedDomains } from './managed-domains.ts';
import { startSchedules } from './schedule.ts';
import { openCheckpoints } from './streams/checkpoints.ts';
import { queueMappings, startQueueReaders } from './streams/queue-reader.ts';
import { openQueues } from './streams/queues.ts';
import { startStreams } from './streams/stream.ts';
import { loadTemplate } from './template/template.ts';

export type ServiceOptions = {
  /** The `cdk.out` folder of a synthesised app. */
  readonly outdir: string;
  /**
   * The folder for the tables and the log, which the caller has locked (`holdDataFolder`). Optional with `inMemory`.
   */
  readonly dataDir?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Keeps the tables in a temporary folder, which is deleted when the service ends, however it ends. */
  readonly inMemory?: boolean;
  /**
   * Called with each line that a function or the local host logs. By default, lines go to `functions.log` in the data
   * folder.
   */
  readonly log?: (line: string) => void;
  /** The secrets of the stand-in for Secrets Manager, by ARN. They are kept only in memory. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Called if a running service cannot continue. By default, the error is logged. */
  readonly onFailure?: (error: Error) => void;
};

export type Service = {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string;
  /** The DynamoDB endpoint, for any AWS SDK with any credentials. */
  readonly endpoint: string;
  /** The value of an output of the template's stacks. @throws Error unless exactly one stack has that output */
  output(name: string): string;
  /**
   * Runs a function as AWS would.
   *
   * @param which the function's ARN, name, logical id or construct id.
   * @throws FunctionError if the function fails.
   */
  invoke(which: string, event: unknown): Promise<unknown>;
  /** `<address>:<port>` of the DNS server that functions use. */
  readonly dnsServer: string;
  /** The endpoint for functions' calls to other AWS services, for any AWS SDK. */
  readonly awsApi: string;
  /** The file with the records of that server. */
  readonly dnsFile: string;
  /** The newest messages that were sent to a queue since the start. */
  messages(queue: string): readonly unknown[];
  /** Lets requests in flight finish, then stops everything. Safe to call twice. */
  stop(): Promise<void>;
};

/**
 * Runs a synthesised app: its tables on this machine's engine (or on `DYNAMODB_ENDPOINT`), its functions, APIs, queues,
 * streams and schedules. Several services can run in one process.
 *
 * @throws Error with a one-line message if something does not start; whatever has started is stopped.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { outdir, dataDir, port = 0, inMemory = false, secrets = {} } = options;
  const template = loadTemplate(outdir);
  if (!inMemory && !dataDir) throw new Error('set a data folder, or run in memory');
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
    const engine: Engine = process.env.DYNAMODB_ENDPOINT
      ? { endpoint: process.env.DYNAMODB_ENDPOINT, stop: async () => {} }
      : await startEngine({ folder, scratch: inMemory, log, onFailure: fail });
    cleanups.push(() => engine.stop());
    const { endpoint } = engine;

    const dynamoDb = connect(endpoint);
    cleanups.push(() => dynamoDb.close());
    const tables = await ensureTables(template, dynamoDb);
    const dns = await startDns(join(dataDir ?? folder, 'dns.json'), log);
    cleanups.push(() => dns.stop());
    const awsApi = await startAwsApi();
    cleanups.push(() => awsApi.stop());
    let baseUrl = '';
    const reached = { endpoint, dnsServer: dns.server, awsApi: awsApi.endpoint, restApi: () => baseUrl };
    const functions = startFunctions(template, reached, log);
    const read = queueMappings(template).map(({ properties }) => properties.EventSourceArn);
    const queues = openQueues(template, log, (arn) => read.includes(arn));
    const events = openEvents(template, functions, queues, log);
    cleanups.push(() => events.stop());
    const checkpoints = openCheckpoints(folder);
    const streams = await startStreams({ template, tables, engine: dynamoDb, functions, queues, checkpoints, log });
    const queueReaders = startQueueReaders(template, functions, queues, log);
    cleanups.push(async () => {
      // Together, because the readers end only when the functions that they wait for have stopped.
      await Promise.all([streams.stop(), queueReaders.stop(), functions.stop()]);
    });
    const processedUpTo = () => checkpoints.lowest(streams.readers);
    const upkeep = isEmbedded(engine) ? startUpkeep(engine, processedUpTo, log) : undefined;
    cleanups.push(() => upkeep?.stop());
    const schedules = startSchedules(template, functions, folder, log);
    cleanups.push(() => schedules.stop());
    awsApi.serve({
      invokeLater: events.invokeLater,
      invoke: (which, payload) => functions.invoke(which, payload),
      setRuleEnabled: schedules.setEnabled,
      secrets,
      sendMessage: queues.send,
      forDomains: openManagedDomains({ file: join(folder, 'certificates.json'), lookUp: lookUpIn(dns.server) }),
      buckets: openBuckets(
        join(folder, 'buckets'),
        template.ofType('AWS::S3::Bucket').map(({ name }) => name),
      ),
    });
    const lifecycle = startLifecycle(join(folder, 'buckets'), template, log);
    cleanups.push(() => lifecycle.stop());
    const gateway = await startGateway(template, functions, port, log);
    cleanups.push(() => gateway.stop());
    baseUrl = `http://127.0.0.1:${gateway.port}`;

    return {
      baseUrl,
      endpoint,
      output: template.output,
      invoke: async (which, event) => JSON.parse(await functions.invoke(which, JSON.stringify(event))),
      messages: queues.messages,
      dnsServer: dns.server,
      awsApi: awsApi.endpoint,
      dnsFile: dns.file,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
