import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Author } from '../../../../lambdas/core/history/author.ts';
import type { HistoryEntry } from '../../../../lambdas/core/history/history.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { byKey, changeLink } from '../../../support/things/history.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const authors: readonly Author[] = [
  byKey(),
  { actor: { type: 'key', id: `key_${'o'.repeat(43)}`, name: null }, requestId: 'request-2' },
  { actor: { type: 'operator', id: null, name: 'links edit' }, requestId: null },
];
const start = Date.parse('2030-01-02T03:04:05Z') / 1_000;
const time = (second: number) => new Date((start + second) * 1_000).toISOString();
const actorOf = ({ actor }: Pick<HistoryEntry, 'actor'>) => actor.id ?? actor.type;

/** Reads all pages. */
async function walk(workspaceId: string, filter: Record<string, string>, limit: number): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null; pages++) {
    expect(pages, 'a list ends').toBeLessThan(50);
    const query = { ...filter, limit: String(limit), ...(cursor && { cursor }) };
    const { status, body }: Awaited<ReturnType<typeof callEndpoint>> = await callEndpoint('list-history', { workspaceId, query });
    expect(status).toBe(200);
    expect(body.entries.length).toBeLessThanOrEqual(limit);
    entries.push(...body.entries);
    cursor = body.nextCursor;
  }
  return entries;
}

test('Whatever the filter and the size of the pages, each matching change is listed once, newest first.', async () => {
  /** Changes of three links: which link, by whom, and how many seconds after the previous change. */
  const changes = fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)), { minLength: 1, maxLength: 12 });
  const filters = fc.record({ actor: fc.nat(2), from: fc.nat(12), to: fc.integer({ min: 13, max: 25 }) }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(
      changes,
      fc.array(filters, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (several, asked, limit) => {
        const workspace = await store.newWorkspace();
        const { workspaceId } = workspace;
        const links = await store.newLinks(workspace, 3);
        const made: { title: string; actor: string; at: string }[] = [];
        let second = 0;
        for (const [index, [link, author, later]] of several.entries()) {
          second += later;
          const [id, by] = [links[link]?.link.id ?? '', authors[author] as Author];
          await changeLink(store, workspaceId, id, { title: `Title ${index}` }, { author: by, at: start + second });
          made.unshift({ title: `Title ${index}`, actor: actorOf(by), at: time(second) });
        }
        for (const { actor, from, to } of asked) {
          const filter = {
            ...(actor !== undefined && { actor: actorOf(authors[actor] as Author) }),
            ...(from !== undefined && { from: time(from) }),
            ...(to !== undefined && { to: time(to) }),
          };
          const expected = made.filter(
            (one) => (filter.actor ?? one.actor) === one.actor && one.at >= (filter.from ?? '') && one.at < (filter.to ?? '~'),
          );
          const shown = await walk(workspaceId, filter, limit);
          expect(shown.map(({ at, changes, ...rest }) => ({ title: changes.title?.to, actor: actorOf(rest), at }))).toEqual(
            expected,
          );
        }
      },
    ),
    { numRuns: runs(2) },
  );
});

test('Changes of many links by one request share its id.', async () => {
  const workspace = await store.newWorkspace();
  const links = await store.newLinks(workspace, 3);
  for (const { link } of links)
    await changeLink(store, workspace.workspaceId, link.id, { title: 'New' }, { author: byKey('Bulk', 'bulk-1') });
  const { body } = await callEndpoint('list-history', { workspaceId: workspace.workspaceId });
  expect(body.entries.map(({ requestId }: HistoryEntry) => requestId)).toEqual(['bulk-1', 'bulk-1', 'bulk-1']);
});

test.for([
  [{ actor: 'somebody' }, 'invalid_actor'],
  [{ actor: 'key_short' }, 'invalid_actor'],
  [{ from: 'yesterday' }, 'invalid_timestamp'],
  [{ from: '2030-01-02T00:00Z', to: '2030-01-02T00:00Z' }, 'out_of_range'],
  [{ cursor: 'nonsense' }, 'invalid_cursor'],
  [{ limit: '101' }, 'out_of_range'],
  [{ tag: 'x' }, 'unknown_parameter'],
] as const)('The query %j is refused as %s.', async ([query, code]) => {
  const { workspaceId } = await store.newWorkspace();
  const { status, body } = await callEndpoint('list-history', { workspaceId, query });
  expect([status, body.errors[0].code]).toEqual([422, code]);
});
