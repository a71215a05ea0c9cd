import { beforeAll, expect, test } from 'vitest';
import type { Report } from '../../../lambdas/core/report/report.ts';
import type * as Reports from '../../../lambdas/operator/reports.ts';
import type * as ReportIds from '../../../lambdas/store/reports/report-ids.ts';
import { type Fault, underFaults } from '../../support/faults/faults.ts';
import { useStore } from '../../support/store/store.ts';

let reports: typeof Reports;
let reportIdOf: typeof ReportIds.reportIdOf;
beforeAll(async () => {
  await useStore();
  reports = await import('../../../lambdas/operator/reports.ts');
  ({ reportIdOf } = await import('../../../lambdas/store/reports/report-ids.ts'));
});

const now = Date.parse('2030-01-01T00:00:00Z');
const day = 24 * 60 * 60_000;
let made = 0;
const newReport = (more: Partial<Omit<Report, 'statements'>> = {}): Omit<Report, 'closedAt' | 'statements'> => ({
  id: reportIdOf('test', `${made++}`),
  kind: 'listed',
  domain: 'go.example.com',
  linkId: null,
  slug: null,
  url: 'https://evil.example/',
  reason: 'evil.example',
  createdAt: new Date(now).toISOString(),
  ...more,
});
const idsOf = async (state: 'open' | 'closed', at = now) => (await reports.listReports(state, at)).map(({ id }) => id);

test('A report is listed as open until it is closed, then as closed, with the time of its first closing.', async () => {
  const report = newReport();
  await reports.fileReport(report);
  expect(await idsOf('open')).toContain(report.id);
  const closedAt = new Date(now + 1).toISOString();
  expect(await reports.closeReport(report.id, now + 1)).toEqual({ ...report, statements: [], closedAt });
  expect(await reports.closeReport(report.id, now + 2)).toEqual({ ...report, statements: [], closedAt });
  expect([await idsOf('open'), await idsOf('closed')].map((ids) => ids.includes(report.id))).toEqual([false, true]);
});

test('All open reports for a name on the list are closed together; those of other names and of visitors stay open.', async () => {
  const name = 'together.example';
  const listed = Array.from({ length: 40 }, () => newReport({ reason: name }));
  const others = [newReport({ reason: `www.${name}` }), newReport({ kind: 'visitor', reason: name })];
  for (const report of [...listed, ...others]) await reports.fileReport(report);
  expect([await reports.closeListedReports(name, now), await reports.closeListedReports(name, now)]).toEqual([40, 0]);
  const open = await idsOf('open');
  expect([...listed, ...others].filter(({ id }) => open.includes(id))).toEqual(others);
});

test('The same report again, at once or after it was closed, adds nothing and reopens nothing.', async () => {
  const report = newReport();
  await Promise.all(Array.from({ length: 20 }, () => reports.fileReport(report)));
  await reports.closeReport(report.id, now);
  await reports.fileReport({ ...report, reason: 'again' });
  expect(await reports.getReport(report.id, now)).toMatchObject({ reason: 'evil.example', closedAt: expect.any(String) });
  expect(await idsOf('open')).not.toContain(report.id);
});

test('A report is not found after 90 days, even if the table still has it, nor with an unknown id.', async () => {
  const report = newReport();
  await reports.fileReport(report);
  expect(await reports.getReport(report.id, now + 90 * day - 1_000)).toBeDefined();
  expect(await reports.getReport(report.id, now + 90 * day)).toBeUndefined();
  expect(await idsOf('open', now + 90 * day)).not.toContain(report.id);
  expect(await reports.closeReport('rep_none', now)).toBeUndefined();
});

test.for(['open', 'closed'] as const)(
  'The same report after 90 days is open, even if the table still has the former one, which is %s.',
  async (state) => {
    const report = newReport({ reason: 'former' });
    await reports.fileReport(report);
    if (state === 'closed') await reports.closeReport(report.id, now);
    const later = now + 90 * day;
    await reports.fileReport({ ...report, createdAt: new Date(later - 1_000).toISOString(), reason: 'too early' });
    expect((await reports.getReport(report.id, now))?.reason).toBe('former');
    const again = { ...report, createdAt: new Date(later).toISOString(), reason: 'again' };
    await reports.fileReport(again);
    expect(await reports.getReport(report.id, later)).toEqual({ ...again, statements: [], closedAt: null });
    expect(await idsOf('open', later)).toContain(report.id);
  },
);

test.for<Fault>(['throttle', 'lost-before', 'lost-after', 'conflict'])(
  'Filing and closing a report survive the fault %s.',
  async (fault) => {
    const report = newReport();
    const once = ({ index }: { index: number }) => (index === 0 ? fault : undefined);
    await underFaults(once, () => reports.fileReport(report));
    const seen = new Set<string>();
    const eachWrite = ({ command }: { command: string }) => {
      if (command !== 'TransactWriteItems' || seen.has(command)) return undefined;
      seen.add(command);
      return fault;
    };
    const { result } = await underFaults(eachWrite, () => reports.closeReport(report.id, now));
    expect(result).toEqual({ ...report, statements: [], closedAt: new Date(now).toISOString() });
  },
);
