import { expect } from 'vitest';
import { callEndpoint, contextWith } from '../http/invoke.ts';
import { newTeam } from '../things/members.ts';
import {
  type Answer,
  answerOf,
  batchGet,
  changeAsOther,
  color,
  deletionsOf,
  expectAgreement,
  get,
  ifMatch,
  linkWithTags,
  plenty,
  query,
  refusalOf,
  remove,
  type Scenarios,
  store,
  transact,
  update,
} from './scenario.ts';

/** The names of a workspace's tags, each with the tag that holds it. Expects that the workspace's counter agrees. */
async function namesOf(workspaceId: string): Promise<Record<string, string>> {
  const tags = await store.listTags(workspaceId);
  const held = await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspaceId}`, skPrefix: 'TAGNAME#' }));
  expect(held.map(({ sk, tagId }) => [sk, tagId]).sort()).toEqual(
    tags.map(({ id, name }) => [`TAGNAME#${name.toLowerCase()}`, id]).sort(),
  );
  expect((await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.tagCount).toBe(tags.length);
  return Object.fromEntries(tags.map(({ id, name }) => [name, id]));
}

/** Deletes the first of three tags. Somebody else renames it; or if it is gone already, creates another of its name. */
async function deletion(isConditional: boolean) {
  const { workspaceId, a, b, c } = await linkWithTags();
  const headers = isConditional ? await ifMatch('get-tag', workspaceId, a) : {};
  let their: string | undefined;
  return {
    act: (budget: number) => callEndpoint('delete-tag', { workspaceId, id: a, headers, budget }),
    check: async () => {
      expect(await namesOf(workspaceId)).toEqual({ B: b, C: c });
      expect(await store.getItem({ pk: `TAG#${a}`, sk: 'SWEEP' })).toMatchObject({ tagId: a });
      expect(await deletionsOf(a)).toBe(1);
    },
    meanwhile: async () => {
      if ((await refusalOf(store.updateTag(workspaceId, a, { name: 'Theirs' }))) === undefined) return;
      ({ id: their } = await store.createTag(workspaceId, { name: 'A', color }));
    },
    checkBoth: async ({ status }: Answer) => {
      const isRefused = isConditional && !their;
      expect(status).toBe(isRefused ? 412 : 204);
      expect(await namesOf(workspaceId)).toEqual({ B: b, C: c, ...(isRefused && { Theirs: a }), ...(their && { A: their }) });
      expect(await deletionsOf(a)).toBe(isRefused ? 0 : 1);
    },
  };
}

/** Changes name and colour of the first of three tags. Somebody else changes them too. */
async function renaming(isConditional: boolean) {
  const { workspaceId, a, b, c } = await linkWithTags();
  const headers = isConditional ? await ifMatch('get-tag', workspaceId, a) : {};
  const ours = { name: 'New', color: '#abcdef' };
  const theirs = { name: 'Theirs', color: '#fedcba' };
  let isLater = false;
  const expectTag = async (expected: typeof ours) => {
    expect(await store.getTag(workspaceId, a)).toMatchObject({ ...expected, linkCount: 1 });
    expect(await namesOf(workspaceId)).toEqual({ [expected.name]: a, B: b, C: c });
  };
  return {
    act: (budget: number) => callEndpoint('update-tag', { workspaceId, id: a, headers, body: ours, budget }),
    check: () => expectTag(ours),
    meanwhile: async () => {
      isLater = (await store.getTag(workspaceId, a))?.name === 'New';
      await store.updateTag(workspaceId, a, theirs);
    },
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(isConditional && !isLater ? 412 : 200);
      await expectTag(isConditional || isLater ? theirs : ours);
    },
  };
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
export const tagScenarios: Scenarios = {
  'create-tag': {
    calls: [transact],
    repeated: [409],
    succeeds: 201,
    arrange: async () => {
      const { workspaceId } = await store.newWorkspace();
      let isFirst = true;
      return {
        act: (budget) => callEndpoint('create-tag', { workspaceId, body: { name: 'New', color }, budget }),
        check: async () => expect(Object.keys(await namesOf(workspaceId))).toEqual(['New']),
        // Takes the name; or if it is taken already, renames the tag and then takes it.
        meanwhile: async () => {
          const take = () => refusalOf(store.createTag(workspaceId, { name: 'New', color }));
          isFirst = (await take()) === 'tag_name_taken';
          if (!isFirst) return;
          const [tag] = await store.listTags(workspaceId);
          await store.updateTag(workspaceId, tag?.id ?? '', { name: 'Renamed' });
          await take();
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(isFirst ? 201 : 409);
          expect(Object.keys(await namesOf(workspaceId)).sort()).toEqual(isFirst ? ['New', 'Renamed'] : ['New']);
        },
      };
    },
  },
  'list-tags': {
    calls: Array.from({ length: 8 }, () => query),
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
    arrange: () => deletion(false),
  },
  'delete-tag: as it was known': {
    calls: [get, get, transact],
    repeated: [404],
    succeeds: 204,
    arrange: () => deletion(true),
  },
  'update-tag': {
    calls: [get, transact],
    arrange: () => renaming(false),
  },
  'update-tag: as it was known': {
    calls: [get, get, transact],
    repeated: [412],
    arrange: () => renaming(true),
  },
  'sweep: a page': {
    calls: [get, query, get, transact, remove],
    arrange: async () => {
      const { workspaceId, id, a, b, c, counts, current } = await linkWithTags();
      await store.deleteTag(workspaceId, a);
      const check = async (tagIds: string[]) => {
        expect((await current())?.tagIds).toEqual(tagIds);
        expect(await Array.fromAsync(store.query({ pk: `TAG#${a}`, skPrefix: 'LINK#' }))).toEqual([]);
        expect(await store.getItem({ pk: `TAG#${a}`, sk: 'SWEEP' })).toBeUndefined();
      };
      return {
        act: (budget) => sweep(a, budget),
        check: () => check([b]),
        // The link gets other tags, and the page is delivered twice.
        meanwhile: async () => {
          await changeAsOther(workspaceId, id, { tagIds: [c] });
          await sweep(a, plenty);
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check([c]);
          expectAgreement((await counts()).slice(1));
        },
      };
    },
  },
  'sweep: a page with another behind it': {
    calls: [get, query, get, transact, update],
    settles: 4,
    arrange: async () => {
      const { workspaceId, a, b, current } = await linkWithTags();
      await store.deleteTag(workspaceId, a);
      const key = { pk: `TAG#${a}`, sk: 'SWEEP' };
      const page = () => store.sweepPage(a, 1);
      const check = async () => {
        expect((await current())?.tagIds).toEqual([b]);
        await sweep(a, plenty);
        expect(await store.getItem(key)).toBeUndefined();
      };
      return {
        act: (budget) => answerOf(budget, page),
        check,
        // The page is delivered twice. If it is done already, the next one is, which ends the sweep.
        meanwhile: page,
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
        },
      };
    },
  },
  'restart-sweeps: one that stalled': {
    calls: [query, batchGet, update, update, update],
    settles: true,
    alone: true,
    arrange: async () => {
      const { workspaceId, id, a } = await linkWithTags();
      await store.deleteTag(workspaceId, a);
      const key = { pk: `TAG#${a}`, sk: 'SWEEP' };
      // The sweep of an erasure has stalled too.
      await store.eraseClicks({ id, workspaceId, clickEpoch: 0 });
      // And so has that of the keys of a removed member.
      const { join, workspaceId: other } = await newTeam(store);
      await join('owner');
      const removed = await join('owner');
      await store.removeMember(other, removed.id, { keys: 'revoke', keptDays: 1 });
      const keys = [key, { pk: `ERASURE#${id}`, sk: 'SWEEP' }, { pk: `MADE#${removed.id}`, sk: 'SWEEP' }] as const;
      const deleteOthers = async () => {
        for (const left of keys.slice(1)) await store.deleteItem(left);
      };
      for (const stalled of keys)
        await store.updateItem(stalled, { text: 'SET #movedAt = :past', values: { ':past': '2020-01-01T00:00:00.000Z' } });
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
          const moved = await store.getItems(keys);
          expect(moved.map((item) => String(item?.movedAt) > '2020-01-02')).toEqual([true, true, true]);
          await deleteOthers();
        },
        // The sweep continues by itself, and ends.
        meanwhile: () => sweep(a, plenty),
        checkBoth: async ({ status }) => {
          expect([status, await store.getItem(key)]).toEqual([200, undefined]);
          await deleteOthers();
        },
      };
    },
  },
};
