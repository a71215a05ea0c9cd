import type { Tag } from '../domain/tag.ts';

/** A tag as the API answers with it: exactly these keys. */
export const tagView = ({ id, name, color, createdAt, linkCount }: Tag) => ({
  id,
  name,
  color,
  createdAt,
  _count: { links: linkCount },
});
