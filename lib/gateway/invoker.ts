import { createHash } from 'node:crypto';
import type { Stack } from 'aws-cdk-lib';
import { AwsIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IRole, ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';

// How the REST API invokes functions: by one role for all of them. A permission on each function for each of its methods
// would be up to three resources for each endpoint (docs/decisions/0038).

/** The role that the gateway assumes. It may invoke nothing yet. */
export const addInvoker = (stack: Stack): Role =>
  new Role(stack, 'gateway-role', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    description: 'Invokes the functions of the API',
  });

/** Lets methods invoke a function, by that role. */
export const invoking = (handler: IFunction, invoker: IRole): AwsIntegration =>
  new AwsIntegration({
    service: 'lambda',
    proxy: true,
    path: `2015-03-31/functions/${handler.functionArn}/invocations`,
    options: { credentialsRole: invoker },
  });

/**
 * Among how many policies the functions are distributed. A policy may have 6,144 characters, which is 48 of the longest ARNs,
 * and a role ten policies: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
const policies = 4;

/**
 * Lets the role invoke exactly these functions. The name of a function decides in which policy it is: if that depended on the
 * other functions, one more could move another to the next policy, and for a moment it would be in neither.
 */
export function allowInvocations(api: RestApi, invoker: Role, functions: readonly IFunction[]): void {
  const policyOf = ({ node }: IFunction) => (createHash('sha256').update(node.id).digest()[0] ?? 0) % policies;
  for (const [index, some] of Map.groupBy(functions, policyOf)) {
    const policy = new ManagedPolicy(api.stack, `gateway-policy-${index}`, {
      description: 'Some of the functions that the API invokes',
      roles: [invoker],
      statements: [
        new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: some.map(({ functionArn }) => functionArn) }),
      ],
    });
    // A method must not be reachable before its function is.
    api.latestDeployment?.node.addDependency(policy);
  }
}
