import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Adoption, adopt, describedLinks, linksToAdopt } from '../../clients/links-as-code/adopt.ts';
import { type Api, apiOf } from '../../clients/links-as-code/api.ts';
import { applyPlan, type Ending, refusalsOf, refusedLines } from '../../clients/links-as-code/apply.ts';
import { observe, type Progress } from '../../clients/links-as-code/observe.ts';
import { countsOf, type Plan, planOf, queryOf } from '../../clients/links-as-code/plan.ts';
import { ManifestError, readManifest } from '../../clients/links-as-code/read.ts';
import { RefusedError } from '../../clients/links-as-code/refused.ts';
import { tableOf } from '../../clients/links-as-code/render.ts';
import { planIn, savedPlan } from '../../clients/links-as-code/saved.ts';
import { manifestText } from '../../clients/links-as-code/write.ts';
import { decode } from '../../clients/migration/read.ts';
import { printable } from '../../clients/migration/report.ts';
import { linksClient } from '../../clients/typescript/client.ts';
import { parseOwner } from '../../lambdas/core/link/managed-by.ts';
import { checkSlug } from '../../lambdas/core/link/slug.ts';
import { parseTagName } from '../../lambdas/core/tag/tag.ts';
import { dataDirOption, host, ruled, wholeNumber, withOneLineErrors } from '../shared/arguments.ts';
import { accessWithKey, waitsUntil } from '../shared/connection.ts';
import type { Terminal } from '../shared/terminal.ts';

type Options = { readonly url?: string; readonly dataDir: string; readonly json?: true };

/** The exit codes besides 0, and 1 for errors. */
const exitCodes = { somethingToDo: 2, stopped: 130 };

/** Adds the commands of links as code to an empty command. */
export function addLinksCommands(program: Command, terminal: Terminal): Command {
  const { console } = terminal;
  withOneLineErrors(program).description('Manage links with a manifest');

  const command = (name: string, description: string) =>
    withOneLineErrors(program.command(name))
      .description(description)
      .option('--url <url>', 'the URL of the service; its key is in LINKS_API_KEY')
      .addOption(dataDirOption())
      .option('--json', 'print only JSON');

  command('plan', 'show what would be created, changed and deleted, and write nothing')
    .argument('<manifest>', 'the manifest, in YAML or JSON')
    .option('--out <file>', 'save the plan, for apply')
    .action((file: string, options: Options & { out?: string }) =>
      run(file, options, terminal, async ({ api, baseUrl, progress }) => {
        const plan = await planned(api, textOf(file), progress);
        const saved = JSON.stringify(savedPlan(plan, baseUrl), undefined, 2);
        if (options.out !== undefined) writeFileSync(options.out, `${saved}\n`);
        console.log(options.json ? saved : tableOf(plan));
        return plan.steps.length > 0 ? exitCodes.somethingToDo : 0;
      }),
    );

  command('apply', 'carry out a manifest or a saved plan: create, change and delete links')
    .argument('<file>', 'the manifest, or a plan that was saved with --out')
    .option('--allow-deletions <number>', 'allow this number of deletions, which must be the number in the plan', wholeNumber)
    .action((file: string, options: Options & { allowDeletions?: number }) =>
      run(file, options, terminal, async (connection) => {
        const { api, baseUrl, progress } = connection;
        const text = textOf(file);
        const saved = planIn(text, baseUrl);
        const plan = saved ?? (await planned(api, text, progress));
        if (!options.json) console.log(tableOf(plan));
        refuseDeletions(plan, options.allowDeletions);
        const refused = saved ? refusedLines(await refusalsOf(api, plan, progress)) : [];
        if (refused.length > 0) throw new RefusedError([...refused, 'nothing was written: plan again']);
        connection.stopGently();
        return conclude(await applyPlan(api, plan, connection), options, connection.isStopped(), console);
      }),
    );

  command('adopt', 'let a manifest manage existing links, and write the manifest if there is none')
    .argument('<manifest>', 'the manifest')
    .option('--owner <owner>', 'the owner in a new manifest', ruled(parseOwner))
    .option('--domain <host>', 'the domain in a new manifest', host)
    .option('--slug <slug>', 'adopt only this link into a new manifest; may be repeated', repeated(ruled(checkSlug)))
    .option('--tag <name>', 'adopt only links with this tag into a new manifest', ruled(parseTagName))
    .option('--from-owner <owner>', 'take over all links of this former owner', ruled(parseOwner))
    .action((file: string, options: Options & Adopting) =>
      run(file, options, terminal, async (connection) => {
        const { api, progress } = connection;
        if (!existsSync(file)) await writeManifest(api, file, options, progress);
        else if (['owner', 'domain', 'slug', 'tag'].some((name) => name in options))
          throw new Error(`${file} exists, and says which links to adopt: leave out --owner, --domain, --slug and --tag`);
        const manifest = readManifest(textOf(file));
        const { domain, managedBy } = manifest;
        const from = options.fromOwner === undefined ? undefined : `${options.fromOwner}@${domain}`;
        const links = await describedLinks(api, manifest, from, progress);
        connection.stopGently();
        const adoption = await adopt(api, links, { managedBy, from }, connection);
        return concludeAdoption(adoption, managedBy, options, connection.isStopped(), console);
      }),
    );
  return program;
}

type Adopting = {
  readonly owner?: string;
  readonly domain?: string;
  readonly slug?: string[];
  readonly tag?: string;
  readonly fromOwner?: string;
};

/** A parser of an option that may be repeated. */
function repeated<T>(rule: (text: string) => T) {
  return (text: string, before: readonly T[] = []): T[] => [...before, rule(text)];
}

type Connection = {
  readonly api: Api;
  readonly baseUrl: string;
  readonly progress: Progress;
  /**
   * From now on, a signal ends the command only after the requests under way. Before this call, nothing has been
   * written.
   */
  readonly stopGently: () => void;
  readonly isStopped: () => boolean;
};

/** Runs a command, and sets the exit code. Errors are lines on stderr, those of the manifest with line and column. */
async function run(
  file: string,
  { url, dataDir, json }: Options,
  { console, exitWith, onStop }: Terminal,
  work: (connection: Connection) => Promise<number>,
): Promise<void> {
  const stopping = new AbortController();
  const stopGently = () => onStop(() => stopping.abort());
  const isStopped = () => stopping.signal.aborted;
  const progress: Progress = (text) => (json ? undefined : console.error(text));
  const waits = waitsUntil(stopping.signal, (seconds, reason) => progress(`waiting ${seconds} s: ${reason}`));
  try {
    const { baseUrl, apiKey } = accessWithKey({ dataDir, ...(url !== undefined && { url }) });
    const api = apiOf(linksClient({ baseUrl, apiKey, ...waits }));
    exitWith(await work({ api, baseUrl, progress, stopGently, isStopped }));
  } catch (error) {
    // A wait ends with an error if the command is stopped.
    const lines = isStopped() ? [stoppedLine] : linesOf(error, file);
    for (const line of lines) console.error(printable(line));
    exitWith(isStopped() ? exitCodes.stopped : 1);
  }
}

const stoppedLine = 'stopped: run the same command again to continue';

function linesOf(error: unknown, file: string): string[] {
  if (error instanceof ManifestError)
    return error.faults.map(({ line, column, message }) => `${file}:${line}:${column}: error: ${message}`);
  if (error instanceof RefusedError) return error.lines.map((line) => `error: ${line}`);
  return [`error: ${(error as Error).message.split('\n')[0]}`];
}

async function planned(api: Api, text: string, progress: Progress): Promise<Plan> {
  const manifest = readManifest(text);
  return planOf(manifest, await observe(api, queryOf(manifest), progress));
}

/** The text of a manifest or a plan. @throws Error if it is not UTF-8 */
const textOf = (file: string): string => decode(readFileSync(file));

/** @throws Error if the plan deletes more or fewer links than allowed. */
function refuseDeletions(plan: Plan, allowed = 0): void {
  const { delete: planned } = countsOf(plan);
  if (planned === allowed) return;
  const links = planned === 1 ? '1 link' : `${planned} links`;
  throw new Error(
    planned === 0
      ? `the plan deletes nothing: leave out --allow-deletions ${allowed}`
      : `the plan deletes ${links}, so nothing was written: allow it with --allow-deletions ${planned}`,
  );
}

/** Prints the results. @returns the exit code: 0 if all is done. @throws the error that ended the work */
function conclude({ results, failure }: Ending, { json }: Options, isStopped: boolean, console: Console): number {
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  const counts = {
    done: count('done'),
    alreadyDone: count('already done'),
    refused: count('refused'),
    notReached: count('not reached'),
  };
  if (json) console.log(JSON.stringify({ ...counts, results: results.map(forPrograms) }));
  else if (results.length > 0) {
    const left = counts.notReached === 0 ? '' : `, ${counts.notReached} not reached`;
    console.log(`\nApplied: ${counts.done} done, ${counts.alreadyDone} already done, ${counts.refused} refused${left}.`);
  }
  for (const line of refusedLines(results)) console.error(printable(`refused: ${line}`));
  if (failure) throw failure;
  return ending(counts.refused, counts.notReached, isStopped, console);
}

function ending(refused: number, notReached: number, isStopped: boolean, console: Console): number {
  if (isStopped && notReached > 0) {
    console.error(stoppedLine);
    return exitCodes.stopped;
  }
  return refused > 0 ? 1 : 0;
}

const forPrograms = ({ step, ...result }: Ending['results'][number]) => ({
  action: step.action,
  ...(step.action === 'create-tag' ? { name: step.name } : { slug: step.slug }),
  ...result,
});

function concludeAdoption(
  { adopted, already, refused, notReached }: Adoption,
  managedBy: string,
  { json }: Options,
  isStopped: boolean,
  console: Console,
) {
  console.log(
    json
      ? JSON.stringify({ managedBy, adopted, alreadyManaged: already, refused, notReached })
      : `${managedBy}: ${adopted} adopted, ${already} already managed, ${refused.length} refused.`,
  );
  for (const line of refused) console.error(printable(`refused: ${line}`));
  return ending(refused.length, notReached, isStopped, console);
}

/** Writes the manifest of existing links. The file appears as a whole, or not at all. */
async function writeManifest(api: Api, file: string, options: Adopting, progress: Progress): Promise<void> {
  const { owner, domain, slug: slugs = [], tag, fromOwner } = options;
  if (owner === undefined || domain === undefined) throw new Error(`${file} does not exist: write it with --owner and --domain`);
  const from = fromOwner === undefined ? undefined : `${fromOwner}@${domain}`;
  const links = await linksToAdopt(api, { domain, managedBy: `${owner}@${domain}`, from, slugs, tag }, progress);
  const folder = dirname(resolve(file));
  const schema = relative(folder, join(import.meta.dirname, '../../clients/links-as-code/links.schema.json'));
  writeFileSync(`${file}.part`, manifestText({ owner, domain, links, schema: schema.startsWith('.') ? schema : `./${schema}` }));
  renameSync(`${file}.part`, file);
}
