import { optionalSetting } from './settings.ts';

/**
 * Adds to metrics of the stage by logging a line in CloudWatch's embedded metric format. No-op unless the stage has a
 * dashboard. Dimensions must have few values: each combination is billed as a metric.
 *
 * The line is written to stdout directly, because Lambda would nest the output of `console` under another key:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * @param counts what to add, by the metrics' names.
 */
export function addToMetrics(counts: Readonly<Record<string, number>>, dimensions: Readonly<Record<string, string>> = {}): void {
  const namespace = optionalSetting('METRICS');
  if (!namespace) return;
  const Metrics = Object.keys(counts).map((Name) => ({ Name, Unit: 'Count' }));
  const directive = { Namespace: namespace, Dimensions: [Object.keys(dimensions)], Metrics };
  const line = { _aws: { Timestamp: Date.now(), CloudWatchMetrics: [directive] }, ...dimensions, ...counts };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
