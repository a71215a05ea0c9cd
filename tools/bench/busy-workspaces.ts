import type { BusyWorkspace } from './simulations/busy-workspace.ts';
import { withTable } from './support/local-service.ts';

// How much one workspace can change at a time, in simulated time. Takes some minutes.

const runs: Readonly<Record<string, BusyWorkspace>> = {
  '100 creations a second, without tags': { tags: 0, tagsPerLink: 0, work: { createsPerSecond: 100, seconds: 3 } },
  '… all with the same tag': { tags: 1, tagsPerLink: 1, work: { createsPerSecond: 100, seconds: 3 } },
  '… each with 5 of 200 tags': { tags: 200, tagsPerLink: 5, work: { createsPerSecond: 100, seconds: 3 } },
  '… each with 20 of 200 tags': { tags: 200, tagsPerLink: 20, work: { createsPerSecond: 100, seconds: 3 } },
  'an import of 1,000 links': { tags: 0, tagsPerLink: 0, work: { imports: 1 } },
  '3 imports of 1,000 links at once': { tags: 0, tagsPerLink: 0, work: { imports: 3 } },
  '… all links with the same tag': { tags: 1, tagsPerLink: 1, work: { imports: 3 } },
  '… each link with 5 of 200 tags': { tags: 200, tagsPerLink: 5, work: { imports: 3 } },
  '6 imports of 1,000 links at once': { tags: 0, tagsPerLink: 0, work: { imports: 6 } },
  'replace 20 tags of 200 links by others': { tags: 40, tagsPerLink: 20, work: { replaceTagsOf: 200 } },
};

await withTable(async () => {
  const { simulateBusyWorkspace } = await import('./simulations/busy-workspace.ts');
  const columns = ['links', 'failed', 'median', 'longest', 'conflicts', 'throttled', 'read', 'write'];
  console.log('\nwaiting times of requests in milliseconds; units for each link\n');
  console.log(`${''.padEnd(46)}${columns.map((name) => name.padStart(11)).join('')}`);
  for (const [name, run] of Object.entries(runs)) {
    const { done, failed, median, longest, used } = await simulateBusyWorkspace(run);
    const units = [used.readUnits, used.writeUnits].map((sum) => (sum / done).toFixed(1));
    const cells = [done, failed, median, longest, used.conflicts, used.throttled, ...units];
    console.log(`${name.padEnd(46)}${cells.map((cell) => String(cell).padStart(11)).join('')}`);
  }
});
