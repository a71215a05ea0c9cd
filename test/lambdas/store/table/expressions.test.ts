import { describe, expect, test } from 'vitest';
import {
  all,
  any,
  ConditionFailed,
  failedCondition,
  ifConditionFails,
  is,
  isAtRevision,
  isPresent,
  lacks,
  placeholdersOf,
} from '../../../../lambdas/store/table/expressions.ts';

const item = { pk: 'pk', sk: 'sk' };

describe('ifConditionFails', () => {
  test('returns what the write returns, and does not call its handler.', async () => {
    const otherwise = () => expect.unreachable();
    expect(await ifConditionFails(Promise.resolve('written'), otherwise)).toBe('written');
  });

  test("returns its handler's result for the failed condition.", async () => {
    const write = Promise.reject(new ConditionFailed([item], true));
    expect(await ifConditionFails(write, async ({ items, isAmbiguous }) => ({ items, isAmbiguous }))).toEqual({
      items: [item],
      isAmbiguous: true,
    });
  });

  test('throws every other error unchanged, and errors of its handler.', async () => {
    const [error, refusal] = [new Error('ConditionFailed'), new Error('refused')];
    await expect(ifConditionFails(Promise.reject(error), () => undefined)).rejects.toBe(error);
    const rejected = ifConditionFails(Promise.reject(new ConditionFailed([])), () => {
      throw refusal;
    });
    await expect(rejected).rejects.toBe(refusal);
  });
});

describe('failedCondition', () => {
  test('returns the failed condition itself.', async () => {
    const failed = new ConditionFailed([undefined]);
    expect(await failedCondition(Promise.reject(failed))).toBe(failed);
  });

  test('returns undefined for a write that succeeds, whatever the write returns.', async () => {
    expect(await failedCondition(Promise.resolve(item))).toBeUndefined();
  });

  test('throws every other error unchanged.', async () => {
    const error = new Error('lost');
    await expect(failedCondition(Promise.reject(error))).rejects.toBe(error);
  });
});

describe('A failed condition', () => {
  test("has the item in a write's place, or an empty one.", () => {
    const failed = new ConditionFailed([undefined, {}, item]);
    expect(failed.held(1)).toEqual({});
    expect(failed.held(2)).toBe(item);
  });

  test('throws itself if it does not have the requested item.', () => {
    const failed = new ConditionFailed([undefined, item]);
    expect(() => failed.held()).toThrow(failed);
    expect(() => failed.held(2)).toThrow(failed);
  });
});

describe('Joined conditions', () => {
  const small = { text: '#size < :most', values: { ':most': 5 } };

  test('keep their meaning, whatever their own operators are.', () => {
    expect(all(any(is('a', 1), lacks('b')), small)).toEqual({
      text: '((#a = :is_a) OR (attribute_not_exists(#b))) AND (#size < :most)',
      values: { ':is_a': 1, ':most': 5 },
      names: {},
    });
  });

  // DynamoDB refuses redundant parentheses.
  test('have no parentheses if there is only one.', () => {
    expect([all(small), any(small)]).toEqual([small, small]);
  });

  test('keep the names that stand for attributes.', () => {
    const blocked = { text: 'attribute_exists(#host)', names: { '#host': 'example.com' } };
    expect(all(isPresent, blocked).names).toEqual({ '#host': 'example.com' });
  });

  test('may share a placeholder only for the same value.', () => {
    const large = { text: '#size > :most', values: { ':most': 6 } };
    expect(any(small, small).values).toEqual({ ':most': 5 });
    expect(() => all(small, large)).toThrow('the placeholder :most stands for two values');
    expect(() => placeholdersOf([large, undefined, small])).toThrow('the placeholder :most stands for two values');
  });
});

describe('A revision that was read', () => {
  test('of 0 also matches an item without a revision.', () => {
    expect(isAtRevision(0).text).toBe('(#revision = :is_revision) OR (attribute_not_exists(#revision))');
  });

  test('above 0 matches only an item with this revision.', () => {
    expect(isAtRevision(3)).toEqual({ text: '#revision = :is_revision', values: { ':is_revision': 3 } });
  });
});
