import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { SingleBar } from 'cli-progress';
import { Command, Option } from 'commander';
import { runDry } from '../clients/migration/dry-run.ts';
import { ignoredColumns } from '../clients/migration/fields.ts';
import { type FormatName, formats } from '../clients/migration/formats.ts';
import { type PlannedRow, planOf } from '../clients/migration/plan.ts';
import { rowsOf } from '../clients/migration/read.ts';
import { countsOf, printable, reportOf, tableOf } from '../clients/migration/report.ts';
import type { Ending, Result } from '../clients/migration/results.ts';
import { type RunOptions, runImport } from '../clients/migration/run.ts';
import { sha256 } from '../clients/migration/sha256.ts';
import { verdictCounts, verdictReport, verdictTable, verifyPlan } from '../clients/migration/verify.ts';
import { headOf } from './import/head.ts';
import { dataDirOption, host, stageOption, withOneLineErrors } from './shared/arguments.ts';
import { connect, connectToRead, type Waits, waitsUntil } from './shared/connection.ts';

// `npm run import`: imports links from another service, over the API.

type Options = {
  from: FormatName;
  domain: string;
  sourceDomain?: string;
  forwardPath?: true;
  dryRun?: true;
  report?: string;
  url?: string;
  workspace?: string;
  stage: string;
  dataDir: string;
  json?: true;
};

/** How `verify` reaches the addresses. */
type Visits = { origin?: string; through?: string };

const program = withOneLineErrors(new Command('import'))
  .description('Import links from another service')
  .argument('<file>', 'the export, as CSV or JSON in UTF-8')
  .addOption(
    new Option('--from <service>', 'the service that the export is from').choices(Object.keys(formats)).makeOptionMandatory(),
  )
  .requiredOption('--domain <host>', 'the domain for the imported links', host)
  .option('--source-domain <host>', 'import only the links of this domain, if the file has several', host)
  .option('--forward-path', 'let the links take paths behind their slugs')
  .option('--dry-run', 'write nothing, and say what would happen')
  .option('--report <file>', 'write a CSV report with the outcome of every row')
  .option('--url <url>', 'the URL of the service; its key is in LINKS_API_KEY')
  .option('--workspace <id>', 'import as the operator: make a key of this workspace, and revoke it at the end')
  .addOption(stageOption('with --workspace: the stage'))
  .addOption(dataDirOption())
  .option('--json', 'print only JSON')
  .action((file: string, options: Options) => exitWith(() => importFile(file, options)));

program
  .command('verify')
  .description('Visit the address of each row, and compare where it leads with the file. Visits with HEAD count nowhere')
  .argument('<file>', 'the export that was imported')
  .option('--origin <url>', 'where the addresses are, if not at https://<domain>')
  .option('--through <host>', 'connect to this host, for a domain whose DNS does not lead here yet')
  .action((file: string, visits: Visits) => exitWith(() => verifyFile(file, { ...program.opts<Options>(), ...visits })));

/** Ends with the exit code of some work, or with a one-line error. */
async function exitWith(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    program.error(`error: ${printable((error as Error).message.split('\n')[0] ?? '')}`);
  }
}

/**
 * @returns the exit code: 0 if no row was refused, 2 if some were, 130 if the import was stopped.
 * @throws Error with a one-line message if the import could not continue.
 */
async function importFile(file: string, options: Options): Promise<number> {
  const bytes = readFileSync(file);
  const rows = plannedRows(bytes, options);
  const stopping = stoppable();
  const progress = progressOf(rows.length, options.json ?? false);
  const watched = { onProgress: progress.onProgress, isStopped: () => stopping.signal.aborted };
  try {
    const ending = await carryOut(bytes, options, rows, waitsUntil(stopping.signal, progress.onPause), watched);
    progress.stop();
    return conclude(ending, options, stopping.signal.aborted);
  } finally {
    progress.stop();
  }
}

/** The plan for a file. The columns that it ignores are named on stderr. */
function plannedRows(bytes: Uint8Array, { from, sourceDomain, forwardPath, report, json }: Options): PlannedRow[] {
  const read = rowsOf(bytes, formats[from]);
  const ignored = ignoredColumns(read, formats[from]);
  if (ignored.length > 0 && !json) console.error(`ignored columns: ${ignored.map(printable).join(', ')}`);
  const rows = planOf(read, formats[from], sourceDomain, { forwardPath });
  // If the report cannot be written, fail now, and not after the work.
  if (report !== undefined) closeSync(openSync(report, 'a'));
  return rows;
}

/** Is aborted if somebody stops the command. */
function stoppable(): AbortController {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping;
}

/** @returns the exit code: 0 if no address is different, 2 if some are or were not reached, 130 if it was stopped. */
async function verifyFile(file: string, options: Options & Visits): Promise<number> {
  const { domain, origin = `https://${domain}`, through, json = false, report } = options;
  const rows = plannedRows(readFileSync(file), options);
  const stopping = stoppable();
  const progress = progressOf(rows.length, json);
  const watched = { onProgress: progress.onProgress, isStopped: () => stopping.signal.aborted };
  const visited = await verifyPlan(rows, headOf(new URL(origin), through), watched).finally(progress.stop);
  const forPrograms = visited.map(({ row, ...one }) => ({ line: row.line, url: row.link?.url ?? row.source.url, ...one }));
  console.log(json ? JSON.stringify({ ...verdictCounts(visited), addresses: forPrograms }) : verdictTable(visited));
  if (report !== undefined) writeFileSync(report, verdictReport(visited));
  if (stopping.signal.aborted) return 130;
  return visited.some(({ verdict }) => verdict === 'different' || verdict === 'not_reached') ? 2 : 0;
}

type Watched = Pick<RunOptions, 'onProgress' | 'isStopped'>;

async function carryOut(
  file: Uint8Array<ArrayBuffer>,
  options: Options,
  rows: readonly PlannedRow[],
  waits: Waits,
  watched: Watched,
) {
  const { domain } = options;
  if (options.dryRun) return runDry({ reader: await connectToRead(options, waits), domain, rows, ...watched });
  const { client, close } = await connect(options, waits, {
    name: 'import',
    permissions: ['links:read', 'links:write', 'tags:read', 'tags:write'],
  });
  try {
    const fingerprint = await sha256(file);
    return await runImport({ client, domain, rows, fingerprint, runId: randomUUID(), ...watched });
  } finally {
    await close();
  }
}

/**
 * Prints the results and writes the report.
 *
 * @returns the exit code.
 * @throws the error that ended the import, after printing.
 */
function conclude({ results, failure }: Ending, { json, report }: Options, isStopped: boolean): number {
  console.log(json ? JSON.stringify({ ...countsOf(results), results: results.map(forPrograms) }) : tableOf(results));
  if (report !== undefined) writeFileSync(report, reportOf(results));
  if (failure) throw failure;
  if (isStopped) {
    console.error('stopped: run the same command again to continue');
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

/** Shows progress on stderr: a bar on a terminal, else a line now and then. */
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
