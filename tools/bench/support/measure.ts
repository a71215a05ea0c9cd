/** How long the work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<{ ms: number }> {
  const start = performance.now();
  await work();
  return { ms: performance.now() - start };
}

/**
 * Runs each of the works once to warm up and then `rounds` times, and returns the medians of their measures, by name.
 * The works take turns, so that other load on the machine affects them equally.
 */
export async function medians<Name extends string, Measure extends string>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<Record<Measure, number>>>>,
): Promise<Record<Name, Record<Measure, number>>> {
  const names = Object.keys(works) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Record<Measure, number>[]]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const result = await works[name]();
      if (round >= 0) results[name]?.push(result);
    }
  }
  return Object.fromEntries(names.map((name) => [name, medianOf(results[name] ?? [])])) as Record<Name, Record<Measure, number>>;
}

function medianOf<Measure extends string>(results: readonly Record<Measure, number>[]): Record<Measure, number> {
  const measures = Object.keys(results[0] ?? {}) as Measure[];
  const median = (measure: Measure) => results.map((result) => result[measure]).sort((a, b) => a - b)[results.length >> 1];
  return Object.fromEntries(measures.map((measure) => [measure, median(measure)])) as Record<Measure, number>;
}
