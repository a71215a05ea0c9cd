import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEngine } from '../../../local/database/engine.ts';
import { type FaultProxy, startFaultProxy } from '../../support/faults/proxy.ts';
import { patience } from '../../support/run/patience.ts';
import { useOwnService } from '../../support/service/service.ts';

// The whole service, with bundles and templates as on AWS, on tables that throttle clicks.

let engine: Awaited<ReturnType<typeof startEngine>>;
let proxy: FaultProxy;
let service: Awaited<ReturnType<typeof useOwnService>>;
beforeAll(async () => {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'links-waiting-'));
  engine = await startEngine({ folder, scratch: true, log: console.error, onFailure: console.error });
  proxy = await startFaultProxy(engine.endpoint);
  vi.stubEnv('DYNAMODB_ENDPOINT', proxy.endpoint);
  service = await useOwnService();
});
afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await engine?.stop();
});

const queue = 'waiting-clicks';

test('A click that the table throttles waits in the queue, is counted later, and is not logged as lost.', async () => {
  const { domain, call } = await service.newWorkspace();
  const { link } = (await call('POST', '/links', { url: 'https://example.com/', domain })).body;
  // Reads of the domain, the blocked hosts, the day's secret and the link pass; the click and its visitor are throttled.
  proxy.plan(['pass', 'pass', 'pass', 'pass', 'throttle', 'throttle']);
  expect(await service.visit(domain, link.shortCode)).toBe(302);
  const countOf = async () => (await call('GET', `/links/${link.id}`)).body.link.clickCount;
  await vi.waitFor(async () => expect(await countOf()).toBe(1), { timeout: patience, interval: 100 });
  expect(service.messages(queue)).toMatchObject([{ pk: expect.stringContaining(link.id), host: domain }]);
  expect(service.logged().join()).not.toContain('click not recorded');
});

test('Only the function of the queue of clicks reads it, and puts aside other messages.', async () => {
  const client = new SQSClient({
    endpoint: service.awsApi,
    region: 'us-east-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  const send = (QueueUrl: string) => client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'poison' }));
  const { MessageId } = await send(queue);
  await vi.waitFor(() => expect(service.logged().join()).toContain(`messageId: '${MessageId}'`), {
    timeout: patience,
    interval: 50,
  });
  expect(service.messages(queue)).toContain('poison');
  await expect(send('unknown')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});
