import { describe, expect, test } from 'vitest';
import type { SettingsInput } from '../../lib/stages/settings.ts';
import { localStage, type Stage } from '../../lib/stages/stages.ts';
import { resourcesOf, type Template } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../support/stacks/stages.ts';

const alarmEmail = 'operators@example.com';
const alarmTopicArn = 'arn:aws:sns:eu-central-1:111122223333:operators';
const withSettings = (more: SettingsInput): Stage => ownStage('dev', more);
const ofType = (stage: Stage, type: string) =>
  stacksOf(stage).all.flatMap((template) => resourcesOf(template.toJSON() as Template, type).map(({ properties }) => properties));

/** The limits of a stage's gateways: rate and burst of the API, and those of the redirect. */
const throttlesOf = (stage: Stage) => {
  const [{ MethodSettings: methods = [] } = {} as never] = ofType(stage, 'AWS::ApiGateway::Stage');
  const all = methods.find(({ ResourcePath }: { ResourcePath: string }) => ResourcePath === '/*');
  const [{ DefaultRouteSettings: visits } = {} as never] = ofType(stage, 'AWS::ApiGatewayV2::Stage');
  return {
    api: all && [all.ResourcePath, all.HttpMethod, all.ThrottlingRateLimit, all.ThrottlingBurstLimit],
    redirect: visits && [visits.ThrottlingRateLimit, visits.ThrottlingBurstLimit],
  };
};

describe('The limits of the gateways', () => {
  test.for(ownStageNames)(
    'On %s, the API takes at most half of what AWS allows an account, so that visitors get the rest.',
    (name) => {
      expect(throttlesOf(ownStage(name)).api).toEqual(['/*', '*', 5_000, 2_500]);
    },
  );

  test.for(ownStageNames)('On %s, a flood of visits costs at most $180 a day, unless the operator allows more.', (name) => {
    expect(throttlesOf(ownStage(name)).redirect).toEqual([1_000, 2_000]);
  });

  test.for(['/docs', '/docs/scalar.js', '/openapi.json'])(
    '%s, which needs no key, is limited to one request a second for all callers together, after a burst.',
    (path) => {
      const [{ MethodSettings: methods = [] } = {} as never] = ofType(ownStage('dev'), 'AWS::ApiGateway::Stage');
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-apigateway-stage-methodsetting.html
      const resource = `/${path.replaceAll('/', '~1')}`;
      const setting = { HttpMethod: 'GET', ResourcePath: resource, ThrottlingRateLimit: 1, ThrottlingBurstLimit: 20 };
      expect(methods).toContainEqual(expect.objectContaining(setting));
    },
  );

  test.for(['/', '/console', '/console/{proxy+}'])('%s, which needs no key, has a limit for all callers together.', (path) => {
    const [{ MethodSettings: methods = [] } = {} as never] = ofType(ownStage('prod'), 'AWS::ApiGateway::Stage');
    const [rate, burst] = path === '/' ? [1, 20] : [10, 100];
    const resource = path === '/' ? '/' : `/${path.replaceAll('/', '~1')}`;
    const setting = { HttpMethod: 'GET', ResourcePath: resource, ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
    expect(methods).toContainEqual(expect.objectContaining(setting));
  });

  test('A laptop has no such limits.', () => {
    expect(throttlesOf(localStage(3000))).toEqual({ api: undefined, redirect: undefined });
  });

  test('Each gateway has its own setting.', () => {
    const stageThrottle = { api: { rate: 10, burst: 20 }, redirect: { rate: 0.5, burst: 1 } };
    expect(throttlesOf(withSettings({ stageThrottle }))).toEqual({ api: ['/*', '*', 10, 20], redirect: [0.5, 1] });
  });
});

describe('A web ACL', () => {
  test.for(ownStageNames)('The stage %s has none by default.', (name) => {
    expect(ofType(ownStage(name), 'AWS::WAFv2::WebACL')).toEqual([]);
  });

  const stage = withSettings({ webAcl: { requestsPerAddress: 60_000 } });
  const [acl] = ofType(stage, 'AWS::WAFv2::WebACL');

  test('It limits the requests of an address, refuses known attackers, lets all others pass, and keeps no samples, which could hold keys.', () => {
    expect(acl.DefaultAction).toEqual({ Allow: {} });
    const [rate, ...managed] = acl.Rules;
    expect(rate).toMatchObject({
      Action: { Block: {} },
      Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: 60_000, EvaluationWindowSec: 300 } },
    });
    type Managed = { Statement: { ManagedRuleGroupStatement: { Name: string } } };
    expect(managed.map(({ Statement }: Managed) => Statement.ManagedRuleGroupStatement.Name)).toEqual([
      'AWSManagedRulesAmazonIpReputationList',
      'AWSManagedRulesKnownBadInputsRuleSet',
    ]);
    for (const { VisibilityConfig } of [acl, ...acl.Rules]) expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  });

  test("It is in front of the API's stage.", () => {
    const [association, ...others] = ofType(stage, 'AWS::WAFv2::WebACLAssociation');
    expect(others).toEqual([]);
    expect(JSON.stringify(association.ResourceArn)).toMatch(/\/restapis\/.*"Ref":"api.*\/stages\//);
  });
});

describe('A budget', () => {
  test.for(ownStageNames)('The stage %s has none by default.', (name) => {
    expect(ofType(ownStage(name), 'AWS::Budgets::Budget')).toEqual([]);
  });

  test('The recipients of alarms are notified at 80 % of a budget, and if its forecast exceeds it.', () => {
    const [budget] = ofType(withSettings({ monthlyBudget: 100, alarmEmail, alarmTopicArn }), 'AWS::Budgets::Budget');
    expect(budget.Budget).toMatchObject({ BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 100, Unit: 'USD' } });
    const subscribers = [
      { Address: alarmEmail, SubscriptionType: 'EMAIL' },
      { Address: alarmTopicArn, SubscriptionType: 'SNS' },
    ];
    expect(budget.NotificationsWithSubscribers).toMatchObject([
      { Notification: { NotificationType: 'ACTUAL', Threshold: 80 }, Subscribers: subscribers },
      { Notification: { NotificationType: 'FORECASTED', Threshold: 100 }, Subscribers: subscribers },
    ]);
  });
});
