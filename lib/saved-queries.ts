import type { Stack } from 'aws-cdk-lib';
import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import type { Stage } from './stages/stages.ts';
import { TableFunction } from './table-function.ts';

/**
 * The name of the function that wrote a line, or that Lambda reports on. If a function's log group is configured, as
 * all of ours are, its streams are named `YYYY/MM/DD/<function>[<version>][<id>]`, so that functions can share the
 * group. https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
 */
const named = '@logStream /(?<functionName>[^\\/\\[]+)\\[/';

/** The fields that a line may have. Our own are in `message`. */
const shown = '@timestamp, level, functionName, message.message, message.requestId, message.workspaceId, message.keyId';

/** Saves the queries for the logs of all functions of a stack. They are free until somebody runs one. */
export function addSavedQueries(stack: Stack, stage: Stage['name'], of: string): void {
  const functions = stack.node.children.filter((child) => child instanceof TableFunction);
  const logGroups = [...new Set(functions.map(({ logGroup }) => logGroup))];
  const save = (id: string, name: string, query: ConstructorParameters<typeof QueryString>[0]) =>
    new QueryDefinition(stack, id, {
      queryDefinitionName: `Links-${stage}/${of}: ${name}`,
      queryString: new QueryString({ ...query, parseStatements: [named] }),
      logGroups,
    });
  save('query-errors', 'warnings and errors', {
    display: `${shown}, message.name, message.stack`,
    filterStatements: ['level in ["WARN", "ERROR"]'],
    sort: '@timestamp desc',
    limit: 100,
  });
  save('query-errors-counted', 'errors by function and message', {
    filterStatements: ['level = "ERROR"'],
    statsStatements: ['count() as lines by functionName, message.message'],
    sort: 'lines desc',
  });
  // Lambda writes no reports for the redirect, because its log level is WARN.
  if (of !== 'redirect') {
    save('query-durations', 'durations by function', {
      filterStatements: ['type = "platform.report"'],
      statsStatements: [
        'count() as runs, pct(record.metrics.durationMs, 50) as p50, pct(record.metrics.durationMs, 99) as p99, max(record.metrics.maxMemoryUsedMB) as megabytes by functionName',
      ],
      sort: 'p99 desc',
    });
  }
  save('query-request', 'one request', {
    display: '@timestamp, level, functionName, @message',
    filterStatements: ['message.requestId = "REQUEST_ID" or requestId = "REQUEST_ID"'],
    sort: '@timestamp asc',
  });
  save('query-workspace', 'one workspace', {
    display: `${shown}, message.method, message.path, message.status, message.ms`,
    filterStatements: ['message.workspaceId = "WORKSPACE_ID"'],
    sort: '@timestamp desc',
    limit: 1_000,
  });
}
