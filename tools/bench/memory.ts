import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../lib/bundles.ts';
import { wholeProcessorMb } from '../../lib/memory.ts';
import { prices } from '../cost/prices.ts';
import { functionEnvironment, withService } from './support/local-service.ts';
import { medians } from './support/measure.ts';
import { installRuntimeClient, runOnce } from './support/runtime-client.ts';

// How long a visit takes, and what that costs, by the memory of the redirect's function. Lambda gives a function a
// share of a processor that is proportional to its memory:
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html. So a duration is the processor time divided
// by the share, plus the time in which the function only waits.
//
// With `--keep`, the durations of later visits go to tools/cost/durations.json, from which docs/cost.md takes them.

const rounds = 5;
const visits = 500;
const sizesMb = [256, 512, 1_024, wholeProcessorMb];
/** The redirect's memory: the default of `lib/table-function.ts`. */
const redirectMb = 512;
/** An assumption: how long the function waits for a response of DynamoDB, in milliseconds. */
const waitMs = 4;

const inMs = (cpuMs: number, waits: number, mb: number) => cpuMs / Math.min(1, mb / wholeProcessorMb) + waits * waitMs;

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

await withService(async (_, outdir) => {
  const { invocation, newSlug, newWorkspace, visitEvent } = await import('./support/fixtures.ts');
  const { handler } = await import('../../lambdas/redirect/redirect.ts');
  const { waitsOf } = await import('./support/units.ts');
  /** Events on a new domain, which no function remembers yet. */
  const eventsOf = async (newPath: (domain: Awaited<ReturnType<typeof newWorkspace>>['domain']) => Promise<string>) => {
    const { host, domain } = await newWorkspace();
    const events: ReturnType<typeof visitEvent>[] = [];
    while (events.length <= visits) events.push(visitEvent(host, `/${await newPath(domain)}`));
    return events;
  };
  let again: Promise<string> | undefined;
  // Each visit of `plain` and `capped` is of another link, which the function does not remember yet.
  const events = {
    plain: await eventsOf((domain) => newSlug(domain)),
    capped: await eventsOf((domain) => newSlug(domain, { maxClicks: 100 })),
    cappedAgain: await eventsOf((domain) => (again ??= newSlug(domain, { maxClicks: 1_000_000 }))),
  };
  const env = functionEnvironment();
  const bundles = join(outdir, 'bundles');
  bundle([join(import.meta.dirname, 'baselines/empty.ts')], bundles);
  installRuntimeClient();
  const running = (name: string, of: readonly unknown[]) => () => runOnce(join(bundles, name), env, of);
  const { empty, ...measured } = await medians(rounds, {
    empty: running('empty', events.plain),
    plain: running('redirect', events.plain),
    capped: running('redirect', events.capped),
    cappedAgain: running('redirect', events.cappedAgain),
  });
  if (!(empty.readyCpu > 0)) throw new Error('the processor time of a process can be read only on Linux');

  console.log(`processor time on this machine, median of ${rounds} starts with ${visits} later visits each\n`);
  console.log('                      start  first visit  later visit');
  for (const [name, { readyCpu, firstCpu, warmCpu }] of Object.entries({ 'empty function': empty, ...measured })) {
    const [start, first, later] = [readyCpu, firstCpu, warmCpu].map((ms) => `${ms.toFixed(1)} ms`.padStart(10));
    console.log(`${name.padEnd(16)} ${start} ${first?.padStart(12)} ${later?.padStart(12)}`);
  }

  const durations: Record<string, { cpuMs: number; waits: number; ms: number }> = {};
  for (const [name, { readyCpu, firstCpu, warmCpu }] of Object.entries(measured)) {
    const waits: number[] = [];
    for (const event of events[name as keyof typeof events].slice(0, 2))
      waits.push(await waitsOf(() => handler(event, invocation)));
    const [first = 0, later = 0] = waits;
    durations[name] = { cpuMs: rounded(warmCpu), waits: later, ms: rounded(inMs(warmCpu, later, redirectMb)) };
    console.log(
      `\n${name}: with ${waitMs} ms for each response of DynamoDB, ${first} for the first visit, ${later} for a later one\n`,
    );
    console.log('memory    start + first visit   later visit   a million later visits');
    for (const mb of sizesMb) {
      const [cold, warm] = [inMs(readyCpu + firstCpu, first, mb), inMs(warmCpu, later, mb)];
      const usd = (1e6 * prices.invocation.usd) / prices.invocation.per + 1e3 * warm * (mb / 1_024) * prices.gigabyteSecond.usd;
      console.log(
        `${String(mb).padStart(5)} MB ${cold.toFixed(0).padStart(20)} ms ${warm.toFixed(1).padStart(10)} ms ${`$${usd.toFixed(2)}`.padStart(24)}`,
      );
    }
  }
  if (!process.argv.includes('--keep')) return;
  const kept = { writtenBy: 'npx node tools/bench/memory.ts --keep', memoryMb: redirectMb, waitMs, laterVisits: durations };
  writeFileSync(join(import.meta.dirname, '../cost/durations.json'), `${JSON.stringify(kept, null, 2)}\n`);
});
