import type { CloudFormationClient, Stack, StackResourceSummary } from '@aws-sdk/client-cloudformation';

/** The profile and the region that the CDK's command line is told to use. Without them, the environment decides. */
export type Aws = { readonly profile?: string; readonly region?: string };

export const cloudFormation = async (aws: Aws): Promise<CloudFormationClient> =>
  new (await import('@aws-sdk/client-cloudformation')).CloudFormationClient(aws);

/** The deployed stack; undefined if there is none. */
export async function stackCalled(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  const { DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return Stacks?.[0];
  } catch (error) {
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}

/** The resources that a deployed stack has; none if it is undefined. */
export async function* resourcesIn(client: CloudFormationClient, stack: Stack | undefined): AsyncGenerator<StackResourceSummary> {
  if (!stack) return;
  const { paginateListStackResources } = await import('@aws-sdk/client-cloudformation');
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: stack.StackName }))
    yield* StackResourceSummaries.filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE');
}
