import { request } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { nothingKnown } from '../../../lambdas/core/click/click.ts';
import { newClick } from '../../../lambdas/core/click/new-click.ts';
import { countKey } from '../../../lambdas/store/table/keys.ts';
import { connect } from '../../../local/database/dynamodb.ts';
import { patience } from '../../support/run/patience.ts';
import { type OwnService, useOwnService, type Workspace } from '../../support/service/service.ts';

/** The batches of clicks that count-clicks got, recorded on their way. */
const batches = vi.hoisted((): string[] => []);
vi.mock('../../../local/functions/functions.ts', async (importOriginal) => {
  const { startFunctions } = await importOriginal<typeof import('../../../local/functions/functions.ts')>();
  return {
    startFunctions: (...args: Parameters<typeof startFunctions>) => {
      const functions = startFunctions(...args);
      return {
        ...functions,
        invoke: (which: string, payload: string) => {
          if (which.includes('countclicks') && !payload.includes('"Records":[]')) batches.push(payload);
          return functions.invoke(which, payload);
        },
      };
    },
  };
});

type Link = { readonly id: string; readonly shortCode: string };

let service: OwnService;
let workspace: Workspace;
/** Each link is clicked by one test. */
let links: Link[];
let writes: typeof import('../../../lambdas/store/table/writes.ts');
let clickItem: typeof import('../../../lambdas/store/clicks/clicks.ts').clickItem;
let reads: typeof import('../../../lambdas/store/table/reads.ts');
beforeAll(async () => {
  service = await useOwnService();
  await service.invoke('rotate-day-secrets', {});
  workspace = await service.newWorkspace();
  const { body } = await workspace.importLinks(Array.from({ length: 7 }, () => ({ url: 'https://example.org/' })));
  links = body.links;
  writes = await import('../../../lambdas/store/table/writes.ts');
  reads = await import('../../../lambdas/store/table/reads.ts');
  ({ clickItem } = await import('../../../lambdas/store/clicks/clicks.ts'));
});
afterAll(() => service.stop());

/** Polls until the assertions hold, because the stream is read at its own pace. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: patience, interval: 100 });

const clickOn = (link: Link) =>
  clickItem(
    newClick({ id: link.id, workspaceId: workspace.id, domain: workspace.domain, clickEpoch: 0 }, Date.now(), nothingKnown),
  );
const clickCountOf = async ({ id }: Link) => (await workspace.call('PATCH', `/links/${id}`, {})).body.link.clickCount;

/** Visits a short link over HTTP, with a Host header, which `fetch` cannot set. */
const visit = (path: string, method = 'GET', more: Readonly<Record<string, string>> = {}) =>
  new Promise<number>((resolve, reject) => {
    const headers = { Host: workspace.domain, 'User-Agent': 'curl/8.10.1', ...more };
    request(`${service.baseUrl}${path}`, { method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });

/** How often an item was written, by its records in the stream. */
async function writesOf(key: { pk: string; sk: string }): Promise<number> {
  const { call, close } = connect(service.endpoint);
  type Stream = { StreamArn: string; TableName: string };
  const { Streams } = await call<{ Streams: Stream[] }>('ListStreams', { TableName: service.output('ActivityTableName') });
  const [{ StreamArn } = { StreamArn: '' }] = Streams;
  type Description = { StreamDescription: { Shards: { ShardId: string }[] } };
  const { StreamDescription } = await call<Description>('DescribeStream', { StreamArn });
  let count = 0;
  for (const { ShardId } of StreamDescription.Shards) {
    const from = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
    let { ShardIterator: at } = await call<{ ShardIterator?: string }>('GetShardIterator', from);
    while (at) {
      type Page = { Records: { dynamodb: { Keys: { pk: { S: string }; sk: { S: string } } } }[]; NextShardIterator?: string };
      const page: Page = await call<Page>('GetRecords', { ShardIterator: at });
      count += page.Records.filter(({ dynamodb: { Keys } }) => Keys.pk.S === key.pk && Keys.sk.S === key.sk).length;
      at = page.Records.length > 0 ? page.NextShardIterator : undefined;
    }
  }
  close();
  return count;
}

test('No click of ten thousand on one link in one burst is lost, and each batch costs at most one write.', async () => {
  const link = links[0] as Link;
  const clicks = Array.from({ length: 10_000 }, () => clickOn(link));
  batches.length = 0;
  for (const some of reads.chunks(reads.chunks(clicks, 25), 8)) {
    const results = await Promise.all(some.map((items) => writes.insertItems(items)));
    expect(results.flat().filter((one) => one !== 'inserted')).toEqual([]);
  }
  await eventually(async () => expect(await clickCountOf(link)).toBe(10_000));
  const taken = await writesOf(countKey(link.id));
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThanOrEqual(batches.length);
  expect(batches.length).toBeLessThan(1_000);
});

test('Each visit of a short link that counts is in its clickCount, and no other.', async () => {
  const visited = links.slice(1, 4);
  const visits = visited.flatMap((link, index) => Array.from({ length: index * 7 }, () => link));
  const statuses = await Promise.all(visits.map(({ shortCode }) => visit(`/${shortCode}`)));
  expect(new Set(statuses)).toEqual(new Set([302]));
  for (const { shortCode } of visited) expect(await visit(`/${shortCode}`, 'HEAD')).toBe(302);
  // The last click is counted last.
  const last = links[4] as Link;
  await visit(`/${last.shortCode}`);
  await eventually(async () => expect(await clickCountOf(last)).toBe(1));
  expect(await Promise.all(visited.map(clickCountOf))).toEqual([0, 7, 14]);
});

test('Visitors who click repeatedly, through several functions at once, make one unique click each.', async () => {
  const link = links[6] as Link;
  const from = (visitor: number) => ({ 'X-Origin-Secret': 'laptop', 'X-Country': 'DE', 'X-Address': `192.0.2.${visitor}` });
  const visits = Array.from({ length: 60 }, (_, number) => visit(`/${link.shortCode}`, 'GET', from(number % 3)));
  expect(new Set(await Promise.all(visits))).toEqual(new Set([302]));
  await visit(`/${link.shortCode}`, 'GET', { ...from(9), DNT: '1' });
  const range = `from=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T00:00Z&interval=day`;
  await eventually(async () => {
    const { body } = await workspace.call('GET', `/links/${link.id}/stats?${range}`);
    expect([body.total, body.uniqueClicks]).toEqual([61, 3]);
  });
  const { body } = await workspace.call('GET', `/stats?domain=${workspace.domain}&${range}`);
  expect(body.uniqueClicks).toBeGreaterThanOrEqual(3);
});

test('A click that cannot be read is put aside, and the clicks before and after it are counted.', async () => {
  const link = links[5] as Link;
  await writes.putItem(clickOn(link));
  await writes.putItem({ pk: 'CLICK#malformed', sk: 'CLICK', at: 7 });
  await writes.putItem(clickOn(link));
  await eventually(async () => expect(await clickCountOf(link)).toBe(2));
  const failures = await reads.getItems((await Array.fromAsync(reads.query({ gsi1pk: 'FAILURES' }))) as never);
  expect(failures).toMatchObject([{ reader: 'count-clicks', itemPk: 'CLICK#malformed', itemSk: 'CLICK' }]);
  // The log may arrive later.
  await expect.poll(() => service.logged().filter((line) => line.includes('a click could not be read'))).toHaveLength(1);
});
