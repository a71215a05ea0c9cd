import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { localStage, type StageSettings, stageOf } from '../../lib/stages.ts';
import { stacksOf } from '../support/stacks.ts';

const dev = stageOf('dev');
const certificateArn = 'arn:aws:acm:eu-central-1:111111111111:certificate/a';
const stackWith = (more: Partial<StageSettings>) => stacksOf({ ...dev, settings: { ...dev.settings, ...more } });
const environmentsOf = ({ api, events }: ReturnType<typeof stacksOf>) =>
  [api, events]
    .flatMap((template) => Object.values(template.findResources('AWS::Lambda::Function')))
    .map(({ Properties }) => Properties.Environment.Variables)
    .filter((variables) => 'DOMAIN_TARGET' in variables);

describe('what workspaces point their domains at', () => {
  test('is the name that the stage says', () => {
    const targets = environmentsOf(stackWith({ domainTarget: 'links.example.net' })).map(({ DOMAIN_TARGET }) => DOMAIN_TARGET);
    // Four endpoints, and the daily check.
    expect(targets).toEqual(Array.from({ length: 5 }, () => 'links.example.net'));
  });

  test('is the first short domain that is no wildcard, if the stage says no name', () => {
    const shortDomains = ['*.example.com', 'go.example.com', 'try.example.com'].map((name) => ({ name, certificateArn }));
    const targets = environmentsOf(stackWith({ shortDomains })).map(({ DOMAIN_TARGET }) => DOMAIN_TARGET);
    expect(targets).toEqual(Array.from({ length: 5 }, () => 'go.example.com'));
  });

  test('has to be said if there are only wildcards, which no record can name', () => {
    const shortDomains = [{ name: '*.example.com', certificateArn }];
    expect(() => stackWith({ shortDomains })).toThrow(/^shortDomains has only wildcards: set domainTarget [^\n]*$/);
    expect(() => stackWith({ shortDomains, domainTarget: 'links.example.com' })).not.toThrow();
  });

  test("is AWS's own name for the redirect, if there is neither", () => {
    for (const { DOMAIN_TARGET } of environmentsOf(stackWith({}))) {
      expect(DOMAIN_TARGET).toEqual({
        'Fn::Join': [
          '',
          [
            { 'Fn::ImportValue': expect.stringMatching(/^Links-dev-Redirect:ExportsOutputRefapi/) },
            '.execute-api.',
            { Ref: 'AWS::Region' },
            '.',
            { Ref: 'AWS::URLSuffix' },
          ],
        ],
      });
    }
  });
});

test('on AWS the operator says when a domain serves, on a laptop its DNS does', () => {
  const activations = (stacks: ReturnType<typeof stacksOf>) =>
    environmentsOf(stacks).flatMap(({ DOMAIN_ACTIVATION }) => DOMAIN_ACTIVATION ?? []);
  // One endpoint, and the daily check.
  expect(activations(stackWith({}))).toEqual(['operator', 'operator']);
  expect(activations(stacksOf(localStage(3000)))).toEqual(['dns', 'dns']);
});

test('domains are looked up each hour, for what the last hour had no time for, and an alarm says that one fails', () => {
  const { events } = stackWith({});
  events.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'rate(1 hour)',
    Targets: [{ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^checkdomains'), 'Arn'] } }],
  });
  events.hasResourceProperties('AWS::Logs::MetricFilter', {
    FilterPattern: '{ $.message.message = "a domain fails its check" }',
    MetricTransformations: [Match.objectLike({ MetricNamespace: 'Links/dev', MetricName: 'DomainsFailing' })],
  });
  events.hasResourceProperties('AWS::CloudWatch::Alarm', {
    Namespace: 'Links/dev',
    MetricName: 'DomainsFailing',
    Threshold: 1,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  });
});
