import type { Command } from 'commander';
import { type StepResult, smokeTest, tableOf } from '../../clients/smoke/smoke.ts';
import { trialOf } from '../../clients/smoke/trial.ts';
import { usualStage } from '../../lib/stages/stages.ts';
import { dataDirOption, host, stageOption, withOneLineErrors } from '../shared/arguments.ts';
import { lineOf } from '../shared/line-of.ts';
import type { Terminal } from '../shared/terminal.ts';
import { type AccessOptions, accessTo } from './access.ts';

type Options = AccessOptions & { readonly json?: true; readonly managedDomain?: string };

/** Adds the options of the smoke test to an empty command. */
export function addSmoke(program: Command, terminal: Terminal): Command {
  return withOneLineErrors(program)
    .description('Try a running service, and leave nothing behind')
    .option(
      '--base-url <url>',
      'the URL of the service, before /api/v1; its key is in --key or LINKS_API_KEY, or made with --stage',
    )
    .option('--key <key>', 'an API key with the permissions of the one that admin start makes')
    .addOption(stageOption(`try this stage as the operator; without --base-url, the default is ${usualStage}`).default(undefined))
    .option('--workspace <id>', 'as the operator: try it in this workspace, with a key that is revoked at the end')
    .option('--domain <host>', 'the domain of the links; the default is a free one, or an active domain of the workspace', host)
    .option(
      '--managed-domain <host>',
      'also try managedDomains with this domain, which must be free: says which records to set, and waits for them',
      host,
    )
    .addOption(dataDirOption())
    .option('--json', 'print only JSON')
    .action(async (options: Options) => {
      try {
        terminal.exitWith(await run(options, terminal));
      } catch (error) {
        program.error(`error: ${lineOf(error as Error)}`);
      }
    });
}

/**
 * @returns the exit code: 0 if no step failed, 2 if some did, 130 if the test was stopped.
 * @throws Error with a one-line message if the test could not begin, or something that it made is left.
 */
async function run(options: Options, { console, onStop }: Terminal): Promise<number> {
  const stopping = new AbortController();
  onStop(() => stopping.abort());
  const { signal } = stopping;
  const say = (line: string) => console.error(line);
  const onWait = (seconds: number, reason: string) => say(`waiting ${seconds} s: ${reason}`);
  const { close, ...access } = await accessTo(options, say);
  const { baseUrl } = access;
  if (!options.json) say(`trying ${baseUrl}`);
  let results: readonly StepResult[];
  try {
    const { managedDomain } = options;
    const { trial, cleaner } = trialOf({ ...access, managedDomain, tell: say, onWait, signal });
    results = await smokeTest(trial, cleaner, ({ step, outcome }) => options.json || say(`${step}: ${outcome}`));
  } finally {
    await close();
  }
  console.log(options.json ? JSON.stringify({ baseUrl, steps: results }) : tableOf(results));
  if (signal.aborted) return 130;
  return results.some(({ outcome }) => outcome === 'failed') ? 2 : 0;
}
