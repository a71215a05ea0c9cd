import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteFile, deleteVersions, filesUnder, getFile, listFiles, putNewFile } from '../../../lambdas/outbound/click-files.ts';
import { withDeadline } from '../../../lambdas/runtime/deadline.ts';
import { openBuckets } from '../../../local/buckets.ts';
import { useWebServer } from '../../support/http/web-server.ts';
import { runs } from '../../support/run/proof.ts';

// Calls of S3, to the laptop's S3 behind a proxy with faults.

const server = await useWebServer();
vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${server.port}`);
vi.stubEnv('AWS_REGION', 'eu-central-1');
vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
vi.stubEnv('CLICK_BUCKET', 'clicks-of-a-stage');

const folder = mkdtempSync(join(tmpdir(), 'click-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const buckets = openBuckets(folder, ['clicks-of-a-stage']);
const inBucket = (key: string) => join(folder, 'clicks-of-a-stage', key);
/** A local file. */
const local = (name: string) => join(folder, name);
const place = (key: string, content: string | Buffer) => {
  mkdirSync(dirname(inBucket(key)), { recursive: true });
  writeFileSync(inBucket(key), content);
};

const refused = (status: number, code: string) => (request: IncomingMessage, response: ServerResponse) => {
  request.resume();
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
};

/** Faults of an attempt. */
const faults = {
  'an internal error': refused(500, 'InternalError'),
  'a busy bucket': refused(503, 'SlowDown'),
  'a conflict': refused(409, 'ConditionalRequestConflict'),
  'a lost request': ({ socket }: IncomingMessage) => void socket.destroy(),
  'a lost answer': async (request: IncomingMessage, response: ServerResponse) => {
    await buckets.answer(request, new ServerResponse(request));
    response.destroy();
  },
};
type Fault = keyof typeof faults;
const anyFault = fc.constantFrom(...(Object.keys(faults) as Fault[]));

/** The faults of the next attempts, in their order. */
let next: ((request: IncomingMessage, response: ServerResponse) => unknown)[] = [];
const warned = vi.spyOn(console, 'warn').mockReturnValue();
beforeEach(() => {
  // Retries wait for a random time.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  next = [];
  warned.mockClear();
  server.answer = (request, response) => (next.shift() ?? buckets.answer)(request, response);
});

const key = 'clicks/workspace=ws_1/month=2026-11/000001-000001-0.parquet';
const content = Buffer.alloc(300_000, 'click');

test('A file is read as it was written, is listed with its size and time, and is gone once it is deleted.', async () => {
  writeFileSync(local('new'), content);
  expect(await putNewFile(key, local('new'))).toBe('made');
  await getFile(key, local('back'));
  expect(readFileSync(local('back')).equals(content)).toBe(true);
  const [found, ...others] = await listFiles('clicks/workspace=ws_1/');
  expect([found, others]).toEqual([{ key, size: content.length, modifiedAt: expect.any(Number) }, []]);
  expect(Math.abs((found?.modifiedAt ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(await listFiles('clicks/workspace=ws_2/')).toEqual([]);
  await deleteFile(key);
  await deleteFile(key);
  expect(await listFiles('clicks/')).toEqual([]);
  expect(warned).not.toHaveBeenCalled();
});

test('All versions and delete markers of files with a prefix, and no others, are deleted permanently, page by page.', async () => {
  for (const name of ['ws_1/a', 'ws_1/b', 'ws_10/a']) place(`clicks/workspace=${name}`, '');
  const version = (of: string, id: string) => `<${of}><Key>clicks/workspace=ws_1/a</Key><VersionId>${id}</VersionId></${of}>`;
  const page = (_: unknown, response: ServerResponse) =>
    response.end(`<ListVersionsResult>${version('Version', 'null')}${version('DeleteMarker', 'null')}</ListVersionsResult>`);
  next = [page, faults['a busy bucket']];
  expect(await deleteVersions('clicks/workspace=ws_1/')).toBe(true);
  expect((await listFiles('clicks/workspace=')).map(({ key }) => key)).toEqual(['clicks/workspace=ws_10/a']);
  const asked = server.requests.map(({ method, url = '' }) => [method, new URL(url, 'http://s3').searchParams] as const);
  for (const [method, query] of asked) {
    if (method === 'DELETE') expect(query.get('versionId')).toBe('null');
  }
  expect(asked.filter(([method]) => method === 'DELETE')).toHaveLength(4);
  await deleteFile('clicks/workspace=ws_10/a');
});

test('A deletion of versions that runs out of time says that some may be left.', async () => {
  place('clicks/workspace=ws_1/a', '');
  const isDone = await withDeadline(7_000, () => deleteVersions('clicks/workspace=ws_1/'));
  expect([isDone, (await listFiles('clicks/workspace=ws_1/')).length]).toEqual([false, 1]);
  await deleteFile('clicks/workspace=ws_1/a');
});

test('A list has all pages, each requested with the token of the previous one.', async () => {
  const page = (one: string, token?: string) => (_: unknown, response: ServerResponse) => {
    const more = token === undefined ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`;
    const about = `<Key>${one}</Key><Size>1</Size><LastModified>2026-11-27T00:00:00.000Z</LastModified>`;
    response.end(`<ListBucketResult>${more}<Contents>${about}</Contents></ListBucketResult>`);
  };
  next = [page('clicks/1', 'one'), faults['a busy bucket'], page('clicks/2', 'two'), page('clicks/3')];
  expect(await listFiles('clicks/')).toEqual(
    [1, 2, 3].map((number) => ({ key: `clicks/${number}`, size: 1, modifiedAt: Date.parse('2026-11-27T00:00:00Z') })),
  );
  const asked = server.requests.map(({ url = '' }) => new URL(url, 'http://s3').searchParams);
  expect(asked.map((query) => [query.get('prefix'), query.get('continuation-token')])).toEqual([
    ['clicks/', null],
    ['clicks/', 'one'],
    ['clicks/', 'one'],
    ['clicks/', 'two'],
  ]);
});

test('A list can begin after a key, and reads no page before it is needed.', async () => {
  for (const name of ['a', 'b', 'c']) place(`clicks/after/${name}`, '');
  const after = await Array.fromAsync(filesUnder('clicks/after/', 'clicks/after/a'));
  expect(after.map(({ key }) => key)).toEqual(['clicks/after/b', 'clicks/after/c']);
  server.answer = (_, response) =>
    response.end('<ListBucketResult><Contents/><NextContinuationToken>x</NextContinuationToken></ListBucketResult>');
  for await (const _ of filesUnder('clicks/')) break;
  expect(server.requests).toHaveLength(2);
});

test('An existing file is not replaced, and the caller learns that it exists.', async () => {
  place('clicks/there', 'old');
  writeFileSync(local('new'), 'new');
  expect(await putNewFile('clicks/there', local('new'))).toBe('exists');
  expect(readFileSync(inBucket('clicks/there'), 'utf8')).toBe('old');
  expect(server.requests.map(({ method, headers }) => [method, headers['if-none-match']])).toEqual([['PUT', '*']]);
});

test('Whatever happens to the attempts of many uploads to a key at once, exactly one succeeds.', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyFault, { maxLength: 8 }), async (some) => {
      const one = `clicks/raced/${++number}`;
      next = some.map((fault) => faults[fault]);
      const isLost = some.includes('a lost answer');
      const files = ['a', 'b', 'c'].map((name) => {
        writeFileSync(local(name), name.repeat(1_000));
        return local(name);
      });
      const results = await Promise.all(files.map((file) => putNewFile(one, file).catch(() => 'failed' as const)));
      const made = results.flatMap((result, index) => (result === 'made' ? [index] : []));
      expect(made.length).toBeLessThanOrEqual(1);
      // One upload has succeeded, but may not know it if its response was lost.
      if (results.includes('exists')) expect(made.length === 1 || isLost || results.includes('failed')).toBe(true);
      if (made.length || results.includes('exists')) expect(readFileSync(inBucket(one))).toHaveLength(1_000);
      if (made[0] !== undefined) expect(readFileSync(inBucket(one)).equals(readFileSync(files[made[0]] ?? ''))).toBe(true);
    }),
    { numRuns: runs(30) },
  );
});

const work: Readonly<Record<string, (one: string) => Promise<unknown>>> = {
  list: () => listFiles('clicks/kept/'),
  download: (one) => getFile(one, local('got')).then(() => readFileSync(local('got'), 'utf8')),
  upload: (one) => putNewFile(`${one}-new`, local('new')).then((result) => [result, existsSync(inBucket(`${one}-new`))]),
  deletion: (one) => deleteFile(one).then(() => existsSync(inBucket(one))),
};

describe.for(Object.entries(work))('After faults, %s', ([name, run]) => {
  const fault = name === 'upload' ? anyFault : anyFault.filter((one) => one !== 'a conflict');
  const kept = 'clicks/kept/one';
  beforeEach(() => {
    place(kept, 'kept');
    writeFileSync(local('new'), 'new');
  });

  test('up to four attempts may fail, and the fifth does what the first would have done.', async () => {
    await run(kept);
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 4 }), async (some) => {
        for (const one of [kept, `${kept}-new`]) await deleteFile(one);
        place(kept, 'kept');
        const first = await run(kept);
        for (const one of [kept, `${kept}-new`]) await deleteFile(one);
        place(kept, 'kept');
        // Reads can be repeated, and a list has the file's time.
        next = some.map((one) => faults[one === 'a lost answer' && ['list', 'download'].includes(name) ? 'a lost request' : one]);
        const isLost = name === 'upload' && some.includes('a lost answer');
        const untimed = (result: unknown) => JSON.stringify(result).replace(/"modifiedAt":\d+/, '');
        expect(untimed(await run(kept))).toBe(untimed(isLost ? ['exists', true] : first));
      }),
      { numRuns: runs(20) },
    );
  });

  test('the fifth failure is thrown.', async () => {
    next = Array.from({ length: 5 }, () => faults['a busy bucket']);
    await expect(run(kept)).rejects.toMatchObject({ name: 'SlowDown' });
    expect([server.requests.length, next.length]).toEqual([5, 0]);
  });

  test('no attempt begins after the deadline of the invocation.', async () => {
    await expect(withDeadline(0, () => run(kept))).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(server.requests).toEqual([]);
  });

  test('a call that a policy denies is not retried, and raises an alarm.', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    next = [refused(403, 'AccessDenied')];
    await expect(run(kept)).rejects.toMatchObject({ name: 'AccessDenied' });
    expect([server.requests.length, error.mock.calls]).toEqual([1, [[{ message: 'a call was denied', reason: 'no' }]]]);
  });
});

describe('A download', () => {
  const there = 'clicks/whole';
  /** Sends less than the response announces, or without announcing a length. */
  const cut = (promised: number | undefined, sent: number) => (_: unknown, response: ServerResponse) => {
    response.writeHead(200, promised === undefined ? {} : { 'Content-Length': promised });
    response.write(content.subarray(0, sent));
    setImmediate(() => (promised === undefined ? response.end() : response.destroy()));
  };
  const left = () => readdirSync(folder).filter((name) => name.startsWith('whole'));
  beforeEach(() => place(there, content));

  test.for<[string, ReturnType<typeof cut>]>([
    ['whose connection ends early', cut(content.length, 1_000)],
    ['whose connection ends before its first byte', cut(content.length, 0)],
    ['that does not say how long it is', cut(undefined, 1_000)],
  ])('A download %s is detected and retried.', async ([, fault]) => {
    next = [fault, fault];
    await getFile(there, local('whole'));
    expect(readFileSync(local('whole')).equals(content)).toBe(true);
    expect(server.requests).toHaveLength(3);
  });

  test('A download that never succeeds leaves nothing.', async () => {
    const path = local('whole-never');
    next = Array.from({ length: 5 }, () => cut(content.length, 1_000));
    await expect(getFile(there, path)).rejects.toThrow();
    expect(left().filter((name) => name.startsWith('whole-never'))).toEqual([]);
  });

  test('A download of a missing file fails at once, and the error names it.', async () => {
    await expect(getFile('clicks/gone', local('whole-gone'))).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect([server.requests.length, existsSync(local('whole-gone'))]).toEqual([1, false]);
  });
});
