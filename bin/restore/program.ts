import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { stageNames, stageOf } from '../../lib/stages/stages.ts';
import { withOneLineErrors } from '../shared/arguments.ts';
import { lineOf } from '../shared/line-of.ts';
import { tableNamesOf } from '../shared/target.ts';
import type { Terminal } from '../shared/terminal.ts';
import { asSetting, prepareTables, restoreTables } from './tables.ts';

type Options = {
  readonly stage: string;
  readonly at?: Date;
  readonly links?: string;
  readonly activity?: string;
  readonly json?: true;
};

/** Parses a time in UTC, to the second, like DynamoDB's restoration. */
function second(text: string): Date {
  const date = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) || Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError('It must be a time in UTC to the second, as in 2026-11-21T10:00:00Z.');
  }
  return date;
}

/** Adds the options of a restoration to an empty command. */
export function addRestore(program: Command, terminal: Terminal): Command {
  return withOneLineErrors(program)
    .description('Restore both tables of a stage to one point in time, as new tables')
    .addOption(new Option('--stage <stage>', 'the stage').choices(stageNames()).makeOptionMandatory())
    .addOption(
      new Option('--at <time>', 'the time, as in 2026-11-21T10:00:00Z').argParser(second).conflicts(['links', 'activity']),
    )
    .option('--links <table>', 'a table that was restored in another way, to prepare as Links')
    .option('--activity <table>', 'a table that was restored in another way, to prepare as Activity')
    .option('--json', 'print only JSON')
    .action(async (options: Options) => {
      try {
        await run(options, terminal);
      } catch (error) {
        program.error(`error: ${lineOf(error as Error)}`);
      }
    });
}

async function run({ stage: name, at, links, activity, json }: Options, { console }: Terminal): Promise<void> {
  const client = new DynamoDBClient();
  const report = (line: string) => console.error(line);
  const restoring = { client, stage: stageOf(name), report };
  const restored = links !== undefined && activity !== undefined ? { Links: links, Activity: activity } : undefined;
  if (!restored && !at) throw new Error('give the time with --at, or name both tables with --links and --activity');
  const names = restored ?? (await restoreTables(restoring, await tableNamesOf(name), at as Date));
  const setting = await prepareTables(restoring, names);
  if (json) return console.log(JSON.stringify({ restoredTables: setting }));
  console.log(asSetting(setting));
  report(`Put this into stages/${name}.json, and go on with docs/operate.md#restore-data.`);
}
