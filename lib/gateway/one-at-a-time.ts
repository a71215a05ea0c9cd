import { CfnResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * Makes CloudFormation create, change and delete the resources of each of these types one after the other.
 *
 * API Gateway takes few calls of its management API: 5 a second that create resources, one in 30 seconds that creates a
 * custom domain, and 10 a second of all others together. These quotas cannot be raised, and count for the whole account:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html. CloudFormation starts whatever depends on nothing
 * at once, dozens of resources, and gives up if calls are refused too often.
 *
 * @param scope whose resources are meant, with those of all constructs in it.
 */
export function oneAtATime(scope: Construct, ...types: string[]): void {
  const resources = scope.node.findAll().filter(CfnResource.isCfnResource);
  for (const type of types) {
    // Parents come before what is in them, so that nothing waits for itself.
    const ofType = resources.filter(({ cfnResourceType }) => cfnResourceType === type);
    for (const [index, resource] of ofType.slice(1).entries()) resource.addResourceDependency(ofType[index] as CfnResource);
  }
}
