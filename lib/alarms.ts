import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Stage } from './stages.ts';
import type { TableFunction } from './table-function.ts';

/** An alarm from its threshold on. The operator adds actions to the alarms, such as a message. */
export const fromThresholdOn = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  evaluationPeriods: 1,
  treatMissingData: TreatMissingData.NOT_BREACHING,
};

/**
 * Counts what a reader of a stream puts aside, by its log lines with these messages. All readers share one metric, and so
 * one alarm: each would cost as much as the first.
 */
export const countPutAside = (stage: Stage['name'], reader: TableFunction, ...messages: [string, ...string[]]): MetricFilter =>
  new MetricFilter(reader.stack, `${reader.node.id}-put-aside`, {
    logGroup: reader.logGroup,
    filterPattern: FilterPattern.any(...messages.map((message) => FilterPattern.stringValue('$.message.message', '=', message))),
    metricNamespace: `Links/${stage}`,
    metricName: 'ClicksPutAside',
  });
