import { withService } from './support/local-service.ts';
import { medians, timed } from './support/measure.ts';

// How long a page of 50 links takes in a large workspace, as a ratio to a small workspace in the same run; and how long
// the states of links with caps take, as a ratio to links without.

const rounds = 15;
const pages = 10;
const sizes = [1_000, 20_000] as const;

await withService(async () => {
  process.env.PERMISSION = 'links:read';
  const { handler } = await import('../../lambdas/endpoints/links/list-links.ts');
  const { createLinks } = await import('../../lambdas/store/links/imports.ts');
  const { apiEvent, invocation, newRun, newWorkspace } = await import('./support/fixtures.ts');

  /**
   * A workspace with that many links. Each thousand has its own creation time. @param maxClicks of every link, if any
   */
  const filled = async (count: number, maxClicks?: number) => {
    const { workspaceId, domain } = await newWorkspace();
    for (let from = 0; from < count; from += 1_000) {
      const entries = Array.from({ length: 1_000 }, (_, index) => ({
        index,
        url: `https://example.org/${from + index}`,
        maxClicks,
      }));
      await createLinks(domain, entries, new Map(), newRun(new Date(Date.UTC(2030, 0, 1) + from)));
    }
    return workspaceId;
  };

  const page = async (workspaceId: string, query: Record<string, string>) => {
    const { statusCode, body } = await handler(apiEvent(workspaceId, 'GET', { query }), invocation);
    const { links, nextCursor } = JSON.parse(body);
    if (statusCode !== 200 || links.length !== 50) throw new Error(`${statusCode} ${body.slice(0, 200)}`);
    return nextCursor as string;
  };

  /** The cursor after half of the links. */
  const middleOf = async (workspaceId: string, count: number) => {
    let cursor = '';
    for (let seen = 0; seen < count / 2; seen += 50) cursor = await page(workspaceId, cursor ? { cursor } : {});
    return cursor;
  };

  const lists: { count: number; workspaceId: string; cursor: string }[] = [];
  for (const count of sizes) {
    const workspaceId = await filled(count);
    lists.push({ count, workspaceId, cursor: await middleOf(workspaceId, count) });
  }
  const some = (workspaceId: string, query: Record<string, string>) => () =>
    timed(async () => {
      for (let times = 0; times < pages; times++) await page(workspaceId, query);
    });
  const works = lists.flatMap(({ count, workspaceId, cursor }) => [
    [`${count} first`, some(workspaceId, {})] as const,
    [`${count} middle`, some(workspaceId, { cursor })] as const,
  ]);
  const capped = await filled(sizes[0], 100);
  const times = await medians(rounds, Object.fromEntries([...works, ['capped first', some(capped, {})] as const]));

  console.log(
    `\na page of 50 links, median of ${rounds} rounds of ${pages}, and as a ratio to a workspace with ${sizes[0]} links\n`,
  );
  for (const position of ['first', 'middle']) {
    const base = times[`${sizes[0]} ${position}`]?.ms ?? 0;
    for (const { count } of lists) {
      const ms = times[`${count} ${position}`]?.ms ?? 0;
      console.log(
        `${`${position} page of ${count}`.padEnd(24)} ${(ms / pages).toFixed(2).padStart(7)} ms ${(ms / base).toFixed(2)}`,
      );
    }
  }
  const [without, withCaps] = [`${sizes[0]} first`, 'capped first'].map((name) => (times[name]?.ms ?? 0) / pages);
  console.log(
    '\nthe same first page if all links have caps, which their states depend on; a list remembers them for 5 seconds\n',
  );
  console.log(`${'without caps'.padEnd(24)} ${without?.toFixed(2).padStart(7)} ms 1.00`);
  console.log(
    `${'with caps'.padEnd(24)} ${withCaps?.toFixed(2).padStart(7)} ms ${((withCaps ?? 0) / (without ?? 1)).toFixed(2)}`,
  );
});
