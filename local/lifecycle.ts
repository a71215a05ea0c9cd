import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Template } from './template/template.ts';

const dayMs = 24 * 60 * 60_000;

type Rule = { readonly Status: string; readonly Prefix?: string; readonly ExpirationInDays?: number };
type BucketProperties = { readonly LifecycleConfiguration?: { readonly Rules?: readonly Rule[] } };

/** A rule that deletes objects of a bucket after this many days. */
type Expiry = { readonly bucket: string; readonly prefix: string; readonly days: number };

/**
 * The rules of the template's buckets that delete objects by their age. Others are about versions, which are not kept
 * here.
 */
export const expiriesOf = (template: Template): readonly Expiry[] =>
  template
    .ofType<BucketProperties>('AWS::S3::Bucket')
    .flatMap(({ name, properties: { LifecycleConfiguration } }) =>
      (LifecycleConfiguration?.Rules ?? []).flatMap(({ Status, Prefix = '', ExpirationInDays }) =>
        Status === 'Enabled' && ExpirationInDays !== undefined ? { bucket: name, prefix: Prefix, days: ExpirationInDays } : [],
      ),
    );

/**
 * Deletes expired objects, as S3 does: at the midnight (UTC) after their last day.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html
 *
 * @param folder the folder with the buckets
 * @param now in milliseconds since 1970
 */
export async function deleteExpired(folder: string, expiries: readonly Expiry[], now: number): Promise<void> {
  for (const { bucket, prefix, days } of expiries) {
    const root = join(folder, bucket);
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const key = path.slice(root.length + 1).replaceAll('\\', '/');
      if (!entry.isFile() || !key.startsWith(prefix)) continue;
      const made = await stat(path).catch(() => undefined);
      if (made && Math.ceil((made.mtimeMs + days * dayMs) / dayMs) * dayMs <= now) await rm(path, { force: true });
    }
  }
}

/** Deletes expired objects now, and then once a day. A failure is logged, and retried the next day. */
export function startLifecycle(folder: string, template: Template, log: (line: string) => void): { stop(): void } {
  const expiries = expiriesOf(template);
  const run = () => {
    deleteExpired(folder, expiries, Date.now()).catch((error: Error) => log(`expired objects: ${error.message}`));
  };
  run();
  const timer = setInterval(run, dayMs);
  return { stop: () => clearInterval(timer) };
}
