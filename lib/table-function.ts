import { Duration, RemovalPolicy, type Size, Validations } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type AddToPrincipalPolicyResult, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  Code,
  type ILayerVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { type Table, tableOf, tableSettings } from '../lambdas/store/table/tables.ts';
import { type FileAction, folderOf, statementsOn } from './clicks/bucket.ts';
import type { Tables } from './data-stack.ts';
import type { LeadingKey, TableActions } from './endpoints.ts';
import type { FunctionKind, StageSettings } from './stages/settings.ts';

export type TableFunctionProps = {
  readonly settings: StageSettings;
  readonly kind: FunctionKind;
  /** The tables of the stage that the function may need. */
  readonly tables: Tables & Partial<Readonly<Record<Table, ITableV2>>>;
  /** The folder of the bundle. */
  readonly code: string;
  readonly description: string;
  /** A fixed name, if stacks that are deployed earlier refer to it. By default, CloudFormation makes one. */
  readonly functionName?: string;
  /** The partitions imply the tables of an action. The function gets the names of those tables. */
  readonly tableActions: TableActions;
  /**
   * The only attributes, besides pk and sk, that an UpdateItem may name in any expression. Without it, all are allowed.
   */
  readonly updatedAttributes?: readonly string[];
  /** Lets the function query `gsi1` of a table too. */
  readonly queriesIndex?: Table | undefined;
  /** The bucket with the files of clicks, and what the function may do with them. */
  readonly clickFiles?: { readonly bucket: IBucket; readonly actions: readonly FileAction[] } | undefined;
  readonly layers?: ILayerVersion[] | undefined;
  /** The size of `/tmp`. The default is Lambda's, 512 MB, which is free. */
  readonly ephemeralStorageSize?: Size | undefined;
  readonly memorySize?: number;
  /** The default is 25 seconds: a request's own budget is 20, the gateway's limit is 29. */
  readonly timeout?: Duration;
  readonly environment?: Readonly<Record<string, string>>;
  /** The log group, if it is shared. By default, the function has its own. */
  readonly logGroup?: ILogGroup;
};

/** A log group that is deleted with its stack. */
export const addLogGroup = (scope: Construct, id: string, { logRetentionDays }: StageSettings): LogGroup =>
  new LogGroup(scope, id, { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY });

/**
 * The role of a function. Its statements are inline, even those that are added later, because a separate policy for
 * each function would count towards the 500 resources that a stack may have.
 */
class FunctionRole extends Role {
  private readonly statements: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const statements = new PolicyDocument();
    super(scope, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com'), inlinePolicies: { access: statements } });
    this.statements = statements;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.statements.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

/** A function with access to tables. It has its own role, with only the permissions that its properties list. */
export class TableFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: TableFunctionProps) {
    const { settings, kind } = props;
    const grants = grantsOf(props);
    const used = [...new Set(grants.map(({ table }) => table))].sort();
    const logGroup = props.logGroup ?? addLogGroup(scope, `${id}-logs`, settings);
    const role = new FunctionRole(scope, `${id}-role`);
    // Instead of AWSLambdaBasicExecutionRole, which lets a function write to every log group of the account.
    logGroup.grantWrite(role);
    const reserved = settings.reservedConcurrency[kind];
    super(scope, id, {
      description: props.description,
      ...(props.functionName !== undefined && { functionName: props.functionName }),
      code: Code.fromAsset(props.code),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memorySize ?? 512,
      timeout: props.timeout ?? Duration.seconds(25),
      environment: {
        ...Object.fromEntries(used.map((table) => [tableSettings[table], tableIn(props, table).tableName])),
        ...(props.clickFiles && { CLICK_BUCKET: props.clickFiles.bucket.bucketName }),
        ...props.environment,
        ...(settings.accessLogs && (isEndpoint(kind) || kind === 'redirect') && { ACCESS_LOGS: 'on' }),
      },
      tracing: isTraced(kind, settings) ? Tracing.ACTIVE : Tracing.DISABLED,
      loggingFormat: LoggingFormat.JSON,
      ...(props.layers && { layers: props.layers }),
      ...(props.ephemeralStorageSize && { ephemeralStorageSize: props.ephemeralStorageSize }),
      ...(kind === 'redirect' && quiet(settings)),
      logGroup,
      role,
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      // A version stays after an update, so that the alias can return to it, until its function is deleted. But a
      // version that stayed after a rollback would prevent deploying the same code again: Lambda publishes no second
      // version of it.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    if (!isTraced(kind, settings)) {
      // Set explicitly, so that it doesn't depend on what CloudFormation does when a property disappears. The CDK would
      // add the permission to send traces, which this mode doesn't need: Lambda creates no segments.
      // https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html
      (this.node.defaultChild as CfnFunction).tracingConfig = { mode: Tracing.PASS_THROUGH };
    } else {
      Validations.of(role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        // https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html
        reason: 'X-Ray has no resource types for PutTraceSegments and PutTelemetryRecords; no other statement has this wildcard',
      });
    }
    for (const { table, action, leadingKeys, index } of grants) {
      const attributes = action === 'dynamodb:UpdateItem' ? props.updatedAttributes : undefined;
      this.addToRolePolicy(
        statementOn(
          `${tableIn(props, table).tableArn}${index ? `/index/${index}` : ''}`,
          action,
          settings.partitionConditions ? leadingKeys : undefined,
          attributes,
        ),
      );
    }
    if (props.clickFiles) allowFiles(this, props.clickFiles);
  }
}

/** An action on a table or its index, and the partitions on which it is allowed; none for an index. */
type Grant = {
  readonly table: Table;
  readonly action: string;
  readonly leadingKeys?: readonly LeadingKey[];
  readonly index?: string;
};

/** Allows a function its actions on files, and nothing else in the bucket. */
function allowFiles(fn: LambdaFunction, { bucket, actions }: NonNullable<TableFunctionProps['clickFiles']>): void {
  for (const statement of statementsOn(bucket, actions)) fn.addToRolePolicy(statement);
  const named = actions.filter((action) => action !== 'list' && action !== 'list-versions');
  if (!fn.role || named.length === 0) return;
  const { 'Fn::ImportValue': arn } = fn.stack.resolve(bucket.stack.exportValue(bucket.bucketArn));
  for (const folder of new Set(named.map(folderOf))) {
    Validations.of(fn.role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${arn}/${folder}*]`,
      reason: 'The names of files are not known in advance; the wildcard covers only their folder',
    });
  }
}

/** A function's permissions, separately for each table. */
const grantsOf = ({ tableActions, queriesIndex }: TableFunctionProps): Grant[] => [
  ...Object.entries(tableActions).flatMap(([action, leadingKeys]) =>
    [...Map.groupBy(leadingKeys, tableOf)].map(([table, keys]) => ({ table, action, leadingKeys: keys })),
  ),
  ...(queriesIndex ? [{ table: queriesIndex, action: 'dynamodb:Query', index: 'gsi1' }] : []),
];

/** @throws Error if the function may use a table that the stage does not have */
function tableIn({ tables, description }: TableFunctionProps, table: Table): ITableV2 {
  const found = tables[table];
  if (!found) throw new Error(`"${description}" uses the table ${table}: add it to "tables"`);
  return found;
}

/** Whether Lambda traces the invocations of a function. */
const isTraced = (kind: FunctionKind, { tracing }: StageSettings): boolean =>
  tracing === 'all' || (tracing === 'sampled' && (kind === 'authorizer' || isEndpoint(kind)));

const isEndpoint = (kind: FunctionKind): boolean => kind === 'endpoint' || kind === 'statistics';

/**
 * Logs nothing for an invocation that succeeds. At the default level, INFO, Lambda logs its start and a report:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 */
const quiet = ({ dashboard, accessLogs }: StageSettings) => ({
  systemLogLevelV2: SystemLogLevel.WARN,
  // Lambda treats a line of metrics as INFO, because it has no level.
  applicationLogLevelV2: dashboard || accessLogs ? ApplicationLogLevel.INFO : ApplicationLogLevel.WARN,
});

/**
 * Allows an action. If they are given, only on partition keys with these prefixes, and only for these attributes.
 *
 * `ForAllValues` is also true if the request context lacks the key, so `Null` requires the key:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition_examples-multi-valued-context-keys.html
 */
const statementOn = (
  resource: string,
  action: string,
  leadingKeys: readonly string[] | undefined,
  attributes: readonly string[] | undefined,
): PolicyStatement =>
  new PolicyStatement({
    actions: [action],
    resources: [resource],
    conditions: {
      ...(leadingKeys && { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...leadingKeys] } }),
      // The list must include the primary key, and the response must not be the whole item:
      // https://repost.aws/knowledge-center/dynamodb-table-restrict-attributes
      ...(attributes && {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', ...attributes] },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
      }),
      ...((leadingKeys || attributes) && {
        Null: {
          ...(leadingKeys && { 'dynamodb:LeadingKeys': 'false' }),
          ...(attributes && { 'dynamodb:Attributes': 'false' }),
        },
      }),
    },
  });
