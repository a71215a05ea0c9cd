import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  Billing,
  type ITableV2,
  ProjectionType,
  type StreamViewType,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { DataTable } from '../lambdas/store/table/tables.ts';
import { addAlarm, addAlarmTopic } from './alarms.ts';
import { addBackups } from './backups.ts';
import { addClickBucket } from './clicks/bucket.ts';
import { addWaitingClicks } from './clicks/waiting-clicks.ts';
import { addBudget } from './outer-limits.ts';
import type { RestoredTable, StageSettings, WarmTable } from './stages/settings.ts';
import type { Stage } from './stages/stages.ts';
import { expiryAttribute, indexName, streamViews } from './tables.ts';

export type DataStackProps = StackProps & { readonly stage: Stage['name']; readonly settings: StageSettings };

/** The tables that every stage has, by the names that the code uses. */
export type Tables = Readonly<Record<DataTable, ITableV2>>;

/**
 * The tables, the bucket with the files of clicks, and the queue of clicks that wait for the table. Links holds what
 * people set, Activity what happened. `lambdas/store/table/tables.ts` lists their keys.
 */
export class DataStack extends Stack {
  /** The tables that the stage works on: its own, or restored ones. */
  readonly tables: Tables;
  /** The bucket with the files of clicks. It is the same for restored tables: files are never restored. */
  readonly clicks: IBucket;
  /** The queue of clicks that the table throttled. */
  readonly waitingClicks: IQueue;

  constructor(scope: Construct, id: string, { stage, settings, ...props }: DataStackProps) {
    super(scope, id, props);
    const { keepData, backUpActivity, warmThroughput, restoredTables: restored } = settings;
    const common = {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      timeToLiveAttribute: expiryAttribute,
      deletionProtection: keepData,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    } satisfies TablePropsV2;
    const own = {
      Links: new TableV2(this, 'links', {
        ...common,
        ...withIndex(warmThroughput.Links),
        dynamoStream: streamViews.Links as StreamViewType,
        pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: keepData },
      }),
      Activity: new TableV2(this, 'activity', {
        ...common,
        ...withIndex(warmThroughput.Activity),
        dynamoStream: streamViews.Activity as StreamViewType,
        pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: backUpActivity },
      }),
    };
    // Exported even if unused: a stage on restored tables imports none of these, but CloudFormation refuses to remove
    // an export that a deployed stack still imports.
    for (const { tableName, tableArn, tableStreamArn } of Object.values(own)) {
      for (const value of [tableName, tableArn, tableStreamArn]) this.exportValue(value);
    }
    const imported = (id: string, { name, streamArn }: RestoredTable) =>
      TableV2.fromTableAttributes(this, id, { tableName: name, tableStreamArn: streamArn, globalIndexes: [indexName] });
    this.tables = restored
      ? { Links: imported('restored-links', restored.Links), Activity: imported('restored-activity', restored.Activity) }
      : own;
    this.clicks = addClickBucket(this, settings);
    this.waitingClicks = addWaitingClicks(this);
    // As above.
    const { waitingClicks, clicks } = this;
    for (const value of [clicks.bucketName, clicks.bucketArn, waitingClicks.queueUrl, waitingClicks.queueArn])
      this.exportValue(value);
    // In this stack, because it is deployed before the others, whose alarms publish to the topic.
    const topic = addAlarmTopic(this, { stage, settings });
    addBudget(this, { stage, settings });
    addBackups(this, { stage, settings }, { tables: this.tables, clicks, topic });
    const alarms = [
      addAlarm(this, { stage, settings }, 'clicks-waiting', {
        metric: waitingClicks.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
        threshold: Duration.hours(1).toSeconds(),
      }),
    ];
    for (const [table, { tableName }] of Object.entries(this.tables)) {
      // The metrics of a table leave out its index, which has metrics of its own:
      // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
      const indexOnly = { GlobalSecondaryIndexName: indexName };
      for (const [of, dimensions] of Object.entries({ [table]: {}, [`${table}-${indexName}`]: indexOnly })) {
        for (const kind of ['Read', 'Write']) {
          // A few throttles are normal while a table adapts, and the calls are retried.
          const alarm = addAlarm(this, { stage, settings }, 'table-throttled', {
            of: `${of}-${kind.toLowerCase()}s`,
            metric: new Metric({
              namespace: 'AWS/DynamoDB',
              metricName: `${kind}ThrottleEvents`,
              dimensionsMap: { TableName: tableName, ...dimensions },
              statistic: 'Sum',
            }),
            threshold: 100,
            evaluationPeriods: 3,
            datapointsToAlarm: 2,
          });
          alarms.push(alarm);
        }
      }
    }
    // Alarms refer to the topic by name, which creates no dependency.
    if (topic) for (const alarm of alarms) alarm?.node.addDependency(topic);
    new CfnOutput(this, 'TableName', {
      value: this.tables.Links.tableName,
      description: 'The table of what people set, for the admin command',
    });
    new CfnOutput(this, 'ActivityTableName', {
      value: this.tables.Activity.tableName,
      description: 'The table of what happened, for the admin command',
    });
    new CfnOutput(this, 'ClickBucketName', {
      value: this.clicks.bucketName,
      description: 'The bucket with the files of clicks',
    });
  }
}

/** The index of a table, and the warm throughput of both. */
function withIndex({ index, ...table }: WarmTable = {}): Partial<TablePropsV2> {
  return {
    ...(Object.keys(table).length > 0 && { warmThroughput: table }),
    globalSecondaryIndexes: [
      {
        indexName,
        partitionKey: { name: `${indexName}pk`, type: AttributeType.STRING },
        sortKey: { name: `${indexName}sk`, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
        ...(index && { warmThroughput: index }),
      },
    ],
  };
}
