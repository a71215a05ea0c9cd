import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { clicksOf, clicksOfLink, clicksText, type LinkFilter, linksText } from '../../clients/migration/export.ts';
import type { LinksClient } from '../../clients/typescript/client.ts';
import { dayMs } from '../../lambdas/core/click/day.ts';
import { trimmed } from '../../lambdas/core/invisible.ts';
import type { Permission } from '../../lambdas/core/key/permissions.ts';
import { linkStates } from '../../lambdas/core/link/state.ts';
import { parseTimestamp } from '../../lambdas/core/timestamp.ts';
import { dataDirOption, host, ruled, stageOption, withOneLineErrors } from '../shared/arguments.ts';
import { type ConnectionOptions, connect, waitsUntil } from '../shared/connection.ts';
import { lineOf } from '../shared/line-of.ts';
import type { Terminal } from '../shared/terminal.ts';

type Shared = ConnectionOptions & { format: 'csv' | 'jsonl'; output?: string };
type Scope = { domain?: string; tag?: string[]; tagName?: string[]; match?: 'any' | 'all' };
type ClickOptions = Shared & Scope & { link?: string; day?: string; from?: string; to?: string };
type LinkOptions = Shared &
  Scope & {
    q?: string;
    state?: (typeof linkStates)[number];
    createdAfter?: string;
    createdBefore?: string;
    managedBy?: string;
  };

const day = (text: string): string => {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return parseTimestamp(`${text}T00:00Z`).slice(0, 10);
  } catch {
    // The error below says more.
  }
  throw new InvalidArgumentError('It must be a day such as 2030-01-31.');
};

/** A day is its beginning in UTC. */
const time = ruled((text) => parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text));

/** Adds the options that choose links. */
const withScope = (command: Command): Command =>
  command
    .option('--domain <host>', 'only the links on this domain', host)
    .option('--tag <ids...>', 'only the links with one of these tags')
    .option('--tag-name <names...>', 'only the links with one of the tags with these names')
    .addOption(new Option('--match <match>', 'whether links need any or all of the tags').choices(['any', 'all']));

/** Adds the commands of the export to an empty command. */
export function addExportCommands(program: Command, terminal: Terminal): Command {
  withOneLineErrors(program).description('Export the links or clicks of a workspace');

  /** Adds a command with the shared options. */
  const addExport = <O extends Shared>(command: Command, write: (options: O) => Promise<void>) =>
    command
      .addOption(new Option('--format <format>', 'CSV, or a JSON object per line').choices(['csv', 'jsonl']).default('csv'))
      .option('--output <file>', 'the file to write; the default is standard output')
      .option('--url <url>', 'the URL of the service; its key is in LINKS_API_KEY')
      .option('--workspace <id>', 'export as the operator: make a key of this workspace, and revoke it at the end')
      .addOption(stageOption('with --workspace: the stage'))
      .addOption(dataDirOption())
      .action(async (options: O) => {
        try {
          await write(options);
        } catch (error) {
          program.error(`error: ${lineOf(error as Error)}`);
        }
      });

  addExport<ClickOptions>(
    withScope(
      program
        .command('clicks')
        .description('write the clicks of a workspace, newest first')
        .addOption(new Option('--link <id>', 'only the clicks of this link').conflicts(['domain', 'tag', 'tagName', 'match']))
        .addOption(
          new Option('--day <day>', 'only the clicks of this day in UTC, such as 2030-01-31')
            .argParser(day)
            .conflicts(['from', 'to']),
        )
        .option('--from <time>', 'only the clicks at this time or later', time)
        .option('--to <time>', 'only the clicks before this time', time),
    ),
    (options) => {
      const { link, format } = options;
      const progress = linesOf(terminal);
      return exportAll(options, ['stats:read'], 'clicks', progress, terminal, (client) => {
        const range = rangeOf(options);
        const clicks =
          link === undefined ? clicksOf(client, { ...scopeOf(options), ...range }) : clicksOfLink(client, link, range);
        return clicksText(clicks, format, ({ at }) => progress.wrote(at));
      });
    },
  );

  addExport<LinkOptions>(
    withScope(
      program
        .command('links')
        .description('write the links of a workspace, oldest first; the import reads the CSV with --from csv'),
    )
      .option('--q <text>', 'only the links with this text in a slug, the URL, the title or the notes', trimmed)
      .addOption(new Option('--state <state>', 'only the links in this state').choices(linkStates))
      .option('--created-after <time>', 'only the links created at this time or later', time)
      .option('--created-before <time>', 'only the links created before this time', time)
      .option('--managed-by <owner@domain>', 'only the links that this owner manages'),
    (options) => {
      const progress = barOf(terminal, options.createdBefore);
      return exportAll(options, ['links:read'], 'links', progress, terminal, (client) =>
        linksText(client, filterOf(options), options.format, progress.wrote),
      );
    },
  );
  return program;
}

/** Shows the progress of an export. */
type Progress = {
  /** Called for each link or click that is written. @param createdAt its time */
  readonly wrote: (createdAt: string) => void;
  readonly onWait: (seconds: number, reason: string) => void;
  readonly count: () => number;
  /** Called at the end. @param isComplete whether everything was written */
  readonly stop: (isComplete: boolean) => void;
};

/** Lines on stderr. */
function linesOf({ console }: Terminal): Progress {
  let count = 0;
  return {
    wrote: () => void count++,
    onWait: (seconds, reason) => console.error(`waiting ${seconds} s: ${reason}`),
    count: () => count,
    stop: () => {},
  };
}

/**
 * A bar on a terminal, else lines on stderr. The number of links is unknown, but they come by their time of creation.
 * So the bar shows how much of the time from the first one to the end is covered.
 */
function barOf(terminal: Terminal, end = new Date().toISOString()): Progress {
  const { stderr } = terminal;
  const lines = linesOf(terminal);
  if (!stderr.isTTY) return lines;
  const bar = new SingleBar({ format: '{bar} {percentage} %  {links} links  {status}', stream: stderr });
  let first: number | undefined;
  return {
    ...lines,
    wrote: (createdAt) => {
      lines.wrote(createdAt);
      const at = Date.parse(createdAt);
      if (first === undefined) bar.start(Math.max(1, Date.parse(end) - at), 0, { links: 0, status: '' });
      first ??= at;
      bar.update(Math.min(at - first, bar.getTotal()), { links: lines.count(), status: '' });
    },
    onWait: (seconds, reason) => {
      if (first === undefined) lines.onWait(seconds, reason);
      else bar.update({ status: `waiting ${seconds} s: ${reason}` });
    },
    stop: (isComplete) => {
      if (isComplete && first !== undefined) bar.update(bar.getTotal());
      bar.stop();
    },
  };
}

/** @throws Error with a one-line message if the export is not complete. */
async function exportAll(
  options: Shared,
  permissions: readonly Permission[],
  what: string,
  progress: Progress,
  { console, stdout, onStop }: Terminal,
  textOf: (client: LinksClient) => AsyncGenerator<string>,
): Promise<void> {
  const stopping = new AbortController();
  onStop(() => stopping.abort());
  const waits = waitsUntil(stopping.signal, progress.onWait);
  const { client, close } = await connect(options, waits, { name: 'export', permissions });
  let isComplete = false;
  try {
    const output: Writable = options.output === undefined ? stdout : createWriteStream(options.output);
    await pipeline(textOf(client), output, { signal: stopping.signal, end: options.output !== undefined });
    isComplete = true;
  } finally {
    progress.stop(isComplete);
    await close();
  }
  console.error(`${progress.count()} ${what}`);
}

const scopeOf = ({ domain, tag, tagName, match }: Scope) => ({ domain, tagIds: tag, tagNames: tagName, match });

const filterOf = ({ q, state, createdAfter, createdBefore, managedBy, ...scope }: LinkOptions): LinkFilter => ({
  ...scopeOf(scope),
  q,
  state,
  createdAfter,
  createdBefore,
  managedBy,
});

/** The range of an export: a day, or from one time to another. */
function rangeOf({ day, from, to }: ClickOptions): { readonly from?: string | undefined; readonly to?: string | undefined } {
  if (day === undefined) return { from, to };
  const start = `${day}T00:00:00.000Z`;
  return { from: start, to: new Date(Date.parse(start) + dayMs).toISOString() };
}
