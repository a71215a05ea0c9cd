import { expect, test } from 'vitest';
import type { Tag } from '../../../lambdas/core/tag/tag.ts';
import { tagView } from '../../../lambdas/views/tag.ts';

const tag: Tag = {
  id: 'tag_a',
  name: 'Launch',
  color: '#1a2b3c',
  createdAt: '2030-01-01T00:00:00.000Z',
  linkCount: 7,
  revision: 0,
};

test('A tag has exactly five keys in a response.', () => {
  expect(tagView({ ...tag, secret: 'of the table' } as Tag)).toStrictEqual({
    id: 'tag_a',
    name: 'Launch',
    color: '#1a2b3c',
    createdAt: '2030-01-01T00:00:00.000Z',
    _count: { links: 7 },
  });
});
