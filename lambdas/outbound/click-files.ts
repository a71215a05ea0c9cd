import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { unavailable } from '../core/errors.ts';
import { backOff, timeForAttempt, timeLeft } from '../runtime/deadline.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { leavesOpen, type ServiceError } from '../runtime/failed-calls.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';

// The files of clicks, in the stage's bucket. A file is written once and never changed, only deleted.

/**
 * A file in the bucket.
 *
 * @property size in bytes
 * @property modifiedAt when it was written, in milliseconds since 1970
 */
export type ClickFile = { readonly key: string; readonly size: number; readonly modifiedAt: number };

/** How often a call is tried. */
const maxAttempts = 5;

/** How long an attempt may take, in milliseconds: a short call, and one that moves a file of up to some 200 MB. */
const limits = { call: 8_000, transfer: 120_000 };

let client: S3Client | undefined;
const s3 = (): S3Client => {
  // We make the checksums, because with its own ones the SDK sends a file in signed chunks.
  client ??= new S3Client({ maxAttempts: 1, requestChecksumCalculation: 'WHEN_REQUIRED' });
  return client;
};

/** All files whose key starts with the prefix, as `filesUnder` gives them. */
export const listFiles = (prefix: string): Promise<ClickFile[]> => Array.fromAsync(filesUnder(prefix));

/**
 * The files whose key starts with the prefix, in the order of their keys, page by page. S3 lists consistently:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/Welcome.html#ConsistencyModel
 *
 * @param after a key: only files with later ones are listed.
 */
export async function* filesUnder(prefix: string, after?: string): AsyncGenerator<ClickFile> {
  let next: string | undefined;
  do {
    const input = { Bucket: bucket(), Prefix: prefix, StartAfter: after, ContinuationToken: next };
    const page: ListObjectsV2CommandOutput = await attempting(limits.call, (abortSignal) =>
      s3().send(new ListObjectsV2Command(input), { abortSignal }),
    );
    for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
      yield { key: Key, size: Size, modifiedAt: Number(LastModified) };
    next = page.NextContinuationToken;
  } while (next !== undefined);
}

/**
 * Downloads a file. `path` exists only once the download is complete.
 *
 * @throws Error with the name `NoSuchKey` if there is no such file
 */
export async function getFile(key: string, path: string): Promise<void> {
  const part = `${path}.part`;
  try {
    await attempting(limits.transfer, async (abortSignal) => {
      const command = new GetObjectCommand({ Bucket: bucket(), Key: key });
      const { Body, ContentLength } = await s3().send(command, { abortSignal });
      await pipeline(Body as Readable, createWriteStream(part), { signal: abortSignal });
      const { size } = await stat(part);
      if (size !== ContentLength) throw new Truncated(`${key} has ${ContentLength} bytes, and ${size} came`);
    });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * Uploads a file under a key that no file has (`If-None-Match`):
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html.
 *
 * @returns `exists` if a file has that key. It may be this one, if the response to an earlier attempt was lost.
 * @throws Error if it is unknown whether the file is there
 */
export async function putNewFile(key: string, path: string): Promise<'made' | 'exists'> {
  const { size } = await stat(path);
  const ChecksumCRC32 = await checksumOf(path);
  try {
    await attempting(limits.transfer, (abortSignal) => {
      const Body = createReadStream(path);
      const command = new PutObjectCommand({
        Bucket: bucket(),
        Key: key,
        Body,
        ContentLength: size,
        ChecksumCRC32,
        IfNoneMatch: '*',
      });
      return s3()
        .send(command, { abortSignal })
        .finally(() => Body.destroy());
    });
    return 'made';
  } catch (error) {
    if ((error as Error).name === 'PreconditionFailed') return 'exists';
    throw error;
  }
}

/** Deletes a file; no-op if there is none. The bucket keeps it as a version for some days. */
export async function deleteFile(key: string): Promise<void> {
  await attempting(limits.call, (abortSignal) =>
    s3().send(new DeleteObjectCommand({ Bucket: bucket(), Key: key }), { abortSignal }),
  );
}

/**
 * Deletes all files whose key starts with the prefix for good: all versions, also of deleted files, and delete markers.
 * Idempotent.
 *
 * @returns whether all are gone; false if the time ran out
 */
export async function deleteVersions(prefix: string): Promise<boolean> {
  for (;;) {
    // The listed versions are gone by then, so the first page is always the next one.
    const input = { Bucket: bucket(), Prefix: prefix };
    const { Versions = [], DeleteMarkers = [] } = await attempting(limits.call, (abortSignal) =>
      s3().send(new ListObjectVersionsCommand(input), { abortSignal }),
    );
    const all = [...Versions, ...DeleteMarkers];
    if (all.length === 0) return true;
    for (let index = 0; index < all.length; index += concurrency) {
      if (timeLeft() < limits.call) return false;
      await inParallel(all.slice(index, index + concurrency), concurrency, ({ Key, VersionId }) =>
        attempting(limits.call, (abortSignal) =>
          s3().send(new DeleteObjectCommand({ Bucket: bucket(), Key, VersionId }), { abortSignal }),
        ),
      );
    }
  }
}

/** How many versions are deleted at a time. */
const concurrency = 25;

const bucket = (): string => setting('CLICK_BUCKET');

/** A download that ended too early. */
class Truncated extends Error {}

/**
 * Errors of calls that S3 refused, and may accept later. `ConditionalRequestConflict`: somebody else wrote or deleted
 * the same key at that moment, so "upload the file again"
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html).
 */
const refusedNames = new Set(['ConditionalRequestConflict', 'RequestTimeout', 'SlowDown', 'ThrottlingException']);

const isTransient = (error: Error): boolean =>
  error instanceof Truncated ||
  refusedNames.has(error.name) ||
  (error as ServiceError).code === 'ERR_STREAM_PREMATURE_CLOSE' ||
  leavesOpen(error);

/**
 * Makes a call, and retries transient failures until the deadline. An earlier attempt may have been executed, or be
 * executed later. That does no harm: a file is written only if there is none, and a deleted key is never written again.
 *
 * @param ms how long an attempt may take.
 * @throws RequestError `temporarily_unavailable` if the deadline has passed; the last attempt's error
 */
async function attempting<T>(ms: number, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const left = Math.floor(Math.min(ms, timeForAttempt()));
    if (left <= 0) throw unavailable();
    try {
      return await reportingDenials(() => work(AbortSignal.timeout(left)));
    } catch (error) {
      if (!(error instanceof Error) || attempt === maxAttempts || !isTransient(error)) throw error;
      console.warn({ message: 'a call of S3 failed', attempt, name: error.name, code: (error as ServiceError).code });
    }
    await backOff(attempt);
  }
}

/**
 * The CRC-32 of a file in the form that S3 expects:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 */
async function checksumOf(path: string): Promise<string> {
  let sum = 0;
  for await (const chunk of createReadStream(path)) sum = crc32(chunk as Buffer, sum);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(sum);
  return bytes.toString('base64');
}
