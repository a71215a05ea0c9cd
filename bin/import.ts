import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { SingleBar } from 'cli-progress';
import { Command, Option } from 'commander';
import { realWorld, type World } from '../migration/api.ts';
import { runDry } from '../migration/dry-run.ts';
import { passedOver } from '../migration/fields.ts';
import { type FormatName, formats } from '../migration/formats.ts';
import { type PlannedRow, planOf } from '../migration/plan.ts';
import { readRows } from '../migration/read.ts';
import { countsOf, printable, reportOf, tableOf } from '../migration/report.ts';
import type { Ending, Result } from '../migration/results.ts';
import { type RunOptions, runImport } from '../migration/run.ts';
import { dataDirOption, host, stageOption, withOneLineErrors } from './arguments.ts';
import { connect, connectToRead } from './connection.ts';

// `npm run import`: brings the links of another service here, over the API.

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

const program = withOneLineErrors(new Command('import'))
  .description('Brings the links of another service here')
  .argument('<file>', 'the export: CSV or JSON, in UTF-8')
  .addOption(new Option('--from <service>', 'whose export it is').choices(Object.keys(formats)).makeOptionMandatory())
  .requiredOption('--domain <host>', 'the domain here that the links are to be on', host)
  .option('--source-domain <host>', 'only links of this domain, where the file has several', host)
  .option('--dry-run', 'write nothing, and say what would happen')
  .option('--report <file>', 'write all rows with what became of them, as CSV')
  .option('--url <url>', 'where the service is; its key is in LINKS_API_KEY')
  .option('--workspace <id>', 'as the operator: with a key of this workspace, made for the import and revoked behind it')
  .addOption(stageOption('with --workspace: the stage'))
  .addOption(dataDirOption())
  .option('--json', 'print JSON alone')
  .action(async (file: string, options: Options) => {
    try {
      process.exitCode = await importFile(file, options);
    } catch (error) {
      program.error(`error: ${(error as Error).message.split('\n')[0]}`);
    }
  });

/** @returns the exit code: 0 where every row is here now, 2 where some were refused, 130 where it was stopped. */
async function importFile(file: string, options: Options): Promise<number> {
  const { from, report, json = false } = options;
  const read = await readRows(file, formats[from]);
  const ignored = passedOver(read, formats[from]);
  if (ignored.length > 0 && !json) console.error(`passed over: ${ignored.map(printable).join(', ')}`);
  const rows = planOf(read, formats[from], options.sourceDomain);
  // What cannot be written is said before the work, and not after it.
  if (report !== undefined) closeSync(openSync(report, 'a'));
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const progress = progressOf(rows.length, json);
  const watched = { onProgress: progress.onProgress, isStopped: () => stopping.signal.aborted };
  try {
    const ending = await carryOut(file, options, rows, realWorld(progress.onPause, stopping.signal), watched);
    progress.stop();
    return conclude(ending, options, stopping.signal.aborted);
  } finally {
    progress.stop();
  }
}

type Watched = Pick<RunOptions, 'onProgress' | 'isStopped'>;

async function carryOut(file: string, options: Options, rows: readonly PlannedRow[], world: World, watched: Watched) {
  const { domain } = options;
  if (options.dryRun) return runDry({ reader: await connectToRead(options, world), domain, rows, ...watched });
  const { client, close } = await connect(options, world);
  try {
    const fingerprint = createHash('sha256').update(readFileSync(file)).digest('hex');
    return await runImport({ client, domain, rows, fingerprint, runId: randomUUID(), ...watched });
  } finally {
    await close();
  }
}

/** Says how it came out. @throws what stood in the way, once that is said. */
function conclude({ results, failure }: Ending, { json, report }: Options, isStopped: boolean): number {
  console.log(json ? JSON.stringify({ ...countsOf(results), results: results.map(forPrograms) }) : tableOf(results));
  if (report !== undefined) writeFileSync(report, reportOf(results));
  if (failure) throw failure;
  if (isStopped) {
    console.error('stopped: the same command goes on where it was');
    return 130;
  }
  return results.some(({ outcome }) => outcome === 'refused') ? 2 : 0;
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
