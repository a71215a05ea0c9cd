import { describe, expect, test } from 'vitest';
import { localStage, type Stage } from '../../lib/stages/stages.ts';
import { loadTemplate } from '../../local/template/template.ts';
import type { Template } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../support/stacks/stages.ts';

const alarmEmail = 'operators@example.com';

type Raw = { readonly Type: string; readonly UpdatePolicy?: object };

const resourcesOf = (template: Template, type: string) =>
  Object.entries(template.Resources).flatMap(([id, resource]) =>
    resource.Type === type ? [{ id, ...(resource as Raw), properties: resource.Properties }] : [],
  );

/** The aliases of a stage, each with its version and its deployment group. */
const aliasesOf = (stage: Stage) =>
  [stacksOf(stage).api, stacksOf(stage).redirect].flatMap((stack) => {
    const template = stack.toJSON() as Template;
    return resourcesOf(template, 'AWS::Lambda::Alias').map(({ properties, UpdatePolicy = {} }) => {
      const { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: group = '' } = {} } = {} } = UpdatePolicy as {
        CodeDeployLambdaAliasUpdate?: { DeploymentGroupName: { Ref: string } };
      };
      return {
        of: properties.FunctionName.Ref.slice(0, -8),
        name: properties.Name,
        version: template.Resources[properties.FunctionVersion['Fn::GetAtt'][0]],
        deployments: template.Resources[group]?.Properties,
      };
    });
  });

describe.for([...ownStageNames.map((name) => ownStage(name)), localStage(3000)])('On $name', (stage) => {
  test('The gateways call the authorizer and the redirect by an alias of a version.', () => {
    const aliases = aliasesOf(stage);
    expect(aliases.map(({ of, name }) => [of, name])).toEqual([
      ['authorize', 'live'],
      ['redirect', 'live'],
    ]);
    const { api, redirect } = stacksOf(stage);
    const [authorizer] = Object.values(api.findResources('AWS::ApiGateway::Authorizer'));
    expect(JSON.stringify(authorizer?.Properties.AuthorizerUri)).toMatch(/"Ref":"authorizelive/);
    const [integration] = Object.values(redirect.findResources('AWS::ApiGatewayV2::Integration'));
    expect(integration?.Properties.IntegrationUri).toEqual({ Ref: expect.stringMatching(/^redirectlive/) });
    for (const [template, of] of [
      [api, 'authorize'],
      [redirect, 'redirect'],
    ] as const) {
      const allowed = Object.values(template.findResources('AWS::Lambda::Permission')).map(({ Properties }) =>
        JSON.stringify(Properties.FunctionName),
      );
      expect(allowed.filter((name) => name.includes(`"Ref":"${of}live`)).length).toBeGreaterThan(0);
    }
  });

  test('A version stays when the next one is deployed, but goes if its own deployment is undone, so that the same code can be deployed again.', () => {
    for (const { version } of aliasesOf(stage)) {
      expect(version).toMatchObject({ Type: 'AWS::Lambda::Version', DeletionPolicy: 'RetainExceptOnCreate' });
    }
  });

  test('Without alarms, a new version goes live all at once.', () => {
    expect(aliasesOf(stage).map(({ deployments }) => deployments)).toEqual([undefined, undefined]);
    for (const template of stacksOf(stage).all) expect(JSON.stringify(template)).not.toContain('AWS::CodeDeploy::');
  });
});

test('With alarms, dev switches all at once, and staging and prod give a new version a tenth of the calls for five minutes.', () => {
  const configured = ownStageNames.map((name) => [
    name,
    ...aliasesOf(ownStage(name, { alarmEmail })).map(({ deployments }) => deployments?.DeploymentConfigName),
  ]);
  const canary = 'CodeDeployDefault.LambdaCanary10Percent5Minutes';
  expect(configured).toEqual([
    ['dev', undefined, undefined],
    ['staging', canary, canary],
    ['prod', canary, canary],
  ]);
});

test('A deployment is undone if it fails, or if an alarm of its function goes off.', () => {
  const watched = aliasesOf(ownStage('prod', { alarmEmail })).map(({ of, deployments }) => [
    of,
    deployments.AlarmConfiguration.Alarms.map(({ Name }: { Name: { Ref: string } }) => Name.Ref.slice(0, -8)),
    deployments.AutoRollbackConfiguration,
  ]);
  const undone = { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] };
  expect(watched).toEqual([
    ['authorize', ['apifaultsalarm', 'authorizerfailuresalarm'], undone],
    ['redirect', ['redirecterrorsalarm', 'clicksfailingalarm'], undone],
  ]);
});

test('Each stack has fewer than 450 of the 500 resources that CloudFormation allows, with all that a stage may have.', () => {
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
  const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/one';
  const shortDomains = [{ name: 'go.example.com', certificateArn }];
  const all = ownStage('prod', { alarmEmail, shortDomains, docs: true, tracing: 'all' });
  const sizes = stacksOf(all).all.map((template) => Object.keys((template.toJSON() as Template).Resources).length);
  expect(Math.max(...sizes)).toBeGreaterThan(100);
  for (const size of sizes) expect(size).toBeLessThan(450);
});

test('The local service takes an alias for its function, and ignores deployments.', () => {
  const { app } = stacksOf(ownStage('prod', { alarmEmail }));
  app.synth();
  const template = loadTemplate(app.outdir);
  const names = template.ofType('AWS::Lambda::Function').map((resource) => template.attribute(resource, 'Arn'));
  const aliases = template.ofType<{ FunctionName: string }>('AWS::Lambda::Alias');
  expect(aliases).toHaveLength(2);
  for (const { name } of aliases) expect(names.map((arn) => `${arn}:live`)).toContain(name);
});
