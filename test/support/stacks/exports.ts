import type { Template } from './policies.ts';

/** The templates of a stage's stacks, by the stacks' names. */
export type Deployment = Readonly<Record<string, Template>>;

/** By type: the properties whose change replaces a resource, and so changes the values of its exports. */
const replacing: Readonly<Record<string, readonly string[]>> = {
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-bucket.html
  'AWS::S3::Bucket': ['BucketName', 'BucketNamePrefix', 'BucketNamespace', 'ObjectLockEnabled'],
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queue.html
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigatewayv2-api.html
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
};

/** The exports of a stack: by name, the expression of the value. */
export const exportsOf = ({ Outputs = {} }: Template): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.values(Outputs).flatMap(({ Export, Value }) => (Export ? [[String(Export.Name), Value]] : [])));

const imports = new WeakMap<Template, readonly string[]>();

/** The names of the exports that a stack imports. Each template is searched only once. */
function importsOf(template: Template): readonly string[] {
  const found = imports.get(template) ?? [
    ...new Set([...JSON.stringify(template).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name = '']) => name)),
  ];
  imports.set(template, found);
  return found;
}

/** The inputs of an export's value: its expression, and the properties that would replace its resource. */
function dependsOn({ Resources }: Template, value: unknown): string {
  const { Ref, 'Fn::GetAtt': [id = Ref] = [] } = value as { Ref?: string; 'Fn::GetAtt'?: string[] };
  const { Type = '', Properties = {} } = Resources[id ?? ''] ?? {};
  const named = replacing[Type];
  if (!named) throw new Error(`add to "replacing" what replaces the resource of ${JSON.stringify(value)} (${Type})`);
  return JSON.stringify([value, Type, ...named.map((name) => Properties[name])]);
}

const valuesOf = (deployment: Deployment) =>
  new Map(
    Object.values(deployment).flatMap((template) =>
      Object.entries(exportsOf(template)).map(([name, value]) => [name, dependsOn(template, value)] as const),
    ),
  );

const importersIn = (deployment: Deployment) =>
  Object.entries(deployment).flatMap(([stack, template]) => importsOf(template).map((name) => ({ stack, name })));

/**
 * The changes that CloudFormation would refuse if `after` was deployed over `before`: deleting an export, or changing its
 * value, if a deployed stack imports it. The CDK deploys a stack before those that import from it, so at that moment the
 * imports are still those of `before`.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference-importvalue.html
 */
export function refusals(before: Deployment, after: Deployment): string[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  return [
    ...importersIn(before).flatMap(({ stack, name }) => {
      if (!now.has(name)) return [`${name} vanishes, which the deployed ${stack} imports`];
      return now.get(name) === old.get(name) ? [] : [`${name} changes its value, which the deployed ${stack} imports`];
    }),
    ...importersIn(after).flatMap(({ stack, name }) =>
      now.has(name) ? [] : [`${stack} imports ${name}, which no stack exports`],
    ),
  ];
}
