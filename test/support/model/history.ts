import { expect, vi } from 'vitest';
import { patience } from '../run/patience.ts';
import { type Client, type Model, untilAnswered } from './client.ts';
import type { Fields, ModelLink } from './model.ts';

type Entry = {
  readonly id: string;
  readonly action: string;
  readonly actor: { readonly type: string };
  readonly subject: { readonly type: string; readonly id: string };
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
};

/** Reads all pages of a history, and returns the entries, oldest first. */
async function walk({ call }: Client, path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null; pages++) {
    const { answer } = await untilAnswered(() => call('GET', `${path}?limit=7${cursor && `&cursor=${cursor}`}`));
    expect([path, answer.status]).toEqual([path, 200]);
    expect(pages, 'a history ends').toBeLessThan(100);
    entries.push(...answer.body.entries);
    cursor = answer.body.nextCursor;
  }
  return entries.reverse();
}

/** The fields of a link that the model's changes touch. */
const fieldsOf = ({ fields, tagIds }: ModelLink): Fields => ({
  url: fields.url,
  title: fields.title,
  maxClicks: fields.maxClicks,
  externalId: fields.externalId,
  isArchived: fields.isArchived,
  tagIds,
  customSlug: fields.shortCode,
  aliases: fields.aliases,
});

/**
 * Applies a history to what was there first, and returns what is there in the end. Each entry must begin where the one
 * before ended: then none is missing, none is there twice, and all are in order.
 *
 * @param isGone which tags were deleted. They leave their links without an entry.
 */
function replayed(first: Fields, entries: readonly Entry[], isGone: (tagId: string) => boolean): Fields {
  const state: Record<string, unknown> = { ...first };
  const plain = (field: string, value: unknown) =>
    field === 'tagIds' && Array.isArray(value) ? value.filter((id) => !isGone(id)) : value;
  for (const { changes, action } of entries) {
    for (const [field, { from, to }] of Object.entries(changes)) {
      if (field in state) expect([action, field, plain(field, from)]).toEqual([action, field, plain(field, state[field])]);
      state[field] = to;
    }
  }
  return Object.fromEntries(Object.entries(state).map(([field, value]) => [field, plain(field, value)]));
}

/**
 * Expects that the history of each link, of those that exist and of those that are gone, leads from how it was created
 * to how the model has it; the same for the names of tags; and that the workspace's history has all of it.
 */
export async function lookBack(client: Client, { state, born, everyTag }: Model): Promise<void> {
  const isGone = (tagId: string) => !state.tags.some(({ id }) => id === tagId);
  // The stream is read continuously, but at times that the test cannot know.
  await vi.waitFor(
    async () => {
      const found: string[] = [];
      for (const [id, first] of born) {
        const [creation, ...entries] = await walk(client, `/links/${id}/history`);
        expect(creation).toMatchObject({ id: 'his_0', action: 'link.created', actor: { type: 'key' } });
        for (const entry of entries) expect([entry.subject.id, entry.actor.type]).toEqual([id, 'key']);
        const link = state.links[id];
        const last = replayed(first ? fieldsOf(first) : {}, entries, isGone);
        if (link) expect(fieldsOf(link)).toMatchObject(last);
        else expect(entries.at(-1)?.action).toBe('link.deleted');
        expect(entries.filter(({ action }) => action === 'link.deleted')).toHaveLength(link ? 0 : 1);
        found.push(...entries.map((entry) => `${id} ${entry.id}`));
      }
      const all = await walk(client, '/history');
      const ofTags = all.filter(({ subject }) => subject.type === 'tag');
      for (const id of new Set(everyTag)) {
        const entries = ofTags.filter(({ subject }) => subject.id === id);
        const [first] = entries;
        const last = replayed({ ...(first?.changes.name && { name: first.changes.name.from }) }, entries, isGone);
        const tag = state.tags.find((one) => one.id === id);
        if (!tag) expect(entries.at(-1)?.action).toBe('tag.deleted');
        else if (first) expect(last.name).toBe(tag.name);
      }
      const ofLinks = all.filter(({ subject }) => subject.type === 'link').map(({ id, subject }) => `${subject.id} ${id}`);
      expect(ofLinks.sort()).toEqual(found.sort());
    },
    { timeout: patience, interval: 200 },
  );
}
