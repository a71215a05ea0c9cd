import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../lib/bundles.ts';
import { printColdStarts } from './support/cold-starts.ts';
import { functionEnvironment, withService } from './support/local-service.ts';
import { medians, timed } from './support/measure.ts';

// How long a function takes to start: loading, as a ratio to the bare store client, and start and first call, as a
// ratio to an empty function in the same run. The redirect's starts are in redirect.ts.

const rounds = 15;
const baselines = join(import.meta.dirname, 'baselines');
const baseline = 'store-client';

await withService(async ({ baseUrl }, outdir) => {
  const bundles = join(outdir, 'bundles');
  // The folder also has the files of the console.
  const functions = readdirSync(bundles).filter((name) => existsSync(join(bundles, name, 'index.cjs')));
  const files = readdirSync(baselines).map((file) => join(baselines, file));
  bundle(files, bundles);
  const env = { ...functionEnvironment(), API_URL: baseUrl };

  console.log(
    `a process that loads a bundle and ends, median of ${rounds} rounds, as a ratio to the bare store client, and the size of the bundle\n`,
  );
  const loading = (name: string) => () =>
    timed(async () => {
      const script = `require(${JSON.stringify(join(bundles, name, 'index.cjs'))})`;
      const [code] = await once(spawn(process.execPath, ['-e', script], { env, stdio: 'inherit' }), 'exit');
      if (code !== 0) throw new Error(`${name} does not load`);
    });
  const loaded = await medians(
    rounds,
    Object.fromEntries(['empty', baseline, ...functions].map((name) => [name, loading(name)])),
  );
  for (const [name, { ms }] of Object.entries(loaded)) {
    const ratio = (ms / (loaded[baseline]?.ms ?? Number.NaN)).toFixed(2);
    const kB = (statSync(join(bundles, name, 'index.cjs')).size / 1_000).toFixed(0);
    console.log(`${name.padEnd(20)} ${ms.toFixed(1).padStart(7)} ms ${ratio} ${kB.padStart(5)} kB`);
  }

  const idle = () => [{}, {}];
  const calls = { empty: idle, tls: idle, [baseline]: idle, ...(await eventsOf()) };
  const starts = Object.entries(calls).map(([name, events]) => [name, { folder: join(bundles, name), events }] as const);
  await printColdStarts(rounds, env, Object.fromEntries(starts));
});

/** Two valid events for each function that is called here, by its name. */
async function eventsOf() {
  const { apiEvent, newWorkspace } = await import('./support/fixtures.ts');
  const { createTag } = await import('../../lambdas/store/tags/tags.ts');
  const { workspaceId, key } = await newWorkspace();
  const tag = await createTag(workspaceId, { name: 'bench', color: '#000000' });
  const twice = (makeEvent: () => unknown) => () => [makeEvent(), makeEvent()];
  const methodArn = 'arn:aws:execute-api:local:000000000000:api/local/GET/api/v1/tags';
  return {
    authorize: twice(() => ({ type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn })),
    'get-tag': twice(() => apiEvent(workspaceId, 'GET', { id: tag.id })),
    'create-tag': twice(() => apiEvent(workspaceId, 'POST', { body: { name: randomUUID(), color: '#000000' } })),
    // Includes the call of the API that it makes.
    mcp: twice(() => {
      const params = { name: 'list_tags', arguments: {} };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' };
      const sent = { 'Content-Type': 'application/json', ...headers };
      return { ...apiEvent(workspaceId, 'POST', { body }), headers: sent };
    }),
    // One workspace per process, because of the limit on bulk requests.
    'bulk-create-links': async () => {
      const { workspaceId, host } = await newWorkspace();
      const event = () => apiEvent(workspaceId, 'POST', { body: { domain: host, links: [{ url: 'https://example.org' }] } });
      return [event(), event()];
    },
  };
}
