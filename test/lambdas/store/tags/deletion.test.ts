import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const linkCount = 5;

/** An action on a link `at` milliseconds after the start, while the tag `gone` is deleted. */
const step = fc.record({
  does: fc.constantFrom('put', 'take off', 'show', 'list', 'sweep'),
  link: fc.nat({ max: linkCount - 1 }),
  beside: fc.subarray([0, 1]),
  at: fc.nat({ max: 12 }),
});
const schedule = fc.record({ steps: fc.array(step, { minLength: 5, maxLength: 25 }), deletedAt: fc.nat({ max: 12 }) });

test('A tag that is deleted while links gain, lose and show it stays on no link, and the counts of other tags are exact.', async () => {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  let made = 0;
  const newTag = async () => (await store.createTag(workspaceId, { name: `Tag ${++made}`, color: '#000000' })).id;

  await fc.assert(
    fc.asyncProperty(schedule, async ({ steps, deletedAt }) => {
      const [gone, ...others] = [await newTag(), await newTag(), await newTag()];
      const ids = (await store.newLinks(workspace, linkCount)).map(({ link }) => link.id);
      let isGone = false;
      const set = async (id: string, tagIds: string[]) => {
        const found = await store.getLink(workspaceId, id);
        if (found) await store.updateLink(found, { tagIds });
      };
      const actions = {
        put: (id: string, beside: string[]) =>
          // The update is refused only if the tag is gone.
          set(id, [gone, ...beside]).catch((error) => expect(error).toMatchObject({ code: 'tag_not_found' })),
        'take off': set,
        show: async (id: string) => {
          const wasGone = isGone;
          const found = await store.getLink(workspaceId, id);
          const shown = found && (await store.detailsOf([found], async () => new Set<string>()))[0]?.tags.map((tag) => tag.id);
          if (wasGone) expect(shown).not.toContain(gone);
        },
        list: async () => {
          const wasGone = isGone;
          const listed = (await store.listTags(workspaceId)).map((tag) => tag.id);
          expect(listed).toEqual(expect.arrayContaining(others));
          if (wasGone) expect(listed).not.toContain(gone);
        },
        sweep: () => store.sweepPage(gone),
      };
      const deletion = async () => {
        await wait(deletedAt);
        await store.deleteTag(workspaceId, gone);
        isGone = true;
      };
      const run = async ({ does, link, beside, at }: (typeof steps)[number]) => {
        await wait(at);
        await actions[does as keyof typeof actions](
          ids[link] ?? '',
          beside.map((index) => others[index] ?? ''),
        );
      };
      await Promise.all([deletion(), ...steps.map(run)]);
      while (await store.getItem({ pk: `TAG#${gone}`, sk: 'SWEEP' })) await store.sweepPage(gone);

      const [ofGone, ...ofOthers] = await store.countsOf(workspaceId, [gone, ...others], ids);
      expect(ofGone).toEqual({ count: undefined, pairs: 0, links: 0 });
      for (const { count, pairs, links } of ofOthers) expect([pairs, links]).toEqual([count, count]);
    }),
    { numRuns: runs(3) },
  );
});
