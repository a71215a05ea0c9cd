import { api } from './client.ts';
import { checking, type Say, untilAnswered } from './patience.ts';
import { queries } from './queries.ts';
import type { Tag } from './types.ts';

/** Colours to begin with, in turn. */
const colours = ['#0b6b70', '#8a4b00', '#5b3fa8', '#b3261e', '#1b6a3c', '#1f5fa8'];

/** A colour for the next tag, unlike that of the last ones. */
export const nextColour = (): string => {
  const known = queries.getQueryData<readonly Tag[]>(['tags'])?.length ?? 0;
  return colours[known % colours.length] ?? '#0b6b70';
};

/** Loads the tags anew, and the links that show them. */
const refreshTags = (): void => {
  void queries.invalidateQueries({ queryKey: ['tags'] });
  void queries.invalidateQueries({ queryKey: ['link'] });
};

/**
 * Creates a tag.
 *
 * @param say called with what it waits for.
 * @throws ProblemError `tag_name_taken` and others; UnsureError
 */
export async function createTag(tag: { readonly name: string; readonly color: string }, say?: Say): Promise<Tag> {
  let isRepeated = false;
  const again: Say = (text) => {
    isRepeated ||= text === checking;
    say?.(text);
  };
  const made = await untilAnswered(() => api.POST('/api/v1/tags', { body: tag }), again).then(
    ({ data }) => data,
    async (error: unknown) => {
      // The first attempt may have made it. Names are unique, so it is there either way.
      const list = isRepeated ? (await api.GET('/api/v1/tags')).data.tags : [];
      const there = list.find((one) => one.name === tag.name.trim());
      if (there === undefined) throw error;
      return there;
    },
  );
  queries.setQueryData<readonly Tag[]>(['tags'], (all) => all && [...all, made]);
  refreshTags();
  return made;
}
