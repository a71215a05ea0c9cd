import { beforeAll, describe, expect, test } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links.ts';
import { underFaults } from '../../support/faults.ts';
import { type Store, useStore } from '../../support/store.ts';
import { curl, type VisitOptions, visit } from '../../support/visit.ts';

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

/** A link with these settings, and how to visit it. */
async function newLink(changes: LinkChanges = {}) {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, { url: 'https://example.org/page', ...changes });
  const open = (options: Partial<VisitOptions> = {}) =>
    visit({ host: workspace.domain.host, path: `/${link.shortCode}`, ...options });
  const clicks = async () => (await store.getLink(workspace.workspaceId, link.id))?.link.capUsed;
  return { link, open, clicks };
}

describe('an open link', () => {
  test('redirects with the type that is set, and keeps an open 301 for a minute at most', async () => {
    const temporary = await (await newLink()).open();
    expect(temporary).toMatchObject({
      statusCode: 302,
      headers: { Location: 'https://example.org/page', 'Cache-Control': 'private, no-store' },
    });
    const permanent = await (await newLink({ redirectType: 'PERMANENT_301' })).open();
    expect(permanent).toMatchObject({ statusCode: 301, headers: { 'Cache-Control': 'private, max-age=60' } });
  });

  test('costs one consistent read of one item and one write, and the next visit no other read', async () => {
    const { open } = await newLink();
    await open();
    const { result, commands, units } = await underFaults(
      store.client,
      () => undefined,
      () => open(),
    );
    expect(result.statusCode).toBe(302);
    expect([commands, units]).toEqual([['GetItemCommand', 'PutItemCommand'], { read: 1, write: 1 }]);
  });
});

test('a capped link costs a read and one transaction', async () => {
  const { open } = await newLink({ maxClicks: 10 });
  const { result, commands } = await underFaults(
    store.client,
    () => undefined,
    () => open(),
  );
  expect(result.statusCode).toBe(302);
  expect(commands).toEqual(['GetItemCommand', 'TransactWriteItemsCommand']);
});

test.for([1, 10, 100])(
  'of 1,000 visits at once on a cap of %i exactly as many are sent on, and all others get 410',
  async (cap) => {
    const { open, clicks } = await newLink({ maxClicks: cap });
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => open({ headers: curl })));
    const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
    expect([count(302), count(410), await clicks()]).toEqual([cap, 1_000 - cap, cap]);
  },
);

test('of 500 guesses at once 10 are looked at', async () => {
  const { hashPassword } = await import('../../../lambdas/domain/password.ts');
  const { open } = await newLink({ passwordHash: await hashPassword('right') });
  const answers = await Promise.all(Array.from({ length: 500 }, () => open({ method: 'POST', body: 'password=wrong' })));
  const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
  expect([count(401), count(429)]).toEqual([10, 490]);
  expect((await open({ method: 'POST', body: 'password=right' })).statusCode).toBe(429);
  const other = await open({ method: 'POST', body: 'password=right', sourceIp: '192.0.2.2' });
  expect(other.statusCode).toBe(303);
  const opened = await open({ cookies: [(other.cookies?.[0] ?? '').split(';')[0] ?? ''] });
  expect(opened.headers.Location).toBe('https://example.org/page');
});
