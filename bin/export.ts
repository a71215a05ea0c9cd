import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { LinksClient } from '../clients/typescript/client.ts';
import { dayMs } from '../lambdas/domain/day.ts';
import { parseTimestamp } from '../lambdas/domain/timestamp.ts';
import { clicksAsCsv } from '../lambdas/views/click.ts';
import { dataDirOption, stageOption, withOneLineErrors } from './arguments.ts';
import { type ConnectionOptions, connect, waitsUntil } from './connection.ts';

// `npm run export`: writes what a workspace has recorded, over the API.

type Options = ConnectionOptions & { link?: string; day?: string; format: 'csv' | 'jsonl'; output?: string };

const day = (text: string): string => {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return parseTimestamp(`${text}T00:00Z`).slice(0, 10);
  } catch {
    // The error below says more.
  }
  throw new InvalidArgumentError('It must be a day such as 2030-01-31.');
};

const program = withOneLineErrors(new Command('export')).description('Write what a workspace has recorded');

program
  .command('clicks')
  .description('write the recorded clicks of the links of a workspace, link by link, newest first')
  .option('--link <id>', 'only the clicks of this link')
  .option('--day <day>', 'only the clicks of this day in UTC, such as 2030-01-31', day)
  .addOption(new Option('--format <format>', 'CSV, or a JSON object per line').choices(['csv', 'jsonl']).default('csv'))
  .option('--output <file>', 'the file to write; the default is standard output')
  .option('--url <url>', 'the URL of the service; its key is in LINKS_API_KEY')
  .option('--workspace <id>', 'export as the operator: make a key of this workspace, and revoke it at the end')
  .addOption(stageOption('with --workspace: the stage'))
  .addOption(dataDirOption())
  .action(async (options: Options) => {
    try {
      await exportClicks(options);
    } catch (error) {
      program.error(`error: ${(error as Error).message.split('\n')[0]}`);
    }
  });

/** @throws Error with a one-line message if the export is not complete. */
async function exportClicks(options: Options): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const waits = waitsUntil(stopping.signal, (seconds, reason) => console.error(`waiting ${seconds} s: ${reason}`));
  const { client, close } = await connect(options, waits, { name: 'export', permissions: ['links:read', 'stats:read'] });
  let clicks = 0;
  const counted = (count: number) => {
    clicks += count;
  };
  try {
    const output: Writable = options.output === undefined ? process.stdout : createWriteStream(options.output);
    await pipeline(linesOf(client, options, counted), output, { signal: stopping.signal, end: options.output !== undefined });
  } finally {
    await close();
  }
  console.error(`${clicks} clicks`);
}

/** The text of the export, click by click. */
async function* linesOf(
  client: LinksClient,
  { link, day, format }: Options,
  counted: (clicks: number) => void,
): AsyncGenerator<string> {
  const within = day === undefined ? {} : { from: day + midnight, to: new Date(Date.parse(day) + dayMs).toISOString() };
  if (format === 'csv') yield clicksAsCsv([]);
  for await (const id of link === undefined ? linkIds(client) : [link]) {
    const params = { path: { id }, query: within };
    for await (const click of client.pages('/api/v1/links/{id}/clicks', { params })) {
      counted(1);
      yield format === 'csv' ? clicksAsCsv([click], false) : `${JSON.stringify(click)}\n`;
    }
  }
}

const midnight = 'T00:00:00.000Z';

async function* linkIds(client: LinksClient): AsyncGenerator<string> {
  for await (const { id } of client.pages('/api/v1/links')) yield id;
}

await program.parseAsync();
