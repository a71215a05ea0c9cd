import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';

export type Buckets = {
  /** Answers a call of S3. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
};

/** An error of S3: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const notSupported = (what: string) => new Refusal(501, 'NotImplemented', `the local host does not support ${what}`);

/** The supported values of headers. AWS's other headers are refused. */
const understood: Readonly<Record<string, RegExp>> = {
  'if-match': /^$/,
  'if-modified-since': /^$/,
  'if-none-match': /^\*$/,
  'if-unmodified-since': /^$/,
  range: /^$/,
  'content-encoding': /^$/,
  'x-amz-checksum-crc32': /^[\w+/]{6}==$/,
  'x-amz-checksum-mode': /^ENABLED$/,
  'x-amz-content-sha256': /^(UNSIGNED-PAYLOAD|[0-9a-f]{64})$/,
  'x-amz-date': /./,
  'x-amz-sdk-checksum-algorithm': /^CRC32$/,
  'x-amz-security-token': /./,
  'x-amz-user-agent': /./,
};

/** The supported parameters of a query, by call. `x-id` only names the call. */
const queries = {
  list: ['list-type', 'prefix', 'continuation-token', 'max-keys', 'start-after'],
  versions: ['versions', 'prefix', 'max-keys'],
  object: ['x-id'],
  deletion: ['x-id', 'versionId'],
} as const;

/** The most keys of a page. */
const keysPerPage = 1_000;

/** A key whose parts can be names of files on any machine. */
const plainKey = /^[\w=-][\w.=-]*(\/[\w=-][\w.=-]*)*$/;

/**
 * Opens buckets whose objects are files: an object's path is `<folder>/<bucket>/<key>`. It answers GET, DELETE,
 * `ListObjectsV2`, PUT of a new object (`If-None-Match: *`), and `ListObjectVersions` like a bucket without versioning,
 * where each object is the version `null`. Everything else is refused.
 *
 * A complete upload gets its path by a hard link. So whenever the process dies, an object is whole or missing, and only
 * one of several uploads to a key succeeds.
 *
 * @param folder made if it does not exist.
 * @param names the names of the buckets.
 */
export function openBuckets(folder: string, names: readonly string[]): Buckets {
  // Not within a bucket, whose lists would contain it.
  const uploads = join(folder, '.uploads');
  rmSync(uploads, { recursive: true, force: true });
  for (const name of [...names, '.uploads']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });

  return {
    answer: async (request, response) => {
      try {
        const { method, bucket, key, query } = read(request);
        if (!names.includes(bucket)) throw new Refusal(404, 'NoSuchBucket', `the template has no bucket "${bucket}"`);
        const root = join(folder, bucket);
        if (method === 'GET' && key === '') return await list(root, bucket, query, response);
        const path = join(root, key);
        if (method === 'GET') return await get(path, key, response);
        if (method === 'PUT') return await put(path, key, join(uploads, randomUUID()), request, response);
        await unlink(path).catch(unless(...notThere));
        response.writeHead(204).end();
      } catch (error) {
        if (response.headersSent) return void response.destroy();
        const { status = 500, code = 'InternalError', message } = error as Refusal;
        // The rest of an upload is not read.
        response.writeHead(status, { 'Content-Type': 'application/xml', ...(!request.complete && { Connection: 'close' }) });
        response.end(`${declaration}<Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`);
      }
    },
  };
}

type Call = {
  readonly method: 'DELETE' | 'GET' | 'PUT';
  readonly bucket: string;
  /** Empty if the call is about the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
};

/** The call that a request makes. @throws Refusal for unsupported ones */
function read({ method = '', url = '', headers }: IncomingMessage): Call {
  const { pathname, searchParams: query } = new URL(url, 'http://s3');
  const [, bucket = '', ...parts] = pathname.split('/').map(decodeURIComponent);
  const key = parts.join('/');
  if (!isOneOf(key === '' ? ['GET'] : ['DELETE', 'GET', 'PUT'], method)) throw notSupported(`${method} of ${pathname}`);
  if (key !== '' && !plainKey.test(key)) throw notSupported(`the key "${key}"`);
  const isOfVersions = key === '' && query.has('versions');
  const known: readonly string[] = queries[isOfVersions ? 'versions' : kindOf(method, key)];
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw notSupported(`the parameter "${unknown}"`);
  if ((query.get('versionId') ?? 'null') !== 'null') throw notSupported('versions');
  if (key === '' && !isOfVersions && query.get('list-type') !== '2') throw notSupported('the first version of ListObjects');
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('x-amz-') && !understood[name]) throw notSupported(`the header "${name}"`);
    if (understood[name]?.test(String(value)) === false) throw notSupported(`the header "${name}: ${value}"`);
  }
  return { method, bucket, key, query };
}

const kindOf = (method: string, key: string) => (key === '' ? 'list' : method === 'DELETE' ? 'deletion' : 'object');

const isOneOf = <T extends string>(known: readonly T[], value: string): value is T => known.includes(value as T);

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html, or
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html
 */
async function list(root: string, bucket: string, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
  const most = Math.min(Number(query.get('max-keys') ?? keysPerPage), keysPerPage);
  if (!(most >= 1)) throw new Refusal(400, 'InvalidArgument', 'max-keys must be a positive number');
  const [of, version, result] = query.has('versions')
    ? ['Version', '<VersionId>null</VersionId><IsLatest>true</IsLatest>', 'ListVersionsResult']
    : ['Contents', '', 'ListBucketResult'];
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const keys = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((key) => key.startsWith(prefix) && key > after)
    // Keys are ASCII, so this is the order of their bytes, as in S3.
    .sort((a, b) => (a < b ? -1 : 1));
  const page = keys.slice(0, most);
  const contents = await Promise.all(
    page.map(async (key) => {
      // Another call may just have deleted it.
      const found = await stat(join(root, key)).catch(() => undefined);
      if (!found) return '';
      return `<${of}><Key>${escaped(key)}</Key>${version}<LastModified>${found.mtime.toISOString()}</LastModified><Size>${found.size}</Size></${of}>`;
    }),
  );
  const next = page.length < keys.length ? Buffer.from(page.at(-1) ?? '').toString('base64url') : undefined;
  const about = `<Name>${bucket}</Name><Prefix>${escaped(prefix)}</Prefix><MaxKeys>${most}</MaxKeys><KeyCount>${contents.filter(Boolean).length}</KeyCount>`;
  const more = `<IsTruncated>${next !== undefined}</IsTruncated>${next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}`;
  response.writeHead(200, { 'Content-Type': 'application/xml' });
  response.end(
    `${declaration}<${result} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${about}${more}${contents.join('')}</${result}>`,
  );
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html */
async function get(path: string, key: string, response: ServerResponse): Promise<void> {
  const file = await opened(path);
  if (!file) throw new Refusal(404, 'NoSuchKey', `there is no object "${key}"`);
  const { size, mtime } = await file.stat();
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': size,
    'Last-Modified': mtime.toUTCString(),
  });
  await pipeline(file.createReadStream(), response);
}

/** An open file; undefined if there is none at that path. */
async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  } catch (error) {
    return unless(...notThere)(error);
  }
}

/** The error codes of operating systems for a path without a file. */
const notThere = ['EISDIR', 'ENOENT', 'ENOTDIR', 'EPERM'];

/** Throws an error unless it has one of these codes. */
const unless =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  };

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html @param upload the path during the upload */
async function put(path: string, key: string, upload: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { headers } = request;
  if (headers['if-none-match'] !== '*') throw notSupported('an upload without "If-None-Match: *"');
  if (headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength', 'Content-Length is missing');
  try {
    // With `flush`, the file survives a failure of the machine.
    await pipeline(request, createWriteStream(upload, { flush: true, mode: 0o600 }));
    const wanted = headers['x-amz-checksum-crc32'];
    if (wanted !== undefined && wanted !== (await checksumOf(upload)))
      throw new Refusal(400, 'BadDigest', 'the upload does not have its checksum');
    if (!(await placed(upload, path))) throw new Refusal(412, 'PreconditionFailed', `there is an object "${key}"`);
  } finally {
    await rm(upload, { force: true });
  }
  response.writeHead(200, { ETag: `"${randomUUID()}"` }).end();
}

/** Links a file at another path, unless a file is there. @throws Refusal if the path is a folder, or below a file */
async function placed(file: string, path: string): Promise<boolean> {
  const unlike = () => {
    throw notSupported('a key that continues another one after a slash');
  };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(unless('EEXIST', 'ENOTDIR'));
  try {
    // A link never replaces a file.
    await link(file, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return unlike();
    if (code !== 'EEXIST') throw error;
    return (await stat(path)).isFile() ? false : unlike();
  }
}

/** The CRC-32 of a file, as S3 writes it. */
async function checksumOf(path: string): Promise<string> {
  let sum = 0;
  for await (const chunk of createReadStream(path)) sum = crc32(chunk as Buffer, sum);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(sum);
  return bytes.toString('base64');
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

const escaped = (text: string): string => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
