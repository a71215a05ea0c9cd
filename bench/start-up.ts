import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../lib/bundles.ts';
import { functionSettings, withService } from './local-service.ts';
import { medians, timed } from './measure.ts';
import { installRuntimeClient, runOnce } from './runtime-client.ts';

// How long a function takes to start, as a ratio to the bare store client in the same run.

const rounds = 15;
const baselines = join(import.meta.dirname, 'baselines');
const baseline = 'store-client';

await withService(async (_, outdir) => {
  const bundles = join(outdir, 'bundles');
  const functions = readdirSync(bundles);
  const files = readdirSync(baselines).map((file) => join(baselines, file));
  bundle(files, bundles);
  const env = {
    ...Object.fromEntries(
      [
        'PATH',
        'TABLE_NAME',
        'ACTIVITY_TABLE_NAME',
        'AWS_ENDPOINT_URL_DYNAMODB',
        'AWS_REGION',
        'AWS_ACCESS_KEY_ID',
        'AWS_SECRET_ACCESS_KEY',
      ].map((name) => [name, process.env[name]]),
    ),
    ...functionSettings,
  };

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
    "\nwith AWS's runtime client: until it requests an event, the first call, the second, and the first of the three as a ratio\n",
  );
  installRuntimeClient();
  const events = { empty: async () => [{}, {}], [baseline]: async () => [{}, {}], ...(await eventsOf()) };
  const calling = Object.entries(events).map(
    ([name, pair]) => [name, async () => runOnce(join(bundles, name), env, await pair())] as const,
  );
  const called = await medians(rounds, Object.fromEntries(calling));
  for (const [name, { ready, first, warm }] of Object.entries(called)) {
    const [a, b, c] = [ready, first, warm].map((time) => `${time.toFixed(1).padStart(7)} ms`);
    console.log(`${name.padEnd(20)} ${a} ${b} ${c} ${(ready / (called[baseline]?.ready ?? Number.NaN)).toFixed(2).padStart(6)}`);
  }
});

/** Two valid events for each function that is called here, by its name. */
async function eventsOf() {
  const { apiEvent, newSlug, newWorkspace, visitEvent } = await import('./workspaces.ts');
  const { createTag } = await import('../lambdas/store/tags.ts');
  const { workspaceId, host, domain, key } = await newWorkspace();
  const slug = await newSlug(domain);
  const tag = await createTag(workspaceId, { name: 'bench', color: '#000000' });
  const twice = (makeEvent: () => unknown) => async () => [makeEvent(), makeEvent()];
  const methodArn = 'arn:aws:execute-api:local:000000000000:api/local/GET/api/v1/tags';
  return {
    authorize: twice(() => ({ type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn })),
    redirect: twice(() => visitEvent(host, `/${slug}`)),
    'get-tag': twice(() => apiEvent(workspaceId, 'GET', { id: tag.id })),
    'create-tag': twice(() => apiEvent(workspaceId, 'POST', { body: { name: randomUUID(), color: '#000000' } })),
    // One workspace per process, because a workspace may send only 3 imports a minute.
    'bulk-create-links': async () => {
      const { workspaceId, host } = await newWorkspace();
      const event = () => apiEvent(workspaceId, 'POST', { body: { domain: host, links: [{ url: 'https://example.org' }] } });
      return [event(), event()];
    },
  };
}
