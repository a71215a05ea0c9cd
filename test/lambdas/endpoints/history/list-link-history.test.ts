import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { changeLink, deliver, keyOfLink, recordOf } from '../../../support/things/history.ts';
import { unknownLink } from '../../../support/things/links.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** A link with this many changes of its title, from `1` on. */
async function changedLink(changes: number) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const { link } = await store.createLink(workspace.domain, { url: 'https://example.org/' }, store.newLease());
  for (let title = 1; title <= changes; title++) await changeLink(store, workspaceId, link.id, { title: `${title}` });
  const list = (query: Record<string, string> = {}) => callEndpoint('list-link-history', { workspaceId, id: link.id, query });
  return { workspaceId, link, list };
}

test.for([1, 2, 3, 4, 100])('In pages of %i, each entry is listed once, newest first, and the creation last.', async (limit) => {
  const { list } = await changedLink(3);
  const shown: unknown[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null && pages < 10; pages++) {
    const { status, body }: Awaited<ReturnType<typeof list>> = await list({ limit: String(limit), ...(cursor && { cursor }) });
    expect(status).toBe(200);
    expect(body.entries.length).toBeLessThanOrEqual(limit);
    shown.push(
      ...body.entries.map(
        ({ action, changes }: { action: string; changes: { title?: { to: string } } }) => changes.title?.to ?? action,
      ),
    );
    cursor = body.nextCursor;
  }
  expect(shown).toEqual(['3', '2', '1', 'link.created']);
});

test("A deleted link's history stays readable, page by page, for its workspace only.", async () => {
  const { workspaceId, link, list } = await changedLink(1);
  const found = await store.getLink(workspaceId, link.id);
  await deliver([await recordOf(store, keyOfLink(link.id), async () => found && store.deleteLink(found))]);
  const first = await list({ limit: '2' });
  expect(first.body.entries.map(({ action }: { action: string }) => action)).toEqual(['link.deleted', 'link.updated']);
  const second = await list({ limit: '2', cursor: first.body.nextCursor });
  expect(second.body).toMatchObject({ entries: [{ action: 'link.created' }], nextCursor: null });
  const { workspaceId: other } = await store.newWorkspace();
  expect((await callEndpoint('list-link-history', { workspaceId: other, id: link.id })).status).toBe(404);
});

test.for([unknownLink, 'lnk_x', 'tag_0123456789abcdef', 'x'.repeat(3_000)])(
  'A request for the history of the link %s is answered with 404.',
  async (id) => {
    const { workspaceId } = await store.newWorkspace();
    const { status, body } = await callEndpoint('list-link-history', { workspaceId, id });
    expect([status, body.code]).toEqual([404, 'not_found']);
  },
);

test("A cursor of another link's history is refused.", async () => {
  const [one, other] = [await changedLink(2), await changedLink(2)];
  const { body } = await one.list({ limit: '1' });
  const refused = await other.list({ cursor: body.nextCursor });
  expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'invalid_cursor']);
});
