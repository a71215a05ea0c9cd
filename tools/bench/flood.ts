import { simulateFlood } from './simulations/flood.ts';
import { failuresOf, floodRuns } from './simulations/flood-runs.ts';
import { lehmer } from './simulations/random.ts';

// Simulates 10,000 visits a second of a million links, from a standing start, with what AWS allows. All runs take some
// minutes; `npx node tools/bench/flood.ts 60 prepared` simulates the first 60 seconds only, of the run with that name.

const seconds = Number(process.argv[2] ?? 21 * 60);
const only = process.argv[3];
const columns = [
  '503 at first',
  '503 later',
  'median',
  '99 %',
  'longest',
  'recorded',
  'lost',
  'in the queue',
  'late',
  'counted after',
  'executions',
  'write units',
];
const row = (name: string, cells: readonly (string | number)[]) =>
  console.log(
    `${name.padEnd(32)}${cells.map((cell, index) => String(cell).padStart(Math.max(10, columns[index]?.length ?? 0) + 2)).join('')}`,
  );
const grouped = (count: number) => count.toLocaleString('en-US');

console.log(`Visits of 1,000,000 links for ${grouped(seconds)} s from a standing start, 10,000 a second\n`);
console.log(`waiting times in milliseconds; clicks that were recorded in the end, and lost, and how many were in the queue at most; how late
the counts of what the table took are after the last visit, and how long it then takes until all is counted, in seconds (- is more
than two hours); executions at a time; write units a second of Activity in the last minute. A run fails if
visitors get 503 after the first second, 1 of 100 waits 300 ms, clicks are lost, or these counts are a minute late.\n`);
row('', columns);
for (const [name, run] of Object.entries(floodRuns)) {
  if (only !== undefined && name !== only) continue;
  const result = simulateFlood({ ...run, seconds }, lehmer(), 2 * 60 * 60);
  const { unavailable, waited, recorded, lost, waiting, late, countedAfter, executions, units } = result;
  const counts = [unavailable.atFirst, unavailable.later].map(grouped);
  const waits = [waited.median, waited.p99, waited.longest].map(grouped);
  row(name, [
    ...counts,
    ...waits,
    ...[recorded, lost, waiting].map(grouped),
    grouped(Math.round(late.atEnd)),
    countedAfter === undefined ? '-' : grouped(Math.round(countedAfter)),
    grouped(executions),
    grouped(units.write),
    `  ${failuresOf(result).join(', ') || 'passes'}`,
  ]);
}
