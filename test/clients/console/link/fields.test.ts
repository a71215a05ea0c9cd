import { expect, test } from 'vitest';
import { bodyOf, newValues } from '../../../../clients/console/link/fields/fields.ts';

test('Addresses without a scheme get one when they are sent, and no other text does.', () => {
  const values = { ...newValues(' a.example/x '), expiredUrl: 'b.example', image: '', title: 'c.example', notes: 'd.example' };
  expect(bodyOf(values, ['url', 'expiredUrl', 'image', 'title', 'notes'])).toEqual({
    url: 'https://a.example/x',
    expiredUrl: 'https://b.example',
    image: null,
    title: 'c.example',
    notes: 'd.example',
  });
});
