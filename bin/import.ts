import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError, Option } from 'commander';
import { parseDomainName } from '../lambdas/domain/host.ts';
import { stageNames } from '../lib/stages.ts';
import { clientOf, realWorld } from '../migration/api.ts';
import { type FormatName, formats } from '../migration/formats.ts';
import { planOf } from '../migration/plan.ts';
import { readRows } from '../migration/read.ts';
import { countsOf, reportOf, tableOf } from '../migration/report.ts';
import { type Result, runImport } from '../migration/run.ts';
import { apiUrlOf, findTarget } from './target.ts';

// `npm run import`: brings the links of another service here, over the API.

const host = (text: string) => {
  const parsed = parseDomainName(text);
  if (!parsed) throw new InvalidArgumentError('it is no domain name.');
  return parsed;
};

type Options = {
  from: FormatName;
  domain: string;
  sourceDomain?: string;
  dryRun?: true;
  report?: string;
  url?: string;
  workspace?: string;
  stage: string;
  dataDir: string;
  json?: true;
};

const program = new Command('import')
  .description('Brings the links of another service here')
  .configureOutput({ outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`) })
  .argument('<file>', 'the export: CSV or JSON, in UTF-8')
  .addOption(new Option('--from <service>', 'whose export it is').choices(Object.keys(formats)).makeOptionMandatory())
  .requiredOption('--domain <host>', 'the domain here that the links are to be on', host)
  .option('--source-domain <host>', 'only links of this domain, where the file has several', host)
  .option('--dry-run', 'write nothing, and say what would happen')
  .option('--report <file>', 'write all rows with what became of them, as CSV')
  .option('--url <url>', 'where the service is; its key is in LINKS_API_KEY')
  .option('--workspace <id>', 'as the operator: with a key of this workspace, made for the import and revoked behind it')
  .addOption(new Option('--stage <stage>', 'with --workspace: the stage').choices(['local', ...stageNames]).default('local'))
  .addOption(new Option('--data-dir <folder>', 'the data folder of the local service').env('DATA_DIR').default('.local'))
  .option('--json', 'print JSON alone')
  .action(async (file: string, options: Options) => {
    try {
      process.exitCode = await importFile(file, options);
    } catch (error) {
      program.error(`error: ${(error as Error).message.split('\n')[0]}`);
    }
  });

/** Where the service is, and with which key; `close` when it is no longer needed. */
async function connect({ url, workspace, stage, dataDir }: Options) {
  const { LINKS_API_KEY } = process.env;
  if (workspace !== undefined) return connectAsOperator(workspace, stage, dataDir);
  if (url !== undefined || LINKS_API_KEY) {
    if (!LINKS_API_KEY) throw new Error('the environment has no LINKS_API_KEY, the key for --url');
    const baseUrl = url ?? demoOf(dataDir).baseUrl;
    return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey: LINKS_API_KEY, close: async () => {} };
  }
  return { ...demoOf(dataDir), close: async () => {} };
}

/** The local service's own demo. */
function demoOf(dataDir: string): { baseUrl: string; apiKey: string } {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
  } catch {
    throw new Error(
      `no service runs on the data folder ${dataDir}: start it with "npm start", or name one with --url and LINKS_API_KEY`,
    );
  }
}

/** For how long the key of an import is good, in milliseconds. */
const keyMs = 24 * 60 * 60 * 1_000;

async function connectAsOperator(workspaceId: string, stage: string, dataDir: string) {
  await findTarget(stage, dataDir);
  const { getWorkspace } = await import('../lambdas/store/workspaces.ts');
  const { createApiKey, revokeApiKey } = await import('../lambdas/store/api-keys.ts');
  const workspace = /^ws_\w{1,64}$/.test(workspaceId) ? await getWorkspace(workspaceId) : undefined;
  if (!workspace) throw new Error(`there is no workspace ${workspaceId}`);
  const baseUrl = await apiUrlOf(stage, dataDir);
  const { id, key } = await createApiKey(workspace, {
    name: 'import',
    // Where the import is killed, nobody revokes it.
    expiresAt: new Date(Date.now() + keyMs).toISOString(),
    permissions: ['links:read', 'links:write', 'tags:read', 'tags:write'],
  });
  return { baseUrl, apiKey: key, close: async () => void (await revokeApiKey(id)) };
}

/** @returns the exit code: 0 where every row is here now, 2 where some were refused, 130 where it was stopped. */
async function importFile(file: string, options: Options): Promise<number> {
  const { from, domain, dryRun = false, report, json = false } = options;
  const rows = planOf(await readRows(file, formats[from]), formats[from], options.sourceDomain);
  const connection = await connect(options);
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const progress = progressOf(rows.length, json);
  const world = realWorld(progress.onPause, stopping.signal);
  try {
    const { results, failure } = await runImport({
      client: clientOf(connection.baseUrl, connection.apiKey, world),
      domain,
      rows,
      dryRun,
      fingerprint: createHash('sha256').update(readFileSync(file)).digest('hex'),
      runId: randomUUID(),
      onProgress: progress.onProgress,
      isStopped: () => stopping.signal.aborted,
    });
    progress.stop();
    if (report !== undefined) writeFileSync(report, reportOf(results));
    console.log(json ? JSON.stringify({ ...countsOf(results), results: results.map(forPrograms) }) : tableOf(results));
    if (failure) throw failure;
    if (stopping.signal.aborted) {
      console.error('stopped: the same command goes on where it was');
      return 130;
    }
    return results.some(({ outcome }) => outcome === 'refused') ? 2 : 0;
  } finally {
    progress.stop();
    await connection.close();
  }
}

const forPrograms = ({ row, ...result }: Result) => ({
  line: row.line,
  ...row.source,
  notes: row.notes,
  ...result,
});

/** A bar where somebody looks at it, a line now and then where nobody does. */
function progressOf(total: number, isQuiet: boolean) {
  const bar =
    process.stderr.isTTY && !isQuiet
      ? new SingleBar({ format: '{bar} {value} of {total} rows  {status}', stream: process.stderr })
      : undefined;
  const say = (text: string) => (isQuiet || bar ? undefined : console.error(text));
  bar?.start(total, 0, { status: '' });
  return {
    onProgress: (done: number) => {
      bar?.update(done, { status: '' });
      if (done > 0 && (done % 1_000 === 0 || done === total)) say(`${done} of ${total} rows`);
    },
    onPause: (seconds: number, reason: string) => {
      bar?.update({ status: `waiting ${seconds} s: ${reason}` });
      say(`waiting ${seconds} s: ${reason}`);
    },
    stop: () => bar?.stop(),
  };
}

await program.parseAsync();
