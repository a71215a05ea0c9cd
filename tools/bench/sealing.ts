import { randomBase62 } from '../../lambdas/core/base62.ts';
import { none } from '../../lambdas/core/click/click.ts';
import type { ClickRow } from '../../lambdas/core/click/row.ts';
import { newClickId, newWorkspaceId } from '../../lambdas/core/ids.ts';
import { withTable } from './support/local-service.ts';
import { timed } from './support/measure.ts';
import { withS3 } from './support/s3.ts';

// How long it takes to move a tail of clicks into a file, as a ratio to only reading that tail in the same run; how
// large a click is in the table, in a sealed file and in a merged one; and the calls of S3 that a run makes.

const clicks = Number(process.argv[2] ?? 100_000);
const links = Array.from({ length: 500 }, () => `lnk_${randomBase62(28)}`);
const visitors = Array.from({ length: clicks / 4 }, () => randomBase62(11));
const dayMs = 24 * 60 * 60_000;
const start = Date.now() - 400 * dayMs;

/** A random element of a list, the first ones far more often than the last ones, as with links and countries. */
const skewed = <T>(list: readonly T[]): T => list[Math.floor(list.length * Math.random() ** 3)] as T;
const named = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index}`);
const values = {
  country: named('C', 60),
  referrer: named('referrer.example', 300),
  device: named('device', 4),
  browser: named('browser', 9),
  os: named('os', 7),
  language: named('l', 30),
  source: named('source', 2),
  slug: named('slug', 600),
  utmSource: [none, ...named('source', 20)],
  utmMedium: [none, ...named('medium', 8)],
  utmCampaign: [none, ...named('campaign', 50)],
};

const rowOf = (index: number): ClickRow => ({
  ...(Object.fromEntries(Object.entries(values).map(([name, list]) => [name, skewed(list)])) as Record<
    keyof typeof values,
    string
  >),
  variant: none,
  path: none,
  id: newClickId(),
  at: new Date(start + index * 1_700).toISOString(),
  linkId: skewed(links),
  host: 'go.example.com',
  epoch: 0,
  visitor: skewed(visitors),
  shard: 'AbCdEfGhIjK',
  sequenceNumber: String(400_000_000_000_000_000_000n + BigInt(index)),
});

/** How often each call was made. */
const counted = (calls: readonly string[]): string =>
  [...Map.groupBy(calls, (call) => call)].map(([call, some]) => `${some.length} ${call}`).join(', ');

await withTable(() =>
  withS3(async (calls) => {
    const [
      { readTail, writeTail },
      { seal },
      { listFiles },
      { createWorkspace },
      { withDatabase },
      { mergeMonth },
      { download },
    ] = await Promise.all([
      import('../../lambdas/store/clicks/tail.ts'),
      import('../../lambdas/click-log/sealing.ts'),
      import('../../lambdas/outbound/click-files.ts'),
      import('../../lambdas/store/workspaces/workspaces.ts'),
      import('../../lambdas/click-log/duckdb.ts'),
      import('../../lambdas/click-log/writing.ts'),
      import('../../lambdas/click-log/stored.ts'),
    ]);
    /** Writes a tail of this many clicks, reads it, and seals it. */
    const round = async (count: number) => {
      const { id } = await createWorkspace(newWorkspaceId(), async () => 'gateway');
      const rows = Array.from({ length: count }, (_, index) => rowOf(index));
      let inTable = 0;
      for (let from = 0; from < rows.length; from += 1_000)
        inTable += await writeTail(id, 'AbCdEfGhIjK', rows.slice(from, from + 1_000));
      const reading = await timed(async () => {
        for await (const _ of readTail(id));
      });
      const before = calls.length;
      const sealing = await timed(() => seal(id));
      const made = counted(calls.slice(before));
      const files = await listFiles(`clicks/workspace=${id}/`);
      const sealed = files.reduce((sum, { size }) => sum + size, 0);
      return { files, inTable, sealed, made, reading, sealing };
    };
    await round(1_000);
    const small = await round(100);
    const large = await round(clicks);
    const merged = await withDatabase(async (database) => {
      const to = database.newPath();
      const from = await download(database, large.files);
      const merging = await timed(() =>
        mergeMonth(database, from, to, { erasures: new Map(), keptFrom: new Date(0).toISOString() }),
      );
      const [row] = await database.run('SELECT size FROM read_blob($to)', { to });
      return { size: Number(row?.size), ms: merging.ms };
    });
    const each = (bytes: number) => (bytes / clicks).toFixed(1);
    const perSecond = (ms: number) => Math.round(clicks / (ms / 1_000)).toLocaleString('en-US');
    console.log(`${clicks.toLocaleString('en-US')} clicks of a workspace, ${large.files.length} months:`);
    console.log(`  read from the table      ${large.reading.ms.toFixed(0)} ms`);
    console.log(
      `  read, sealed and deleted ${large.sealing.ms.toFixed(0)} ms, ${(large.sealing.ms / large.reading.ms).toFixed(1)} times as long: ${perSecond(large.sealing.ms)} a second`,
    );
    console.log(`  merged                   ${merged.ms.toFixed(0)} ms: ${perSecond(merged.ms)} a second`);
    console.log(
      `  bytes of each            ${each(large.inTable)} in the table, ${each(large.sealed)} sealed, ${each(merged.size)} merged`,
    );
    console.log(`  calls of S3              ${large.made}`);
    console.log(`100 clicks: ${small.sealing.ms.toFixed(0)} ms; calls of S3: ${small.made}`);
  }),
);
