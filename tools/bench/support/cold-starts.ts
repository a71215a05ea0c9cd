import { medians } from './measure.ts';
import { installRuntimeClient, type RunTimes, runOnce } from './runtime-client.ts';

/**
 * A function to start: the folder of its bundle, and the events for one start, at least two.
 *
 * @property env its environment variables besides those of all functions.
 */
export type ColdStart = {
  readonly folder: string;
  readonly events: () => unknown[] | Promise<unknown[]>;
  readonly env?: NodeJS.ProcessEnv;
};

/** The times of a start, and `ratio`: of start and first call together, to those of `empty` in the same round. */
type ColdTimes = RunTimes & { readonly ratio: number };

/**
 * Starts each function with AWS's runtime client, `rounds` times, and prints the medians: until it requests an event,
 * the first call, both as a ratio to an empty function, and a later call.
 *
 * @param functions the first one is the empty one, named `empty`.
 */
export async function printColdStarts(
  rounds: number,
  env: NodeJS.ProcessEnv,
  functions: Readonly<Record<string, ColdStart>>,
): Promise<void> {
  installRuntimeClient();
  let emptyMs = Number.NaN;
  const starting = Object.entries(functions).map(([name, { folder, events, env: own }]) => {
    // Each start has its own run, so that a start and its first call belong together.
    const run = async (): Promise<ColdTimes> => {
      const times = await runOnce(folder, { ...env, ...own }, await events());
      const both = times.ready + times.first;
      if (name === 'empty') emptyMs = both;
      return { ...times, ratio: both / emptyMs };
    };
    return [name, run] as const;
  });
  const started = await medians<string, keyof ColdTimes>(rounds, Object.fromEntries(starting));
  console.log(`\nwith AWS's runtime client, median of ${rounds} starts; the ratio is that of start and first call together\n`);
  console.log(
    `${''.padEnd(20)} ${'start'.padStart(10)} ${'first call'.padStart(10)}  ratio to empty ${'later call'.padStart(11)}`,
  );
  for (const [name, { ready, first, ratio, warm }] of Object.entries(started)) {
    const [a, b, c] = [ready, first, warm].map((time) => `${time.toFixed(1).padStart(7)} ms`);
    console.log(`${name.padEnd(20)} ${a} ${b} ${ratio.toFixed(2).padStart(15)} ${c?.padStart(11)}`);
  }
}
