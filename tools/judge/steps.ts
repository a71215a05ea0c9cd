/** The result of one step. */
export type Result = {
  readonly step: string;
  readonly outcome: 'passed' | 'failed' | 'not tried';
  readonly said?: string | undefined;
};

/** The limits of an emulator: the steps that fail there, each with the reason. */
export type Limits = Readonly<Record<string, string>>;

/**
 * Compares the results of the steps with the known limits of an emulator.
 *
 * @param file the path of the file with the limits.
 * @returns findings: steps that should pass but don't, and limits that no longer exist.
 */
export function judged(results: readonly Result[], limits: Limits, file: string) {
  const findings = results.flatMap(({ step, outcome, said }) => {
    if (outcome === 'passed') return step in limits ? [`${step}: it passes now, so remove it from the limits in ${file}`] : [];
    return step in limits ? [] : [`${step}: ${outcome}${said === undefined ? '' : `: ${said}`}`];
  });
  const steps = new Set(results.map(({ step }) => step));
  const unknown = Object.keys(limits).filter((step) => !steps.has(step));
  const width = Math.max(...results.map(({ step }) => step.length));
  return {
    findings: [...findings, ...unknown.map((step) => `${step}: there is no such step, so remove it from the limits in ${file}`)],
    report: results.map(({ step, outcome, said }) => {
      const limit = outcome === 'passed' ? undefined : limits[step];
      const details = [limit, said].filter((text) => text !== undefined).join(' – ');
      return `${step.padEnd(width)}  ${limit === undefined ? outcome : 'excused'}${details && `: ${details}`}`;
    }),
    remarks: `${results.filter(({ outcome }) => outcome === 'passed').length} of ${results.length} steps passed`,
  };
}

/** Tries steps one after the other, and collects their results. */
export type Trials = {
  readonly results: readonly Result[];
  /** @param work returns what to report; the step fails if it throws. */
  readonly step: (name: string, work: () => Promise<string | undefined>) => Promise<void>;
  readonly add: (result: Result) => void;
};

export function newTrials(): Trials {
  const results: Result[] = [];
  return {
    results,
    add: (result) => void results.push(result),
    step: async (step, work) => {
      const ended = await work().then(
        (said) => ({ outcome: 'passed', said }) as const,
        (error: Error) => ({ outcome: 'failed', said: error.message.split('\n')[0] }) as const,
      );
      results.push({ step, ...ended });
    },
  };
}
