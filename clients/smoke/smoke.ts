import type { LinksClient } from '../typescript/client.ts';
import { type Made, NotTried, removeAll, steps, type Trial } from './steps.ts';

/**
 * How a step ended. After a failure, `setting` is what to check, and `condition` the policy's condition because of
 * which AWS may have denied the call.
 */
export type StepResult = {
  readonly step: string;
  readonly shows: string;
  readonly outcome: 'passed' | 'failed' | 'not tried';
  readonly said?: string | undefined;
  readonly setting?: string | undefined;
  readonly condition?: string | undefined;
};

/**
 * Tries a running service with one workspace, step by step, and removes what it made, whatever happens. After a
 * failure, it continues with the steps that do not need the failed one.
 *
 * @param cleaner a client that still works after `trial.client` was stopped.
 * @param report called after each step.
 * @throws Error if something that was made could not be removed.
 */
export async function smokeTest(
  trial: Trial,
  cleaner: LinksClient,
  report: (result: StepResult) => void,
): Promise<readonly StepResult[]> {
  const made: Made = {
    links: new Map(),
    tags: new Set(),
    webhooks: new Set(),
    domains: new Set(),
    clicks: new Map(),
    domain: '',
  };
  const results: StepResult[] = [];
  try {
    for (const { name, shows, setting, condition, run } of steps.filter(({ isAsked }) => isAsked?.(trial) ?? true)) {
      const ended = await run(trial, made).then(
        (said) => ({ outcome: 'passed', said }) as const,
        (error: Error) =>
          error instanceof NotTried
            ? ({ outcome: 'not tried', said: error.message } as const)
            : ({ outcome: 'failed', said: lineOf(error), setting, condition } as const),
      );
      const result = { step: name, shows, ...ended };
      results.push(result);
      report(result);
      // Nothing can be made without a key or a domain.
      if (trial.isStopped() || (ended.outcome === 'failed' && ['key', 'domain'].includes(name))) break;
    }
  } finally {
    await removeAll(cleaner, made).catch((error) => {
      const left = [...made.links.keys(), ...made.webhooks, ...made.domains, ...made.tags].join(', ');
      throw new Error(`these could not be removed (${lineOf(error)}): ${left}`);
    });
  }
  return results;
}

/** An error's message in one line, with the request's id, by which operators find it in the logs. */
const lineOf = (error: Error & { requestId?: string }): string =>
  `${error.message.split('\n')[0]}${error.requestId === undefined ? '' : ` (request ${error.requestId})`}`;

/** The results as a table for people. */
export function tableOf(results: readonly StepResult[]): string {
  const width = Math.max(...results.map(({ step }) => step.length));
  const below = ''.padEnd(width + 13);
  const rows = results.flatMap(({ step, shows, outcome, said, setting, condition }) => [
    `${step.padEnd(width)}  ${outcome.padEnd(9)}  ${shows}${said === undefined ? '' : `: ${said}`}`,
    ...(setting === undefined ? [] : [`${below}see ${setting}`]),
    ...(condition === undefined ? [] : [`${below}if AWS denied it, the condition in question is ${condition}`]),
  ]);
  return [...rows, ...(results.some(({ condition }) => condition !== undefined) ? [aboutConditions] : [])].join('\n');
}

const aboutConditions = `
Whether AWS denied a call is in CloudWatch, Logs Insights: run the stage's saved query "warnings and errors", and look for
AccessDenied. The setting "partitionConditions": false turns off dynamodb:LeadingKeys, and no setting dynamodb:Attributes.
See docs/deploy.md, "If AWS denies a call".`;
