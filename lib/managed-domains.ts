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

// What a stage with `managedDomains` has, and no other. docs/decisions/0049 has the reasons.

type ManagedDomainsProps = {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly tables: Tables;
  /** The names under which the redirect answers without managed domains. */
  readonly servedNames: readonly string[];
  /** The id of the redirect's API. */
  readonly redirectApiId: string;
  readonly bundleOf: BundleOf;
};

/**
 * Adds the function that makes certificates and custom domain names for domains, if the stage has it. A schedule runs it each
 * minute while a certificate is pending; the function switches it on and off. Another one runs it each hour, to look after
 * certificates that serve, and what was missed.
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
    // A lease lasts 90 seconds, so it outlasts its holder.
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
 * What the function may do besides reading and writing its items: it may make certificates and names only with the tag of its
 * stage, and change or delete only those that have it. Making something with tags needs the right to tag, which AWS cannot
 * restrict to what is being made: neither that nor what somebody else made has the tag. So the function could give its tag to
 * others' certificates and names, but to nothing of another stage, nothing else of API Gateway, and no other tags. The code
 * never does. Which actions and condition keys there are:
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
  // What is being made has no tags yet, so the key is missing:
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html#Conditions_IfExists
  const tagging = { ...making, StringEqualsIfExists: own.StringEquals };
  const allow = (actions: string[], resources: string[], conditions = {}) =>
    new PolicyStatement({ actions, resources, conditions });
  return [
    // ListCertificates and RequestCertificate know no resources.
    allow(['acm:ListCertificates'], ['*']),
    // https://docs.aws.amazon.com/acm/latest/userguide/acm-conditions.html
    allow(['acm:RequestCertificate'], ['*'], {
      ...making,
      StringEquals: { ...making.StringEquals, 'acm:ValidationMethod': 'DNS' },
    }),
    allow(['acm:AddTagsToCertificate'], ['*'], tagging),
    // Tags say whose a certificate is, so it must be possible to read them before. A certificate that is gone has none, so
    // with a condition on tags, IAM would deny the question whether it is there:
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
    allow(['acm:DescribeCertificate', 'acm:ListTagsForCertificate'], [certificates]),
    allow(['acm:DeleteCertificate'], [certificates], own),
    allow(['apigateway:GET'], [gateway('/domainnames*')]),
    allow(['apigateway:POST'], [gateway('/domainnames')], making),
    // Making a name with tags needs this, too: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-tagging.html.
    // The resource is the encoded ARN of the name, as in https://github.com/mattclay/aws-terminator/pull/284.
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

/** Accepts what cdk-nag finds about resources whose names are not known before they are made. */
function acknowledgeWildcards(manage: TableFunction): void {
  const reason =
    'What it makes has names that are not known before; conditions on tags restrict what it may change, and ACM knows no resources for two actions';
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
