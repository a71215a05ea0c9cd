import { beforeAll, expect, test } from 'vitest';
import { linkReports, reportedLinksPerDay, reportsPerLink } from '../../../../lambdas/core/limits.ts';
import type * as Reports from '../../../../lambdas/operator/reports.ts';
import type * as VisitorReports from '../../../../lambdas/store/reports/visitor-reports.ts';
import { type Fault, underFaults } from '../../../support/faults/faults.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let reports: typeof Reports;
let visitors: typeof VisitorReports;
beforeAll(async () => {
  store = await useStore();
  reports = await import('../../../../lambdas/operator/reports.ts');
  visitors = await import('../../../../lambdas/store/reports/visitor-reports.ts');
});

const at = Date.parse('2030-01-01T12:00:00Z');
const day = 24 * 60 * 60_000;
let made = 0;
const newDomain = () => ({ domainId: `dom-${++made}`, host: `d${made}.example.com` });
const linkOn = (domain: ReturnType<typeof newDomain>, slug = `s${++made}`) => ({
  domain,
  slug,
  link: { id: `lnk_${domain.domainId}_${slug}`, shortCode: slug, url: 'https://evil.example/' },
});
const phishing = { reason: 'phishing', note: '' } as const;
const file = (
  reported: VisitorReports.ReportedLink,
  token: string,
  when = at,
  statement: Parameters<typeof visitors.fileVisitorReport>[1] = phishing,
) => visitors.fileVisitorReport(reported, statement, token, when);
const on = async ({ host }: { host: string }, when = at) =>
  (await reports.listReports('open', when)).filter(({ domain }) => domain === host);
const tokens = (count: number) => Array.from({ length: count }, (_, index) => `token-${index}`);

test("All reports of a link on a day are one, with each visitor's statement, and the next day begins another.", async () => {
  const reported = linkOn(newDomain());
  const first = await file(reported, 'a');
  expect(first).toEqual({ newId: expect.stringMatching(/^rep_/), isFull: false });
  expect(await file(reported, 'b', at + 1_000, { reason: 'malware', note: 'A virus.' })).toEqual({
    newId: undefined,
    isFull: false,
  });
  await file(reported, 'c', at + 2_000, { reason: 'malware', note: '' });
  const [report, ...others] = await on(reported.domain);
  expect(others).toEqual([]);
  expect(report).toEqual({
    id: first.newId,
    kind: 'visitor',
    domain: reported.domain.host,
    linkId: reported.link.id,
    slug: reported.slug,
    url: 'https://evil.example/',
    reason: 'malware, phishing',
    createdAt: '2030-01-01T12:00:00.000Z',
    closedAt: null,
    statements: [
      { at: '2030-01-01T12:00:00.000Z', ...phishing },
      { at: '2030-01-01T12:00:01.000Z', reason: 'malware', note: 'A virus.' },
      { at: '2030-01-01T12:00:02.000Z', reason: 'malware', note: '' },
    ],
  });
  expect((await file(reported, 'a', at + day)).newId).toBeDefined();
  expect(await on(reported.domain, at + day)).toHaveLength(2);
});

test('A report that is sent again, once or many times at once, counts once.', async () => {
  const reported = linkOn(newDomain());
  await Promise.all(Array.from({ length: 20 }, () => file(reported, 'same')));
  await file(reported, 'same');
  const [report] = await on(reported.domain);
  expect(report?.statements).toHaveLength(1);
});

test('Of a flood of reports of one link, exactly the allowed number is kept, in one item.', async () => {
  const reported = linkOn(newDomain());
  const filed = await Promise.all(tokens(3 * reportsPerLink).map((token) => file(reported, token)));
  expect(filed.filter(({ newId }) => newId !== undefined)).toHaveLength(1);
  expect(filed.every(({ isFull }) => !isFull)).toBe(true);
  const [report, ...others] = await on(reported.domain);
  expect([report?.statements.length, others]).toEqual([reportsPerLink, []]);
});

test('Exactly the allowed number of links of a domain can be reported on a day, without affecting these links, other domains and other days.', async () => {
  const domain = newDomain();
  const links = Array.from({ length: reportedLinksPerDay + 20 }, () => linkOn(domain));
  const filed = await Promise.all(links.map((link) => file(link, 'first')));
  expect(filed.filter(({ isFull }) => isFull)).toHaveLength(20);
  expect(await on(domain)).toHaveLength(reportedLinksPerDay);
  const reported = links.find((_, index) => !filed[index]?.isFull);
  const refused = links.find((_, index) => filed[index]?.isFull);
  if (!reported || !refused) throw new Error('none');
  expect(await file(reported, 'second')).toEqual({ newId: undefined, isFull: false });
  expect((await file(refused, 'second')).isFull).toBe(true);
  // Neither response reveals whether there is a link.
  expect((await file({ ...refused, link: undefined, slug: 'unknown' }, 'first')).isFull).toBe(true);
  expect((await file(linkOn(newDomain()), 'first')).isFull).toBe(false);
  expect((await file(refused, 'third', at + day)).isFull).toBe(false);
});

test('A report without a link stores nothing, uses no place, and makes the same calls with the same result.', async () => {
  const there = linkOn(newDomain());
  const none = { domain: newDomain(), slug: 'none', link: undefined };
  const known = await underFaults(
    () => undefined,
    () => file(there, 'a'),
  );
  const unknown = await underFaults(
    () => undefined,
    () => file(none, 'a'),
  );
  expect(unknown.commands).toEqual(known.commands);
  expect(unknown.commands).toEqual(['UpdateItem', 'UpdateItem']);
  expect([known.result.isFull, unknown.result.isFull]).toEqual([false, false]);
  expect(await on(none.domain)).toEqual([]);
  const { reportedLinksKey } = await import('../../../../lambdas/store/table/keys.ts');
  expect(await store.getItem(reportedLinksKey(none.domain.domainId, '2030-01-01'))).toBeUndefined();
});

test('A closed report stays closed that day, and is kept for 90 days from its first statement, whatever is added later.', async () => {
  const reported = linkOn(newDomain());
  const { newId = '' } = await file(reported, 'a');
  await reports.closeReport(newId, at);
  expect((await file(reported, 'b', at + 6 * 60 * 60_000)).newId).toBeUndefined();
  expect(await on(reported.domain)).toEqual([]);
  expect((await reports.getReport(newId, at + 90 * day - 1))?.statements).toHaveLength(2);
  expect(await reports.getReport(newId, at + 90 * day)).toBeUndefined();
  const { reportKey } = await import('../../../../lambdas/store/table/keys.ts');
  expect((await store.getItem(reportKey(newId)))?.ttl).toBe((at + 90 * day) / 1_000);
});

test("However many are sent at once, an address can make exactly the allowed number of reports in any window, and repeated ones don't count.", async () => {
  const domain = newDomain();
  const now = Date.now();
  const take = (token: string, sourceIp = '2001:db8::1', when = now) => visitors.takeReport(domain, sourceIp, token, when);
  const taken = await Promise.all(tokens(3 * linkReports.quota).map((token, index) => take(token, `2001:db8::${index}`)));
  const passed = taken.flatMap(({ passed }, index) => (passed ? [`token-${index}`] : []));
  expect(passed).toHaveLength(linkReports.quota);
  expect((await take(String(passed[0]))).passed).toBe(true);
  expect(await take('another')).toMatchObject({ passed: false, resetSeconds: linkReports.windowSeconds });
  expect((await take('another', '2001:db8:0:1::1')).passed).toBe(true);
  expect((await take('another', '2001:db8::1', now + linkReports.windowSeconds * 1_000)).passed).toBe(true);
});

test.for<Fault>(['throttle', 'lost-before', 'lost-after'])(
  'A report survives the fault %s at each of its calls, and counts once.',
  async (fault) => {
    for (const index of [0, 1]) {
      const reported = linkOn(newDomain());
      const decide = (attempt: { index: number }) => (attempt.index === index ? fault : undefined);
      const { result } = await underFaults(decide, () => file(reported, 'a'));
      expect(result.newId).toBeDefined();
      const [report, ...others] = await on(reported.domain);
      expect([report?.statements.length, others]).toEqual([1, []]);
    }
  },
);
