import { type Batch, carryOut } from '../../../clients/migration/batches.ts';
import { bodyOf } from '../../../clients/migration/chunks.ts';
import { paceOf } from '../../../clients/migration/pace.ts';
import type { PlannedRow } from '../../../clients/migration/planned.ts';
import { handler } from '../../../lambdas/endpoints/links/bulk-create-links.ts';
import { type Interceptor, intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Output } from '../../../lambdas/store/table/operations.ts';
import { apiEvent, invocation } from '../support/fixtures.ts';
import type { SimulatedTime } from './time.ts';

/**
 * A file of links that is imported as `npm run import` does it, while the operator has lifted the workspace's limit.
 */
export type PacedImports = {
  /** The number of requests of 1,000 links, and how many the workspace may send a minute. */
  readonly pacedImports: number;
  readonly perMinute: number;
  /** How many are under way at a time once the limit is known; the pace's own number by default. */
  readonly atOnce?: number;
};

/**
 * Sends the requests to the function at the client's pace.
 *
 * @param request gets a function that sends a request, and returns how many links it created.
 * @param tagsOf the names of the tags of the next link.
 */
export async function importAtPace(
  time: SimulatedTime,
  { workspaceId, host }: { readonly workspaceId: string; readonly host: string },
  { pacedImports, atOnce }: PacedImports,
  tagsOf: () => string[],
  request: (send: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const pace = paceOf({ wait: (seconds) => time.wait(seconds * 1_000), onWait: () => {}, now: time.now });
  const failure = await carryOut(
    { batches: batches(pacedImports, tagsOf), isStopped: () => false, onProgress: () => {}, onResults: () => {} },
    () => (pace.atOnce() === 1 ? 1 : (atOnce ?? pace.atOnce())),
    async () => {},
    async ({ entries }) => {
      const answered = await pace.turn();
      await request(async () => {
        const headers = { 'Idempotency-Key': `import-${entries[0]?.position}` };
        const event = apiEvent(workspaceId, 'POST', { headers, body: { domain: host, links: bodyOf(entries) } });
        const response = await handler(event, invocation);
        answered(new Headers(response.headers as Record<string, string>));
        return response.statusCode === 200 ? (JSON.parse(response.body) as { created: number }).created : 0;
      });
    },
  );
  if (failure) throw failure;
}

/**
 * Skips the engine for the inserts of imports: a million would take hours. All slugs are new, so inserts within the
 * limits succeed. Call it before the limits are simulated. @returns a function that ends it
 */
export function withoutInserts(): () => void {
  const inserted: Interceptor = async (operation, input, next) => {
    if (operation !== 'BatchExecuteStatement') return next(input);
    const { Statements = [] } = input as { Statements?: unknown[] };
    return { Responses: Statements.map(() => ({})) } as Output<'BatchExecuteStatement'>;
  };
  return intercept(inserted);
}

async function* batches(count: number, tagsOf: () => string[]): AsyncGenerator<Batch> {
  for (let number = 0; number < count; number++) {
    const positions = Array.from({ length: 1_000 }, (_, index) => number * 1_000 + index);
    yield { positions, rows: positions.map((position) => rowOf(position, tagsOf())) };
  }
}

function rowOf(position: number, tags: readonly string[]): PlannedRow {
  const url = `https://example.org/some/page/${position}`;
  const slug = `page-${position}`;
  const title = `Page ${position}`;
  return {
    line: position + 2,
    source: { slug, url, createdAt: '', clicks: '' },
    link: { url, slug, title, redirectType: 'TEMPORARY_302', tags, expiresAt: undefined },
    notes: [],
  };
}
