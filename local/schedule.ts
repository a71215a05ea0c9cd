import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
/** The longest delay of Node's timers. */
const longestMs = 2 ** 31 - 1;
const knownTargetFields = new Set(['Arn', 'Id', 'Input', 'DeadLetterConfig', 'RetryPolicy']);

export type Schedules = {
  /** Switches a rule on or off. The state survives a restart of the service. */
  setEnabled(rule: string, isEnabled: boolean): void;
  stop(): void;
};

/** A rule that can be switched. */
type SwitchedRule = { isEnabled: boolean; readonly begin: () => NodeJS.Timeout[]; timers: NodeJS.Timeout[] };

/**
 * Runs the targets of the template's scheduled rules, for the first time after one interval, as on AWS. A failed run is
 * logged, and does not affect later runs.
 *
 * @param folder where the states of switched rules are kept.
 * @throws Error for a schedule or a target that the local host does not support.
 */
export function startSchedules(template: Template, functions: Functions, folder: string, log: (line: string) => void): Schedules {
  const file = join(folder, 'rules.json');
  const switched = readSwitched(file);
  const rules = new Map<string, SwitchedRule>();
  for (const rule of template.ofType<RuleProperties>('AWS::Events::Rule')) {
    const { ScheduleExpression = '', State = 'ENABLED', Targets = [] } = rule.properties;
    const everyMs = intervalOf(ScheduleExpression, rule.name);
    const runs = Targets.map(({ Arn, Input, ...rest }) => {
      const unknown = Object.keys(rest).find((field) => !knownTargetFields.has(field));
      if (unknown) throw new Error(`the local host does not support ${unknown} of a rule's target (${rule.name})`);
      const target = functions.arnOf(Arn);
      return async () => {
        try {
          await functions.invoke(target, Input ?? JSON.stringify(scheduledEvent(template.attribute(rule, 'Arn'))));
        } catch (error) {
          log(`${rule.name}: ${(error as Error).message}`);
        }
      };
    });
    const begin = () => runs.map((run) => setInterval(() => void run(), everyMs));
    const isEnabled = switched[rule.name] ?? State === 'ENABLED';
    rules.set(rule.name, { isEnabled, begin, timers: isEnabled ? begin() : [] });
  }
  return {
    setEnabled: (name, isEnabled) => {
      const rule = rules.get(name);
      if (!rule) throw new Error(`the template has no rule "${name}"`);
      switched[name] = isEnabled;
      writeFileSync(`${file}.new`, JSON.stringify(switched));
      renameSync(`${file}.new`, file);
      if (rule.isEnabled === isEnabled) return;
      rule.timers.forEach(clearInterval);
      Object.assign(rule, { isEnabled, timers: isEnabled ? rule.begin() : [] });
    },
    stop: () => {
      for (const { timers } of rules.values()) timers.forEach(clearInterval);
    },
  };
}

/** The rules that were switched on or off in earlier runs. */
function readSwitched(file: string): Record<string, boolean> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
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
