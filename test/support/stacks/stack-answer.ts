/** CloudFormation's response about a stack with these outputs, by name. */
export function stackAnswer(values: Record<string, string>): string {
  const members = Object.entries(values).map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member>
    <StackName>x</StackName><CreationTime>2030-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>
    <Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}
