import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { creationMark, customSlugs, onlyLink, slugToTry } from '../../../../lambdas/core/link/creation.ts';

const creation = { requestId: 'req_a', salt: 'salt', createdAt: '2030-01-01T00:00:00.000Z' };

test('Each entry of each request has its own creation mark.', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.stringMatching(/^req_[0-9A-Za-z]{16}$/), fc.nat(999)), { selector: String }),
      (all) => {
        const marks = all.map(([requestId, index]) => creationMark({ ...creation, requestId }, { index }));
        expect(new Set(marks).size).toBe(all.length);
      },
    ),
  );
});

describe('The slug to try', () => {
  test('A custom slug is tried exactly as it was sent, at every attempt.', () => {
    for (const attempt of [0, 1]) {
      const avoid = new Set(['launch', 'Launch']);
      expect(slugToTry(creation, { index: 3, customSlug: 'Launch' }, attempt, avoid)).toBe('Launch');
    }
  });

  test('A generated slug depends only on its arguments, differs at each attempt, and avoids the slugs of other entries.', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(999), (salt, index) => {
        const make = (attempt: number, avoid: string[] = []) =>
          slugToTry({ ...creation, salt }, { index }, attempt, new Set(avoid));
        expect(make(0)).toBe(make(0));
        expect(make(1)).not.toBe(make(0));
        const second = make(0, [make(0)]);
        const third = make(0, [make(0), second]);
        expect(new Set([make(0), second, third]).size).toBe(3);
      }),
    );
  });

  test('A generated slug avoids custom slugs in any case.', () => {
    const slug = slugToTry(creation, { index: 0 }, 0, new Set());
    const taken = customSlugs([{ index: 1, customSlug: slug.toUpperCase() }, { index: 0 }]);
    expect(taken).toEqual(new Set([slug]));
    expect(slugToTry(creation, { index: 0 }, 0, taken)).not.toBe(slug);
  });
});

test('A request for one link gives it the creation mark of position 0, so that a retry finds the link.', () => {
  expect(onlyLink('Launch')).toEqual({ index: 0, customSlug: 'Launch' });
  expect(creationMark(creation, onlyLink(undefined))).toBe(`${creation.requestId}#0`);
});
