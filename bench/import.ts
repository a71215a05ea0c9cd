import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pointStoreAt } from '../bin/target.ts';
import { region } from '../local/resources.ts';
import { startService } from '../local/service.ts';
import { synthesise } from '../local/synth.ts';

// How long an import takes, as ratios beside the bare store calls of the same run: what the service adds to them.

const rounds = 9;
const batch = 25;
const inFlight = 8;

const median = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const folder = mkdtempSync(join(tmpdir(), 'links-bench-'));
const outdir = await synthesise(join(import.meta.dirname, '..'), folder, { stage: 'local' });
const service = await startService({ outdir, inMemory: true, log: () => {} });
try {
  const { endpoint, tableName } = service;
  pointStoreAt({ endpoint, tableName, region });
  Object.assign(process.env, { PERMISSION: 'links:write', MAX_LINKS_PER_IMPORT: '1000', SHORT_URL_ORIGIN: 'https://{domain}' });
  const { handler } = await import('../lambdas/endpoints/bulk-create-links.ts');
  const { createWorkspace } = await import('../lambdas/store/workspaces.ts');
  const { createApiKey } = await import('../lambdas/store/api-keys.ts');
  const { addDomain, getDomain } = await import('../lambdas/store/domains.ts');
  const { insertItems } = await import('../lambdas/store/writes.ts');
  const { linkItem } = await import('../lambdas/store/links.ts');
  const { candidate, importedLink } = await import('../lambdas/domain/import.ts');
  const { permissions } = await import('../lambdas/domain/permissions.ts');
  const { newSalt } = await import('../lambdas/domain/ids.ts');

  let made = 0;
  /** A workspace of its own for each run: an import more would be one too many in its minute. */
  const newWorkspace = async () => {
    const workspace = await createWorkspace('Bench', async () => `gateway-${++made}`);
    const host = `go${made}.example.com`;
    await addDomain(workspace.id, host, 'ACTIVE');
    const domain = await getDomain(host);
    if (!domain) throw new Error('the domain was not added');
    return { workspace, host, domain };
  };
  const linksOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ url: `https://example.org/some/page/${index}`, title: `Page ${index}` }));

  /** The store calls alone, with items that were made before. */
  const bare = async (count: number) => {
    const { domain } = await newWorkspace();
    const run = { importId: 'imp_bench', salt: newSalt(), createdAt: new Date().toISOString() };
    const items = linksOf(count).map(({ url, title }, index) => {
      const entry = { index, url, title };
      return {
        ...linkItem(importedLink(domain, run.createdAt, entry, candidate(domain, run, entry, 0, new Set()))),
        importMark: `x#${index}`,
      };
    });
    const batches = Array.from({ length: Math.ceil(count / batch) }, (_, page) => items.slice(page * batch, (page + 1) * batch));
    return timed(async () => {
      let next = 0;
      const worker = async () => {
        for (let place = next++; place < batches.length; place = next++) await insertItems(batches[place] ?? []);
      };
      await Promise.all(Array.from({ length: inFlight }, worker));
    });
  };

  const inFunction = async (count: number) => {
    const { workspace, host } = await newWorkspace();
    const event = {
      httpMethod: 'POST',
      body: JSON.stringify({ domain: host, links: linksOf(count) }),
      multiValueHeaders: { 'Content-Type': ['application/json'] },
      requestContext: {
        requestId: `bench-${made}`,
        authorizer: { workspaceId: workspace.id, permissions: permissions.join(' ') },
      },
    };
    return timed(async () => {
      const { statusCode, body } = await handler(event as never, { getRemainingTimeInMillis: () => 25_000 } as never);
      if (statusCode !== 200 || JSON.parse(body).created !== count) throw new Error(`${statusCode} ${body.slice(0, 200)}`);
    });
  };

  const overHttp = async (count: number) => {
    const { workspace, host } = await newWorkspace();
    const { key } = await createApiKey(workspace, { name: null, permissions });
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ domain: host, links: linksOf(count) });
    return timed(async () => {
      const answer = await fetch(`${service.baseUrl}/api/v1/links/bulk`, { method: 'POST', headers, body });
      const { created } = (await answer.json()) as { created: number };
      if (created !== count) throw new Error(`${answer.status}`);
    });
  };

  console.log(`import of links, median of ${rounds} rounds, as ratios to the bare calls of as many inserts in the same run\n`);
  console.log('  links   bare calls   in the function   over HTTP');
  for (const count of [10, 100, 1000]) {
    const times = { bare: [] as number[], inFunction: [] as number[], overHttp: [] as number[] };
    // One round to warm up, then in turns, so that what else the machine does befalls all three alike.
    for (let round = -1; round < rounds; round++) {
      const one = { bare: await bare(count), inFunction: await inFunction(count), overHttp: await overHttp(count) };
      if (round < 0) continue;
      times.bare.push(one.bare);
      times.inFunction.push(one.inFunction);
      times.overHttp.push(one.overHttp);
    }
    const base = median(times.bare);
    const ratio = (list: number[]) => (median(list) / base).toFixed(2).padStart(6);
    console.log(
      `${String(count).padStart(7)} ${base.toFixed(1).padStart(9)} ms ${ratio(times.inFunction).padStart(17)} ${ratio(times.overHttp).padStart(11)}`,
    );
  }
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
