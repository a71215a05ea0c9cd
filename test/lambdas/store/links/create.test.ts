import { beforeAll, describe, expect, test } from 'vitest';
import { makeSlug } from '../../../../lambdas/core/link/made-slug.ts';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const url = 'https://example.org/';
const color = '#123456';

/** Deletes the link with this slug. */
async function deleteLinkAt({ domainId, workspaceId }: { domainId: string; workspaceId: string }, slug: string): Promise<void> {
  const link = await store.getLinkAt(domainId, slug);
  const found = link && (await store.getLink(workspaceId, link.id));
  if (!found) throw new Error('there is no link to delete');
  await store.deleteLink(found);
}

const slugKinds = [
  ['custom slug', { customSlug: 'Own' }],
  ['generated slug', {}],
] as const;

test.for(slugKinds)('A retry of a creation with a %s finds its link.', async ([, more]) => {
  const { domain, workspaceId } = await store.newWorkspace();
  const { id: tagId } = await store.createTag(workspaceId, { name: 'New', color });
  const lease = store.newLease();
  const first = await store.createLink(domain, { url, tagIds: [tagId], ...more }, lease);
  const again = await store.createLink(domain, { url, tagIds: [tagId], ...more }, lease);
  expect(again.link).toEqual(first.link);
  expect(await store.countsOf(workspaceId, [tagId], [first.link.id])).toEqual([{ count: 1, pairs: 1, links: 1 }]);
});

describe('A link that was created and deleted', () => {
  const settings = [
    ['no tags', async () => ({})],
    ['a tag', async (workspaceId: string) => ({ tagIds: [(await store.createTag(workspaceId, { name: 'T', color })).id] })],
  ] as const;

  test.for(slugKinds.flatMap(([kind, slug]) => settings.map(([more, make]) => ({ kind, slug, more, make }))))(
    'A retry of its request does not create a deleted link again ($kind, $more).',
    async ({ slug, make }) => {
      const { domain, workspaceId } = await store.newWorkspace();
      const lease = store.newLease();
      const settings = { url, ...slug, ...(await make(workspaceId)) };
      const { link } = await store.createLink(domain, settings, lease);
      await store.deleteLink({ link, clickCount: 0 });
      await expect(store.createLink(domain, settings, lease)).rejects.toMatchObject({ code: 'link_deleted' });
      await expect(store.findCreated(domain.domainId, settings.customSlug, lease)).rejects.toMatchObject({
        code: 'link_deleted',
      });
      expect(await store.getLinkAt(domain.domainId, link.shortCode)).toBeUndefined();
    },
  );

  test('A retry within the same call does not create a link again that was deleted after its response was lost.', async () => {
    const { domain } = await store.newWorkspace();
    let puts = 0;
    const creating = underFaults(
      ({ command }) => (command === 'PutItem' && puts++ === 0 ? 'lost-after' : undefined),
      () => store.createLink(domain, { url, customSlug: 'Own' }, store.newLease()),
    );
    // The deletion comes between the attempt whose answer is lost and the next one.
    const stop = intercept(async (operation, input, next) => {
      try {
        return await next(input);
      } catch (error) {
        if (operation === 'PutItem') {
          stop();
          await deleteLinkAt(domain, 'own');
        }
        throw error;
      }
    });
    await expect(creating).rejects.toMatchObject({ code: 'link_deleted' });
    expect(await store.getLinkAt(domain.domainId, 'own')).toBeUndefined();
  });

  test('A retry does not create a deleted link again, even if 19 other links have had its slug since.', async () => {
    const { domain } = await store.newWorkspace();
    const lease = store.newLease();
    const { link } = await store.createLink(domain, { url, customSlug: 'own' }, lease);
    await store.deleteLink({ link, clickCount: 0 });
    for (let others = 0; others < 19; others++) {
      const { link: other } = await store.createLink(domain, { url, customSlug: 'OWN' }, store.newLease());
      await expect(store.createLink(domain, { url, customSlug: 'own' }, lease)).rejects.toMatchObject({ code: 'link_deleted' });
      await store.deleteLink({ link: other, clickCount: 0 });
    }
    await expect(store.createLink(domain, { url, customSlug: 'own' }, lease)).rejects.toMatchObject({ code: 'link_deleted' });
  });
});

test('The slug of a deleted link is available at once, and of many requests for it exactly one gets it.', async () => {
  const { domain, workspaceId } = await store.newWorkspace();
  const { link } = await store.createLink(domain, { url, customSlug: 'own' }, store.newLease());
  await store.deleteLink({ link, clickCount: 0 });
  const attempts = await Promise.allSettled(
    Array.from({ length: 5 }, () => store.createLink(domain, { url, customSlug: 'Own' }, store.newLease())),
  );
  const [created, ...more] = attempts.flatMap((one) => (one.status === 'fulfilled' ? one.value.link : []));
  expect(more).toEqual([]);
  for (const one of attempts) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'slug_taken' });
  expect(created?.id).not.toBe(link.id);
  expect(await store.getLink(workspaceId, created?.id ?? '')).toMatchObject({ link: { shortCode: 'Own' } });
  expect(await store.getLink(workspaceId, link.id)).toBeUndefined();
});

test('A retry finds its link at the second slug even if the first one has become available.', async () => {
  const { domain, workspaceId } = await store.newWorkspace();
  const lease = store.newLease();
  const inTheWay = await store.createLink(domain, { url, customSlug: makeSlug(lease.salt, 0, 0) }, store.newLease());
  const { link } = await store.createLink(domain, { url }, lease);
  expect(link.shortCode).toBe(makeSlug(lease.salt, 0, 1));
  await store.deleteLink({ link: inTheWay.link, clickCount: 0 });
  expect(await store.findCreated(domain.domainId, undefined, lease)).toEqual(link);
  // A function that read too early makes no second link either.
  expect((await store.createLink(domain, { url }, lease)).link).toEqual(link);
  expect(await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspaceId}#LINKS` }))).toHaveLength(1);
});

test('A generated slug that is taken is generated again, four times in a row.', async () => {
  const { domain } = await store.newWorkspace();
  const lease = store.newLease();
  const slugs: string[] = [];
  for (let times = 0; times < 4; times++) {
    // Each has the salt of the same request, but another mark.
    const { link } = await store.createLink(domain, { url }, { ...lease, requestId: `req_other${times}` });
    slugs.push(link.shortCode);
  }
  expect(new Set(slugs).size).toBe(4);
});
