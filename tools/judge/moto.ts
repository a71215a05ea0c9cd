import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPort } from '../../local/net/ports.ts';
import { checkApi, checkFunctions, checkTables, gatewayKeysOf, makeUsagePlan, physicalNames, tryResource } from './deployed.ts';
import { cdk, type Emulator, startEmulator } from './emulator.ts';
import { plainStage } from './every-setting.ts';
import { checkManagedDomains } from './managed-domains.ts';
import { operate } from './operator.ts';
import { pythonPrograms } from './programs.ts';
import { judged, type Limits, newTrials, type Trials } from './steps.ts';
import { bundlesFor, stacksOf, synthesiseStage, type Template, templateFile, templateOf, without } from './templates.ts';
import type { Judge } from './verdict.ts';

/** The resource types that its CloudFormation does not make. The judge deploys the stacks without them. */
const unknownTypes = [
  'AWS::ApiGateway::Authorizer',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Stage',
  'AWS::ApiGateway::UsagePlan',
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::SQS::QueuePolicy',
] as const;

/** It makes permissions, but not those of aliases. */
const ofUnknownTypes = ['AWS::Lambda::Permission'] as const;

const globalTable = 'AWS::DynamoDB::GlobalTable';

/** What moto 5.2.5 cannot do: the steps that may fail, each with the reason. */
const motoLimits: Limits = {
  ...Object.fromEntries(
    unknownTypes.map((type) => [type, 'Its CloudFormation skips the type; the stacks are deployed without it']),
  ),
  [globalTable]: 'Its CloudFormation skips the type; the judge deploys an AWS::DynamoDB::Table with the same properties',
  expiry: 'Its CloudFormation does not set the expiry of a table',
  'gateway responses': 'The type is skipped',
  'usage plan': 'The type is skipped; the judge makes a plan for the operator',
  'limits of methods': 'The same',
  architecture: 'Every function is for x86_64',
  'name: target': 'A name does not say where it leads',
  'name: another certificate': 'It has no UpdateDomainName',
  'certificate: in use': 'It deletes a certificate that a name uses',
  'smoke test': 'The REST API has no stage, the HTTP API does not exist, and functions run only in Docker',
};

const stage = plainStage;

/** Deploys what it can of every stack, and tries the operator's commands. Without Docker, it runs no functions. */
export const moto: Judge = async (folder) => {
  const bin = await pythonPrograms('moto');
  const outdir = join(folder, 'cdk.out');
  synthesiseStage(stage, outdir, bundlesFor(folder));
  const port = await findPort(0);
  const emulator = await startEmulator(join(bin, 'moto_server'), ['-H', '127.0.0.1', '-p', String(port)], {
    // Its CloudFormation finds templates in its S3 only under this name.
    url: `http://localhost:${port}`,
    folder,
  });
  try {
    const trials = newTrials();
    await deploy(trials, emulator, outdir);
    const [data = '', , api = '', events = ''] = stacksOf(stage.name);
    const namesOf = (stack: string) => physicalNames(emulator, stack).catch((): Record<string, string> => ({}));
    await checkTables(trials, emulator, templateOf(outdir, data), await namesOf(data));
    await checkApi(trials, emulator, templateOf(outdir, api), await namesOf(api));
    await checkFunctions(trials, emulator, templateOf(outdir, events), await namesOf(events));
    await checkManagedDomains(trials, emulator);
    const gatewayKeys = async () => (await gatewayKeysOf(emulator)).length;
    await operate(trials, emulator, outdir, { domain: undefined, gatewayKeys, baseUrl: undefined });
    return judged(trials.results, motoLimits, 'tools/judge/moto.ts');
  } finally {
    await emulator.stop();
  }
};

async function deploy({ step }: Trials, emulator: Emulator, outdir: string): Promise<void> {
  await step('cdk bootstrap', async () => {
    await cdk(emulator, outdir, ['bootstrap', 'aws://123456789012/eu-central-1']);
    return undefined;
  });
  for (const Type of [...unknownTypes, globalTable]) {
    await step(Type, async () => {
      // Without properties, it may fail for another reason. So the log decides, which names unsupported types.
      await tryResource(emulator, { Type, Properties: {} }).catch(() => {});
      if (new RegExp(`No Moto CloudFormation support for ${Type}$`, 'm').test(emulator.log())) throw new Error('it skips it');
      return undefined;
    });
  }
  for (const stack of stacksOf(stage.name)) {
    const whole = templateOf(outdir, stack);
    const hasPlan = Object.values(whole.Resources).some(({ Type }) => Type === 'AWS::ApiGateway::UsagePlan');
    // The operator's commands need one.
    const plan = hasPlan ? await makeUsagePlan(emulator, whole) : undefined;
    const template = withPlainTables(
      without(whole, [...unknownTypes, ...ofUnknownTypes], { 'AWS::ApiGateway::UsagePlan': plan }),
    );
    writeFileSync(templateFile(outdir, stack), JSON.stringify(template));
    const wanted = Object.keys(template.Resources).length;
    await step(`cdk deploy ${stack}`, async () => {
      // Directly, because moto loses the exports of a stack from a change set.
      await cdk(emulator, outdir, ['deploy', stack, '--exclusively', '--require-approval', 'never', '--method', 'direct']);
      const created = Object.keys(await physicalNames(emulator, stack)).length;
      if (created !== wanted) throw new Error(`it has ${created} of ${wanted} resources`);
      return `${created} of ${Object.keys(whole.Resources).length} resources`;
    });
  }
}

/** The template with a table for each global one. Both have the same properties, except replicas. */
function withPlainTables(template: Template): Template {
  const plain = Object.entries(template.Resources).map(([id, resource]) => {
    if (resource.Type !== globalTable) return [id, resource];
    const { Replicas, ...Properties } = resource.Properties ?? {};
    return [id, { ...resource, Type: 'AWS::DynamoDB::Table', Properties }];
  });
  return { ...template, Resources: Object.fromEntries(plain) };
}
