import type { LinkSettings } from '../../lambdas/core/link/link.ts';
import type { CappedLink } from './simulations/capped-link.ts';
import { withTable } from './support/local-service.ts';

// How visitors, the owner and the operator of a link with a cap fare in a rush, in simulated time. Takes a minute or
// more.

const open = { maxClicks: 1_000_000, arrive: { perSecond: 800, seconds: 2 } } as const;
const runsOf = (largest: Partial<LinkSettings>): Readonly<Record<string, CappedLink>> => ({
  '800 visits a second': open,
  '2,000 visits a second': { ...open, arrive: { perSecond: 2_000, seconds: 2 } },
  '130 visits a second of a 43 kB link': { ...open, arrive: { perSecond: 130, seconds: 4 }, settings: largest },
  '260 visits a second of a 43 kB link': { ...open, arrive: { perSecond: 260, seconds: 4 }, settings: largest },
  '1,000 visits at once, cap of 10': { maxClicks: 10, arrive: { burst: 1_000 } },
  '2,500 visits a second, used up': {
    maxClicks: 1,
    usedBefore: 2,
    arrive: { perSecond: 2_500, seconds: 1 },
  },
});

await withTable(async () => {
  const { largestSettings } = await import('../cost/arrangements.ts');
  const { simulateCappedLink } = await import('./simulations/capped-link.ts');
  const columns = ['302 in the last second', '410', '503', 'median', '99 %', 'longest', 'functions', 'read', 'write'];
  console.log('\nwaiting times in milliseconds; units for each visit, with those of owner and operator\n');
  console.log(`${''.padEnd(38)}${columns.map((name) => name.padStart(name.length + 2)).join('')}`);
  const notes: string[] = [];
  for (const [name, run] of Object.entries(runsOf({ ...largestSettings, cloaked: true, unframeableUrl: largestSettings.url }))) {
    const { statuses, inLastSecond, waited, functions, owner, operator, used } = await simulateCappedLink(run);
    const visits = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const counts = [410, 503].map((status) => statuses[status] ?? 0);
    const units = [used.readUnits, used.writeUnits].map((sum) => (sum / visits).toFixed(1));
    const cells = [inLastSecond, ...counts, waited.median, waited.p99, waited.longest, functions, ...units];
    console.log(
      `${name.padEnd(38)}${cells.map((cell, index) => String(cell).padStart((columns[index]?.length ?? 0) + 2)).join('')}`,
    );
    notes.push(
      `${name.padEnd(38)}  owner ${owner.longest} ms, ${owner.failed} failed; operator ${operator.longest} ms, ${operator.failed} failed`,
    );
  }
  console.log(`\nchanges of the link meanwhile, the longest\n\n${notes.join('\n')}`);
});
