import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAwsApi } from '../../../local/aws-api.ts';
import { openBuckets } from '../../../local/buckets.ts';

const bucket = 'clicks-of-a-bench';

/**
 * Answers functions of this process in place of S3 and EventBridge while the work runs. @param work gets the calls of
 * S3 so far
 */
export async function withS3<T>(work: (calls: readonly string[]) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'links-bench-'));
  const buckets = openBuckets(folder, [bucket]);
  const calls: string[] = [];
  const api = await startAwsApi();
  api.serve({
    invokeLater: () => {},
    setRuleEnabled: () => {},
    buckets: {
      answer: (request, response) => {
        calls.push(request.url?.includes('list-type') ? 'LIST' : String(request.method));
        return buckets.answer(request, response);
      },
    },
  });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: api.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: api.endpoint,
    CLICK_BUCKET: bucket,
    SEALING_SCHEDULE: 'sealing',
  });
  try {
    return await work(calls);
  } finally {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
