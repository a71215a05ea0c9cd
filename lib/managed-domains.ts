import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { alarming } from '../lambdas/core/alarms.ts';
import { attemptTag, domainTag, stageTag } from '../lambdas/core/domain/certificate.ts';
import { addAlarm, aRunDropped, countDenials, countLines, linesWith } from './alarms.ts';
import type { BundleOf } from './bundles.ts';
import type { Tables } from './data-stack.ts';
import { managerName } from './stages/function-names.ts';
import type { StageSettings } from './stages/settings.ts';
import type { Stage } from './stages/stages.ts';
import { TableFunction } from './table-function.ts';

// The resources of `managedDomains`. docs/decisions/0049 has the reasons.

type ManagedDomainsProps = {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly tables: Tables;
  /** The names that the redirect serves without managed domains. */
  readonly servedNames: readonly string[];
  /** The id of the redirect's API. */
  readonly redirectApiId: string;
  readonly bundleOf: BundleOf;
};

/**
 * Adds the function that makes certificates and custom domain names for domains, if the stage wants it. A schedule runs
 * it each minute while a certificate is pending; the function switches that on and off. Another one runs it each hour,
 * for active certificates and missed work.
 */
export function addManagedDomains(
  scope: Stack,
  { stage, settings, tables, servedNames, redirectApiId, bundleOf }: ManagedDomainsProps,
): void {
  if (!settings.managedDomains) return;
  // A fixed name, because the function that the rule starts switches the rule.
  const scheduleName = `Links-${stage}-certificates`;
  const manage = new TableFunction(scope, 'manage-domains', {
    settings,
    kind: 'event',
    tables,
    code: bundleOf('manage-domains'),
    description: 'Makes certificates and custom domain names for domains, and removes those of domains that are gone',
    functionName: managerName(stage),
    tableActions: {
      'dynamodb:BatchGetItem': ['CERTIFICATE#*', 'DOMAIN#*'],
      'dynamodb:DeleteItem': ['CERTIFICATE#*', 'CERTIFICATES#*'],
      'dynamodb:GetItem': ['CERTIFICATE#*', 'CERTIFICATES#*', 'DOMAIN#*'],
      'dynamodb:PutItem': ['CERTIFICATE#*', 'CERTIFICATES#*'],
      'dynamodb:Query': ['CERTIFICATES#*'],
      'dynamodb:UpdateItem': ['CERTIFICATES#*', 'DOMAIN#*'],
    },
    queriesIndex: 'Links',
    // A lease lasts 90 seconds, longer than its holder can run.
    timeout: Duration.seconds(60),
    environment: {
      CERTIFICATE_SCHEDULE: scheduleName,
      REDIRECT_API_ID: redirectApiId,
      SERVED_NAMES: servedNames.join(' '),
    },
  });
  for (const statement of statementsOf(scope, redirectApiId, scheduleName)) manage.addToRolePolicy(statement);
  acknowledgeWildcards(manage);
  new Rule(scope, 'certificate-schedule', {
    ruleName: scheduleName,
    description: 'Looks after certificates that are pending. The function switches it on and off',
    enabled: false,
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new FunctionTarget(manage)],
  });
  new Rule(scope, 'certificate-schedule-check', {
    description: 'Looks after the certificates of all domains',
    schedule: Schedule.rate(Duration.hours(1)),
    targets: [new FunctionTarget(manage, { event: RuleTargetInput.fromObject({ isHourly: true }) })],
  });
  watch(scope, { stage, settings }, manage);
}

/**
 * The function's permissions besides those on its items: it may make certificates and names only with the tag of its
 * stage, and change or delete only those that have it. Making tagged resources needs the permission to tag, which AWS
 * cannot restrict to new resources, because neither these nor other people's have the tag. So the policy would let the
 * function add its tag to other people's certificates and names, but not to those of another stage, not to anything
 * else of API Gateway, and no other tags. The code never does. The actions and condition keys:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awscertificatemanager.html,
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonapigatewaymanagementv2.html,
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-tagging-iam-policy.html
 */
function statementsOf(scope: Stack, redirectApiId: string, scheduleName: string): PolicyStatement[] {
  const certificates = scope.formatArn({ service: 'acm', resource: 'certificate', resourceName: '*' });
  const gateway = (resource: string) => scope.formatArn({ service: 'apigateway', account: '', resource });
  const making = {
    StringEquals: { [`aws:RequestTag/${stageTag}`]: redirectApiId },
    'ForAllValues:StringEquals': { 'aws:TagKeys': [stageTag, domainTag, attemptTag] },
  };
  const own = { StringEquals: { [`aws:ResourceTag/${stageTag}`]: redirectApiId } };
  // A new resource has no tags yet, so the key is missing:
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html#Conditions_IfExists
  const tagging = { ...making, StringEqualsIfExists: own.StringEquals };
  const allow = (actions: string[], resources: string[], conditions = {}) =>
    new PolicyStatement({ actions, resources, conditions });
  return [
    // ListCertificates and RequestCertificate have no resource types.
    allow(['acm:ListCertificates'], ['*']),
    // https://docs.aws.amazon.com/acm/latest/userguide/acm-conditions.html
    allow(['acm:RequestCertificate'], ['*'], {
      ...making,
      StringEquals: { ...making.StringEquals, 'acm:ValidationMethod': 'DNS' },
    }),
    allow(['acm:AddTagsToCertificate'], ['*'], tagging),
    // Without a condition on tags, because the function reads the tags to find its own certificates, and because a
    // deleted certificate has none, so that IAM would deny asking whether it exists:
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
    allow(['acm:DescribeCertificate', 'acm:ListTagsForCertificate'], [certificates]),
    allow(['acm:DeleteCertificate'], [certificates], own),
    allow(['apigateway:GET'], [gateway('/domainnames*')]),
    allow(['apigateway:POST'], [gateway('/domainnames')], making),
    // Making a name with tags needs this, too:
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-tagging.html. The resource is the encoded
    // ARN of the name, as in https://github.com/mattclay/aws-terminator/pull/284.
    allow(['apigateway:POST', 'apigateway:PUT'], [gateway('/tags/*domainnames*')], tagging),
    // The name itself, and its mappings.
    allow(['apigateway:DELETE', 'apigateway:PATCH', 'apigateway:POST'], [gateway('/domainnames/*')], own),
    // The first regional name of an account needs it:
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-regional-api-custom-domain-create.html
    new PolicyStatement({
      actions: ['iam:CreateServiceLinkedRole'],
      resources: [
        scope.formatArn({
          service: 'iam',
          region: '',
          resource: 'role',
          resourceName: 'aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway',
        }),
      ],
      conditions: { StringLike: { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' } },
    }),
    allow(
      ['events:DisableRule', 'events:EnableRule'],
      [scope.formatArn({ service: 'events', resource: 'rule', resourceName: scheduleName })],
    ),
  ];
}

/** Accepts findings of cdk-nag about resources whose names are not known in advance. */
function acknowledgeWildcards(manage: TableFunction): void {
  const reason =
    'The names of what it makes are not known in advance; conditions on tags restrict what it may change, and two actions of ACM have no resource types';
  const prefix = 'arn:<AWS::Partition>';
  const resources = [
    '*',
    `${prefix}:acm:<AWS::Region>:<AWS::AccountId>:certificate/*`,
    ...['/domainnames*', '/tags/*domainnames*', '/domainnames/*'].map((path) => `${prefix}:apigateway:<AWS::Region>::${path}`),
  ];
  if (!manage.role) return;
  Validations.of(manage.role).acknowledge(
    ...resources.map((resource) => ({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason })),
  );
}

function watch(scope: Stack, { stage, settings }: Pick<ManagedDomainsProps, 'stage' | 'settings'>, manage: TableFunction): void {
  addAlarm(scope, { stage, settings }, 'schedule-failed', aRunDropped(manage));
  const failing = countLines(stage, manage.logGroup, 'CertificatesFailing', linesWith(alarming.certificateFails)).metric({
    statistic: 'Sum',
    period: Duration.hours(1),
  });
  addAlarm(scope, { stage, settings }, 'certificates-failing', { metric: failing, threshold: 1 });
  const few = countLines(stage, manage.logGroup, 'FewDomainNamesLeft', linesWith(alarming.fewDomainNamesLeft)).metric({
    statistic: 'Sum',
    period: Duration.hours(1),
  });
  addAlarm(scope, { stage, settings }, 'domain-names', { metric: few, threshold: 1 });
  countDenials(stage, manage.logGroup);
}
