import { parseArgs } from 'node:util';
import { withTable } from './support/local-service.ts';

// A file of a million links, imported as `npm run import` does it while the operator lets the workspace send 30 imports
// a minute. In simulated time; each request takes about a second of real time.
//
//     npx node tools/bench/million-links.ts                    1,000 imports, as many at a time as the client sends
//     npx node tools/bench/million-links.ts 100 2 3 6          100 imports, with 2, 3 and 6 at a time
//     npx node tools/bench/million-links.ts --same-tag 10      all links get the same tag

const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'same-tag': { type: 'boolean' } } });
const [imports = 1_000, ...atATime] = positionals.map(Number);
const tags = values['same-tag'] ? 1 : 0;

const columns = ['at a time', 'links', 'failed', 'seconds', 'median', 'longest', 'conflicts', 'throttled'];
const line = (cells: readonly (string | number)[]) =>
  console.log(cells.map((cell) => cell.toLocaleString('en-US').padStart(12)).join(''));

await withTable(async () => {
  const { simulateBusyWorkspace } = await import('./simulations/busy-workspace.ts');
  console.log('\n30 imports of 1,000 links a minute; the median and the longest time of a request in milliseconds\n');
  line(columns);
  for (const atOnce of atATime.length > 0 ? atATime : [undefined]) {
    const work = { pacedImports: imports, perMinute: 30, ...(atOnce !== undefined && { atOnce }) };
    const { done, failed, seconds, median, longest, used } = await simulateBusyWorkspace({ tags, tagsPerLink: tags, work });
    line([atOnce ?? 'the client', done, failed, Math.round(seconds), median, longest, used.conflicts, used.throttled]);
  }
});
