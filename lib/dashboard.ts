import { Duration, type Stack } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { outcomes } from '../lambdas/core/visit/outcome.ts';
import { metricsOf, minutely, type Watched } from './alarms.ts';
import type { Tables } from './data-stack.ts';

type Shown = {
  /** The id of the redirect's API: metrics of HTTP APIs have no name. */
  readonly redirectApiId: string;
  readonly tables: Tables;
  /** The readers of streams that must not be late. */
  readonly readers: readonly LambdaFunction[];
};

/** Adds the dashboard of a stage, if it wants one. */
export function addDashboard(stack: Stack, { stage, settings }: Watched, { redirectApiId, tables, readers }: Shown): void {
  if (!settings.dashboard) return;
  const metric = (namespace: string, dimensionsMap: Record<string, string>, metricName: string, statistic: string) =>
    new Metric({ namespace, dimensionsMap, metricName, statistic, ...minutely });
  const own = (name: string, Outcome?: string) =>
    metric(metricsOf(stage), Outcome ? { Outcome } : {}, name, 'Sum').with({ label: Outcome ?? name });
  const redirect = (name: string, statistic: string) => metric('AWS/ApiGateway', { ApiId: redirectApiId }, name, statistic);
  const api = (name: string, statistic: string) => metric('AWS/ApiGateway', { ApiName: `links-${stage}` }, name, statistic);
  const table = (name: string) =>
    Object.entries(tables).map(([label, { tableName: TableName }]) =>
      metric('AWS/DynamoDB', { TableName }, name, 'Sum').with({ label: `${label} ${name}` }),
    );
  const graph = (title: string, ...left: IMetric[]) => new GraphWidget({ title, left, width: 12, height: 6 });
  new Dashboard(stack, 'dashboard', {
    dashboardName: `Links-${stage}`,
    defaultInterval: Duration.hours(3),
    widgets: [
      [
        graph('Visits by outcome', ...outcomes.map((outcome) => own('Visits', outcome))),
        graph('How long visitors wait, in ms', redirect('Latency', 'p50'), redirect('Latency', 'p99')),
      ],
      [
        graph('Requests to the API', api('Count', 'SampleCount'), api('4XXError', 'Sum'), api('5XXError', 'Sum')),
        graph('How long callers wait, in ms', api('Latency', 'p50'), api('Latency', 'p99')),
      ],
      [
        graph('Links created', own('LinksCreated'), own('Imports')),
        graph('Calls of webhooks', own('Deliveries', 'delivered'), own('Deliveries', 'failed')),
      ],
      [
        graph(
          'How late clicks and changes are, in ms',
          ...readers.map((reader) => reader.metric('IteratorAge', { statistic: 'Maximum', label: reader.node.id, ...minutely })),
        ),
        graph('Visitors who were not counted', own('ClicksNotRecorded')),
      ],
      [
        graph('Units of the tables', ...table('ConsumedReadCapacityUnits'), ...table('ConsumedWriteCapacityUnits')),
        graph('Throttled by the tables', ...table('ReadThrottleEvents'), ...table('WriteThrottleEvents')),
      ],
    ],
  });
}
