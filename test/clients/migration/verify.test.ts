import { describe, expect, test } from 'vitest';
import type { PlannedLink, PlannedRow } from '../../../clients/migration/planned.ts';
import { type Answer, addressesOf, verdictTable, verifyAddresses } from '../../../clients/migration/verify.ts';

const url = 'https://example.org/';
const link: PlannedLink = {
  url,
  slug: 'a/b.c',
  title: undefined,
  redirectType: 'TEMPORARY_302',
  tags: [],
  expiresAt: undefined,
};
const source = { slug: 'a/b.c', url, createdAt: '', clicks: '' };

/** Rows with links that differ from a plain one. */
const rowsOf = (...links: readonly Partial<PlannedLink>[]): PlannedRow[] =>
  links.map((changed, index) => ({ line: index + 2, source, notes: [], link: { ...link, ...changed } }));

/** The results of all addresses of rows, and the paths that were visited. */
async function verify(rows: readonly PlannedRow[], head: (path: string) => Answer, isStopped = () => false) {
  const asked: string[] = [];
  const addresses = addressesOf(rows);
  let done = 0;
  const visited = await verifyAddresses(
    addresses,
    async (path) => {
      asked.push(path);
      return head(path);
    },
    { onDone: () => done++, isStopped },
  );
  expect(done).toBe(addresses.length);
  return { visited, asked, verdicts: visited.map(({ verdict }) => verdict), reasons: visited.map(({ reason }) => reason) };
}

const redirect = (status: number, location: string | undefined): Answer => ({ status, location });
const right = () => redirect(302, url);

describe('A visit of an address', () => {
  test.for<[string, Partial<PlannedLink>]>([
    ['no slug', { slug: undefined }],
    ['a cap', { maxClicks: 1 }],
    ['a confirmation', { own: { confirmVisit: true } }],
    ['a frame', { own: { cloaked: true } }],
    ['rules', { rules: [{ if: { os: ['ios'] }, url }] }],
    ['variants', { own: { variants: [{ id: 'v', url, weight: 1 }] as never } }],
    ['isActive false', { own: { isActive: false } }],
    ['a start to come', { startsAt: '2999-01-01T00:00:00.000Z' }],
    ['an expiry in the past', { expiresAt: '2000-01-01T00:00:00.000Z' }],
  ])('A link with %s is named as not comparable, and not visited.', async ([, changed]) => {
    const { visited, asked, verdicts } = await verify(rowsOf(changed), right);
    expect([verdicts, asked]).toEqual([['not_comparable'], []]);
    expect(verdictTable(visited)).toMatch(/\n\nnot comparable:\n {2}line 2: \/a\/b\.c: \S/);
  });

  test('A row that was refused, such as for its password, is named with the reason.', async () => {
    const row = { line: 7, source, notes: [], reason: 'it has a password there, but would be open to everybody here' };
    const { visited, asked } = await verify([row], right);
    expect(asked).toEqual([]);
    expect(verdictTable(visited)).toContain('not comparable:\n  line 7: /a/b.c: it is not imported: it has a password there');
  });

  test.for<[string, Answer, string]>([
    ['another target', redirect(302, `${url}x`), 'it leads to https://example.org/x'],
    ['itself', redirect(302, '/a/b.c'), 'it leads to /a/b.c'],
    ['another status', redirect(301, url), 'it answers 301 instead of 302'],
    ['nowhere', redirect(404, undefined), 'it answers 404, and leads nowhere'],
  ])('An address that leads to %s is reported as different.', async ([, answer, reason]) => {
    const { verdicts, reasons, asked } = await verify(rowsOf({}), () => answer);
    expect([verdicts, reasons, asked]).toEqual([['different'], [reason], ['/a/b.c']]);
  });

  test.for([429, 503])('An address that answers %i is tried up to three times, and may be right in the end.', async (status) => {
    const busy = redirect(status, undefined);
    const { verdicts, reasons, asked } = await verify(rowsOf({}), () => busy);
    expect([verdicts, reasons, asked.length]).toEqual([['not_reached'], [`it answers ${status}`], 3]);
    const answers = [busy, busy, right()];
    expect((await verify(rowsOf({}), () => answers.shift() ?? busy)).verdicts).toEqual(['same']);
  });
});

describe('A service that cannot be reached', () => {
  const many = rowsOf(...Array.from({ length: 100 }, (_, index) => ({ slug: `s/${index}` })));
  const fail = () => {
    throw new Error('connect ECONNREFUSED');
  };

  test('After 24 failures in a row, no further address is visited, and each says why.', async () => {
    const { verdicts, reasons, asked } = await verify(many, fail);
    expect(new Set(verdicts)).toEqual(new Set(['not_reached']));
    expect(new Set(asked).size).toBeLessThan(24 + 8);
    expect(reasons[0]).toBe('connect ECONNREFUSED');
    expect(reasons[99]).toBe('it was not visited, because 24 in a row could not be reached');
  });

  test('All addresses are visited if some can be reached.', async () => {
    const { verdicts } = await verify(many, (path) => (Number(path.slice(3)) % 10 === 0 ? right() : fail()));
    expect(verdicts.filter((one) => one === 'same')).toHaveLength(10);
  });
});

test('After verification is stopped, no further address is visited, and finished ones keep their verdicts.', async () => {
  const rows = rowsOf(...Array.from({ length: 20 }, (_, index) => ({ slug: `s/${index}` })), { maxClicks: 1 });
  let isStopped = false;
  const answer = () => {
    isStopped = true;
    return right();
  };
  const { verdicts, reasons, asked } = await verify(rows, answer, () => isStopped);
  expect(asked.length).toBeLessThanOrEqual(8);
  expect(verdicts.slice(0, asked.length)).toEqual(asked.map(() => 'same'));
  expect(verdicts.slice(-2)).toEqual(['not_reached', 'not_comparable']);
  expect(reasons[19]).toBe('it was not visited, because the command was stopped');
});
