import { beforeAll, expect, test } from 'vitest';
import type * as Listed from '../../../../lambdas/store/hosts/listed.ts';
import type * as ListedLinks from '../../../../lambdas/store/reports/listed-links.ts';
import type * as Reports from '../../../../lambdas/store/reports/reports.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { marksOf } from '../../../support/things/harmful-hosts.ts';

// The list is the same for all tests of a process. This file has one of its own, because it names blockHost.

let store: Store;
let listed: typeof Listed;
let reports: typeof Reports;
let rescan: () => ReturnType<typeof ListedLinks.reportListedLinks>;
const now = Date.parse('2030-01-01T00:00:00Z');
beforeAll(async () => {
  store = await useStore();
  listed = await import('../../../../lambdas/store/hosts/listed.ts');
  reports = await import('../../../../lambdas/store/reports/reports.ts');
  const { reportListedLinks } = await import('../../../../lambdas/store/reports/listed-links.ts');
  rescan = () => reportListedLinks(now, () => {});
});

const replace = (names: readonly string[]) => listed.replaceList(marksOf(names), now);

test('A rescan reports each link and domain that leads to a host on the list, once, however often it runs, and blocks nothing.', async () => {
  const { id: workspaceId, domain } = await store.newWorkspace();
  const settings = [
    { url: 'https://evil.example/a' },
    { url: 'https://good.example/', expiredUrl: 'https://www.evil.example/expired' },
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
  await replace(['evil.example', 'shared.example']);
  await listed.excuseName('shared.example');
  const found = await rescan();
  expect(found).toMatchObject({ links: 204, listed: 2 });
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
    ]),
  );
  const [first] = await open();
  await reports.closeReport(String(first?.id), now);
  expect(await rescan()).toEqual(found);
  expect(await open()).toHaveLength(1);
  expect((await store.getLinks(workspaceId, ids.slice(0, 2))).map((link) => link?.link.disabledAt)).toEqual([null, null]);
});
