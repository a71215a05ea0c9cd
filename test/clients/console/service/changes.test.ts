import { expect, test } from 'vitest';
import { keyed, type RequestId, recording } from '../../../../clients/console/service/changes.ts';

test('A change knows the ids of all its requests, also of one without an answer.', async () => {
  const record = recording();
  const sent: string[] = [];
  const send = async (headers: RequestId) => {
    sent.push(headers['X-Amzn-RequestId']);
    if (sent.length === 1) throw new TypeError('Failed to fetch');
    return {};
  };
  await expect(record.send(send)).rejects.toThrow();
  await record.send(send);
  expect(new Set(sent).size).toBe(2);
  expect(record.made().requests).toEqual(new Set(sent));
});

test('The same body is sent with the same key until it is answered, and then with a new one.', async () => {
  const used: string[] = [];
  const send = async ({ params }: { params: { header: { 'Idempotency-Key': string } } }) => {
    used.push(params.header['Idempotency-Key']);
    // Not an answer of the service.
    if (used.length === 1) throw Object.assign(new Error('aborted'), { name: 'AbortError' });
  };
  const say = () => {};
  await expect(keyed('key', { name: 'CI' }, say, send)).rejects.toThrow();
  for (const name of ['CI', 'CI', 'other']) await keyed('key', { name }, say, send);
  expect(used[1]).toBe(used[0]);
  expect(new Set(used).size).toBe(3);
});
