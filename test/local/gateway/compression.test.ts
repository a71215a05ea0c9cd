import { gunzipSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressed } from '../../../local/gateway/rest/compression.ts';

const body = 'ö'.repeat(50);
const response = { status: 200, headers: { 'Content-Type': 'text/plain' }, body };
const codingFor = async (acceptEncoding?: string, minimumSize: number | undefined = 100) =>
  (await compressed(response, minimumSize, acceptEncoding)).headers['Content-Encoding' as never];

test.for([
  ['gzip, deflate, br', 'gzip'],
  ['br;q=0.1, gzip;q=0.5, deflate; q=0.9', 'deflate'],
  ['br, deflate;q=0.5', undefined],
  ['GZIP;q=1.0', 'gzip'],
  ['gzip;q=0, deflate', 'deflate'],
  ['gzip; q=0.000', undefined],
  ['identity', undefined],
  ['br', undefined],
  ['*', undefined],
  ['', undefined],
  [undefined, undefined],
] as const)('A client that accepts %j gets %s.', async ([acceptEncoding, coding]) => {
  expect(await codingFor(acceptEncoding)).toBe(coding);
});

test('The decompressed body equals the original, and everything else in the response stays.', async () => {
  for (const [coding, decompress] of [['gzip', gunzipSync] as const, ['deflate', inflateSync] as const]) {
    const sent = await compressed(response, 0, coding);
    expect(decompress(sent.body as Buffer).toString()).toBe(body);
    expect(sent).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/plain', 'Content-Encoding': coding } });
  }
});

test('A body below the minimum in bytes, or one that the function has encoded, stays as it is; so does everything without a minimum.', async () => {
  expect(await codingFor('gzip', 100)).toBe('gzip');
  expect(await codingFor('gzip', 101)).toBeUndefined();
  const encoded = { ...response, headers: { 'content-encoding': 'br' } };
  expect(await compressed(encoded, 0, 'gzip')).toBe(encoded);
  expect(await compressed(response, undefined, 'gzip')).toBe(response);
});
