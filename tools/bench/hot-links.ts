import { type HotLink, mostFunctions, rate, simulateHotLink } from './simulations/hot-link.ts';

// Simulates how many reads 10,000 visits a second of one link need. DynamoDB allows 3,000 for one item:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html

const usual = { seconds: 10, visitMs: 15 } as const;
const runs: Readonly<Record<string, HotLink>> = {
  'each visit reads': { ...usual, next: 'last used', remembers: false },
  'remembered for a second': { ...usual, next: 'last used', remembers: true },
  '… visits spread over all functions': { ...usual, next: 'longest idle', remembers: true },
  '… and visits take 90 ms': { ...usual, visitMs: 90, next: 'longest idle', remembers: true },
};

console.log(
  `${rate} visits a second of one link for ${usual.seconds} s, without a running function at the start, and with at most ${mostFunctions}\n`,
);
console.log('A visit is refused if all functions are busy or starting.\n');
console.log(`${''.padEnd(36)} functions  refused  reads in the worst second  in the last`);
for (const [name, run] of Object.entries(runs)) {
  const { functions, refused, mostReads, lastReads } = await simulateHotLink(run, Math.random);
  console.log(
    `${name.padEnd(36)} ${String(functions).padStart(9)} ${String(refused).padStart(8)} ${String(mostReads).padStart(26)} ${String(lastReads).padStart(12)}`,
  );
}
