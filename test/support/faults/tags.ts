import { expect } from 'vitest';
import { callEndpoint, contextWith } from '../invoke.ts';
import {
  type Answer,
  batchGet,
  color,
  get,
  ifMatch,
  linkWithTags,
  plenty,
  query,
  remove,
  type Scenario,
  store,
  transact,
  update,
} from './scenario.ts';

/** Expects that the tag has its new name, and that the old one is available. */
async function expectRenamed(workspaceId: string, tagId: string): Promise<void> {
  expect(await store.getTag(workspaceId, tagId)).toMatchObject({ name: 'New', color: '#abcdef', linkCount: 1 });
  const nameOf = (name: string) => store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: `TAGNAME#${name}` });
  expect([(await nameOf('new'))?.tagId, await nameOf('a')]).toEqual([tagId, undefined]);
}

/** Runs one page of a deleted tag's sweep, as the stream triggers it. */
async function sweep(tagId: string, budget: number): Promise<Answer> {
  const { handler } = await import('../../../lambdas/events/sweep.ts');
  const Records = [{ dynamodb: { Keys: { pk: { S: `TAG#${tagId}` } }, SequenceNumber: '1' } }];
  const { batchItemFailures } = await handler({ Records }, contextWith(budget));
  // A reported record is delivered again, which corresponds to a 503.
  return batchItemFailures.length > 0 ? { status: 503, headers: { 'Retry-After': '1' } } : { status: 200 };
}

/** Requests for tags, and the sweeps that remove deleted tags from their links. */
export const tagScenarios: Record<string, Scenario> = {
  'create-tag': {
    calls: [transact],
    repeated: [409],
    succeeds: 201,
    arrange: async () => {
      const { workspaceId } = await store.newWorkspace();
      return {
        act: (budget) => callEndpoint('create-tag', { workspaceId, body: { name: 'New', color }, budget }),
        check: async () => {
          expect((await store.listTags(workspaceId)).map(({ name }) => name)).toEqual(['New']);
          expect((await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.tagCount).toBe(1);
        },
      };
    },
  },
  'list-tags': {
    calls: [query],
    arrange: async () => {
      const { workspaceId } = await linkWithTags();
      return { act: (budget) => callEndpoint('list-tags', { workspaceId, budget }), check: async () => {} };
    },
  },
  'get-tag': {
    calls: [get],
    arrange: async () => {
      const { workspaceId, a } = await linkWithTags();
      return { act: (budget) => callEndpoint('get-tag', { workspaceId, id: a, budget }), check: async () => {} };
    },
  },
  'delete-tag': {
    calls: [get, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, a, b, c } = await linkWithTags();
      return {
        act: (budget) => callEndpoint('delete-tag', { workspaceId, id: a, budget }),
        check: async () => {
          expect((await store.listTags(workspaceId)).map(({ id }) => id).sort()).toEqual([b, c].sort());
          expect((await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.tagCount).toBe(2);
          expect(await store.getItem({ pk: `TAG#${a}`, sk: 'SWEEP' })).toMatchObject({ tagId: a });
          expect(await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'TAGNAME#a' })).toBeUndefined();
        },
      };
    },
  },
  'delete-tag: as it was known': {
    calls: [get, get, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, a, b, c } = await linkWithTags();
      const headers = await ifMatch('get-tag', workspaceId, a);
      return {
        act: (budget) => callEndpoint('delete-tag', { workspaceId, id: a, headers, budget }),
        check: async () => expect((await store.listTags(workspaceId)).map(({ id }) => id).sort()).toEqual([b, c].sort()),
      };
    },
  },
  'update-tag': {
    calls: [get, transact],
    arrange: async () => {
      const { workspaceId, a } = await linkWithTags();
      return {
        act: (budget) => callEndpoint('update-tag', { workspaceId, id: a, body: { name: 'New', color: '#abcdef' }, budget }),
        check: () => expectRenamed(workspaceId, a),
      };
    },
  },
  'update-tag: as it was known': {
    calls: [get, get, transact],
    repeated: [412],
    arrange: async () => {
      const { workspaceId, a } = await linkWithTags();
      const headers = await ifMatch('get-tag', workspaceId, a);
      const body = { name: 'New', color: '#abcdef' };
      return {
        act: (budget) => callEndpoint('update-tag', { workspaceId, id: a, body, headers, budget }),
        check: () => expectRenamed(workspaceId, a),
      };
    },
  },
  'sweep: a page': {
    calls: [get, query, get, transact, remove],
    arrange: async () => {
      const { workspaceId, a, b, current } = await linkWithTags();
      await store.deleteTag(workspaceId, a);
      return {
        act: (budget) => sweep(a, budget),
        check: async () => {
          expect((await current())?.tagIds).toEqual([b]);
          expect(await Array.fromAsync(store.query({ pk: `TAG#${a}`, skPrefix: 'LINK#' }))).toEqual([]);
          expect(await store.getItem({ pk: `TAG#${a}`, sk: 'SWEEP' })).toBeUndefined();
        },
      };
    },
  },
  'restart-sweeps: one that stalled': {
    calls: [query, batchGet, update],
    settles: true,
    alone: true,
    arrange: async () => {
      const { workspaceId, a } = await linkWithTags();
      await store.deleteTag(workspaceId, a);
      const key = { pk: `TAG#${a}`, sk: 'SWEEP' };
      await store.updateItem(key, { text: 'SET #movedAt = :past', values: { ':past': '2020-01-01T00:00:00.000Z' } });
      const { handler } = await import('../../../lambdas/events/restart-sweeps.ts');
      return {
        act: async (budget) => {
          try {
            await handler(undefined, contextWith(budget));
            return { status: 200 };
          } catch {
            // The schedule runs again.
            return { status: 503, headers: { 'Retry-After': '1' } };
          }
        },
        check: async () => {
          expect(String((await store.getItem(key))?.movedAt) > '2020-01-02').toBe(true);
        },
      };
    },
  },
};

/** Cases too rare to be tried under every fault. They still need permissions, which a test checks. */
export const seldomTags: Record<string, Scenario['arrange']> = {
  'sweep: a page with another behind it': async () => {
    const workspace = await store.newWorkspace();
    const tag = await store.createTag(workspace.workspaceId, { name: 'Many', color });
    for (const found of await store.newLinks(workspace, 100)) await store.updateLink(found, { tagIds: [tag.id] });
    await store.deleteTag(workspace.workspaceId, tag.id);
    return {
      act: () => sweep(tag.id, plenty),
      check: async () => expect(await store.getItem({ pk: `TAG#${tag.id}`, sk: 'SWEEP' })).toHaveProperty('cursor'),
    };
  },
};
