import { beforeAll, describe, expect, test } from 'vitest';
import { aliasesPerLink } from '../../../../lambdas/core/limits.ts';
import type { LinkEdits } from '../../../../lambdas/store/links/changes.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

let made = 0;
const newSlug = (name = 'slug') => `${name}-${++made}`;
const create = (customSlug: string, lease = store.newLease()) =>
  store.createLink(workspace.domain, { url: 'https://example.org/', customSlug }, lease);
const find = async (id: string) => {
  const found = await store.getLink(workspace.workspaceId, id);
  if (!found) throw new Error('no link');
  return found;
};
/** Changes the present version of a link. Returns its slugs, or the reason of a refusal. */
const change = async (id: string, edits: LinkEdits) => {
  try {
    const { link } = await store.updateLink(await find(id), edits);
    return [link.shortCode, ...link.aliases];
  } catch (error) {
    return (error as { code?: string }).code;
  }
};
const at = async (slug: string) => (await store.getLinkAt(workspace.domain.domainId, slug))?.id;
const codeOf = async (work: Promise<unknown>) => {
  try {
    await work;
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('A link that gets another slug', () => {
  test('It keeps its id, and its former slugs lead to it, in any case.', async () => {
    const [first, second, third] = [newSlug(), newSlug('Second'), newSlug('THIRD')];
    const { link } = await create(first);
    expect(await change(link.id, { customSlug: second })).toEqual([second, first]);
    expect(await change(link.id, { customSlug: third })).toEqual([third, first, second]);
    for (const slug of [first, second, third])
      expect([await at(slug.toUpperCase()), await at(slug.toLowerCase())]).toEqual([link.id, link.id]);
  });

  test('It swaps slugs with one of its aliases, also with its first slug, and can change only its case.', async () => {
    const [first, second] = [newSlug('first'), newSlug('second')];
    const { link } = await create(first);
    await change(link.id, { customSlug: second });
    expect(await change(link.id, { customSlug: first })).toEqual([first, second]);
    expect(await change(link.id, { customSlug: second.toUpperCase() })).toEqual([second.toUpperCase(), first]);
    expect(await change(link.id, { customSlug: second })).toEqual([second, first]);
    const { revision } = (await find(link.id)).link;
    expect(await change(link.id, { customSlug: second })).toEqual([second, first]);
    expect((await find(link.id)).link.revision).toBe(revision);
  });

  test('Its other fields are changed with it, or not at all if the slug is taken.', async () => {
    const [first, taken] = [newSlug(), newSlug()];
    const { link } = await create(first);
    await create(taken);
    expect(await change(link.id, { customSlug: taken.toUpperCase(), title: 'Lost', maxClicks: 5 })).toBe('slug_taken');
    expect((await find(link.id)).link).toMatchObject({ shortCode: first, title: null, maxClicks: null, revision: 0 });
    const free = newSlug();
    await change(link.id, { customSlug: free, title: 'New', maxClicks: 5 });
    expect((await find(link.id)).link).toMatchObject({ shortCode: free, title: 'New', maxClicks: 5, revision: 1 });
  });

  test('It has at most 10 aliases, and can still swap slugs with them.', async () => {
    const slugs = Array.from({ length: aliasesPerLink + 1 }, () => newSlug());
    const { link } = await create(slugs[0] ?? '');
    for (const customSlug of slugs.slice(1)) expect(await change(link.id, { customSlug })).toContain(customSlug);
    expect(await change(link.id, { customSlug: newSlug() })).toBe('alias_limit_reached');
    expect(await change(link.id, { customSlug: slugs[3] })).toHaveLength(11);
    expect(await change(link.id, { removedAlias: slugs[5] })).toHaveLength(10);
    const more = newSlug();
    expect(await change(link.id, { customSlug: more })).toContain(more);
    for (const slug of slugs) expect(await at(slug)).toBe(slug === slugs[5] ? undefined : link.id);
  });

  test("It can have the slug of a deleted link, and another domain's.", async () => {
    const other = await store.newWorkspace();
    const [slug, deleted] = [newSlug(), newSlug()];
    await store.createLink(other.domain, { url: 'https://example.org/', customSlug: slug }, store.newLease());
    const { link: gone } = await create(deleted);
    await store.deleteLink({ link: gone, clickCount: 0 });
    const { link } = await create(newSlug());
    expect(await change(link.id, { customSlug: slug })).toContain(slug);
    expect(await change(link.id, { customSlug: deleted })).toContain(deleted);
    expect(await store.getLink(workspace.workspaceId, gone.id)).toBeUndefined();
  });
});

describe('A removed alias', () => {
  test('A removed alias is not found, and another link can have it.', async () => {
    const [first, second] = [newSlug(), newSlug()];
    const { link } = await create(first);
    await change(link.id, { customSlug: second });
    await change(link.id, { customSlug: newSlug() });
    expect(await change(link.id, { removedAlias: second.toUpperCase() })).not.toContain(second);
    expect(await at(second)).toBeUndefined();
    const { link: other } = await create(second);
    expect(await at(second)).toBe(other.id);
    expect(await change(link.id, { customSlug: second })).toBe('slug_taken');
  });

  test('A first slug stays reserved while the link exists, and the link can get it back.', async () => {
    const [first, second] = [newSlug(), newSlug()];
    const { link } = await create(first);
    await change(link.id, { customSlug: second });
    expect(await change(link.id, { removedAlias: first })).toEqual([second]);
    expect(await at(first)).toBeUndefined();
    expect(await codeOf(create(first))).toBe('slug_taken');
    expect(await change(link.id, { customSlug: first })).toEqual([first, second]);
    expect(await at(first)).toBe(link.id);
    await change(link.id, { removedAlias: second });
    await change(link.id, { customSlug: newSlug() });
    await change(link.id, { removedAlias: first });
    await store.deleteLink(await find(link.id));
    expect(await codeOf(create(first))).toBeUndefined();
  });

  test('Neither the current slug nor a slug that the link does not have can be removed.', async () => {
    const slug = newSlug();
    const { link } = await create(slug);
    await create('unrelated');
    expect(await change(link.id, { removedAlias: slug.toUpperCase() })).toBe('slug_in_use');
    expect(await change(link.id, { removedAlias: 'unrelated' })).toBe('not_found');
    expect(await at(slug)).toBe(link.id);
  });
});

test('A deleted link, alone or in bulk, frees all its slugs, and none of them leads anywhere.', async () => {
  for (const remove of [
    async (id: string) => store.deleteLink(await find(id)),
    async (id: string) => store.deleteLinks(workspace.workspaceId, [await find(id)]),
  ]) {
    const slugs = [newSlug(), newSlug(), newSlug()];
    const { link } = await create(slugs[0] ?? '');
    for (const customSlug of slugs.slice(1)) await change(link.id, { customSlug });
    await remove(link.id);
    for (const slug of slugs) {
      expect(await at(slug)).toBeUndefined();
      expect(await codeOf(create(slug))).toBeUndefined();
    }
  }
});

test('A request whose link was deleted does not create it again, even if its slug has been an alias since.', async () => {
  const slug = newSlug();
  const lease = store.newLease();
  const { link: first } = await create(slug, lease);
  await store.deleteLink({ link: first, clickCount: 0 });
  const { link } = await create(newSlug());
  await change(link.id, { customSlug: slug });
  expect(await codeOf(create(slug, lease))).toBe('link_deleted');
  await change(link.id, { customSlug: newSlug() });
  await change(link.id, { removedAlias: slug });
  expect(await codeOf(create(slug, lease))).toBe('link_deleted');
  await change(link.id, { customSlug: slug });
  await store.deleteLink(await find(link.id));
  expect(await codeOf(create(slug, lease))).toBe('link_deleted');
});

test('A request whose link has another slug by now finds that link.', async () => {
  const [slug, other] = [newSlug(), newSlug()];
  const lease = store.newLease();
  const { link } = await create(slug, lease);
  await change(link.id, { customSlug: other });
  await change(link.id, { removedAlias: slug });
  expect((await create(slug, lease)).link).toMatchObject({ id: link.id, shortCode: other });
});

test('An import does not get the slug of an alias, and creates its other links.', async () => {
  const [slug, free] = [newSlug(), newSlug()];
  const { link } = await create(newSlug());
  await change(link.id, { customSlug: slug });
  const entries = [slug.toUpperCase(), free].map((customSlug, index) => ({ index, url: 'https://example.org/', customSlug }));
  const results = await store.createLinks(workspace.domain, entries as never, new Map(), store.newLease());
  expect([results[0], results[1]]).toMatchObject([{ code: 'slug_taken' }, { shortCode: free }]);
  expect(await at(slug)).toBe(link.id);
});

describe('At once', () => {
  test('Of existing and new links that want the same slug, exactly one gets it.', async () => {
    for (let round = 0; round < 5; round++) {
      const slug = newSlug();
      const links = await Promise.all(Array.from({ length: 6 }, () => create(newSlug())));
      const results = await Promise.all([
        ...links.map(async ({ link }) => (Array.isArray(await change(link.id, { customSlug: slug })) ? link.id : undefined)),
        ...Array.from({ length: 3 }, () =>
          create(slug).then(
            ({ link }) => link.id,
            () => undefined,
          ),
        ),
      ]);
      const winners = results.filter((id) => id !== undefined);
      expect(winners).toEqual([await at(slug)]);
      for (const { link } of links) expect((await find(link.id)).link.shortCode === slug).toBe(link.id === winners[0]);
    }
  });

  test('All slugs that a link gets lead to it in the end.', async () => {
    const slugs = Array.from({ length: 5 }, () => newSlug());
    const { link } = await create(newSlug());
    await Promise.all(slugs.map((customSlug) => change(link.id, { customSlug })));
    for (const slug of slugs) expect(await at(slug)).toBe(link.id);
    const { shortCode, aliases } = (await find(link.id)).link;
    expect([shortCode, ...aliases].toSorted()).toEqual([link.shortCode, ...slugs].toSorted());
  });

  test('A link that is deleted while it gets slugs, gives them up and is changed leaves none of them behind.', async () => {
    for (let round = 0; round < 5; round++) {
      const slugs = [newSlug(), newSlug(), newSlug()];
      const { link } = await create(slugs[0] ?? '');
      await change(link.id, { customSlug: slugs[1] });
      await Promise.all([
        find(link.id).then((found) => store.deleteLink(found)),
        change(link.id, { customSlug: slugs[2] }).catch(() => undefined),
        change(link.id, { removedAlias: slugs[0] }).catch(() => undefined),
        change(link.id, { title: 'New' }).catch(() => undefined),
      ]);
      expect(await store.getLink(workspace.workspaceId, link.id)).toBeUndefined();
      for (const slug of slugs) {
        expect(await at(slug)).toBeUndefined();
        expect(await codeOf(create(slug))).toBeUndefined();
      }
    }
  });

  test('A slug that one link gives up and others want never belongs to two links.', async () => {
    for (let round = 0; round < 5; round++) {
      const slug = newSlug();
      const { link } = await create(newSlug());
      await change(link.id, { customSlug: slug });
      await change(link.id, { customSlug: newSlug() });
      const { link: other } = await create(newSlug());
      const seen = await Promise.all([
        change(link.id, { removedAlias: slug }).then(() => at(slug)),
        change(other.id, { customSlug: slug }).then(() => at(slug)),
        ...Array.from({ length: 5 }, () => at(slug)),
      ]);
      for (const id of seen) expect([undefined, link.id, other.id]).toContain(id);
      const has = (await find(other.id)).link.shortCode === slug;
      expect(await at(slug)).toBe(has ? other.id : undefined);
      expect(await codeOf(create(slug))).toBe(has ? 'slug_taken' : undefined);
    }
  });
});
