import { Duration, type Stack } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { alarming } from '../lambdas/core/alarms.ts';
import { addAlarm, aRunDropped, countDenials, countLines, linesWith } from './alarms.ts';
import type { BundleOf } from './bundles.ts';
import { addDuckDb } from './clicks/duckdb.ts';
import type { Tables } from './data-stack.ts';
import { wholeProcessorMb } from './memory.ts';
import { sealerName } from './stages/function-names.ts';
import type { StageSettings } from './stages/settings.ts';
import type { Stage } from './stages/stages.ts';
import { TableFunction } from './table-function.ts';

type SealingProps = {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly tables: Tables;
  readonly clicks: IBucket;
  readonly bundleOf: BundleOf;
};

/**
 * Adds the function that moves clicks from the table into files, and merges the files. A schedule runs it each minute
 * while a tail is due; the function switches that on and off. Another one runs it each hour, for tails that are due by
 * their age.
 */
export function addSealing(scope: Stack, { stage, settings, tables, clicks, bundleOf }: SealingProps): void {
  // A fixed name, because the function that the rule starts switches the rule.
  const scheduleName = `Links-${stage}-sealing`;
  const seal = new TableFunction(scope, 'seal-clicks', {
    settings,
    kind: 'event',
    tables,
    code: bundleOf('seal-clicks'),
    functionName: sealerName(stage),
    description: 'Moves clicks from the table into files, and merges the files of months that are over',
    tableActions: {
      'dynamodb:DeleteItem': ['SEALING#*', 'TAIL#*', 'TAILS#*'],
      'dynamodb:GetItem': ['ROUND#*', 'SEALING#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['ROUND#*', 'SEALING#*'],
      'dynamodb:Query': ['ERASED#*', 'TAIL#*', 'TAILS#*'],
      'dynamodb:UpdateItem': ['ERASED#*', 'TAILS#*'],
    },
    queriesIndex: 'Activity',
    clickFiles: { bucket: clicks, actions: ['delete', 'delete-versions', 'get', 'list', 'list-versions', 'put'] },
    layers: [addDuckDb(scope, bundleOf('duckdb'))],
    // DuckDB takes at most a gigabyte of it, and Node one piece of a tail at a time.
    memorySize: wholeProcessorMb,
    // The next run continues unfinished work. Merging a month downloads some 200 MB.
    timeout: Duration.minutes(5),
    environment: { SEALING_SCHEDULE: scheduleName, CLICK_DAYS: String(settings.clickDays) },
  });
  seal.addToRolePolicy(
    new PolicyStatement({
      actions: ['events:DisableRule', 'events:EnableRule'],
      resources: [scope.formatArn({ service: 'events', resource: 'rule', resourceName: scheduleName })],
    }),
  );
  new Rule(scope, 'sealing-schedule', {
    ruleName: scheduleName,
    description: 'Moves clicks that are due into files. The function switches it on and off',
    enabled: false,
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new FunctionTarget(seal)],
  });
  new Rule(scope, 'sealing-schedule-check', {
    description: 'Begins to move clicks that are old enough into files, and merges those',
    schedule: Schedule.rate(Duration.hours(1)),
    targets: [new FunctionTarget(seal, { event: RuleTargetInput.fromObject({ isHourly: true }) })],
  });
  addAlarm(scope, { stage, settings }, 'schedule-failed', aRunDropped(seal));
  const lines = linesWith(alarming.tailOverdue, alarming.clicksNotMerged);
  const waiting = countLines(stage, seal.logGroup, 'ClicksNotSealed', lines).metric({ statistic: 'Sum' });
  addAlarm(scope, { stage, settings }, 'clicks-not-sealed', { metric: waiting, threshold: 1 });
  countDenials(stage, seal.logGroup);
}
