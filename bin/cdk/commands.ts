import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { alarmNameOf, undoing } from '../../lib/alarms.ts';
import { vaultName } from '../../lib/backups.ts';
import { alarmRecipientsOf, type Stage, stageOfContext } from '../../lib/stages.ts';
import { gatewayKeysOf } from '../shared/gateway-keys.ts';
import type { lookFirst } from './look-first.ts';
import { type Aws, cloudFormation, stackCalled } from './stacks.ts';

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

/** Looks whether the stage can be deployed. Only a deployment loads what that takes. */
const looking: typeof lookFirst = async (...given) => (await import('./look-first.ts')).lookFirst(...given);

/**
 * Deploys all stacks of a stage, after a look at the account. If one of the stage's alarms goes off during the update of a
 * stack or within five minutes, CloudFormation undoes that update. It does not watch stages without alarms, stages that get
 * their alarms with this deployment, and stages that change all at once.
 *
 * CloudFormation keeps the list of alarms for later updates, and refuses them if an alarm is gone. So each deployment passes
 * the list again, before it removes any alarms:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-rollback-triggers.html
 *
 * @param args for the CDK's command line. If they name alarms themselves, or `none`, those are used.
 * @returns the exit code.
 * @throws Error with one line for the operator if the stage is unknown, cannot be deployed, or its alarms cannot be found.
 */
export async function deploy(args: readonly string[], cdk: Cdk, look = looking): Promise<number> {
  const { stage, aws } = told(args);
  if (!stage) return cdk(['deploy', '--all', ...args]);
  await look(stage, aws, console.error);
  if (args.some((arg) => /^--rollback-?trigger/i.test(arg))) return cdk(['deploy', '--all', ...args]);
  const { settings } = stage;
  const alarms = settings.rollout === 'canary' && alarmRecipientsOf(settings).length ? await undoingAlarms(stage, aws) : [];
  // Without alarms, CloudFormation would still wait for the monitoring time.
  const time = ['--monitoring-time-minutes', alarms.length ? '5' : '0'];
  // The option takes one value each time: a second one would be the name of a stack.
  const watching = (alarms.length ? alarms : ['none']).flatMap((alarm) => ['--rollback-trigger-alarm-arns', alarm]);
  return cdk(['deploy', '--all', ...args, ...watching, ...time]);
}

/**
 * Destroys all stacks of a stage. If they took the data with them, it also deletes the gateway keys of the workspaces, which
 * are in no stack. Says which backups stay. Can be repeated, even after the stacks are gone.
 *
 * @returns the exit code.
 * @throws Error with one line for the operator if the stage is unknown, or keys remain.
 */
export async function destroy(args: readonly string[], cdk: Cdk, say: (line: string) => void = console.error): Promise<number> {
  const { stage, aws } = told(args);
  const code = await cdk(['destroy', '--all', ...args]);
  if (stage?.settings.backupRegion) say(backupsLeft(stage));
  if (code || !stage || stage.settings.keepData) return code;
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

/** A vault with backups stays, and the role that would delete these in time goes with the stage. */
const backupsLeft = ({ name, settings }: Stage): string =>
  `backups may stay, and cost something, in the vaults ${vaultName(name, 'here')} and ${vaultName(name, 'copies')} of ${settings.backupRegion}: docs/deploy.md, "What stays", says how to delete them`;

/** The stage that the arguments name, if they do (otherwise the CDK app reports it), and where. @throws Error for the operator. */
function told(args: readonly string[]): { readonly stage?: Stage; readonly aws: Aws } {
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
  return { aws, ...(context.stage !== undefined && { stage: stageOfContext(context) }) };
}

/** The ARNs of the alarms in `undoing` that the stage's stacks currently have. */
async function undoingAlarms({ name: stage }: Stage, aws: Aws): Promise<string[]> {
  const { paginateListStackResources } = await import('@aws-sdk/client-cloudformation');
  const client = await cloudFormation(aws);
  const wanted = new Set(undoing.map((name) => alarmNameOf({ stage }, name)));
  const arns: string[] = [];
  for (const part of ['Api', 'Redirect']) {
    const stack = await stackCalled(client, `Links-${stage}-${part}`);
    if (!stack) continue;
    const [, partition, , region, account] = stack.StackId?.split(':') ?? [];
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: stack.StackName })) {
      for (const { ResourceType, ResourceStatus, PhysicalResourceId: alarm } of StackResourceSummaries) {
        if (ResourceType !== 'AWS::CloudWatch::Alarm' || ResourceStatus === 'DELETE_COMPLETE') continue;
        if (alarm && wanted.has(alarm)) arns.push(`arn:${partition}:cloudwatch:${region}:${account}:alarm:${alarm}`);
      }
    }
  }
  return arns;
}

/** Runs one of these commands with this process's arguments. An error becomes one line. */
export async function asProgram(command: (args: readonly string[], cdk: Cdk) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command(process.argv.slice(2), runCdk);
  } catch (error) {
    console.error(`error: ${(error as Error).message.split('\n')[0]}`);
    process.exitCode = 1;
  }
}
