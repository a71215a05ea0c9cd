import { CfnResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * Makes CloudFormation create, change and delete the resources of each of these types one after the other.
 *
 * API Gateway throttles its management API: 5 calls per second that create resources, one per 30 seconds that creates a
 * custom domain, and 10 per second of all others together. These quotas cannot be raised, and apply to the whole
 * account: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html. CloudFormation starts all
 * resources without dependencies at once, dozens of them, and gives up if calls are refused too often.
 *
 * @param scope contains the resources, directly or in constructs within it.
 */
export function oneAtATime(scope: Construct, ...types: string[]): void {
  const resources = scope.node.findAll().filter(CfnResource.isCfnResource);
  for (const type of types) {
    // Parents come before their children, so that no resource waits for itself.
    const ofType = resources.filter(({ cfnResourceType }) => cfnResourceType === type);
    for (const [index, resource] of ofType.slice(1).entries()) resource.addResourceDependency(ofType[index] as CfnResource);
  }
}
