import { Command, InvalidArgumentError, Option } from 'commander';
import { type Claim, type Domain, domainStatuses } from '../lambdas/domain/domain.ts';
import { checkText } from '../lambdas/domain/text.ts';
import { addAbuseCommands } from './abuse-commands.ts';
import { dataDirOption, host, ruled, stageOption, withOneLineErrors } from './arguments.ts';
import { addKeyCommands } from './key-commands.ts';
import { existingWorkspace, openStore, type Store } from './store.ts';
import { findTarget } from './target.ts';

const program = withOneLineErrors(new Command('admin'))
  .description('Workspaces, their API keys and their domains, and what is answered to an abuse report')
  .addOption(stageOption('the stage to work on'))
  .addOption(dataDirOption())
  .option('--json', 'print JSON alone');

const name = (text: string) => {
  if (text.trim() === '') throw new InvalidArgumentError('it is empty.');
  if (/\p{Cc}/u.test(text)) throw new InvalidArgumentError('it has control characters.');
  return ruled((said) => checkText(said, 256))(text.trim());
};

const workspaceOption = () => new Option('--workspace <id>', 'the workspace').makeOptionMandatory();

const workspaces = program.command('workspaces').description('what links, tags, domains and keys belong to');
workspaces
  .command('create')
  .requiredOption('--name <name>', 'what people call it', name)
  .action(
    run(async (options: { name: string }, { createWorkspace }, { makeGatewayKey }) => {
      const { id, name, createdAt } = await createWorkspace(options.name, makeGatewayKey);
      return { id, name, createdAt };
    }),
  );

addKeyCommands(program, { name, workspaceOption, run });

/** A domain as it is printed. */
const shown = ({ host, status, createdAt }: Domain | Claim) => ({ domain: host, status, createdAt });

const domains = program.command('domains').description('what links are served on');
domains
  .command('add')
  .addOption(workspaceOption())
  .requiredOption('--domain <host>', 'its name', host)
  .addOption(new Option('--status <status>', 'how far it has come').choices(domainStatuses).default('ACTIVE'))
  .action(
    run(
      async (options: { workspace: string; domain: string; status: (typeof domainStatuses)[number] }, { addDomain, ...rest }) => {
        const { id: workspace } = await existingWorkspace(rest, options.workspace);
        const added = await addDomain(workspace, options.domain, options.status);
        if (!added) throw new Error(`the ownership of ${options.domain} is proven already`);
        return shown(added);
      },
    ),
  );
domains
  .command('list')
  .addOption(workspaceOption())
  .action(
    run(async (options: { workspace: string }, { listDomains, ...rest }) => {
      const { id: workspace } = await existingWorkspace(rest, options.workspace);
      return { domains: (await listDomains(workspace)).map(shown) };
    }),
  );

addAbuseCommands(program, { run });

/** A command's action: finds the stage, does the work and prints what comes of it; an error is one line. */
function run<O>(work: (options: O, store: Store, target: Awaited<ReturnType<typeof findTarget>>) => Promise<object>) {
  return async (options: O) => {
    const { stage, dataDir, json } = program.opts<{ stage: string; dataDir: string; json?: true }>();
    try {
      const target = await findTarget(stage, dataDir);
      const result = await work(options, await openStore(), target);
      await print(`${json ? JSON.stringify(result) : describe(result)}\n`);
    } catch (error) {
      program.error(`error: ${(error as Error).message.split('\n')[0]}`);
    }
  };
}

/** @throws Error where it cannot be written: a key that was not seen is lost. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.on('error', reject);
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** For people: a line a field, a block an entry. */
function describe(result: object): string {
  const lists = Object.values(result).filter((value) => Array.isArray(value) && typeof value[0] === 'object');
  if (lists.length > 0) return lists.flat().map(describe).join('\n\n');
  return Object.entries(result)
    .map(([field, value]) => `${field.padEnd(12)} ${Array.isArray(value) ? value.join(', ') || '-' : (value ?? '-')}`)
    .join('\n');
}

for (const group of [program, ...program.commands]) {
  group.showSuggestionAfterError(false);
  // A command that is not there comes to the action, which names those that are.
  group.allowExcessArguments();
  group.action((_options, { args: [unknown] }: Command) => {
    const problem = unknown === undefined ? '' : `there is no command "${unknown}": `;
    group.error(`error: ${problem}name one of the commands ${group.commands.map((command) => command.name()).join(', ')}`);
  });
}
await program.parseAsync();
