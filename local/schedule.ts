import { randomUUID } from 'node:crypto';
import type { Functions } from './functions/functions.ts';
import { account, region } from './template/resources.ts';
import type { Template } from './template/template.ts';

type RuleProperties = {
  readonly ScheduleExpression?: string;
  readonly State?: string;
  readonly Targets?: readonly ({ readonly Arn: string; readonly Id: string; readonly Input?: string } & Record<
    string,
    unknown
  >)[];
};

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
/** Node's timers cannot run longer. */
const longestMs = 2 ** 31 - 1;
const knownTargetFields = new Set(['Arn', 'Id', 'Input', 'DeadLetterConfig', 'RetryPolicy']);

/**
 * Runs the targets of the template's scheduled rules, first after one interval, as on AWS. A failed run is logged, and
 * does not affect the next ones.
 *
 * @throws Error for a schedule or a target that the local host does not support.
 */
export function startSchedules(template: Template, functions: Functions, log: (line: string) => void): { stop(): void } {
  const timers: NodeJS.Timeout[] = [];
  for (const rule of template.ofType<RuleProperties>('AWS::Events::Rule')) {
    const { ScheduleExpression = '', State = 'ENABLED', Targets = [] } = rule.properties;
    const everyMs = intervalOf(ScheduleExpression, rule.name);
    for (const { Arn, Input, ...rest } of Targets) {
      const unknown = Object.keys(rest).find((field) => !knownTargetFields.has(field));
      if (unknown) throw new Error(`the local host does not support ${unknown} of a rule's target (${rule.name})`);
      const target = functions.arnOf(Arn);
      if (State !== 'ENABLED') continue;
      const run = async () => {
        try {
          await functions.invoke(target, Input ?? JSON.stringify(scheduledEvent(template.attribute(rule, 'Arn'))));
        } catch (error) {
          log(`${rule.name}: ${(error as Error).message}`);
        }
      };
      timers.push(setInterval(() => void run(), everyMs));
    }
  }
  return { stop: () => timers.forEach(clearInterval) };
}

function intervalOf(expression: string, rule: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const interval = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (!(interval > 0 && interval <= longestMs))
    throw new Error(`the local host does not support the schedule "${expression}" (${rule})`);
  return interval;
}

const scheduledEvent = (ruleArn: string) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account,
  time: `${new Date().toISOString().slice(0, 19)}Z`,
  region,
  resources: [ruleArn],
  detail: {},
});
