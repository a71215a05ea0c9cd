import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, Billing, ProjectionType, StreamViewType, type TablePropsV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Table } from '../lambdas/store/table/tables.ts';
import { addAlarm, addAlarmTopic } from './alarms.ts';
import { addBudget } from './outer-limits.ts';
import type { Stage, StageSettings } from './stages.ts';

export type DataStackProps = StackProps & { readonly stage: Stage['name']; readonly settings: StageSettings };

/** The service's tables, by what the code calls them. */
export type Tables = Readonly<Record<Table, TableV2>>;

/**
 * The tables: Links holds what people set, Activity what happened. `lambdas/store/table/keys.ts` has the chart of their
 * keys.
 */
export class DataStack extends Stack {
  readonly tables: Tables;

  constructor(scope: Construct, id: string, { stage, settings, ...props }: DataStackProps) {
    super(scope, id, props);
    const { keepData, backUpActivity, warmThroughput } = settings;
    const common = {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'ttl',
      deletionProtection: keepData,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      globalSecondaryIndexes: [
        {
          indexName: 'gsi1',
          partitionKey: { name: 'gsi1pk', type: AttributeType.STRING },
          sortKey: { name: 'gsi1sk', type: AttributeType.STRING },
          projectionType: ProjectionType.KEYS_ONLY,
        },
      ],
    } satisfies TablePropsV2;
    this.tables = {
      Links: new TableV2(this, 'links', {
        ...common,
        ...(warmThroughput?.Links && { warmThroughput: warmThroughput.Links }),
        dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
        pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: keepData },
      }),
      Activity: new TableV2(this, 'activity', {
        ...common,
        ...(warmThroughput?.Activity && { warmThroughput: warmThroughput.Activity }),
        // Counting needs only the keys of clicks, but statistics and webhooks will need their attributes. Nobody needs
        // what an item was before. Another type would be a new stream with another ARN, and CloudFormation
        // refuses to change an ARN that a deployed stack imports:
        // https://docs.amazonaws.cn/AWSCloudFormation/latest/UserGuide/aws-properties-dynamodb-streamspecification.html
        dynamoStream: StreamViewType.NEW_IMAGE,
        pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: backUpActivity },
      }),
    };
    // This stack is deployed before all others, whose alarms tell the topic.
    const topic = addAlarmTopic(this, { stage, settings });
    addBudget(this, { stage, settings });
    for (const [table, { tableName }] of Object.entries(this.tables)) {
      for (const kind of ['Read', 'Write']) {
        // A few are normal while a table adapts, and are retried:
        // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
        const alarm = addAlarm(this, { stage, settings }, 'table-throttled', {
          of: `${table}-${kind.toLowerCase()}s`,
          metric: new Metric({
            namespace: 'AWS/DynamoDB',
            metricName: `${kind}ThrottleEvents`,
            dimensionsMap: { TableName: tableName },
            statistic: 'Sum',
          }),
          threshold: 100,
          evaluationPeriods: 3,
          datapointsToAlarm: 2,
        });
        // It names the topic without a reference.
        if (topic) alarm?.node.addDependency(topic);
      }
    }
    new CfnOutput(this, 'TableName', {
      value: this.tables.Links.tableName,
      description: 'The table of what people set, for the admin command',
    });
    new CfnOutput(this, 'ActivityTableName', {
      value: this.tables.Activity.tableName,
      description: 'The table of what happened, for the admin command',
    });
  }
}
