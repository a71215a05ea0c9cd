import { beforeAll, expect, test } from 'vitest';
import { listedShards } from '../../../lambdas/core/host/listed-hosts.ts';
import type * as Listed from '../../../lambdas/operator/listed-hosts.ts';
import type * as ListedLinks from '../../../lambdas/operator/listed-links.ts';
import type * as Reports from '../../../lambdas/operator/reports.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { marksOf } from '../../support/things/harmful-hosts.ts';

// All tests of a process share the list. This file has its own process, because it names blockHost.

let store: Store;
let listed: typeof Listed;
let reports: typeof Reports;
let rescan: () => ReturnType<typeof ListedLinks.reportListedLinks>;
const now = Date.parse('2030-01-01T00:00:00Z');
beforeAll(async () => {
  store = await useStore();
  listed = await import('../../../lambdas/operator/listed-hosts.ts');
  reports = await import('../../../lambdas/operator/reports.ts');
  const { reportListedLinks } = await import('../../../lambdas/operator/listed-links.ts');
  rescan = () => reportListedLinks(now, () => {});
});

const replace = (names: readonly string[]) => listed.replaceList(marksOf(names), now);

test('However often a rescan runs, it reports each link and domain that leads to a listed host once, and blocks nothing.', async () => {
  const { id: workspaceId, domain } = await store.newWorkspace();
  const settings = [
    { url: 'https://evil.example/a' },
    { url: 'https://good.example/', expiredUrl: 'https://www.evil.example/expired' },
    { url: 'https://evil.example/', rules: [{ if: { language: ['de'] }, url: 'https://worse.example/' }] },
    { url: 'https://shared.example/' },
    { url: 'https://good.example/' },
  ];
  const outcomes = await store.createLinks(
    domain,
    [...settings, ...Array.from({ length: 200 }, () => ({ url: 'https://good.example/' }))].map((one, index) => ({
      index,
      ...one,
    })),
    new Map(),
    store.newLease(),
  );
  const ids = Object.values(outcomes).map((outcome) => ('id' in outcome ? outcome.id : ''));
  await replace(['evil.example', 'worse.example', 'shared.example']);
  await listed.excuseName('shared.example');
  const found = await rescan();
  expect(found).toMatchObject({ links: 205, listed: 3 });
  const open = () => reports.listReports('open', now);
  expect(await open()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'listed',
        linkId: ids[0],
        domain: domain.host,
        url: settings[0]?.url,
        reason: 'evil.example',
      }),
      expect.objectContaining({ kind: 'listed', linkId: ids[1], url: settings[1]?.expiredUrl, reason: 'evil.example' }),
      expect.objectContaining({ kind: 'listed', linkId: ids[2], url: settings[2]?.url, reason: 'evil.example' }),
      expect.objectContaining({ kind: 'listed', linkId: ids[2], url: 'https://worse.example/', reason: 'worse.example' }),
    ]),
  );
  const [first] = await open();
  await reports.closeReport(String(first?.id), now);
  expect(await rescan()).toEqual(found);
  expect(await open()).toHaveLength(3);
  expect((await store.getLinks(workspaceId, ids.slice(0, 3))).map((link) => link?.link.disabledAt)).toEqual([null, null, null]);
});

test('A rescan reads each item of the list once, however many links there are.', async () => {
  const workspace = await store.newWorkspace();
  await store.newLinks(workspace, 250);
  await replace(['evil.example']);
  const { accesses } = await underFaults(
    () => undefined,
    () => rescan(),
  );
  expect(accesses.filter(({ leadingKey }) => leadingKey === 'BLOCKLIST#*')).toHaveLength(listedShards);
});

test('A link that changes during a rescan is reported with the destination that was read, or the next day.', async () => {
  const workspace = await store.newWorkspace();
  const found = await store.newLinks(workspace, 101);
  await replace(['later.example']);
  const urls = new Map(found.map((one) => [one.link.id, one]));
  const change = async (id: string, url: string) => {
    const link = urls.get(id);
    if (link) urls.set(id, await store.updateLink(link, { url }));
  };
  const first = String(found[0]?.link.id);
  const last = String(found.at(-1)?.link.id);
  const reported = async () =>
    (await reports.listReports('open', now)).filter(({ linkId }) => linkId === first || linkId === last).map(({ url }) => url);
  let isChanged = false;
  // Once the first page of links has been read, both get another destination.
  const stop = intercept(async (command, input, next) => {
    const output = await next(input);
    const isPage = command === 'Query' && JSON.stringify(input).includes(workspace.workspaceId);
    if (isPage && !isChanged && JSON.stringify(output).includes('"LINK')) {
      isChanged = true;
      await change(first, 'https://later.example/first');
      await change(last, 'https://later.example/last');
    }
    return output;
  });
  await rescan().finally(stop);
  expect(isChanged).toBe(true);
  await rescan();
  expect((await reported()).sort()).toEqual(['https://later.example/first', 'https://later.example/last']);
});
