import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../lib/bundles.ts';
import { functionEnvironment, withService } from './local-service.ts';
import { medians, timed } from './measure.ts';
import { installRuntimeClient, runOnce } from './runtime-client.ts';

// How long a function takes to start: to load, as a ratio to the bare store client, and to start and answer its first
// call, as a ratio to an empty function in the same run.

const rounds = 15;
const baselines = join(import.meta.dirname, 'baselines');
const baseline = 'store-client';
/** Functions that use the SDK, and are measured without it too. */
const leanToo = ['endpoints/get-tag'];

await withService(async (_, outdir) => {
  const bundles = join(outdir, 'bundles');
  const functions = readdirSync(bundles);
  const files = readdirSync(baselines).map((file) => join(baselines, file));
  bundle(files, bundles);
  const leanBundles = join(outdir, 'lean-bundles');
  const leanFiles = leanToo.map((name) => join(import.meta.dirname, `../lambdas/${name}.ts`));
  bundle(leanFiles, leanBundles, ['lean']);
  const env = functionEnvironment();

  console.log(`a process that loads a bundle and ends, median of ${rounds} rounds, and as a ratio to the bare store client\n`);
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
    console.log(`${name.padEnd(20)} ${ms.toFixed(1).padStart(7)} ms ${(ms / (loaded[baseline]?.ms ?? Number.NaN)).toFixed(2)}`);
  }

  console.log(
    "\nwith AWS's runtime client: until it requests an event, the first call, both as a ratio to an empty function, and the second call\n",
  );
  installRuntimeClient();
  const events = {
    empty: async () => [{}, {}],
    tls: async () => [{}, {}],
    [baseline]: async () => [{}, {}],
    ...(await eventsOf()),
  };
  const calling = Object.entries(events).map(([name, pair]) => {
    const [bundleName = '', variant] = name.split(', ');
    const folder = join(variant === 'lean' ? leanBundles : bundles, bundleName);
    // In a run of its own, so that a start and its first call belong together.
    const run = async () => {
      const { ready, first, warm } = await runOnce(folder, env, await pair());
      return { ready, first, both: ready + first, warm };
    };
    return [name, run] as const;
  });
  const called = await medians(rounds, Object.fromEntries(calling));
  for (const [name, { ready, first, both, warm }] of Object.entries(called)) {
    const [a, b, c] = [ready, first, warm].map((time) => `${time.toFixed(1).padStart(7)} ms`);
    console.log(`${name.padEnd(20)} ${a} ${b} ${(both / (called.empty?.both ?? Number.NaN)).toFixed(2).padStart(6)} ${c}`);
  }
});

/** Two valid events for each function that is called here, by its name. */
async function eventsOf() {
  const { apiEvent, newVisits, newWorkspace, visitEvent } = await import('./workspaces.ts');
  const { createTag } = await import('../lambdas/store/tags.ts');
  const { workspaceId, host, domain, key } = await newWorkspace();
  const visits = await newVisits(domain);
  const tag = await createTag(workspaceId, { name: 'bench', color: '#000000' });
  const twice = (makeEvent: () => unknown) => async () => [makeEvent(), makeEvent()];
  const methodArn = 'arn:aws:execute-api:local:000000000000:api/local/GET/api/v1/tags';
  const getTag = twice(() => apiEvent(workspaceId, 'GET', { id: tag.id }));
  const redirects = Object.entries(visits).map(
    ([name, { path, headers }]) => [`redirect, ${name}`, twice(() => visitEvent(host, path(), headers))] as const,
  );
  return {
    ...Object.fromEntries(redirects),
    authorize: twice(() => ({ type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn })),
    'get-tag': getTag,
    'get-tag, lean': getTag,
    'create-tag': twice(() => apiEvent(workspaceId, 'POST', { body: { name: randomUUID(), color: '#000000' } })),
    // One workspace per process, because a workspace may send only 3 imports a minute.
    'bulk-create-links': async () => {
      const { workspaceId, host } = await newWorkspace();
      const event = () => apiEvent(workspaceId, 'POST', { body: { domain: host, links: [{ url: 'https://example.org' }] } });
      return [event(), event()];
    },
  };
}
