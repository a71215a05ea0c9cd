import { type Command, Option } from 'commander';
import { printable } from '../../clients/migration/report.ts';
import { countNames } from '../../lambdas/core/host/listed-hosts.ts';
import { destinationLength, reportNoteLength } from '../../lambdas/core/limits.ts';
import type { Report } from '../../lambdas/core/report/report.ts';
import { hostToBlock } from '../shared/arguments.ts';
import type { Store } from '../shared/store.ts';
import { readHarmfulHosts } from './harmful-hosts.ts';

/** What these commands share with the others: how an action runs, and how it reports progress. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store) => Promise<object>) => (options: O) => Promise<void>;
  readonly report: (line: string) => void;
};

/** A list with less than this share of the previous list's names may be truncated. */
const leastShare = 0.5;

const several = (text: string, before: readonly string[] = []) => [...before, text];

/** The names of a list. @throws Error if somebody else has begun to replace it meanwhile */
function unlessOvertaken(names: number | undefined): number {
  if (names === undefined)
    throw new Error('somebody else is replacing the list, too: see "destinations list-info", and try again');
  return names;
}

/**
 * Adds the commands that keep a list of harmful hosts, which no new link may lead to.
 *
 * @param destinations the group of commands.
 */
export function addHarmfulHostCommands(destinations: Command, { run, report }: Shared): void {
  destinations
    .command('update')
    .description('replace the list of harmful hosts')
    .requiredOption(
      '--list <file or URL>',
      'a hosts file, a list of names or URLs, or a file of URLhaus; may be repeated',
      several,
    )
    .option('--smaller', 'replace the list although the new one has less than half of its names')
    .action(
      run(async ({ list, smaller = false }: { list: readonly string[]; smaller?: boolean }, { getListState, replaceList }) => {
        const { marks, lines, unreadable } = await readHarmfulHosts(list);
        const before = await getListState();
        const now = countNames(marks);
        if (now < before.names * leastShare && !smaller) {
          throw new Error(`the list has ${now} names, and the one before ${before.names}: if it is complete, add --smaller`);
        }
        return { names: unlessOvertaken(await replaceList(marks, Date.now())), lines, unreadable };
      }),
    );
  destinations
    .command('drop-list')
    .description('remove the list of harmful hosts')
    .action(run(async (_: object, { replaceList }) => ({ names: unlessOvertaken(await replaceList([], Date.now())) })));
  destinations
    .command('list-info')
    .description('how many names the list of harmful hosts has, and which are excused')
    .action(run(async (_: object, { getListState }) => getListState()));
  for (const [verb, change] of [
    ['excuse', 'excuseName'],
    ['unexcuse', 'unexcuseName'],
  ] as const) {
    destinations
      .command(verb)
      .description(change === 'excuseName' ? 'let links lead to a host on the list' : 'stop excusing a host')
      .argument('<host>', "the host's name or IP address", hostToBlock)
      .action(
        run(async (host: string, store) => {
          await store[change](host);
          return { host, excused: change === 'excuseName' };
        }),
      );
  }
  destinations
    .command('rescan')
    .description('report the links that lead to hosts on the list')
    .action(
      run(async (_: object, { getListState, reportListedLinks }) => {
        if ((await getListState()).names === 0) throw new Error('there is no list of harmful hosts: use "destinations update"');
        return reportListedLinks(Date.now(), (workspaceId) => report(`looking at the links of ${workspaceId}`));
      }),
    );
}

/** Longer than any note: each of its characters may be two UTF-16 units. */
const noteLength = 2 * reportNoteLength;

/** Sorts reports by the number of visitors' statements, then the newest first. */
const mostReportedFirst = (reports: readonly Report[]): Report[] =>
  [...reports].sort((a, b) => b.statements.length - a.statements.length || (a.createdAt < b.createdAt ? 1 : -1));

/**
 * A report as the operator sees it, with what to do if the link does harm. What others wrote cannot control the
 * terminal.
 */
function summaryOf({ statements, ...report }: Report) {
  const { domain, slug, url, reason, createdAt, closedAt } = report;
  return {
    ...report,
    url: printable(url, destinationLength),
    reason: printable(reason),
    reports: Math.max(1, statements.length),
    createdAt,
    lastReportedAt: statements.at(-1)?.at ?? createdAt,
    closedAt,
    disable: slug === null ? null : `links disable --domain=${domain} --slug=${slug}`,
  };
}

/** Adds the commands for the queue of reports. */
export function addReportCommands(program: Command, { run }: Pick<Shared, 'run'>): void {
  const reports = program.command('reports').description('links that visitors have reported, or that lead to harmful hosts');
  const unknown = (id: string) => new Error(`there is no report ${id}`);
  reports
    .command('list')
    .description('list the open reports, most reported first')
    .option('--closed', 'those that are closed')
    .action(
      run(async ({ closed = false }: { closed?: boolean }, { listReports }) => ({
        reports: mostReportedFirst(await listReports(closed ? 'closed' : 'open', Date.now())).map(summaryOf),
      })),
    );
  const whole = (id: string, report: Report | undefined) => {
    if (!report) throw unknown(id);
    const statements = report.statements.map((one) => ({ ...one, note: printable(one.note, noteLength) }));
    return { ...summaryOf(report), statements };
  };
  reports
    .command('show')
    .description('show a report with what visitors said')
    .requiredOption('--id <id>', "the report's id")
    .action(run(async ({ id }: { id: string }, { getReport }) => whole(id, await getReport(id, Date.now()))));
  reports
    .command('close')
    .description('close a report, or all of a listed host')
    .addOption(new Option('--id <id>', "the report's id").conflicts('listed'))
    .option('--listed <host>', 'instead, all reports of links to this host on the list of harmful hosts', hostToBlock)
    .action(
      run(async ({ id, listed }: { id?: string; listed?: string }, { closeReport, closeListedReports }) => {
        if (listed !== undefined) return { host: listed, closed: await closeListedReports(listed, Date.now()) };
        if (id === undefined) throw new Error('say which report: --id or --listed');
        return whole(id, await closeReport(id, Date.now()));
      }),
    );
}
