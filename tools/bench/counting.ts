import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBRecord } from 'aws-lambda';
import { randomBase62 } from '../../lambdas/core/base62.ts';
import { newClickId } from '../../lambdas/core/ids.ts';
import { inParallel } from '../../lambdas/runtime/in-parallel.ts';
import type { Input, Operation } from '../../lambdas/store/table/operations.ts';
import { bundle } from '../../lib/bundles.ts';
import { wholeProcessorMb } from '../../lib/memory.ts';
import { withTable } from './support/local-service.ts';
import { medians } from './support/measure.ts';

// The processor time of a batch of the stream through the function that counts clicks, and of only the same calls with
// its transport, on other links in the same state. The table runs in a process of its own, which is not measured.
//
// With `--keep`, the times go to tools/cost/batches.json, from which docs/cost.md takes them.

/** The number of rounds of a batch: fewer if the table takes most of the time. */
const roundsOf = (links: number) => (links < 1_000 ? 9 : 3);
/** As many calls at a time as the function makes. */
const concurrency = 25;
/** An assumption: how long the function waits for a response of DynamoDB, in milliseconds. */
const waitMs = 4;
/** The batches by the names of their rows: how many clicks, on how many links. */
const batches = {
  'one click': [1, 1],
  'one link': [1_000, 1],
  '100 links': [1_000, 100],
  '1,000 links': [1_000, 1_000],
} as const;
/** Short batches are measured several at a time. */
const repeated = (clicks: number) => (clicks === 1 ? 50 : 1);

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

type Call = { readonly operation: Operation; readonly input: Input<Operation> };

/** Links of a workspace, and the stream's records of their clicks. */
function linksOf(count: number) {
  const ids = Array.from({ length: count }, () => `lnk_${randomBase62(28)}`);
  const workspaceId = `ws_${randomBase62(16)}`;
  const records = (clicks: number, from: number): DynamoDBRecord[] =>
    Array.from({ length: clicks }, (_, index) => ({
      dynamodb: {
        // Random ids, because rows are compressed.
        Keys: { pk: { S: `CLICK#${ids[index % count]}#7` }, sk: { S: `2030-01-02T03:04:05.678Z#${newClickId()}` } },
        NewImage: {
          workspaceId: { S: workspaceId },
          host: { S: 'go.example.com' },
          country: { S: 'DE' },
          referrer: { S: 'www.example.com' },
          device: { S: 'mobile' },
          browser: { S: 'Chrome' },
          os: { S: 'Android' },
          language: { S: 'de' },
          source: { S: 'link' },
          variant: { S: 'none' },
          slug: { S: 'summer-sale' },
          path: { S: 'none' },
          utmSource: { S: 'newsletter' },
          utmMedium: { S: 'email' },
          utmCampaign: { S: 'none' },
        },
        // As long as on AWS.
        SequenceNumber: String(300_000_000_000_000_000_000n + BigInt(from + index)),
        ApproximateCreationDateTime: 1_893_553_445,
      },
    }));
  return { names: [...ids, workspaceId], records };
}
type Links = ReturnType<typeof linksOf>;

/** The same request for other links. */
function renamed<T>(value: T, names: ReadonlyMap<string, string>): T;
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.replace(/lnk_\w{28}|ws_\w{16}/g, (name) => names.get(name) ?? name);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((one) => renamed(one, names));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one, names)]));
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

await withTable(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'links-bench-'));
  bundle([join(import.meta.dirname, 'support/lean-counting.ts')], folder, ['lean']);
  const { handler, intercept, transport } = createRequire(import.meta.url)(
    join(folder, 'lean-counting/index.cjs'),
  ) as typeof import('./support/lean-counting.ts');
  rmSync(folder, { recursive: true });
  // The clock stands still, so that no batch meets a deadline on a busy machine.
  const start = process.hrtime.bigint();
  process.hrtime.bigint = () => start;
  const context = { getRemainingTimeInMillis: () => 25_000 } as never;
  const shardId = 'shardId-00000001414562045508-2bac9cd2';
  const count = (Records: DynamoDBRecord[]) => handler({ Records, shardId }, context);

  /** The calls of some work, in order, and how often it waits for one: concurrent calls are one wait. */
  async function callsOf(work: () => Promise<unknown>) {
    const calls: Call[] = [];
    let [waits, inProgress] = [0, 0];
    const stop = intercept((operation, input, next) => {
      calls.push({ operation, input });
      if (inProgress++ === 0) waits++;
      return next(input).finally(() => inProgress--);
    });
    await work().finally(stop);
    return { calls, waits };
  }
  /** Makes a call, and retries it if the table does not respond, as the function does. A retry may be refused. */
  const bare = async ({ operation, input }: Call): Promise<void> => {
    const kind = transport[operation as keyof typeof transport] as never;
    for (;;) {
      const failure = await transport.send(kind, input as never, { timeLeft: 20_000 }).then(
        () => undefined,
        ({ name }: Error) => name,
      );
      if (failure !== 'TimeoutError') return;
    }
  };
  /**
   * Makes the calls of a batch as the function does: first all reads at once, then rows, and then some updates at a
   * time.
   */
  async function makeBare(calls: readonly Call[]): Promise<void> {
    const [reads, rows, updates] = ['BatchGetItem', 'PutItem', 'UpdateItem'].map((name) =>
      calls.filter(({ operation }) => operation === name),
    );
    await Promise.all((reads ?? []).map(bare));
    await Promise.all((rows ?? []).map(bare));
    await inParallel(updates ?? [], concurrency, bare);
  }

  const kept: Record<string, object> = {};
  console.log(`processor time of a batch on this machine, median of ${roundsOf(1)} rounds, ${roundsOf(1_000)} for the last\n`);
  console.log(`${''.padEnd(12)} ${['calls', 'handler', 'bare calls', 'ratio'].map((column) => column.padStart(12)).join('')}`);
  for (const [name, [clicks, links]] of Object.entries(batches)) {
    const [ours, theirs] = [linksOf(links), linksOf(links)];
    const names = new Map(ours.names.map((one, index) => [one, theirs.names[index] ?? '']));
    let counted = 0;
    /** The next batches of one set of links: both sets get the same clicks. */
    const next = ({ records }: Links, size: number) =>
      Array.from({ length: size }, (_, batch) => records(clicks, counted + batch * clicks));
    // The first batch makes more calls.
    for (const [batch = []] of [next(ours, 1), next(theirs, 1)]) await count(batch);
    counted += clicks;

    let [calls, waits] = [0, 0];
    const { batch } = await medians(roundsOf(links), {
      batch: async () => {
        const all = next(ours, repeated(clicks));
        const made: Awaited<ReturnType<typeof callsOf>>[] = [];
        const handlerMs = await cpuOf(async () => {
          for (const one of all) made.push(await callsOf(() => count(one)));
        });
        counted += clicks * all.length;
        const same = made.map((one) => renamed(one.calls, names));
        const bareMs = await cpuOf(async () => {
          for (const some of same) await makeBare(some);
        });
        ({
          calls: { length: calls },
          waits,
        } = made[0] ?? { calls: [], waits: 0 });
        return { handlerMs: handlerMs / all.length, bareMs: bareMs / all.length, ratio: handlerMs / bareMs };
      },
    });
    const [handlerMs, bareMs] = [rounded(batch.handlerMs), rounded(batch.bareMs)];
    const columns = [String(calls), `${handlerMs} ms`, `${bareMs} ms`, batch.ratio.toFixed(2)];
    console.log(`${name.padEnd(12)} ${columns.map((column) => column.padStart(12)).join('')}`);
    kept[name] = { calls, cpuMs: handlerMs, waits, ms: rounded(handlerMs + waits * waitMs) };
  }
  if (!process.argv.includes('--keep')) return;
  const written = { writtenBy: 'npx node tools/bench/counting.ts --keep', memoryMb: wholeProcessorMb, waitMs, batches: kept };
  writeFileSync(join(import.meta.dirname, '../cost/batches.json'), `${JSON.stringify(written, null, 2)}\n`);
});
