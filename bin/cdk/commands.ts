import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { alarmNameOf, undoing } from '../../lib/alarms.ts';
import { vaultName } from '../../lib/backups.ts';
import { daySecretsOutput } from '../../lib/redirect-stack.ts';
import { type Stage, stageOfContext } from '../../lib/stages/stages.ts';
import { gatewayKeysOf } from '../shared/gateway-keys.ts';
import { lineOf } from '../shared/line-of.ts';
import { type Aws, cloudFormation, resourcesIn, stackCalled } from '../shared/stacks.ts';
import { bucketsIn, emptyBucket } from './buckets.ts';
import type { lookFirst } from './look-first.ts';
import { nextSteps } from './next-steps.ts';

// What `npm run deploy` and `npm run destroy` do besides the CDK's commands of that name.

/** Runs the CDK's command line, and returns its exit code. */
type Cdk = (args: readonly string[]) => Promise<number>;

/** The CDK's command line, in this terminal. Signals are passed on to it, and it decides what they end. */
const runCdk: Cdk = (args) =>
  new Promise((resolve, reject) => {
    const program = fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk'));
    const cdk = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void cdk.kill(signal));
    cdk.once('error', reject).once('close', (code) => resolve(code ?? 1));
  });

/** Checks whether the stage can be deployed. Only a deployment loads the code for this. */
const looking: typeof lookFirst = async (...given) => (await import('./look-first.ts')).lookFirst(...given);

/**
 * Checks the account, deploys all stacks of a stage, and says how to go on. If one of the stage's alarms goes off
 * during the update of a stack or within five minutes, CloudFormation undoes that update. It does not watch stages
 * without alarms, stages that get their alarms with this deployment, and stages that change all at once.
 *
 * CloudFormation keeps the list of alarms for later updates, and refuses them if an alarm is gone. So each deployment
 * passes the list again, before it removes any alarms:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-rollback-triggers.html
 *
 * @param args for the CDK's command line. If they name alarms themselves, or `none`, those are used.
 * @returns the exit code.
 * @throws Error with one line for the operator if the stage is unknown, cannot be deployed, or its alarms cannot be
 * found.
 */
export async function deploy(
  args: readonly string[],
  cdk: Cdk,
  look = looking,
  say: (line: string) => void = console.error,
  stageIn = stageOfContext,
): Promise<number> {
  const { stage, aws, isNamed } = told(args, stageIn);
  await look(stage, aws, say);
  // Otherwise the CDK would take a stage from its own files, such as ~/.cdk.json.
  const named = isNamed ? args : ['-c', `stage=${stage.name}`, ...args];
  const isWatched = args.some((arg) => /^--rollback-?trigger/i.test(arg));
  const code = await cdk(['deploy', '--all', ...named, ...(isWatched ? [] : await watching(stage, aws))]);
  if (code === 0 && stage.settings.uniqueClicks === 'daily') await makeDaySecrets(stage, aws, say);
  if (code === 0) for (const line of nextSteps(stage.name, aws)) say(line);
  return code;
}

/** The options with which CloudFormation watches the stage's alarms, or none. */
async function watching(stage: Stage, aws: Aws): Promise<string[]> {
  const { settings } = stage;
  const alarms = settings.rollout === 'canary' && settings.alarmRecipients.length ? await undoingAlarms(stage, aws) : [];
  return [
    // The option takes one value each time: a second one would be the name of a stack.
    ...(alarms.length ? alarms : ['none']).flatMap((alarm) => ['--rollback-trigger-alarm-arns', alarm]),
    // Without alarms, CloudFormation would still wait for the monitoring time.
    '--monitoring-time-minutes',
    alarms.length ? '5' : '0',
  ];
}

/**
 * Has the schedule's function make the secrets of today and tomorrow, unless they exist: its first run may come an hour
 * after a deployment, and until then no click counts as unique. If that fails, a line says so: nothing else depends on
 * it.
 */
async function makeDaySecrets({ name }: Stage, aws: Aws, say: (line: string) => void): Promise<void> {
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  try {
    const { Outputs = [] } = (await stackCalled(await cloudFormation(aws), `Links-${name}-Redirect`)) ?? {};
    const FunctionName = Outputs.find(({ OutputKey }) => OutputKey === daySecretsOutput)?.OutputValue;
    const { FunctionError } = await new LambdaClient(aws).send(new InvokeCommand({ FunctionName }));
    if (FunctionError) throw Object.assign(new Error(), { name: FunctionError });
  } catch (error) {
    say(`could not make the secret for unique clicks at once (${(error as Error).name}): they are counted within an hour`);
  }
}

/**
 * Destroys all stacks of a stage, unless somebody's custom domain names still lead to it: AWS would keep the API, and
 * the deletion would end half-way. Removing a mapping alone would leave its name and certificate behind. Unless the
 * stage keeps its data, the files in its bucket are deleted once nothing writes them any more. If the data was deleted,
 * so are the gateway keys of the workspaces, which are in no stack. Says where it works, and which backups stay. Can be
 * repeated, even after the stacks are gone.
 *
 * @returns the exit code.
 * @throws Error with one line for the operator if no stage is named, it is unknown, AWS cannot be called, custom domain
 * names lead to it, or keys remain.
 */
export async function destroy(
  args: readonly string[],
  cdk: Cdk,
  say: (line: string) => void = console.error,
  stageIn = stageOfContext,
): Promise<number> {
  const { stage, aws, isNamed } = told(args, stageIn);
  if (!isNamed) throw new Error(`no stage given: name the one to destroy, as in: npm run destroy -- -c stage=${stage.name}`);
  const { describePlace, placeOf } = await import('./place.ts');
  say(`destroying ${stage.name} of ${describePlace(await placeOf(aws))}`);
  await requireUnmapped(stage, aws, say);
  const first = stage.settings.keepData ? 'nothing' : await destroyWriters(stage, aws, { args, cdk, say });
  if (typeof first === 'number') return first;
  const code = await cdk(['destroy', '--all', ...(first === 'agreed' ? agreed(args) : args)]);
  if (stage.settings.backupRegion) say(backupsLeft(stage));
  if (code || stage.settings.keepData) return code;
  const client = await cloudFormation(aws);
  // If the operator answers "no", the exit code is the same.
  for (const part of ['Data', 'Api']) if (await stackCalled(client, `Links-${stage.name}-${part}`)) return code;
  const { APIGatewayClient, DeleteApiKeyCommand } = await import('@aws-sdk/client-api-gateway');
  // An account may delete only a few a second.
  const gateway = new APIGatewayClient({ ...aws, maxAttempts: 10 });
  const keys = await gatewayKeysOf(stage.name, gateway);
  for (const { id } of keys) await gateway.send(new DeleteApiKeyCommand({ apiKey: id }));
  if (keys.length) say(`deleted ${keys.length} gateway keys of ${stage.name}`);
  return code;
}

type Destroying = { readonly args: readonly string[]; readonly cdk: Cdk; readonly say: (line: string) => void };

/**
 * Destroys the stacks whose functions write files of clicks, and then deletes the files: CloudFormation deletes only
 * empty buckets. The CDK asks before that, and need not ask again.
 *
 * @returns `nothing` if there is no bucket; `agreed` if it is empty; or the exit code, if the CDK failed or the
 * operator answered no.
 */
async function destroyWriters({ name }: Stage, aws: Aws, { args, cdk, say }: Destroying): Promise<'nothing' | 'agreed' | number> {
  const client = await cloudFormation(aws);
  const buckets = await bucketsIn(client, `Links-${name}-Data`);
  if (buckets.length === 0) return 'nothing';
  say(`${name} keeps no data: once these stacks are gone, its files of clicks and its tables are deleted, too`);
  const writers = ['Events', 'Api', 'Redirect'].map((part) => `Links-${name}-${part}`);
  const code = await cdk(['destroy', ...writers, ...args]);
  if (code) return code;
  for (const stack of writers) if (await stackCalled(client, stack)) return code;
  for (const bucket of buckets) {
    const deleted = await emptyBucket(bucket, aws);
    if (deleted) say(`deleted ${deleted} files of clicks and versions of them`);
  }
  return 'agreed';
}

/** Arguments with which the CDK does not ask. */
const agreed = (args: readonly string[]): readonly string[] =>
  args.some((arg) => arg === '--force' || arg === '-f') ? args : [...args, '--force'];

/** Refuses if custom domain names lead to the stage's APIs, and says how to end that. Continues if it may not look. */
async function requireUnmapped({ name }: Stage, aws: Aws, say: (line: string) => void): Promise<void> {
  const { mappingsOutside } = await import('./mappings.ts');
  const looked = await mappingsOutside(name, aws).catch((error: Error) => {
    say(`could not check whether custom domain names lead to ${name} (${error.name}): going on`);
  });
  if (!looked?.mappings.length) return;
  const { mappings, region } = looked;
  const where = `--region ${region}${aws.profile === undefined ? '' : ` --profile ${aws.profile}`}`;
  for (const { host, id } of mappings)
    say(`${host}: aws apigatewayv2 delete-api-mapping --domain-name ${host} --api-mapping-id ${id} ${where}`);
  const [are, lead] =
    mappings.length === 1 ? ['1 custom domain name', 'leads'] : [`${mappings.length} custom domain names`, 'lead'];
  throw new Error(
    `${are} still ${lead} to ${name}, and AWS would keep its API: delete the domains first, or run these commands, as docs/deploy.md, "Take a stage down", says`,
  );
}

/** A vault with backups stays, but the role that would delete them in time is destroyed with the stage. */
const backupsLeft = ({ name, settings }: Stage): string =>
  `backups may stay, and cost something, in the vaults ${vaultName(name, 'here')} and ${vaultName(name, 'copies')} of ${settings.backupRegion}: docs/deploy.md, "What stays", says how to delete them`;

/**
 * The stage that the arguments name, or the default one, and where it is. @throws Error with one line for the operator
 */
function told(
  args: readonly string[],
  stageIn: typeof stageOfContext,
): { readonly stage: Stage; readonly isNamed: boolean; readonly aws: Aws } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      context: { type: 'string', short: 'c', multiple: true },
      profile: { type: 'string' },
      region: { type: 'string' },
    },
    strict: false,
  });
  const context = Object.fromEntries(
    (values.context ?? []).map((pair) => /^([^=]*)=?(.*)$/s.exec(String(pair))?.slice(1) as [string, string]),
  );
  const { profile, region } = values;
  const aws = { ...(typeof profile === 'string' && { profile }), ...(typeof region === 'string' && { region }) };
  return { aws, stage: stageIn(context), isNamed: context.stage !== undefined };
}

/** The ARNs of the alarms in `undoing` that the stage's stacks currently have. */
async function undoingAlarms({ name: stage }: Stage, aws: Aws): Promise<string[]> {
  const client = await cloudFormation(aws);
  const wanted = new Set(undoing.map((name) => alarmNameOf({ stage }, name)));
  const arns: string[] = [];
  for (const part of ['Api', 'Redirect']) {
    const stack = await stackCalled(client, `Links-${stage}-${part}`);
    const [, partition, , region, account] = stack?.StackId?.split(':') ?? [];
    for await (const { ResourceType, PhysicalResourceId: alarm } of resourcesIn(client, stack)) {
      if (ResourceType === 'AWS::CloudWatch::Alarm' && alarm && wanted.has(alarm))
        arns.push(`arn:${partition}:cloudwatch:${region}:${account}:alarm:${alarm}`);
    }
  }
  return arns;
}

/** Runs one of these commands with this process's arguments. An error becomes one line. */
export async function asProgram(command: (args: readonly string[], cdk: Cdk) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command(process.argv.slice(2), runCdk);
  } catch (error) {
    console.error(`error: ${lineOf(error as Error)}`);
    process.exitCode = 1;
  }
}
