import type { Stack } from 'aws-cdk-lib';
import type { MethodDeploymentOptions, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnStage, type HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Watched } from './alarms.ts';
import type { StageSettings } from './stages/settings.ts';

// Limits of a stage, for all callers together. The limits of workspaces are in the usage plan and in the table.

/** Limits how many visits per second the redirect's gateway passes on, on a best-effort basis. Other visits get 429. */
export function throttleRedirect(api: HttpApi, settings: StageSettings): void {
  const throttle = settings.stageThrottle.redirect;
  const stage = api.defaultStage?.node.defaultChild;
  if (!throttle || !(stage instanceof CfnStage)) return;
  stage.defaultRouteSettings = { throttlingRateLimit: throttle.rate, throttlingBurstLimit: throttle.burst };
}

/**
 * Limits how often the gateway passes on requests for public pages, on a best-effort basis. Without keys, it can't
 * distinguish callers, so they share the limit.
 */
export const throttlePublic = (paths: readonly string[]): Record<string, MethodDeploymentOptions> =>
  Object.fromEntries(
    paths.map((path) => [
      `${path}/GET`,
      // The first view of the console takes five requests. Later ones take one, because browsers keep its files.
      path.startsWith('/console')
        ? { throttlingRateLimit: 10, throttlingBurstLimit: 100 }
        : { throttlingRateLimit: 1, throttlingBurstLimit: 20 },
    ]),
  );

/**
 * Groups of rules that AWS maintains free of charge. The common rules are not among them, because they refuse bodies
 * over 8 kB, such as those of imports, and bodies with URLs, such as those of links.
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 */
const managedRules = ['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet'];

/**
 * Adds a web ACL in front of the API if the stage wants one. HTTP APIs, such as the redirect's, cannot have one:
 * https://docs.aws.amazon.com/waf/latest/developerguide/how-aws-waf-works-resources.html
 */
export function addWebAcl(api: RestApi, { stage, settings: { webAcl } }: Watched): void {
  if (webAcl === undefined) return;
  const { requestsPerAddress } = webAcl;
  // Samples would include headers, and so keys.
  const counted = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    metricName: `Links-${stage}-${metricName}`,
    sampledRequestsEnabled: false,
  });
  const acl = new CfnWebACL(api.stack, 'web-acl', {
    scope: 'REGIONAL',
    description: 'Keeps floods and known attackers away from the API',
    defaultAction: { allow: {} },
    visibilityConfig: counted('web-acl'),
    rules: [
      {
        name: 'rate',
        priority: 0,
        action: { block: {} },
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: requestsPerAddress, evaluationWindowSec: 300 } },
        visibilityConfig: counted('rate'),
      },
      ...managedRules.map((name, index) => ({
        name,
        priority: index + 1,
        overrideAction: { none: {} },
        statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
        visibilityConfig: counted(name),
      })),
    ],
  });
  new CfnWebACLAssociation(api.stack, 'web-acl-of-api', { resourceArn: api.deploymentStage.stageArn, webAclArn: acl.attrArn });
}

/**
 * Adds a budget for the account if the stage wants one. The recipients of alarms are notified at 80 %, and once the
 * forecast exceeds the budget. It covers the whole account, because tags work only after somebody has activated them
 * for billing: https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/activating-tags.html
 */
export function addBudget(stack: Stack, { stage, settings }: Watched): void {
  const amount = settings.monthlyBudget;
  if (amount === undefined) return;
  const subscribers = settings.alarmRecipients.map((address) => ({
    address,
    subscriptionType: address === settings.alarmEmail ? 'EMAIL' : 'SNS',
  }));
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
    subscribers,
  });
  new CfnBudget(stack, 'budget', {
    budget: {
      budgetName: `Links-${stage}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount, unit: 'USD' },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
}
