import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Alias } from 'aws-cdk-lib/aws-lambda';
import type { StageSettings } from './stages/settings.ts';
import type { TableFunction } from './table-function.ts';

/** The alias through which a gateway calls a function. It points to the live version. */
export function liveAliasOf(handler: TableFunction): Alias {
  return new Alias(handler.stack, `${handler.node.id}-live`, {
    aliasName: 'live',
    version: handler.currentVersion,
    description: 'The version that the gateway calls',
  });
}

/**
 * Deploys a function step by step if its stage wants that and has alarms: a tenth of the calls for five minutes, then
 * all. If an alarm goes off, the alias returns to the previous version.
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/deployment-configurations.html
 */
export function rollOut(alias: Alias, { rollout }: StageSettings, alarms: readonly (Alarm | undefined)[]): void {
  const watching = alarms.filter((alarm) => alarm !== undefined);
  // Without an alarm, nothing would stop the deployment, and it would only take longer.
  if (rollout !== 'canary' || !watching.length) return;
  const group = new LambdaDeploymentGroup(alias.stack, `${alias.node.id}-deployments`, {
    alias,
    deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    alarms: watching,
  });
  Validations.of(group).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    // https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSCodeDeployRoleForLambdaLimited.html
    reason: 'AWS maintains this policy for deployments of functions, together with what CodeDeploy needs',
  });
}
