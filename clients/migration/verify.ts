import { csvOf } from '../../lambdas/core/csv.ts';
import { inParallel } from '../../lambdas/runtime/in-parallel.ts';
import type { PlannedLink, PlannedRow } from './planned.ts';
import { printable } from './report.ts';

// Visits the addresses of a plan, and compares where they lead with what the plan says.

/** The response of an address to HEAD. */
export type Answer = { readonly status: number; readonly location: string | undefined };

/** The result of visiting an address. */
export type Verdict = 'same' | 'different' | 'not_comparable' | 'not_reached';

export type Visited = {
  readonly row: PlannedRow;
  /** Empty if the row has none. */
  readonly slug: string;
  readonly verdict: Verdict;
  /** Why it cannot be compared, or what differs; empty if it is the same. */
  readonly reason: string;
};

/** Why a HEAD of a link does not show where it leads; undefined if it does. */
function incomparable({ slug, maxClicks, rules = [], startsAt, expiresAt, own = {} }: PlannedLink): string | undefined {
  if (slug === undefined) return 'the service makes its slug';
  if (maxClicks !== undefined) return 'it has a cap, which HEAD must not show';
  if (own.confirmVisit) return 'it asks visitors to confirm';
  if (own.cloaked) return 'it may show its destination in a frame';
  if (rules.length > 0) return 'it has rules';
  if (own.variants && own.variants.length > 0) return 'it has variants';
  if (own.isActive === false) return 'it is inactive';
  if (startsAt !== undefined && Date.parse(startsAt) > Date.now()) return 'it has not started yet';
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now() ? 'it has expired' : undefined;
}

/** How a response differs from the plan; empty if it doesn't. */
function differenceOf({ url, redirectType }: PlannedLink, { status, location }: Answer): string {
  const wanted = redirectType === 'PERMANENT_301' ? 301 : 302;
  if (location === undefined) return `it answers ${status}, and leads nowhere`;
  if (location !== url) return `it leads to ${location}`;
  return status === wanted ? '' : `it answers ${status} instead of ${wanted}`;
}

/** How many addresses are visited at a time. */
const concurrency = 8;

/** After this many consecutive unreachable addresses, the rest is skipped. */
const mostUnreached = 24;

/** An address of a plan. */
export type Address = {
  readonly row: PlannedRow;
  /** Empty if the row has none. */
  readonly slug: string;
};

/** The addresses of a plan, including aliases. */
export const addressesOf = (rows: readonly PlannedRow[]): Address[] =>
  rows.flatMap((row) => [row.link?.slug ?? '', ...(row.link?.aliases ?? [])].map((slug) => ({ row, slug })));

/**
 * Visits addresses with `head`. One that cannot be reached is tried three times.
 *
 * @param onDone called after each address.
 */
export async function verifyAddresses(
  addresses: readonly Address[],
  head: (path: string) => Promise<Answer>,
  { onDone, isStopped }: { readonly onDone: () => void; readonly isStopped: () => boolean },
): Promise<Visited[]> {
  let unreached = 0;
  const visit = async ({ row, slug }: Address): Promise<Visited> => {
    const { link } = row;
    const reason = link ? incomparable(link) : `it is not imported: ${row.reason}`;
    if (!link || reason !== undefined)
      return { row, slug: slug || row.source.slug, verdict: 'not_comparable', reason: reason ?? '' };
    const skipped = (why: string): Visited => ({
      row,
      slug,
      verdict: 'not_reached',
      reason: `it was not visited, because ${why}`,
    });
    if (isStopped()) return skipped('the command was stopped');
    if (unreached >= mostUnreached) return skipped(`${mostUnreached} in a row could not be reached`);
    const answer = await thrice(() => head(`/${slug}`));
    unreached = answer instanceof Error ? unreached + 1 : 0;
    if (answer instanceof Error) return { row, slug, verdict: 'not_reached', reason: answer.message };
    const difference = differenceOf(link, answer);
    return { row, slug, verdict: difference === '' ? 'same' : 'different', reason: difference };
  };
  return inParallel(addresses, concurrency, async (address) => {
    const visited = await visit(address);
    onDone();
    return visited;
  });
}

/**
 * The response to one of three attempts, or else the last error. A busy service, or one that refuses access, has not
 * responded.
 */
async function thrice(visit: () => Promise<Answer>): Promise<Answer | Error> {
  let last = new Error('it was not tried');
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const answer = await visit();
      if (answer.status < 500 && answer.status !== 429) return answer;
      last = new Error(`it answers ${answer.status}`);
    } catch (error) {
      last = error as Error;
    }
  }
  return last;
}

/** How many addresses a list on the screen shows. */
const mostNamed = 20;

/**
 * The verdicts for people: a count of each, the addresses that differ or were not reached, and those that HEAD cannot
 * show.
 */
export function verdictTable(visited: readonly Visited[]): string {
  const counts = Object.entries(verdictCounts(visited)).map(
    ([verdict, count]) => `${verdict.replace('_', ' ').padEnd(14)}${String(count).padStart(8)}`,
  );
  const wrong = listOf(visited.filter(({ verdict }) => verdict === 'different' || verdict === 'not_reached'));
  const others = listOf(visited.filter(({ verdict }) => verdict === 'not_comparable'));
  const lists = [...(wrong.length > 0 ? ['', ...wrong] : []), ...(others.length > 0 ? ['', 'not comparable:', ...others] : [])];
  return [...counts, ...lists].join('\n');
}

/** The first addresses, a line for each, and how many more there are. */
function listOf(visited: readonly Visited[]): string[] {
  const lines = visited
    .slice(0, mostNamed)
    .map(({ row, slug, reason }) => `  line ${row.line}: ${printable(`/${slug}: ${reason}`)}`);
  return [...lines, ...(visited.length > mostNamed ? [`  and ${visited.length - mostNamed} more`] : [])];
}

/** All addresses as CSV (RFC 4180). */
export const verdictReport = (visited: readonly Visited[]): string =>
  csvOf([
    ['line', 'slug', 'url', 'verdict', 'reason'],
    ...visited.map(({ row, slug, verdict, reason }) => [
      String(row.line),
      slug,
      row.link?.url ?? row.source.url,
      verdict,
      reason,
    ]),
  ]);

const verdicts: readonly Verdict[] = ['same', 'different', 'not_comparable', 'not_reached'];

export const verdictCounts = (visited: readonly Visited[]): Record<Verdict, number> =>
  Object.fromEntries(verdicts.map((verdict) => [verdict, visited.filter((one) => one.verdict === verdict).length])) as Record<
    Verdict,
    number
  >;
