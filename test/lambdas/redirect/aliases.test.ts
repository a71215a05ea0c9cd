import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { LinkEdits } from '../../../lambdas/store/links/changes.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { cheapHash } from '../../support/things/password.ts';
import { pass, startVisits } from '../../support/things/visit.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A link whose first slug is an alias, and a new function for its visits. */
async function newLink(settings: LinkEdits = {}) {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const first = found.link.shortCode;
  const { link } = await store.updateLink(found, { url: 'https://example.org/page', customSlug: 'Second', ...settings });
  const change = async (edits: LinkEdits) => {
    const now = await store.getLink(workspace.workspaceId, link.id);
    if (now) await store.updateLink(now, edits);
  };
  const visit = await startVisits();
  const open = (path: string, more: object = {}) => visit({ host: workspace.domain.host, path, ...more });
  return { workspace, link, first, change, open };
}

test('All slugs of a link lead to it, and their visits are counted for it.', async () => {
  const { link, first, open } = await newLink();
  for (const path of [`/${first}`, '/Second', '/SECOND', `/${first}.q`, '/second.q']) {
    expect(await open(path)).toMatchObject({ statusCode: 302, headers: { Location: 'https://example.org/page' } });
  }
  expect(await clicksOf(link.id)).toBe(5);
});

test('A visit by the first slug costs one read of the link, and one by another slug two.', async () => {
  const { first, open } = await newLink();
  await open('/robots.txt');
  await open('/no-such-link');
  const readsOf = async (path: string) =>
    (
      await underFaults(
        () => undefined,
        () => open(path),
      )
    ).accesses.filter(({ leadingKey }) => leadingKey === 'LINK#*').length;
  expect([await readsOf(`/${first}`), await readsOf('/second')]).toEqual([1, 2]);
});

test('A removed alias, even the first slug, leads nowhere after at most a second.', async () => {
  const { workspace, first, change, open } = await newLink();
  await change({ customSlug: 'Third' });
  for (const path of [`/${first}`, '/Second']) expect((await open(path)).statusCode).toBe(302);
  await change({ removedAlias: 'Second' });
  await change({ removedAlias: first });
  pass(1_000);
  for (const path of [`/${first}`, '/Second']) expect((await open(path)).statusCode).toBe(404);
  expect((await open('/Third')).statusCode).toBe(302);
  const theirs = { url: 'https://example.net/', customSlug: 'Second' };
  await store.createLink(workspace.domain, theirs, store.newLease());
  pass(2_000);
  expect((await open('/Second')).headers.Location).toBe('https://example.net/');
});

test('A cap applies to all slugs of a link together.', async () => {
  const { first, open } = await newLink({ maxClicks: 2 });
  const statuses = [await open(`/${first}`), await open('/Second'), await open('/Second'), await open(`/${first}`)];
  expect(statuses.map(({ statusCode }) => statusCode)).toEqual([302, 302, 410, 410]);
});

test('The cookie for a password is for the address at which it was entered.', async () => {
  const { open } = await newLink({ passwordHash: cheapHash('right') });
  const response = await open('/Second', { method: 'POST', body: 'password=right' });
  expect(response).toMatchObject({ statusCode: 303, headers: { Location: '/Second' } });
  expect(response.cookies?.[0]).toContain('Path=/Second;');
  const opened = await open('/Second', { cookies: [(response.cookies?.[0] ?? '').split(';')[0] ?? ''] });
  expect(opened.headers.Location).toBe('https://example.org/page');
});

test('A link that the operator has disabled by one slug is off at all of its slugs, and so is a deleted link.', async () => {
  const { workspace, link, first, open } = await newLink();
  const found = await store.getLinkAt(workspace.domain.domainId, 'second');
  if (found) await store.setDisabled(found, true);
  for (const path of [`/${first}`, '/Second']) expect((await open(path)).statusCode).toBe(404);
  await store.setDisabled(link, false);
  pass(1_000);
  for (const path of [`/${first}`, '/Second']) expect((await open(path)).statusCode).toBe(302);
  await store.deleteLink({ link, clickCount: 0 });
  pass(2_000);
  for (const path of [`/${first}`, '/Second']) expect((await open(path)).statusCode).toBe(404);
});
