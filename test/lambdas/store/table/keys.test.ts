import { expect, test } from 'vitest';
import { apiKeyId, fingerprintOf } from '../../../../lambdas/domain/api-key.ts';
import { locationOf, newLinkId } from '../../../../lambdas/domain/ids.ts';
import { apiKeyKeyOf, attemptsKey, clicksKey, linkKey, linkKeyOf } from '../../../../lambdas/store/table/keys.ts';

const location = locationOf('dom_a', 'slug');
const linkId = newLinkId(location);

test("A link's id leads to the link, its clicks and its attempts at the link's location.", () => {
  expect(linkKeyOf(linkId)).toEqual(linkKey(location));
  expect(clicksKey(linkId)).toEqual({ pk: `LINK#${location}`, sk: `CLICKS#${linkId}` });
  expect(attemptsKey(linkId, 'visitor')).toEqual({ pk: `LINK#${location}`, sk: `ATTEMPTS#${linkId}#visitor` });
});

test("An API key's id leads to the key's item.", () => {
  const fingerprint = fingerprintOf('lk_secret');
  expect(apiKeyKeyOf(apiKeyId(fingerprint))).toEqual({ pk: `KEY#${fingerprint}`, sk: 'KEY' });
});

test.for(['', location, `${linkId}a`, `${linkId}\n`, 'tag_0123456789abcdef'])(
  "The text %j, which isn't an id of a link or an API key, never becomes a key.",
  (text) => {
    expect(() => linkKeyOf(text)).toThrow("a text that isn't the id of a link cannot be a key");
    expect(() => clicksKey(text)).toThrow('the id of a link');
    expect(() => attemptsKey(text, 'visitor')).toThrow('the id of a link');
    expect(() => apiKeyKeyOf(text)).toThrow("a text that isn't the id of an API key cannot be a key");
  },
);
