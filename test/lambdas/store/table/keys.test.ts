import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newClickId } from '../../../../lambdas/core/ids.ts';
import { apiKeyId, fingerprintOf } from '../../../../lambdas/core/key/api-key.ts';
import { locationOf, newLinkId } from '../../../../lambdas/core/link/location.ts';
import {
  apiKeyKeyOf,
  attemptsKey,
  clickKey,
  countKey,
  linkKey,
  linkKeyOf,
  linkOfClick,
} from '../../../../lambdas/store/table/keys.ts';

const location = locationOf('dom_a', 'slug');
const linkId = newLinkId(location);

test("A link's id leads to the link at its location, and to the link's own counter and attempts.", () => {
  expect(linkKeyOf(linkId)).toEqual(linkKey(location));
  expect(countKey(linkId)).toEqual({ pk: `COUNT#${linkId}`, sk: 'COUNT' });
  expect(attemptsKey(linkId, 'visitor')).toEqual({ pk: `ATTEMPTS#${linkId}#visitor`, sk: 'ATTEMPTS' });
});

test("A click's key names its link, its time and its id, and the same click always has the same key.", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Za-z]{22}$/), (id) => {
      const click = { linkId, at: '2030-01-02T03:04:05.678Z', id };
      const { pk, sk } = clickKey(click);
      expect(pk).toMatch(new RegExp(`^CLICK#${linkId}#(\\d|1[0-5])$`));
      expect(sk).toBe(`2030-01-02T03:04:05.678Z#${id}`);
      expect(linkOfClick(pk)).toBe(linkId);
      expect(clickKey(click)).toEqual({ pk, sk });
    }),
  );
});

test("A link's clicks are spread evenly over 16 partitions.", () => {
  const counts = new Map<string, number>();
  for (let click = 0; click < 16_000; click++) {
    const { pk } = clickKey({ linkId, at: '2030-01-02T03:04:05.678Z', id: newClickId() });
    counts.set(pk, (counts.get(pk) ?? 0) + 1);
  }
  expect(counts.size).toBe(16);
  // More than ten standard deviations from the mean of 1,000.
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(320);
});

test.for(['', 'CLICK', 'CLICK#', 'CLICK#lnk_short#7', `COUNT#${linkId}`, `click#${linkId}#7`, `LINK#${location}`])(
  "The key %j isn't that of a click.",
  (pk) => {
    expect(linkOfClick(pk)).toBeUndefined();
  },
);

test("An API key's id leads to the key's item.", () => {
  const fingerprint = fingerprintOf('lk_secret');
  expect(apiKeyKeyOf(apiKeyId(fingerprint))).toEqual({ pk: `KEY#${fingerprint}`, sk: 'KEY' });
});

test.for(['', location, `${linkId}a`, `${linkId}\n`, 'tag_0123456789abcdef'])(
  "The text %j, which isn't an id of a link or an API key, never becomes a key.",
  (text) => {
    expect(() => linkKeyOf(text)).toThrow("a text that isn't the id of a link cannot be a key");
    expect(() => countKey(text)).toThrow('the id of a link');
    expect(() => clickKey({ linkId: text, at: '2030', id: '1' })).toThrow('the id of a link');
    expect(() => attemptsKey(text, 'visitor')).toThrow('the id of a link');
    expect(() => apiKeyKeyOf(text)).toThrow("a text that isn't the id of an API key cannot be a key");
  },
);
