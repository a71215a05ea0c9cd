import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type CustomDomain, settingsOf } from '../../lib/stages/settings.ts';
import type { Stage } from '../../lib/stages/stages.ts';
import { findPort } from '../../local/net/ports.ts';
import { checkApi, checkFunctions, checkTables, gatewayKeysOf, outputsOf, physicalNames, tryResource } from './deployed.ts';
import { cdk, type Emulator, startEmulator } from './emulator.ts';
import { certificateArn, everySetting, plainStage } from './every-setting.ts';
import { startFront } from './front.ts';
import { checkManagedDomains } from './managed-domains.ts';
import { operate } from './operator.ts';
import { pythonPrograms } from './programs.ts';
import { judged, type Limits, newTrials, type Trials } from './steps.ts';
import { bundlesFor, stacksOf, synthesiseStage, type Template, templateFile, templateOf, without } from './templates.ts';
import type { Judge } from './verdict.ts';

/** The resource types that it refuses, each with properties for a trial. The judge deploys the stacks without them. */
const unknownTypes: Readonly<Record<string, object>> = {
  'AWS::Budgets::Budget': { Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 1, Unit: 'USD' } } },
  'AWS::CloudWatch::CompositeAlarm': { AlarmRule: 'FALSE' },
  'AWS::CodeDeploy::Application': { ComputePlatform: 'Lambda' },
  'AWS::CodeDeploy::DeploymentGroup': { ApplicationName: 'judge', ServiceRoleArn: 'arn:aws:iam::000000000000:role/judge' },
  'AWS::Logs::QueryDefinition': { Name: 'judge', QueryString: 'fields @message' },
  'AWS::WAFv2::WebACLAssociation': { ResourceArn: 'arn:aws:apigateway:eu-central-1::/restapis/a/stages/b', WebACLArn: 'judge' },
};

/** What ministack 1.5.33 cannot do: the steps that may fail, each with the reason. */
const ministackLimits: Limits = {
  ...Object.fromEntries(
    Object.keys(unknownTypes).map((type) => [type, 'It refuses the type; the stacks are deployed without it']),
  ),
  expiry: 'It does not set the expiry of a table that is an AWS::DynamoDB::GlobalTable',
  'limits of methods': "It reads a usage plan's limits of single methods, but not their values",
  'tumbling windows': 'A reader of a stream has no tumbling window',
  'certificate: token': 'It makes another certificate for the same token',
  'certificate: in use': 'It deletes a certificate that a name uses',
  'smoke: password': 'Its HTTP API gives functions no `cookies`',
  'smoke: count': 'Without a tumbling window, the event does not name its shard, and count-clicks refuses it',
  'smoke: statistics': 'The same: no click is counted',
  'cdk deploy Links-prod-Redirect': 'It refuses alarms with metric math',
  'cdk deploy Links-prod-Api': 'The same',
  'cdk deploy Links-prod-Events': 'The same, and it needs an export of Links-prod-Redirect',
};

const stage = plainStage;

const { restoredTables, backupRegion, ...settings } = everySetting;
const withoutZone = ({ name }: CustomDomain): CustomDomain => ({ name, certificateArn });

/**
 * A stage with every resource that settings may add, except those that need existing zones or tables, and copies in
 * another region.
 */
const full: Stage = {
  name: 'prod',
  settings: settingsOf({
    ...settings,
    docs: true,
    shortDomains: settings.shortDomains.map(withoutZone),
    apiDomain: withoutZone(settings.apiDomain),
    // So that the API does not need the redirect's stack, which ministack does not deploy.
    keepAwsEndpoints: false,
  }),
};

/** Deploys every stack, tries the operator's commands, and runs the smoke test. */
export const ministack: Judge = async (folder) => {
  const bin = await pythonPrograms('ministack');
  const outdir = join(folder, 'cdk.out');
  const bundleOf = bundlesFor(folder);
  synthesiseStage(stage, outdir, bundleOf);
  const port = await findPort(0);
  const emulator = await startEmulator(join(bin, 'ministack'), [], {
    url: `http://127.0.0.1:${port}`,
    folder,
    env: {
      // It runs functions with the first "node" on the PATH.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      NODE_OPTIONS: `--require ${join(import.meta.dirname, 'settings/cjs.cjs')}`,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      MINISTACK_REGION: 'eu-central-1',
      STATE_DIR: join(folder, 'state'),
      S3_DATA_DIR: join(folder, 's3'),
      IOT_MTLS_ENABLED: '0',
      SFTP_ENABLED: '0',
    },
  });
  try {
    const trials = newTrials();
    await prepare(trials, emulator, outdir);
    await deploy(trials, emulator, outdir, stage.name);
    await checkManagedDomains(trials, emulator);
    await use(trials, emulator, outdir);
    const fullOutdir = join(folder, 'full');
    synthesiseStage(full, fullOutdir, bundleOf);
    await deploy(trials, emulator, fullOutdir, full.name);
    return judged(trials.results, ministackLimits, 'tools/judge/ministack.ts');
  } finally {
    await emulator.stop();
  }
};

async function prepare({ step }: Trials, emulator: Emulator, outdir: string): Promise<void> {
  await step('cdk bootstrap', async () => {
    await cdk(emulator, outdir, ['bootstrap', 'aws://000000000000/eu-central-1']);
    return undefined;
  });
  for (const [Type, Properties] of Object.entries(unknownTypes)) {
    await step(Type, async () => {
      await tryResource(emulator, { Type, Properties });
      return undefined;
    });
  }
}

/** Replaces the domain in AWS's names of the gateways with ministack's, which leads to this machine. */
const withOwnNames = (template: Template): Template =>
  JSON.parse(
    JSON.stringify(template).replaceAll(
      '.execute-api.",{"Ref":"AWS::Region"},".",{"Ref":"AWS::URLSuffix"}',
      '.execute-api.localhost"',
    ),
  );

/** Deploys the stacks of a stage. Each step reports how many of the template's resources exist. */
async function deploy({ step }: Trials, emulator: Emulator, outdir: string, name: string): Promise<void> {
  for (const stack of stacksOf(name)) {
    const whole = templateOf(outdir, stack);
    const template = withOwnNames(without(whole, Object.keys(unknownTypes)));
    writeFileSync(templateFile(outdir, stack), JSON.stringify(template));
    const wanted = Object.keys(template.Resources).length;
    await step(`cdk deploy ${stack}`, async () => {
      await cdk(emulator, outdir, ['deploy', stack, '--exclusively', '--require-approval', 'never']);
      const created = Object.keys(await physicalNames(emulator, stack)).length;
      if (created !== wanted) throw new Error(`it has ${created} of ${wanted} resources`);
      return `${created} of ${Object.keys(whole.Resources).length} resources`;
    });
  }
}

/** Checks what was deployed, and uses it. */
async function use(trials: Trials, emulator: Emulator, outdir: string): Promise<void> {
  const [data = '', , api = '', events = ''] = stacksOf(stage.name);
  const namesOf = (stack: string) => physicalNames(emulator, stack).catch((): Record<string, string> => ({}));
  const [dataNames, apiNames, eventNames] = [await namesOf(data), await namesOf(api), await namesOf(events)];
  await checkTables(trials, emulator, templateOf(outdir, data), dataNames);
  await checkApi(trials, emulator, templateOf(outdir, api), apiNames);
  await checkFunctions(trials, emulator, templateOf(outdir, events), eventNames);
  const [, redirect = ''] = stacksOf(stage.name);
  const { RedirectUrl = '' } = await outputsOf(emulator, redirect).catch(() => ({ RedirectUrl: '' }));
  const restApi = Object.entries(templateOf(outdir, api).Resources).find(([, { Type }]) => Type === 'AWS::ApiGateway::RestApi');
  const apiUrl = `${emulator.url}/restapis/${apiNames[restApi?.[0] ?? '']}/${stage.name}/_user_request_`;
  const gatewayKeys = () => gatewayKeysOf(emulator);
  const front = await startFront(await findPort(0), apiUrl, async () => (await gatewayKeys())[0]);
  try {
    await operate(trials, emulator, outdir, {
      domain: URL.parse(RedirectUrl)?.hostname,
      gatewayKeys: async () => (await gatewayKeys()).length,
      baseUrl: front.baseUrl,
    });
  } finally {
    front.stop();
  }
}
