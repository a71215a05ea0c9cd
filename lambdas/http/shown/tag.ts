import type { Tag } from '../../core/tag/tag.ts';
import { tagView } from '../../views/tag.ts';
import type { Shown } from '../entity-tag.ts';

/** A tag as responses about a single tag show it. Its count changes with its links. */
export const showTag = (tag: Tag): Shown => {
  const body = tagView(tag);
  const { _count, ...settings } = body;
  return { body, settings };
};
