import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { TableAction } from './routes.ts';
import type { StageSettings } from './stages.ts';

export type TableFunctionProps = {
  readonly settings: StageSettings;
  readonly table: ITableV2;
  /** The folder of the bundle. */
  readonly code: string;
  readonly description: string;
  readonly tableActions: readonly TableAction[];
  /** Let the function query `gsi1` too. */
  readonly queriesIndex?: boolean;
  /** The beginnings of the partition keys that single-item actions may touch; any where absent. */
  readonly leadingKeys?: readonly string[];
  readonly memorySize?: number;
  readonly environment?: Readonly<Record<string, string>>;
};

/** A function on the table, with its own role and log group, allowed what is named and nothing else. */
export class TableFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: TableFunctionProps) {
    super(scope, id, {
      description: props.description,
      code: Code.fromAsset(props.code),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memorySize ?? 512,
      // A request's own budget is 20 s, the gateway's limit is 29 s.
      timeout: Duration.seconds(25),
      environment: { TABLE_NAME: props.table.tableName, ...props.environment },
      tracing: Tracing.ACTIVE,
      loggingFormat: LoggingFormat.JSON,
      logGroup: new LogGroup(scope, `${id}-logs`, {
        retention: props.settings.logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
    this.addToRolePolicy(
      new PolicyStatement({
        actions: [...props.tableActions],
        resources: [props.table.tableArn],
        ...(props.leadingKeys && {
          conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...props.leadingKeys] } },
        }),
      }),
    );
    if (props.queriesIndex) {
      this.addToRolePolicy(
        new PolicyStatement({ actions: ['dynamodb:Query'], resources: [`${props.table.tableArn}/index/gsi1`] }),
      );
    }
  }
}
