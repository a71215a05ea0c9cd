import type { LinksClient } from '../typescript/client.ts';
import { type Made, NotTried, removeAll, steps, type Trial } from './steps.ts';

/** How a step ended. `setting` is what to look at after a failure. */
export type StepResult = {
  readonly step: string;
  readonly shows: string;
  readonly outcome: 'passed' | 'failed' | 'not tried';
  readonly said?: string | undefined;
  readonly setting?: string | undefined;
};

/**
 * Tries a running service with one workspace, step by step, and removes what it made, whatever happens. After a failure
 * it goes on with the steps that do not need the failed one.
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
    for (const { name, shows, setting, run } of steps.filter(({ isAsked }) => isAsked?.(trial) ?? true)) {
      const ended = await run(trial, made).then(
        (said) => ({ outcome: 'passed', said }) as const,
        (error: Error) =>
          error instanceof NotTried
            ? ({ outcome: 'not tried', said: error.message } as const)
            : ({ outcome: 'failed', said: lineOf(error), setting } as const),
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

/** An error's message in one line, with the id by which the operator finds the request in the logs. */
const lineOf = (error: Error & { requestId?: string }): string =>
  `${error.message.split('\n')[0]}${error.requestId === undefined ? '' : ` (request ${error.requestId})`}`;

/** The results as a table for people. */
export function tableOf(results: readonly StepResult[]): string {
  const width = Math.max(...results.map(({ step }) => step.length));
  return results
    .flatMap(({ step, shows, outcome, said, setting }) => [
      `${step.padEnd(width)}  ${outcome.padEnd(9)}  ${shows}${said === undefined ? '' : `: ${said}`}`,
      ...(setting === undefined ? [] : [`${''.padEnd(width + 13)}see ${setting}`]),
    ])
    .join('\n');
}
