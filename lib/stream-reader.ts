import type { Stack } from 'aws-cdk-lib';
import { ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type Function as LambdaFunction, MetricType } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, type DynamoEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import { addAlarm, type Watched } from './alarms.ts';

/** Lets a function read a table's stream, and notifies the recipients of alarms if it stops. */
export function addStreamReader(
  stack: Stack,
  watched: Watched,
  reader: LambdaFunction,
  table: ITableV2,
  props: DynamoEventSourceProps,
): void {
  const isWatched = watched.settings.alarmRecipients.length > 0;
  const source = new DynamoEventSource(table, {
    ...props,
    ...(isWatched && { metricsConfig: { metrics: [MetricType.EVENT_COUNT] } }),
  });
  reader.addEventSource(source);
  // A mapping without invocations reports neither ages nor errors. But while it polls, it reports how many events it
  // has polled, even if that is 0. So any number is good, and missing data is not:
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#event-source-mapping-metrics
  addAlarm(stack, watched, 'reader-silent', {
    of: reader.node.id,
    metric: new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'PolledEventCount',
      dimensionsMap: { EventSourceMappingUUID: source.eventSourceMappingId },
      statistic: 'Sum',
    }),
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    threshold: 0,
    evaluationPeriods: 12,
    treatMissingData: TreatMissingData.BREACHING,
  });
}
