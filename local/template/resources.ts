/** The region and account that the local host pretends to be in: in pseudo parameters and all ARNs. */
export const region = 'us-east-1';
export const account = '000000000000';

type Understood = {
  /** Properties that the local host implements. */
  readonly used: readonly string[];
  /** Properties that have no effect on a laptop. */
  readonly inert: readonly string[];
};

/** The resource types that the local host runs. A property in neither list is an error, because it might matter. */
export const hosted: Readonly<Record<string, Understood>> = {
  'AWS::ApiGateway::Authorizer': {
    used: ['AuthorizerResultTtlInSeconds', 'AuthorizerUri', 'IdentitySource', 'IdentityValidationExpression', 'Type'],
    inert: ['Name', 'RestApiId'],
  },
  'AWS::ApiGateway::GatewayResponse': {
    used: ['ResponseParameters', 'ResponseTemplates', 'ResponseType', 'StatusCode'],
    inert: ['RestApiId'],
  },
  'AWS::ApiGateway::Method': {
    used: ['ApiKeyRequired', 'AuthorizationType', 'AuthorizerId', 'HttpMethod', 'Integration', 'ResourceId'],
    inert: ['MethodResponses', 'OperationName', 'RestApiId'],
  },
  'AWS::ApiGateway::Resource': { used: ['ParentId', 'PathPart'], inert: ['RestApiId'] },
  'AWS::ApiGateway::RestApi': {
    used: ['ApiKeySourceType', 'BinaryMediaTypes', 'MinimumCompressionSize'],
    inert: [
      'Description',
      'DisableExecuteApiEndpoint',
      'EndpointAccessMode',
      'EndpointConfiguration',
      'Name',
      'SecurityPolicy',
      'Tags',
    ],
  },
  'AWS::ApiGateway::Stage': {
    used: ['StageName', 'Variables'],
    inert: ['AccessLogSetting', 'DeploymentId', 'Description', 'MethodSettings', 'RestApiId', 'Tags', 'TracingEnabled'],
  },
  'AWS::ApiGateway::UsagePlan': { used: ['ApiStages', 'Throttle'], inert: ['Description', 'Tags', 'UsagePlanName'] },
  'AWS::ApiGatewayV2::Api': {
    used: ['ProtocolType'],
    inert: ['Description', 'DisableExecuteApiEndpoint', 'IpAddressType', 'Name', 'Tags'],
  },
  'AWS::ApiGatewayV2::Integration': {
    used: ['IntegrationType', 'IntegrationUri', 'PayloadFormatVersion', 'TimeoutInMillis'],
    inert: ['ApiId', 'Description'],
  },
  'AWS::ApiGatewayV2::Route': { used: ['AuthorizationType', 'RouteKey', 'Target'], inert: ['ApiId'] },
  'AWS::ApiGatewayV2::Stage': {
    used: ['AutoDeploy', 'StageName', 'StageVariables'],
    inert: ['AccessLogSettings', 'ApiId', 'DefaultRouteSettings', 'Description', 'Tags'],
  },
  'AWS::DynamoDB::GlobalTable': {
    used: [
      'AttributeDefinitions',
      'GlobalSecondaryIndexes',
      'KeySchema',
      'LocalSecondaryIndexes',
      'StreamSpecification',
      'TableName',
      'TimeToLiveSpecification',
    ],
    inert: ['BillingMode', 'Replicas', 'SSESpecification', 'WarmThroughput', 'WriteOnDemandThroughputSettings'],
  },
  'AWS::Events::Rule': { used: ['Name', 'ScheduleExpression', 'State', 'Targets'], inert: ['Description', 'Tags'] },
  // A laptop runs one version of a function, so every alias and version is the function itself.
  'AWS::Lambda::Alias': { used: ['FunctionName', 'Name'], inert: ['Description', 'FunctionVersion'] },
  'AWS::Lambda::EventInvokeConfig': {
    used: ['DestinationConfig', 'FunctionName', 'MaximumEventAgeInSeconds', 'MaximumRetryAttempts', 'Qualifier'],
    inert: [],
  },
  'AWS::Lambda::EventSourceMapping': {
    used: [
      'BatchSize',
      'BisectBatchOnFunctionError',
      'DestinationConfig',
      'Enabled',
      'EventSourceArn',
      'FilterCriteria',
      'FunctionName',
      'FunctionResponseTypes',
      'MaximumBatchingWindowInSeconds',
      'MaximumRecordAgeInSeconds',
      'MaximumRetryAttempts',
      'ParallelizationFactor',
      'ScalingConfig',
      'StartingPosition',
      'TumblingWindowInSeconds',
    ],
    inert: ['MetricsConfig', 'Tags'],
  },
  'AWS::Lambda::Function': {
    used: [
      'Code',
      'Environment',
      'FunctionName',
      'Handler',
      'Layers',
      'MemorySize',
      'ReservedConcurrentExecutions',
      'Runtime',
      'Timeout',
    ],
    inert: ['Architectures', 'Description', 'EphemeralStorage', 'LoggingConfig', 'Role', 'Tags', 'TracingConfig'],
  },
  'AWS::Lambda::LayerVersion': {
    used: ['Content'],
    inert: ['CompatibleArchitectures', 'CompatibleRuntimes', 'Description', 'LayerName', 'LicenseInfo'],
  },
  'AWS::Lambda::Version': { used: ['FunctionName'], inert: ['Description'] },
  'AWS::S3::Bucket': {
    used: ['BucketName', 'LifecycleConfiguration'],
    inert: ['BucketEncryption', 'OwnershipControls', 'PublicAccessBlockConfiguration', 'Tags', 'VersioningConfiguration'],
  },
  'AWS::SQS::Queue': {
    used: ['MessageRetentionPeriod', 'QueueName', 'VisibilityTimeout'],
    inert: ['KmsMasterKeyId', 'SqsManagedSseEnabled', 'Tags'],
  },
};

/** Types that are ignored, because they only matter on AWS: permissions, logs, alarms, deployment. */
export const ignoredTypes = [
  /^AWS::ApiGateway::(Account|BasePathMapping|Deployment|DomainName)$/,
  /^AWS::ApiGatewayV2::(ApiMapping|DomainName)$/,
  /^AWS::Budgets::/,
  /^AWS::CDK::Metadata$/,
  /^AWS::CloudWatch::/,
  /^AWS::CodeDeploy::/,
  /^AWS::IAM::/,
  /^AWS::KMS::/,
  /^AWS::Lambda::Permission$/,
  /^AWS::Logs::/,
  /^AWS::Route53::/,
  /^AWS::S3::BucketPolicy$/,
  /^AWS::SQS::QueuePolicy$/,
  /^AWS::SNS::/,
  /^AWS::WAFv2::/,
];

type NameParts = { readonly stack: string; readonly id: string; readonly given: (property: string) => string | undefined };

const arnOf = (service: string, rest: string) => `arn:aws:${service}:${region}:${account}:${rest}`;

/**
 * What `Ref` returns for a resource: the ARN of a function's version or alias, or of a layer's version; for other types
 * the name property if they have one, else stack and logical id.
 */
export function referenceOf(type: string, { stack, id, given }: NameParts): string {
  const nameProperty: Record<string, string> = {
    'AWS::ApiGateway::Stage': 'StageName',
    'AWS::DynamoDB::GlobalTable': 'TableName',
    'AWS::Events::Rule': 'Name',
    'AWS::Lambda::Function': 'FunctionName',
    'AWS::S3::Bucket': 'BucketName',
    'AWS::SQS::Queue': 'QueueName',
  };
  const versioned = (qualifier?: string) => `${arnOf('lambda', `function:${given('FunctionName')}`)}:${qualifier}`;
  if (type === 'AWS::Lambda::Alias') return versioned(given('Name'));
  if (type === 'AWS::Lambda::Version') return versioned('1');
  if (type === 'AWS::Lambda::LayerVersion') return arnOf('lambda', `layer:${given('LayerName') ?? `${stack}-${id}`}:1`);
  const property = nameProperty[type];
  const made = `${stack}-${id}`;
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  return (property && given(property)) ?? (type === 'AWS::S3::Bucket' ? made.toLowerCase() : made);
}

/** What `Fn::GetAtt` returns. @throws Error that names an unsupported attribute. */
export function attributeOf(type: string, name: string, attribute: string): string {
  const arns: Record<string, string> = {
    'AWS::DynamoDB::GlobalTable': arnOf('dynamodb', `table/${name}`),
    'AWS::Events::Rule': arnOf('events', `rule/${name}`),
    'AWS::IAM::Role': `arn:aws:iam::${account}:role/${name}`,
    'AWS::Lambda::Function': arnOf('lambda', `function:${name}`),
    'AWS::Logs::LogGroup': arnOf('logs', `log-group:${name}:*`),
    'AWS::S3::Bucket': `arn:aws:s3:::${name}`,
    'AWS::SNS::Topic': arnOf('sns', name),
    'AWS::SQS::Queue': arnOf('sqs', name),
  };
  if (attribute === 'Arn' && arns[type]) return arns[type];
  if (attribute === 'StreamArn' && type === 'AWS::DynamoDB::GlobalTable') return `${arns[type]}/stream/local`;
  if (attribute === 'RootResourceId' && type === 'AWS::ApiGateway::RestApi') return `${name}-root`;
  if (attribute === 'Version' && type === 'AWS::Lambda::Version') return '1';
  if (attribute === 'QueueName' && type === 'AWS::SQS::Queue') return name;
  // Names under `localhost` resolve to this machine.
  if (attribute === 'RegionalDomainName' && type === 'AWS::ApiGatewayV2::DomainName') return `${name.toLowerCase()}.localhost`;
  throw new Error(`the local host does not support the attribute ${attribute} of ${type}`);
}
