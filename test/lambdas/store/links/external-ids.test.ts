import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { findExternalId, getLinkByExternalId, takingExternalId } from '../../../../lambdas/store/links/external-ids.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

let made = 0;
const newId = () => `page:${++made}`;
const create = (externalId: string | null, { domain } = workspace) =>
  store.createLink(domain, { url: 'https://example.org/', externalId }, store.newLease());
const codeOf = async (work: Promise<unknown>) => {
  try {
    await work;
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};
/** Sets or removes a link's external id. Returns the reason of a refusal, or undefined. */
const change = async (id: string, externalId: string | null) => {
  const found = await store.getLink(workspace.workspaceId, id);
  return found ? codeOf(store.updateLink(found, { externalId })) : 'not_found';
};
const holderOf = async (externalId: string) => (await getLinkByExternalId(workspace.workspaceId, externalId))?.link.id;

describe('An external id', () => {
  test('It belongs to one link of a workspace, is case-sensitive, and another workspace can have the same.', async () => {
    const [id, other] = [newId(), await store.newWorkspace()];
    const { link } = await create(id);
    expect(await codeOf(create(id))).toBe('external_id_taken');
    const [upper, theirs] = [await create(id.toUpperCase()), await create(id, other)];
    expect([await holderOf(id), await holderOf(id.toUpperCase())]).toEqual([link.id, upper.link.id]);
    expect((await getLinkByExternalId(other.workspaceId, id))?.link.id).toBe(theirs.link.id);
  });

  test('Of 100 creations with the same one at once, one succeeds.', async () => {
    const id = newId();
    const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(create(id))));
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set([undefined, 'external_id_taken']));
    expect(await holderOf(id)).toBeDefined();
  });

  test('A link can get one, change it and give it up, and another link can then have it.', async () => {
    const [first, second] = [newId(), newId()];
    const [{ link: a }, { link: b }] = [await create(null), await create(second)];
    expect(await change(a.id, first)).toBeUndefined();
    expect(await change(a.id, second)).toBe('external_id_taken');
    expect(await change(b.id, null)).toBeUndefined();
    expect(await change(a.id, second)).toBeUndefined();
    expect(await change(b.id, first)).toBeUndefined();
    expect([await holderOf(first), await holderOf(second)]).toEqual([b.id, a.id]);
    expect(await change(a.id, second)).toBeUndefined();
    expect(await holderOf(second)).toBe(a.id);
  });

  test('A deleted link, alone or in bulk, frees it, and the next link with it has a new id.', async () => {
    const ids = [newId(), newId(), newId()];
    const links = (await Promise.all(ids.map((id) => create(id)))).map(({ link }) => link);
    const [one, ...others] = await store.getLinks(
      workspace.workspaceId,
      links.map(({ id }) => id),
    );
    if (one) await store.deleteLink(one);
    await store.deleteLinks(
      workspace.workspaceId,
      others.filter((found) => found !== undefined),
    );
    for (const [index, id] of ids.entries()) {
      expect(await holderOf(id)).toBeUndefined();
      const { link } = await create(id);
      expect(link.id).not.toBe(links[index]?.id);
      expect(await holderOf(id)).toBe(link.id);
    }
  });

  test('A creation that arrives after the id was used and freed again, even many times, fails.', async () => {
    const id = newId();
    const { link } = await create(null);
    const seen: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const there = await findExternalId(workspace.workspaceId, id);
      if (there.is === 'taken') throw new Error('it is free');
      for (const other of [id, null]) expect(await change(link.id, other)).toBeUndefined();
      const late = takingExternalId({ id: 'late', workspaceId: workspace.workspaceId }, id, there.condition);
      seen.push(await store.transact([late], crypto.randomUUID()).catch(({ name }: Error) => name));
    }
    expect(seen).toEqual(Array(3).fill('ConditionFailed'));
    expect(await holderOf(id)).toBeUndefined();
  });

  test('Whatever is done at once, each external id leads to the link that has it, and no two links have the same.', async () => {
    const index = fc.nat(2);
    const doing = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), id: index }),
      fc.record({ kind: fc.constant('change' as const), link: index, id: fc.option(index) }),
      fc.record({ kind: fc.constant('delete' as const), link: index }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(doing, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        async (steps) => {
          const ids = [newId(), newId(), newId()];
          const links = [(await create(ids[0] ?? null)).link.id, (await create(null)).link.id];
          for (const step of steps) {
            await Promise.all(
              step.map(async (one) => {
                const link = links[('link' in one ? one.link : 0) % links.length] ?? '';
                if (one.kind === 'change') return change(link, one.id === null ? null : (ids[one.id] ?? null));
                if (one.kind === 'create') return codeOf(create(ids[one.id] ?? null).then((made) => links.push(made.link.id)));
                const found = await store.getLink(workspace.workspaceId, link);
                return found && codeOf(store.deleteLink(found));
              }),
            );
            const found = await store.getLinks(workspace.workspaceId, links);
            for (const id of ids) {
              const holders = found.flatMap((one) => (one?.link.externalId === id ? one.link.id : []));
              expect(holders.length).toBeLessThanOrEqual(1);
              const there = await findExternalId(workspace.workspaceId, id);
              expect(there.is === 'taken' ? [there.holder.id] : []).toEqual(holders);
            }
          }
        },
      ),
      { numRuns: 8 },
    );
  });
});
