import { createHash } from 'node:crypto';
import type { Stack } from 'aws-cdk-lib';
import { AwsIntegration } from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';

/**
 * How many roles share the functions. The policies in a role have at most 10,240 characters, which is 79 of the longest
 * ARNs: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
const roles = 2;

/**
 * Adds the IAM roles with which the REST API invokes functions. Permissions on the functions would be one or more
 * resources for each endpoint (docs/decisions/0038).
 *
 * A function's name decides its role. If that depended on the other functions, adding one could move another to the
 * next role, and deployed methods would briefly use a role that may no longer invoke it.
 *
 * @returns a function that makes an integration with a handler.
 */
export function addInvokers(stack: Stack): (handler: IFunction) => AwsIntegration {
  const invokers = Array.from({ length: roles }, (_, index) => {
    const invocations = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });
    const role = new Role(stack, `gateway-role-${index}`, {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: 'Invokes functions of the API',
      inlinePolicies: { invocations: new PolicyDocument({ statements: [invocations] }) },
    });
    return { role, invocations };
  });
  return (handler) => {
    const [first = 0] = createHash('sha256').update(handler.node.id).digest();
    const { role, invocations } = invokers[first % roles] as (typeof invokers)[number];
    invocations.addResources(handler.functionArn);
    return new AwsIntegration({
      service: 'lambda',
      proxy: true,
      path: `2015-03-31/functions/${handler.functionArn}/invocations`,
      options: { credentialsRole: role },
    });
  };
}
