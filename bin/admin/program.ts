import { type Command, Option } from 'commander';
import { type Claim, type Domain, domainStatuses } from '../../lambdas/core/domain/domain.ts';
import { newRequestId } from '../../lambdas/core/ids.ts';
import { parseKeyName } from '../../lambdas/core/key/key-name.ts';
import { asAuthor } from '../../lambdas/runtime/author.ts';
import type { StageSettings } from '../../lib/stages/settings.ts';
import { localStage, stageOf } from '../../lib/stages/stages.ts';
import { dataDirOption, host, ruled, stageOption, withOneLineErrors } from '../shared/arguments.ts';
import { lineOf } from '../shared/line-of.ts';
import { anyWorkspace, existingWorkspace, openStore, type Store } from '../shared/store.ts';
import { apiUrlOf, findTarget, requireServed, type Target } from '../shared/target.ts';
import type { Terminal } from '../shared/terminal.ts';
import { addAbuseCommands } from './abuse.ts';
import { addClickCommands } from './clicks.ts';
import { addReconcileCommand, shownToOperator } from './domains.ts';
import { addGatewayCommands } from './gateway.ts';
import { addImportsCommand } from './imports.ts';
import { addKeyCommands } from './keys.ts';
import { addMemberCommands } from './members.ts';
import { addPeopleCommands } from './people.ts';
import { addStartCommand } from './start.ts';
import { addStatsCommands } from './stats.ts';
import { addWebhookCommands } from './webhooks.ts';

const name = ruled(parseKeyName);

const workspaceOption = () => new Option('--workspace <id>', 'the workspace').makeOptionMandatory();

/** A domain as the command prints it. */
const shown = ({ host, status, createdAt }: Domain | Claim) => ({ domain: host, status, createdAt });

/** The settings of a stage, including the laptop's. */
const settingsOf = (stage: string): StageSettings => (stage === 'local' ? localStage(0) : stageOf(stage)).settings;

/** Turns a command's work into its action. */
type Run = <O>(work: (options: O, store: Store, target: Target) => Promise<object>) => (options: O) => Promise<void>;

/**
 * Adds the operator's commands to an empty command.
 *
 * @param wait waits that many milliseconds; tests pass one that doesn't.
 */
export function addAdminCommands(
  program: Command,
  { console, stdout, exitWith }: Terminal,
  wait?: (ms: number) => Promise<unknown>,
): Command {
  withOneLineErrors(program)
    .description('Manage workspaces, their members, API keys and domains, and act on abuse reports')
    .addOption(stageOption('the stage to work on'))
    .addOption(dataDirOption())
    .option('--json', 'print only JSON');

  /** Writes a result. @throws Error if it cannot be written: the operator must know that a new key was lost. */
  const print = (text: string) =>
    new Promise<void>((resolve, reject) => {
      stdout.on('error', reject);
      stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  /** Prints the progress of a long command. */
  const report = (line: string) => console.error(line);
  const run = runnerOf(program, print);
  const stage = () => program.opts<{ stage: string }>().stage;
  const apiUrl = () => apiUrlOf(stage(), program.opts<{ dataDir: string }>().dataDir);
  addStartCommand(program, { name, run, stage, apiUrl, hasConsole: () => settingsOf(stage()).console });
  addWorkspaceCommands(program, { run, report, wait });
  addKeyCommands(program, { name, workspaceOption, run, exitWith });
  addMemberCommands(program, { workspaceOption, run, exitWith, apiUrl, historyDays: () => settingsOf(stage()).historyDays });
  addPeopleCommands(program, { run });
  addDomainCommands(program, run, exitWith);
  addAbuseCommands(program, { run, report });
  addWebhookCommands(program, { run, print, workspaceOption, options: () => program.opts() });
  addGatewayCommands(program, { run, exitWith });
  addClickCommands(program, { run, exitWith, settings: () => settingsOf(stage()) });
  addStatsCommands(program, { run, exitWith, settings: () => settingsOf(stage()) });
  for (const group of [program, ...program.commands]) if (group.commands.length > 0) listCommandsOnError(group);
  return program;
}

/**
 * Makes the actions of commands: they find the stage, do the work in the operator's name, and print the result. An
 * error is one line on stderr.
 */
function runnerOf(program: Command, print: (text: string) => Promise<void>): Run {
  let commandName = '';
  program.hook('preAction', (_program, command) => {
    commandName = `${command.parent?.name()} ${command.name()}`;
  });
  return (work) => async (options) => {
    const { stage, dataDir, json } = program.opts<{ stage: string; dataDir: string; json?: true }>();
    try {
      const target = await findTarget(stage, dataDir);
      const author = { actor: { type: 'operator', id: null, name: commandName }, requestId: newRequestId() } as const;
      const store = await openStore();
      const result = await asAuthor(author, () => work(options, store, target));
      await print(`${json ? JSON.stringify(result) : describe(result)}\n`);
    } catch (error) {
      program.error(`error: ${lineOf(error as Error)}`);
    }
  };
}

/** Lists the commands of a group if none of them is called. */
function listCommandsOnError(group: Command): void {
  group.showSuggestionAfterError(false);
  // An unknown command ends up as an argument of this action.
  group.allowExcessArguments();
  group.action((_options, { args: [unknown] }: Command) => {
    const problem = unknown === undefined ? 'a command is missing' : `there is no command "${unknown}"`;
    group.error(`error: ${problem}: use one of ${group.commands.map((command) => command.name()).join(', ')}`);
  });
}

/** Adds the commands that create, list and delete workspaces. */
function addWorkspaceCommands(
  program: Command,
  { run, report, wait }: { run: Run; report: (line: string) => void; wait: ((ms: number) => Promise<unknown>) | undefined },
): void {
  const workspaces = program.command('workspaces').description('the owners of links, tags, domains and keys');
  workspaces
    .command('create')
    .description('make a workspace')
    .requiredOption('--name <name>', "the workspace's name, for people", name)
    .action(
      run(async (options: { name: string }, { createWorkspace }, { makeGatewayKey }) => {
        const { id, name, createdAt } = await createWorkspace(options.name, makeGatewayKey);
        return { id, name, createdAt };
      }),
    );

  workspaces
    .command('list')
    .description('list the workspaces, oldest first')
    .action(
      run(async (_: object, { listWorkspaces }) => ({
        workspaces: (await listWorkspaces()).map(({ gatewayKey, lifted, ...shown }) => shown),
      })),
    );
  workspaces
    .command('delete')
    .description('delete a workspace with everything in it')
    .addOption(workspaceOption())
    .requiredOption('--confirm <id>', "the workspace's id again, because everything in it will be deleted")
    .action(
      run(async (options: { workspace: string; confirm: string }, store, { deleteGatewayKey }) => {
        const { workspace: id, confirm } = options;
        if (confirm !== id) throw new Error('--confirm must repeat the id of --workspace');
        const { name } = await anyWorkspace(store, id);
        const removed = await store.deleteWorkspace(id, {
          report,
          deleteGatewayKey: () => deleteGatewayKey(id),
          ...(wait && { wait }),
        });
        return { id, name, deletedAt: new Date().toISOString(), ...(program.opts().json && { removed }) };
      }),
    );
  addImportsCommand(workspaces, { run, workspaceOption });
}

/** Adds the commands that add, list and reconcile domains. */
function addDomainCommands(program: Command, run: Run, exitWith: (code: number) => void): void {
  const domains = program.command('domains').description('the domains of short links');
  addReconcileCommand(domains, { run, exitWith });
  domains
    .command('add')
    .description('add a domain, without a check of who owns it')
    .addOption(workspaceOption())
    .requiredOption('--domain <host>', "the domain's name", host)
    .addOption(new Option('--status <status>', "the domain's status").choices(domainStatuses).default('ACTIVE'))
    .action(
      run(
        async (
          options: { workspace: string; domain: string; status: (typeof domainStatuses)[number] },
          { addDomain, ...rest },
          target,
        ) => {
          const { id: workspace } = await existingWorkspace(rest, options.workspace);
          if (options.status === 'ACTIVE') await requireServed(target, options.domain);
          const added = await addDomain(workspace, options.domain, options.status);
          if (!added) throw new Error(`the ownership of ${options.domain} is already proven`);
          return shown(added);
        },
      ),
    );
  domains
    .command('list')
    .description('list the domains, with the state of their certificates')
    .addOption(workspaceOption())
    .action(
      run(async (options: { workspace: string }, { certificatesOf, listDomains, ...rest }) => {
        const { id: workspace } = await existingWorkspace(rest, options.workspace);
        const all = await listDomains(workspace);
        const certificates = await certificatesOf(all);
        return { domains: all.map((domain, index) => ({ ...shown(domain), ...shownToOperator(certificates[index]) })) };
      }),
    );
}

/** Formats a result for people: one line per field, and after them one block per entry of a list. */
function describe(result: object): string {
  const isList = (value: unknown) => Array.isArray(value) && typeof value[0] === 'object';
  const entries = Object.entries(result);
  const lists = entries.flatMap(([, value]) => (isList(value) ? (value as object[]) : []));
  const fields = entries.filter(([, value]) => !isList(value));
  return [...(fields.length > 0 ? [describeFields(fields)] : []), ...lists.map(describe)].join('\n\n');
}

function describeFields(fields: readonly (readonly [string, unknown])[]): string {
  return fields
    .map(([field, value]) => `${field.padEnd(12)} ${Array.isArray(value) ? value.join(', ') || '-' : (value ?? '-')}`)
    .join('\n');
}
