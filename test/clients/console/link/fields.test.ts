import { expect, test } from 'vitest';
import { bodyOf, newValues } from '../../../../clients/console/link/fields/fields.ts';

test('A pasted text loses invisible characters at both ends when it is sent.', () => {
  const values = {
    ...newValues('\u2068https://a.example/x\u2069'),
    webhookUrls: '\u200bhttps://b.example/\nhttps://c.example/\u200e',
  };
  expect(bodyOf({ ...values, customSlug: 'sale\u200b', image: '\u200b' }, ['url', 'webhookUrls', 'customSlug', 'image'])).toEqual(
    {
      url: 'https://a.example/x',
      webhookUrls: 'https://b.example/,https://c.example/',
      customSlug: 'sale',
      image: null,
    },
  );
});

test("Addresses without a scheme get one when they are sent, and other texts don't.", () => {
  const values = { ...newValues(' a.example/x '), expiredUrl: 'b.example', image: '', title: 'c.example', notes: 'd.example' };
  expect(bodyOf(values, ['url', 'expiredUrl', 'image', 'title', 'notes'])).toEqual({
    url: 'https://a.example/x',
    expiredUrl: 'https://b.example',
    image: null,
    title: 'c.example',
    notes: 'd.example',
  });
});
