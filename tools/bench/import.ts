import { withService } from './support/local-service.ts';
import { medians, timed } from './support/measure.ts';

// How long an import takes, as a ratio to the bare store calls of the same run, which shows what the service adds to
// them.

const rounds = 9;
const batch = 25;
const concurrency = 8;

await withService(async (service) => {
  const { handler } = await import('../../lambdas/endpoints/links/bulk-create-links.ts');
  const { insertItems } = await import('../../lambdas/store/table/writes.ts');
  const { linkItem } = await import('../../lambdas/store/links/links.ts');
  // Each run gets its own workspace, because of the limit on bulk requests.
  const { inParallel } = await import('../../lambdas/runtime/in-parallel.ts');
  const { apiEvent, invocation, newDefaultLink, newWorkspace } = await import('./support/fixtures.ts');

  const linksOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ url: `https://example.org/some/page/${index}`, title: `Page ${index}` }));

  /** Only the store calls, with items that were made before. */
  const bare = async (count: number) => {
    const { domain } = await newWorkspace();
    const items = linksOf(count).map((settings) => linkItem(newDefaultLink(domain, settings)));
    const batches = Array.from({ length: Math.ceil(count / batch) }, (_, page) => items.slice(page * batch, (page + 1) * batch));
    return timed(() => inParallel(batches, concurrency, insertItems));
  };

  const inFunction = async (count: number) => {
    const { workspaceId, host } = await newWorkspace();
    const event = apiEvent(workspaceId, 'POST', { body: { domain: host, links: linksOf(count) } });
    return timed(async () => {
      const { statusCode, body } = await handler(event, invocation);
      if (statusCode !== 200 || JSON.parse(body).created !== count) throw new Error(`${statusCode} ${body.slice(0, 200)}`);
    });
  };

  const overHttp = async (count: number) => {
    const { host, key } = await newWorkspace();
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ domain: host, links: linksOf(count) });
    return timed(async () => {
      const response = await fetch(`${service.baseUrl}/api/v1/links/bulk`, { method: 'POST', headers, body });
      const { created } = (await response.json()) as { created: number };
      if (created !== count) throw new Error(`${response.status}`);
    });
  };

  console.log(`import of links, median of ${rounds} rounds, as ratios to bare inserts of as many links in the same run\n`);
  console.log('  links   bare calls   in the function   over HTTP');
  for (const count of [10, 100, 1000]) {
    const times = await medians(rounds, {
      bare: () => bare(count),
      inFunction: () => inFunction(count),
      overHttp: () => overHttp(count),
    });
    const ratio = ({ ms }: { ms: number }) => (ms / times.bare.ms).toFixed(2);
    console.log(
      `${String(count).padStart(7)} ${times.bare.ms.toFixed(1).padStart(9)} ms ${ratio(times.inFunction).padStart(17)} ${ratio(times.overHttp).padStart(11)}`,
    );
  }
});
