import { join } from 'node:path';
import { bundle } from '../lib/bundles.ts';
import { functionEnvironment, withService } from './local-service.ts';
import { medians } from './measure.ts';
import { prices } from './prices.ts';
import { installRuntimeClient, runOnce } from './runtime-client.ts';

// How long a visit takes, and what it costs, by the memory of the redirect's function. Lambda gives a function a share
// of a processor that is proportional to its memory: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html.
// So a duration is the processor time by the share, plus the time in which the function only waits.

const rounds = 5;
const visits = 500;
const sizesMb = [256, 512, 1_024, 1_769];
/** The memory at which the share is one whole processor. */
const wholeMb = 1_769;
/** An assumption: how long the function waits for an answer of DynamoDB, in milliseconds. */
const waitMs = 4;

await withService(async (_, outdir) => {
  const { newSlug, newWorkspace, visitEvent } = await import('./workspaces.ts');
  const { host, domain } = await newWorkspace();
  const env = functionEnvironment();
  installRuntimeClient();
  // Each visit is of another link, so that none is remembered.
  const events: unknown[] = [];
  while (events.length <= visits) events.push(visitEvent(host, `/${await newSlug(domain)}`));
  const bundles = join(outdir, 'bundles');
  bundle([join(import.meta.dirname, 'baselines/empty.ts')], bundles);
  const running = (name: string) => () => runOnce(join(bundles, name), env, events);
  const { empty, redirect } = await medians(rounds, { empty: running('empty'), redirect: running('redirect') });
  if (!(redirect.readyCpu > 0)) throw new Error('the processor time of a process can be read only on Linux');

  console.log(`processor time on this machine, median of ${rounds} starts with ${visits} later visits each\n`);
  console.log('                      start  first visit  later visit');
  for (const [name, { readyCpu, firstCpu, warmCpu }] of Object.entries({ 'empty function': empty, redirect })) {
    const [start, first, later] = [readyCpu, firstCpu, warmCpu].map((ms) => `${ms.toFixed(1)} ms`.padStart(10));
    console.log(`${name.padEnd(16)} ${start} ${first?.padStart(12)} ${later?.padStart(12)}`);
  }

  console.log(`\nwith ${waitMs} ms for each answer of DynamoDB, two for a visit, three for the first:\n`);
  console.log('memory    start + first visit   later visit   a million later visits');
  for (const mb of sizesMb) {
    const onShare = (cpuMs: number) => cpuMs / Math.min(1, mb / wholeMb);
    const cold = onShare(redirect.readyCpu + redirect.firstCpu) + 3 * waitMs;
    const warm = onShare(redirect.warmCpu) + 2 * waitMs;
    const usd = (1e6 * prices.invocation.usd) / prices.invocation.per + 1e3 * warm * (mb / 1_024) * prices.gigabyteSecond.usd;
    console.log(
      `${String(mb).padStart(5)} MB ${cold.toFixed(0).padStart(20)} ms ${warm.toFixed(1).padStart(10)} ms ${`$${usd.toFixed(2)}`.padStart(24)}`,
    );
  }
});
