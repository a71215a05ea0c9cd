import { join } from 'node:path';
import { bundle } from '../../lib/bundles.ts';
import { printColdStarts } from './support/cold-starts.ts';
import { functionEnvironment, withService } from './support/local-service.ts';
import { timed } from './support/measure.ts';
import { withS3 } from './support/s3.ts';

// How long queries of clicks take in a function that already has the files: series and all groups, with a filter, as a
// ratio to counting the same rows; and how long its start and first response take, compared with a plain endpoint.

const dayMs = 24 * 60 * 60_000;
const rounds = 5;
/** Numbers of clicks and days. */
const sizes = [
  { clicks: 100_000, days: 30 },
  { clicks: 1_000_000, days: 30 },
  { clicks: 10_000_000, days: 90 },
];
/** One run seals at most about 500,000 clicks. */
const clicksPerFile = 500_000;

/** Rows of made-up clicks of some days, by time. Values are skewed, as links and countries are. */
const madeUp = `
  SELECT substr(md5(i::VARCHAR || $salt), 1, 22) AS id, substr(md5((i % 700_000)::VARCHAR), 1, 22) AS visitor, 'ShardA' AS shard,
    (400_000_000_000 + i)::VARCHAR AS sequence_number,
    ($start::TIMESTAMP + to_milliseconds((i * $step)::BIGINT))::TIMESTAMP_MS AS clicked_at,
    'lnk_' || rpad((500 * random() * random())::INT::VARCHAR, 28, 'x') AS link_id, 'go.example.com' AS host, 0::BIGINT AS epoch,
    'C' || (60 * random() ** 3)::INT AS country, 'referrer' || (300 * random() ** 3)::INT || '.example' AS referrer,
    'device' || (4 * random())::INT AS device, 'browser' || (9 * random())::INT AS browser, 'os' || (7 * random())::INT AS os,
    'l' || (30 * random() ** 3)::INT AS language, 'link' AS source, 'none' AS variant, 'slug' || (600 * random() ** 2)::INT AS slug,
    'none' AS path, 'source' || (20 * random() ** 2)::INT AS utm_source, 'medium' || (8 * random())::INT AS utm_medium,
    'campaign' || (50 * random() ** 2)::INT AS utm_campaign, random() < 0.7 AS is_unique
  FROM range($count::BIGINT) numbers(i)`;

await withService(
  async (_, outdir) =>
    withS3(async () => {
      const [{ askClicks }, { askStatistics }, { withDatabase }, { logFileKey, nextNumber }, { putNewFile }, { rowDimensions }] =
        await Promise.all([
          import('../../lambdas/click-log/asking.ts'),
          import('../../lambdas/click-log/statistics.ts'),
          import('../../lambdas/click-log/duckdb.ts'),
          import('../../lambdas/click-log/files.ts'),
          import('../../lambdas/outbound/click-files.ts'),
          import('../../lambdas/core/click/click.ts'),
        ]);
      const { newWorkspaceId } = await import('../../lambdas/core/ids.ts');

      /** Makes the files of a workspace, with ids as before merging. */
      const newFiles = (workspaceId: string, clicks: number, days: number, start: number) =>
        withDatabase(async (database) => {
          const made: { month: string; first: number; last: number; revision: number }[] = [];
          const step = (days * dayMs) / clicks;
          for (let done = 0; done < clicks; ) {
            const from = start + done * step;
            const month = new Date(from).toISOString().slice(0, 7);
            const end = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1);
            const count = Math.max(1, Math.min(clicksPerFile, clicks - done, Math.floor((end - from) / step)));
            const path = database.newPath();
            const at = new Date(from).toISOString();
            await database.run(`COPY (${madeUp}) TO $path (FORMAT parquet, COMPRESSION zstd)`, {
              salt: at,
              start: at,
              step,
              count,
              path,
            });
            const number = nextNumber(made.filter((one) => one.month === month));
            const file = { month, first: number, last: number, revision: 0 };
            await putNewFile(logFileKey({ workspaceId, ...file }), path);
            made.push(file);
            done += count;
          }
        });

      for (const { clicks, days } of sizes) {
        const workspaceId = newWorkspaceId();
        const start = dayMs * Math.floor(Date.now() / dayMs) - days * dayMs;
        await newFiles(workspaceId, clicks, days, start);
        const asked = { from: start, to: start + days * dayMs, filter: { country: ['C0', 'C1', 'C2'] } };
        const starts = Array.from({ length: days }, (_, day) => start + day * dayMs);
        const count = () => askClicks(workspaceId, asked, (ask) => ask('SELECT count(*) AS clicks FROM clicks'));
        const all = () => askStatistics(workspaceId, asked, { starts, groupBy: rowDimensions, groupLimit: 20 });
        const first = await timed(all);
        const times = { count: [] as number[], all: [] as number[] };
        for (let round = 0; round < rounds; round++) {
          times.count.push((await timed(count)).ms);
          times.all.push((await timed(all)).ms);
        }
        const least = { count: Math.min(...times.count), all: Math.min(...times.all) };
        console.log(
          `${clicks.toLocaleString('en-US')} clicks of ${days} days: first ${first.ms.toFixed(0)} ms, then ${least.all.toFixed(0)} ms, ${(least.all / least.count).toFixed(1)} times as long as counting`,
        );
      }

      const { apiEvent, newWorkspace } = await import('./support/fixtures.ts');
      const { createTag } = await import('../../lambdas/store/tags/tags.ts');
      const { workspaceId } = await newWorkspace();
      const { id } = await createTag(workspaceId, { name: 'bench', color: '#000000' });
      const bundles = join(outdir, 'bundles');
      bundle([join(import.meta.dirname, 'baselines/empty.ts')], bundles);
      const twice = (makeEvent: () => unknown) => () => [makeEvent(), makeEvent()];
      const { AWS_ENDPOINT_URL_S3, CLICK_BUCKET } = process.env;
      const env = { AWS_ENDPOINT_URL_S3, CLICK_BUCKET, NODE_PATH: join(bundles, 'duckdb/nodejs/node_modules') };
      const reading = (permission: string) => ({ ...env, PERMISSION: permission });
      await printColdStarts(rounds, functionEnvironment(), {
        empty: { folder: join(bundles, 'empty'), events: () => [{}, {}] },
        'get-tag': {
          folder: join(bundles, 'get-tag'),
          events: twice(() => apiEvent(workspaceId, 'GET', { id })),
          env: reading('tags:read'),
        },
        'get-stats': {
          folder: join(bundles, 'get-stats'),
          events: twice(() => apiEvent(workspaceId, 'GET', { query: { groupBy: 'country' } })),
          env: reading('stats:read'),
        },
      });
    }),
  { readsStreams: false },
);
