import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Template as Synthesised } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { bundlesIn } from '../../lib/bundles.ts';
import type { Route } from '../../lib/endpoints.ts';
import { addService } from '../../lib/service.ts';
import { everySetting } from '../../tools/judge/every-setting.ts';
import { resourcesOf, type Template } from '../support/stacks/policies.ts';
import { newApp } from '../support/stacks/stacks.ts';
import { ownStage } from '../support/stacks/stages.ts';

// The limits of a stack, checked with 90 endpoints. Those that do not exist have a path of their own, which is as much as an
// endpoint takes on average, and all rights of the one that has most.

vi.mock('../../lib/endpoints.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../lib/endpoints.ts')>();
  const costliest = original.routes.find(({ name }) => name === 'bulk-create-links') as Route;
  const more = Array.from({ length: Math.max(0, 90 - original.routes.length) }, (_, index): Route => {
    return { ...costliest, name: `bulk-change-made-up-things-${index}`, path: `/api/v1/made-up-endpoints-${index}` };
  });
  return { ...original, routes: [...original.routes, ...more] };
});

/** The settings with the most resources. */

/** The longest name that a stage can have, which is in most ARNs. */
const stage = ownStage('preview-12345678901234567890', {
  ...everySetting,
  docs: true,
  console: true,
  partitionConditions: true,
});

let api: Template;
let all: Template[];
beforeAll(() => {
  const bundles = bundlesIn(join(inject('service').outdir, 'bundles'));
  const app = newApp();
  addService(app, stage, (bundle) => bundles(bundle.startsWith('bulk-change-made-up') ? 'get-me' : bundle));
  const templateOf = (stack: string) =>
    Synthesised.fromStack(app.node.findChild(`Links-${stage.name}-${stack}`) as Stack).toJSON() as Template;
  api = templateOf('Api');
  all = [api, ...['Data', 'Redirect', 'Events'].map(templateOf)];
});

/**
 * How many characters a policy has on AWS at most. Names that CloudFormation makes have at most 64, in ARNs such as
 * `arn:aws-us-gov:lambda:ap-southeast-1:111122223333:function:…`. Exports of other stacks are ARNs of tables.
 */
const sizeOf = (document: unknown): number =>
  JSON.stringify(document, (_, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    if ('Fn::GetAtt' in value || 'Fn::ImportValue' in value) return 'x'.repeat(60 + 64);
    if ('Ref' in value) return 'x'.repeat(20);
    if ('Fn::Join' in value) {
      const [separator, parts] = value['Fn::Join'] as [string, unknown[]];
      return parts.map((part) => (typeof part === 'string' ? part : 'x'.repeat(60 + 64))).join(separator);
    }
    return value;
  }).length;

describe('With 90 endpoints, and every setting that adds something', () => {
  test('The endpoints are counted.', () => {
    const endpoints = resourcesOf(api, 'AWS::Lambda::Function').filter(({ properties }) =>
      / \/api\/v1\//.test(properties.Description),
    );
    expect(endpoints.length).toBeGreaterThanOrEqual(90);
  });

  test('Each stack stays below 450 of the 500 resources that CloudFormation allows.', () => {
    for (const { Resources } of all) expect(Object.keys(Resources).length).toBeLessThan(450);
  });

  test('Each template stays far below the megabyte that CloudFormation allows.', () => {
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
    for (const template of all) expect(JSON.stringify(template, null, 1).length).toBeLessThan(900_000);
  });

  test('The API has at most 300 resources, which are the parts of paths.', () => {
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
    expect(resourcesOf(api, 'AWS::ApiGateway::Resource').length).toBeLessThan(270);
  });

  test('No saved query reads more than 50 log groups, and the endpoints need only one.', () => {
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatchlogs_limits.html
    for (const template of all) {
      for (const { properties } of resourcesOf(template, 'AWS::Logs::QueryDefinition'))
        expect(properties.LogGroupNames.length).toBeLessThanOrEqual(45);
    }
    expect(resourcesOf(api, 'AWS::Logs::LogGroup').map(({ id }) => id.slice(0, -8))).toEqual(['authorizelogs', 'endpointlogs']);
  });

  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  test('The policies in a role have less than the 10,240 characters that IAM allows it, and there are none beside it.', () => {
    for (const template of all) {
      for (const type of ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'])
        expect(resourcesOf(template, type).map(({ id }) => id)).toEqual([]);
    }
    const roles = all.flatMap((template) => resourcesOf(template, 'AWS::IAM::Role'));
    const sizes = roles.map(({ properties: { Policies = [] } }) =>
      Policies.reduce((sum: number, { PolicyDocument }: { PolicyDocument: unknown }) => sum + sizeOf(PolicyDocument), 0),
    );
    expect(Math.max(...sizes)).toBeGreaterThan(1_000);
    expect(Math.max(...sizes)).toBeLessThan(10_000);
  });
});
