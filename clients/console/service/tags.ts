import { api } from './client.ts';
import { type Say, untilMade } from './patience.ts';
import { queries } from './queries.ts';
import { tagAt } from './resources.ts';
import type { Tag } from './types.ts';

/** Colours to begin with, in turn. */
const colours = ['#0b6b70', '#8a4b00', '#5b3fa8', '#b3261e', '#1b6a3c', '#1f5fa8'];

/** A colour for the next tag, unlike that of the last ones. */
export const nextColour = (): string => {
  const known = queries.getQueryData<readonly Tag[]>(['tags'])?.length ?? 0;
  return colours[known % colours.length] ?? '#0b6b70';
};

/**
 * Creates a tag.
 *
 * @param say called with what it waits for.
 * @throws ProblemError `tag_name_taken` and others; UnsureError
 */
export async function createTag(tag: { readonly name: string; readonly color: string }, say?: Say): Promise<Tag> {
  const made = await untilMade(
    () => api.POST('/api/v1/tags', { body: tag }),
    async () => (await api.GET('/api/v1/tags')).data.tags.find(({ name }) => name === tag.name.trim()),
    say,
  );
  queries.setQueryData<readonly Tag[]>(['tags'], (all) => all && [...all, made]);
  tagAt(made.id).refresh();
  return made;
}
