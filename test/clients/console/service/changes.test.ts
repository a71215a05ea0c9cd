import { expect, test } from 'vitest';
import { isOf, keyed, recording } from '../../../../clients/console/service/changes.ts';
import type { HistoryEntry } from '../../../../clients/console/service/types.ts';

const answer = (id: string) => ({
  response: new Response(null, { headers: { 'x-amzn-RequestId': id, Date: new Date().toUTCString() } }),
});
const entry = (more: Partial<HistoryEntry>) =>
  ({
    requestId: 'req_1',
    actor: { type: 'key', id: 'key_1' },
    at: '2999-01-01T00:00:00.000Z',
    subject: { type: 'link', id: 'lnk_1' },
    ...more,
  }) as HistoryEntry;

test('A change that was answered is known by its request, whoever else does the same.', async () => {
  const record = recording();
  await record.send(async () => answer('req_1'));
  const found = (more: Partial<HistoryEntry>) => isOf(record.made(), entry(more), ['key_1'], ['lnk_1']);
  expect([found({}), found({ requestId: 'req_2' }), found({ requestId: null })]).toEqual([true, false, false]);
});

test('A change that may have no answer is what the same key has done since to the same things, and nothing before.', async () => {
  const record = recording();
  const lost = async () => {
    throw new TypeError('Failed to fetch');
  };
  await expect(record.send(lost)).rejects.toThrow();
  await record.send(async () => answer('req_2'));
  const found = (more: Partial<HistoryEntry>) => isOf(record.made(), entry(more), ['key_1'], ['lnk_1']);
  expect(found({})).toBe(true);
  expect(found({ at: '2000-01-01T00:00:00.000Z' })).toBe(false);
  expect(found({ actor: { type: 'key', id: 'key_2', name: null } })).toBe(false);
  expect(found({ subject: { type: 'link', id: 'lnk_2' } })).toBe(false);
});

test('The same body has the same key until it is answered, and then another one.', async () => {
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
