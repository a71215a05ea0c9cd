import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import { type Command, Option } from 'commander';
import { templatesOf } from '../../clients/migration/api.ts';
import { batchesOf, type Carried, importBatches } from '../../clients/migration/batches.ts';
import { runDry } from '../../clients/migration/dry-run.ts';
import { type FormatName, formats } from '../../clients/migration/formats.ts';
import { paceOf } from '../../clients/migration/pace.ts';
import type { PlannedRow } from '../../clients/migration/planned.ts';
import { printable, tallyOf } from '../../clients/migration/report.ts';
import type { Result } from '../../clients/migration/results.ts';
import { asMade, templateCalled, type UsedTemplate } from '../../clients/migration/template.ts';
import { addressesOf, verdictCounts, verdictReport, verdictTable, verifyAddresses } from '../../clients/migration/verify.ts';
import { dataDirOption, host, hostAndPort, originOf, stageOption, timeZone, withOneLineErrors } from '../shared/arguments.ts';
import { accessWithKey, connect, connectToRead, type Waits, waitsUntil } from '../shared/connection.ts';
import type { Terminal } from '../shared/terminal.ts';
import { headOf } from './head.ts';
import { reportFile } from './report-file.ts';
import { dialectIn, type Planning, plannedIn, type Survey, sourceOf, surveyOf } from './source.ts';

type Options = {
  from: FormatName;
  domain: string;
  sourceDomain?: string;
  template?: string;
  forwardPath?: true;
  timezone: string;
  dryRun?: true;
  report?: string;
  url?: string;
  workspace?: string;
  stage: string;
  dataDir: string;
  json?: true;
};

/** How `verify` reaches the addresses. */
type Visits = { origin?: URL; through?: URL };

/** Adds the options and commands of the import to an empty command. */
export function addImport(program: Command, terminal: Terminal): Command {
  /** Ends with the exit code of some work, or with a one-line error. */
  const exitWith = async (work: () => Promise<number>): Promise<void> => {
    try {
      terminal.exitWith(await work());
    } catch (error) {
      program.error(`error: ${printable((error as Error).message.split('\n')[0] ?? '')}`);
    }
  };
  withOneLineErrors(program)
    .description('Import links from another service')
    .argument('<file>', 'the export, as CSV or JSON in UTF-8')
    .addOption(
      new Option('--from <service>', 'the service that the export is from').choices(Object.keys(formats)).makeOptionMandatory(),
    )
    .requiredOption('--domain <host>', 'the domain for the imported links', host)
    .option('--source-domain <host>', 'import only the links of this domain, if the file has several', host)
    .option('--template <name or id>', 'give the links what this template sets and the file does not')
    .option('--forward-path', 'let the links forward paths behind their slugs')
    .addOption(
      new Option('--timezone <zone>', 'the time zone of dates and times that name none').default('UTC').argParser(timeZone),
    )
    .option('--dry-run', 'write nothing, and say what would happen')
    .option('--report <file>', 'write a CSV report with the outcome of every row')
    .option('--url <url>', 'the URL of the service; its key is in LINKS_API_KEY')
    .option('--workspace <id>', 'import as the operator: make a key of this workspace, and revoke it at the end')
    .addOption(stageOption('with --workspace: the stage'))
    .addOption(dataDirOption())
    .option('--json', 'print only JSON')
    .action((file: string, options: Options) => exitWith(() => importFile(file, options, terminal)));

  program
    .command('verify')
    .description(
      'Visit the address of each row, and compare where it leads with the file. These visits use HEAD, and are not counted',
    )
    .argument('<file>', 'the export that was imported')
    .option('--origin <url>', 'where the addresses are, if not at https://<domain>', originOf)
    .option('--through <host>', 'connect to this host, for a domain whose DNS does not lead here yet', hostAndPort)
    .action((file: string, visits: Visits) =>
      exitWith(() => verifyFile(file, { ...program.opts<Options>(), ...visits }, terminal)),
    );
  return program;
}

/**
 * @returns the exit code: 0 if no row was refused, 2 if some were, 130 if the import was stopped.
 * @throws Error with a one-line message if the import could not continue.
 */
async function importFile(file: string, options: Options, terminal: Terminal): Promise<number> {
  const { console } = terminal;
  const { report: path, json = false, dryRun = false } = options;
  const source = sourceOf(file);
  const planning = planningOf(options);
  const survey = await surveyOf(source, planning);
  sayWhatIsRead(survey, json, console);
  const dialect = dialectIn(survey);
  const report = path === undefined ? undefined : await reportFile(path, idOf(survey, options), !dryRun, dialect);
  const outcomes = outcomesOf(json, dialect, terminal);
  const done = new Set<number>();
  for await (const { row } of report?.earlier() ?? []) done.add(row.line);
  if (done.size > 0 && !json) console.error(`${done.size} rows are done already, according to the report of an earlier run`);
  const isDone = (row: PlannedRow) => done.has(row.line);

  const stopping = stoppable(terminal);
  const progress = progressOf(survey.rows, json, terminal);
  progress.onProgress(done.size);
  /** Runs only once the service is connected: otherwise nothing would end the list that `add` begins. */
  const batches = async function* (template: UsedTemplate | undefined) {
    for await (const result of report?.earlier() ?? []) outcomes.add([result]);
    yield* batchesOf(plannedIn(source, { ...planning, template }, survey), isDone);
  };
  const carriedWith = (template: UsedTemplate | undefined): Carried => ({
    batches: batches(template),
    isStopped: () => stopping.signal.aborted,
    onProgress: progress.onProgress,
    onResults: (results, isFinal) => {
      const [final, open]: [Result[], Result[]] = [[], []];
      // A batch of links without slugs is sent as a whole, even if an earlier run was killed while it reported its
      // rows.
      for (const [index, result] of results.entries()) if (!isDone(result.row)) (isFinal(index) ? final : open).push(result);
      outcomes.add([...final, ...open]);
      report?.add(final, open);
    },
  });
  try {
    const waits = waitsUntil(stopping.signal, progress.onPause);
    const failure = await carryOutFile(options, survey, waits, carriedWith).catch((error) => {
      report?.discard();
      throw error;
    });
    progress.stop();
    report?.close();
    outcomes.print();
    if (failure) throw failure;
  } finally {
    progress.stop();
  }
  if (stopping.signal.aborted) {
    console.error('stopped: run the same command again to continue');
    return 130;
  }
  return outcomes.counts.refused > 0 ? 2 : 0;
}

const planningOf = ({ from, sourceDomain, forwardPath, timezone }: Options): Planning => ({
  format: formats[from],
  sourceDomain,
  forwardPath,
  timezone,
});

/** Says on stderr how the file is read: its dialect, and the columns that are ignored. */
function sayWhatIsRead(survey: Survey, isQuiet: boolean, console: Console): void {
  const { ignored } = survey;
  if (!isQuiet) console.error(`read as ${printable(dialectIn(survey))}`);
  if (ignored.length > 0 && !isQuiet) console.error(`ignored columns: ${ignored.map((name) => printable(name)).join(', ')}`);
}

/**
 * Identifies an import: the same file, with the same options, into the same workspace. The API key stands for its
 * workspace; it has far too many characters to be guessed from a hash.
 */
function idOf({ fingerprint }: Survey, options: Options): string {
  const { from, domain, sourceDomain, template, forwardPath, timezone, dryRun, workspace, stage, dataDir } = options;
  const place = workspace === undefined ? Object.values(accessWithKey(options)) : [workspace, stage, resolve(dataDir)];
  const text = JSON.stringify([fingerprint, from, domain, sourceDomain, template, forwardPath, timezone, dryRun, ...place]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Is aborted if somebody stops the command. */
function stoppable({ onStop }: Terminal): AbortController {
  const stopping = new AbortController();
  onStop(() => stopping.abort());
  return stopping;
}

/** @returns the exit code: 0 if no address differs, 2 if some differ or were not reached, 130 if it was stopped. */
async function verifyFile(file: string, options: Options & Visits, terminal: Terminal): Promise<number> {
  const { console } = terminal;
  const { domain, origin = new URL(`https://${domain}`), through, json = false, report } = options;
  const source = sourceOf(file);
  const planning = planningOf(options);
  const survey = await surveyOf(source, planning);
  sayWhatIsRead(survey, json, console);
  const stopping = stoppable(terminal);
  const template = await templateToVerify(options, stopping.signal);
  const planned = await Array.fromAsync(plannedIn(source, { ...planning, template }, survey));
  const rows = template ? planned.map((row) => (row.link ? { ...row, link: asMade(row.link, template) } : row)) : planned;
  // Fail now, not after the work, if the report cannot be written.
  if (report !== undefined) closeSync(openSync(report, 'a'));
  const addresses = addressesOf(rows);
  const progress = progressOf(addresses.length, json, terminal, 'addresses');
  const watched = { onDone: () => progress.onProgress(1), isStopped: () => stopping.signal.aborted };
  const visited = await verifyAddresses(addresses, headOf(origin, through), watched).finally(progress.stop);
  const forPrograms = visited.map(({ row, ...one }) => ({ line: row.line, url: row.link?.url ?? row.source.url, ...one }));
  console.log(json ? JSON.stringify({ ...verdictCounts(visited), addresses: forPrograms }) : verdictTable(visited));
  if (report !== undefined) writeFileSync(report, verdictReport(visited));
  if (stopping.signal.aborted) return 130;
  return visited.some(({ verdict }) => verdict === 'different' || verdict === 'not_reached') ? 2 : 0;
}

/** The template with which the rows were imported. Only it has to be read from the service. */
async function templateToVerify(options: Options, stopped: AbortSignal): Promise<UsedTemplate | undefined> {
  if (options.template === undefined) return undefined;
  const { templates } = await connectToRead(
    options,
    waitsUntil(stopped, () => {}),
  );
  return templateCalled(options.template, templates);
}

/** Imports the batches of a file, or finds out what an import would do. @returns the error that ended it early. */
async function carryOutFile(
  options: Options,
  { fingerprint, tags }: Survey,
  waits: Waits,
  carriedWith: (template: UsedTemplate | undefined) => Carried,
) {
  const { domain } = options;
  if (options.dryRun) {
    const reader = await connectToRead(options, waits);
    const template = await templateCalled(options.template, reader.templates);
    return runDry({ reader, domain, template, ...carriedWith(template) });
  }
  const { client, close } = await connect(options, waits, {
    name: 'import',
    permissions: ['links:read', 'links:write', 'tags:read', 'tags:write'],
  });
  try {
    const template = await templateCalled(options.template, () => templatesOf(client));
    const pace = paceOf({ ...waits, now: () => performance.now() });
    const run = { client, domain, template, fingerprint, runId: randomUUID(), pace, tags };
    return await importBatches({ ...run, ...carriedWith(template) });
  } finally {
    await close();
  }
}

/**
 * What is printed on stdout: the table at the end, or JSON, whose list is written as rows become final, because it may
 * not fit into memory.
 */
function outcomesOf(isJson: boolean, dialect: string, { stdout }: Terminal) {
  const { add, counts, table } = tallyOf();
  let [before, isOpen] = ['{"results":[', false];
  const write = (text: string) => stdout.write(text);
  return {
    counts,
    add: (results: readonly Result[]) => {
      for (const result of results) add(result);
      if (!isJson || results.length === 0) return;
      write(before + results.map((result) => JSON.stringify(forPrograms(result))).join(','));
      [before, isOpen] = [',', true];
    },
    print: () => write(isJson ? `${isOpen ? '' : before}],${JSON.stringify({ ...counts, dialect }).slice(1)}\n` : `${table()}\n`),
  };
}

const forPrograms = ({ row, ...result }: Result) => ({
  line: row.line,
  ...row.source,
  notes: row.notes,
  ...result,
});

/** Shows progress on stderr: a bar on a terminal, else a line now and then. */
function progressOf(total: number, isQuiet: boolean, { console, stderr }: Terminal, what = 'rows') {
  const bar =
    stderr.isTTY && !isQuiet
      ? new SingleBar({ format: `{bar} {value} of {total} ${what}  {status}`, stream: stderr })
      : undefined;
  const say = (text: string) => (isQuiet || bar ? undefined : console.error(text));
  bar?.start(total, 0, { status: '' });
  let done = 0;
  return {
    onProgress: (more: number) => {
      const before = done;
      done += more;
      bar?.update(done, { status: '' });
      const isRound = Math.floor(done / 1_000) > Math.floor(before / 1_000);
      if (more > 0 && (isRound || done === total)) say(`${done} of ${total} ${what}`);
    },
    onPause: (seconds: number, reason: string) => {
      bar?.update({ status: `waiting ${seconds} s: ${reason}` });
      say(`waiting ${seconds} s: ${reason}`);
    },
    stop: () => bar?.stop(),
  };
}
