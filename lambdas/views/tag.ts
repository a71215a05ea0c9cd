import type { Tag } from '../core/tag/tag.ts';

/** A tag as the API returns it. */
export const tagView = ({ id, name, color, createdAt, linkCount }: Tag) => ({
  id,
  name,
  color,
  createdAt,
  _count: { links: linkCount },
});
