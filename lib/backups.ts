import { Arn, ArnFormat, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault, type IBackupVault } from 'aws-cdk-lib/aws-backup';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { DataTable } from '../lambdas/store/table/tables.ts';
import { topicsOf, type Watched } from './alarms.ts';
import type { StageSettings } from './stages/settings.ts';
import { backupDays } from './tables.ts';

// Daily backups by AWS Backup, with copies in another region. Point-in-time recovery is for mistakes; backups are for
// the loss of a region, or of the tables and the files of clicks themselves.

/** A vault's kind: in the stage's own region (`here`), or in the other one (`copies`). */
type VaultKind = keyof typeof backupDays;

/**
 * The name of a vault. It is fixed, because a stack cannot refer to a resource in another region. The two names differ,
 * so that a stage that moves to the other region can have backups of its own there.
 */
export const vaultName = (stage: string, kind: VaultKind): string =>
  kind === 'here' ? `Links-${stage}` : `Links-${stage}-copies`;

export type VaultStackProps = StackProps & Watched & { readonly kind: VaultKind };

/**
 * A vault for backups. It is a stack of its own, because a vault cannot be deleted while it holds backups: if the
 * setting is removed, the app no longer has this stack, and the deployed one stays. Its key and policy are AWS's: a key
 * of ours would protect it from nobody with access to the account, and a missing action in a policy of ours would show
 * only as a missing backup.
 */
export class VaultStack extends Stack {
  constructor(scope: Construct, id: string, { stage, settings, kind, ...props }: VaultStackProps) {
    super(scope, id, props);
    new BackupVault(this, 'vault', {
      backupVaultName: vaultName(stage, kind),
      removalPolicy: settings.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}

/** What is backed up, and the topic for failures. */
type BackedUp = {
  readonly tables: Readonly<Record<DataTable, ITableV2>>;
  readonly clicks: IBucket;
  readonly topic: Topic | undefined;
};

/**
 * The policies of the backups' role: AWS has one for DynamoDB, and one for S3, which requires versions in the bucket
 * (https://docs.aws.amazon.com/aws-backup/latest/devguide/s3-backups.html).
 */
const policies = { tables: 'service-role/AWSBackupServiceRolePolicyForBackup', files: 'AWSBackupServiceRolePolicyForS3Backup' };

/**
 * Adds the plan that backs up the tables and the files of clicks each day and copies the backups, and the rule that
 * reports failures. Without the table Activity, the files are not backed up either, because both have clicks.
 *
 * @param tables the tables that the stage works on.
 * @param clicks the bucket with the files of clicks.
 * @param own the stage's own topic of alarms, if it has one.
 */
export function addBackups(stack: Stack, { stage, settings }: Watched, { tables, clicks, topic: own }: BackedUp): void {
  const region = backupRegionOf(settings);
  if (region === undefined) return;
  const arnOf = (kind: VaultKind) =>
    Arn.format(
      {
        service: 'backup',
        resource: 'backup-vault',
        resourceName: vaultName(stage, kind),
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        ...(kind === 'copies' && { region }),
      },
      stack,
    );
  const vault = (id: string, arn: string): IBackupVault => BackupVault.fromBackupVaultArn(stack, id, arn);
  const needed = settings.backUpActivity ? Object.values(policies) : [policies.tables];
  const role = new Role(stack, 'backup-role', {
    description: 'Backs up the tables and the files of clicks, and copies the backups',
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: needed.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
  });
  for (const name of needed) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`,
      // https://docs.aws.amazon.com/aws-backup/latest/devguide/security-iam-awsmanpol.html
      reason:
        'Only AWS Backup can assume the role, for what the plan selects; AWS maintains the policy together with what backups need',
    });
  }
  const plan = new BackupPlan(stack, 'backups', {
    backupPlanName: vaultName(stage, 'here'),
    backupPlanRules: [
      new BackupPlanRule({
        ruleName: 'daily',
        backupVault: vault('vault', arnOf('here')),
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        startWindow: Duration.hours(1),
        completionWindow: Duration.hours(12),
        deleteAfter: Duration.days(backupDays.here),
        copyActions: [
          { destinationBackupVault: vault('copies', arnOf('copies')), deleteAfter: Duration.days(backupDays.copies) },
        ],
      }),
    ],
  });
  const withClicks = settings.backUpActivity ? [tables.Activity.tableArn, clicks.bucketArn] : [];
  plan.addSelection('tables', {
    backupSelectionName: 'tables',
    resources: [tables.Links.tableArn, ...withClicks].map((arn) => BackupResource.fromArn(arn)),
    role,
    disableDefaultBackupPolicy: true,
  });
  reportFailures(stack, { stage, settings }, { vaultArn: arnOf('here'), own });
}

/**
 * Notifies the recipients of alarms if a backup or a copy fails. It uses AWS Backup's events, because AWS does not
 * document the dimensions of its metrics for copies:
 * https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html
 */
function reportFailures(
  stack: Stack,
  watched: Watched,
  { vaultArn, own }: { readonly vaultArn: string; readonly own: Topic | undefined },
): void {
  const topics = topicsOf(stack, watched);
  if (!topics.length) return;
  // The topic's policy must allow EventBridge, which supports no conditions there:
  // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html
  own?.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [own.topicArn],
    }),
  );
  const name = vaultName(watched.stage, 'here');
  const message = RuleTargetInput.fromText(`${name}: a backup or its copy has failed. See docs/operate.md#failed-backups`);
  const rule = new Rule(stack, 'failed-backups', {
    description: `${name}: tells that a backup or its copy in another region has failed`,
    eventPattern: {
      source: ['aws.backup'],
      detailType: ['Backup Job State Change', 'Copy Job State Change'],
      detail: {
        state: ['FAILED', 'ABORTED', 'EXPIRED'],
        $or: [{ backupVaultName: [name] }, { sourceBackupVaultArn: [vaultArn] }],
      },
    },
  });
  // The CDK's target for topics would warn, because it knows the region and account of the topic, but not of the rule.
  for (const { topicArn } of topics) rule.addTarget({ bind: () => ({ arn: topicArn, input: message }) });
  if (own) rule.node.addDependency(own);
}

/**
 * The region that gets copies of backups; undefined if the stage makes no backups.
 *
 * @param here the stage's own region, as the CDK's command line sets it.
 * @throws Error with one line for the operator if it is the stage's own region.
 */
export function backupRegionOf({ backupRegion }: StageSettings, here = process.env.CDK_DEFAULT_REGION): string | undefined {
  if (backupRegion === undefined) return undefined;
  if (backupRegion === here) throw new Error(`backupRegion: ${here} is the region of the stage: name another one`);
  return backupRegion;
}
