import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AwsApi, startAwsApi } from '../../local/aws-api.ts';
import { openBuckets } from '../../local/buckets.ts';
import { runs } from '../support/run/proof.ts';

const folder = mkdtempSync(join(tmpdir(), 'buckets-'));
const Bucket = 'clicks';
let api: AwsApi;
let s3: S3Client;
beforeAll(async () => {
  api = await startAwsApi();
  api.serve({ invokeLater: () => {}, setRuleEnabled: () => {}, buckets: openBuckets(folder, [Bucket, 'other']) });
  s3 = new S3Client({
    endpoint: api.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
});
afterAll(async () => {
  s3.destroy();
  await api.stop();
  rmSync(folder, { recursive: true });
});

const put = (Key: string, Body: string | Buffer, more = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*', ...more }));
const get = async (Key: string, more = {}) =>
  (await s3.send(new GetObjectCommand({ Bucket, Key, ...more }))).Body?.transformToString();
const nameOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ name }: Error) => name,
  );

/** All keys with a prefix, read by pages of some size. */
async function keysOf(Prefix: string, MaxKeys?: number, StartAfter?: string) {
  const keys: (string | undefined)[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page: ListObjectsV2CommandOutput = await s3.send(
      new ListObjectsV2Command({ Bucket, Prefix, MaxKeys, StartAfter, ContinuationToken }),
    );
    expect(page.KeyCount).toBe(page.Contents?.length ?? 0);
    expect(page.KeyCount).toBeLessThanOrEqual(MaxKeys ?? 1_000);
    expect(page.IsTruncated).toBe(page.NextContinuationToken !== undefined);
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return keys;
}

test('Under random calls, a bucket behaves as a map that refuses to replace an entry.', async () => {
  const parts = fc.constantFrom('a', 'b', 'workspace=ws_1', 'month=2026-11');
  const key = fc.tuple(parts, parts, fc.constantFrom('1.parquet', '2.parquet', '10.parquet')).map((all) => all.join('/'));
  const step = fc.oneof(
    fc.record({ does: fc.constant('put' as const), key, content: fc.string() }),
    fc.record({ does: fc.constantFrom('get' as const, 'delete' as const), key }),
    fc.record({
      does: fc.constant('list' as const),
      prefix: fc.constantFrom('', 'a', 'a/', 'workspace=', 'workspace=ws_1/month=2026-11/1', 'none/'),
      most: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      after: fc.option(key, { nil: undefined }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      for (const one of await keysOf('')) await s3.send(new DeleteObjectCommand({ Bucket, Key: one }));
      const model = new Map<string, string>();
      for (const one of steps) {
        if (one.does === 'put') {
          expect(await nameOf(put(one.key, one.content))).toBe(model.has(one.key) ? 'PreconditionFailed' : 'done');
          if (!model.has(one.key)) model.set(one.key, one.content);
        } else if (one.does === 'list') {
          const keys = [...model.keys()].filter((key) => key.startsWith(one.prefix) && key > (one.after ?? '')).sort();
          expect(await keysOf(one.prefix, one.most, one.after)).toEqual(keys);
        } else if (one.does === 'delete') {
          await s3.send(new DeleteObjectCommand({ Bucket, Key: one.key }));
          model.delete(one.key);
        } else {
          const found = model.get(one.key);
          if (found === undefined) expect(await nameOf(get(one.key))).toBe('NoSuchKey');
          else expect(await get(one.key)).toBe(found);
        }
      }
      expect(await keysOf('')).toEqual([...model.keys()].sort());
    }),
    { numRuns: runs(15) },
  );
});

test("Of many concurrent uploads to a key, exactly one succeeds, and the object is that one's.", async () => {
  const contents = Array.from({ length: 12 }, (_, index) => String(index).repeat(50_000));
  const results = await Promise.all(contents.map((content) => nameOf(put('raced/once', content))));
  expect(results.filter((result) => result === 'done')).toHaveLength(1);
  expect(results.filter((result) => result === 'PreconditionFailed')).toHaveLength(11);
  expect(await get('raced/once')).toBe(contents[results.indexOf('done')]);
});

test('An upload that is cut off leaves no object, not even after the folder is opened again.', async () => {
  const { port } = new URL(api.endpoint);
  await new Promise<void>((resolve) => {
    const headers = {
      Authorization: 'AWS4-HMAC-SHA256 Credential=local/20261127/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0',
      'If-None-Match': '*',
      'Content-Length': 1_000,
    };
    const sent = httpRequest({ port, method: 'PUT', path: `/${Bucket}/cut/off`, headers });
    sent.on('error', () => resolve()).write('half', () => setImmediate(() => sent.destroy()));
  });
  expect(await nameOf(get('cut/off'))).toBe('NoSuchKey');
  // The remains of a process that died.
  writeFileSync(join(folder, '.uploads/left'), 'half');
  openBuckets(folder, [Bucket]);
  expect(readdirSync(join(folder, '.uploads'))).toEqual([]);
  expect(await keysOf('cut/')).toEqual([]);
});

test('An object is a file under its key, and a file under a key is an object.', async () => {
  await put('plain/one.parquet', 'content');
  expect(readFileSync(join(folder, Bucket, 'plain/one.parquet'), 'utf8')).toBe('content');
  mkdirSync(join(folder, Bucket, 'brought'), { recursive: true });
  writeFileSync(join(folder, Bucket, 'brought/two.parquet'), 'two');
  expect(await get('brought/two.parquet')).toBe('two');
});

test('An upload with the wrong checksum is refused.', async () => {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32('content'));
  const ChecksumCRC32 = sum.toString('base64');
  expect(await nameOf(put('sums/wrong', 'contents', { ChecksumCRC32 }))).toBe('BadDigest');
  expect(await nameOf(get('sums/wrong'))).toBe('NoSuchKey');
  await put('sums/right', 'content', { ChecksumCRC32 });
});

describe('A call is refused, with the name of the error:', () => {
  test.for<[string, () => Promise<unknown>, string]>([
    ['a bucket that no template has', () => get('a', { Bucket: 'none' }), 'NoSuchBucket'],
    ['an upload that may replace something', () => put('a', '', { IfNoneMatch: undefined }), 'NotImplemented'],
    ['an upload with metadata', () => put('a', '', { Metadata: { a: 'b' } }), 'NotImplemented'],
    ['an upload under another condition', () => put('a', '', { IfNoneMatch: undefined, IfMatch: '"a"' }), 'NotImplemented'],
    ['a part of an object', () => get('a', { Range: 'bytes=0-1' }), 'NotImplemented'],
    ['a version of an object', () => get('a', { VersionId: 'v' }), 'NotImplemented'],
    ['a key that leaves the folder', () => put('a/%2e%2e/%2e%2e/other/b', ''), 'NotImplemented'],
    ['a hidden key', () => put('a/.uploads', ''), 'NotImplemented'],
    ['a list with a delimiter', () => s3.send(new ListObjectsV2Command({ Bucket, Delimiter: '/' })), 'NotImplemented'],
  ])('%s.', async ([, call, error]) => {
    expect(await nameOf(call())).toBe(error);
  });

  test('a key below an object, and an object above one, because objects are files.', async () => {
    await put('nested/a/b', '');
    for (const key of ['nested/a', 'nested/a/b/c']) expect(await nameOf(put(key, ''))).toBe('NotImplemented');
    expect(await keysOf('nested/')).toEqual(['nested/a/b']);
  });
});
