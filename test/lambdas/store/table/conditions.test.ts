import { describe, expect, test } from 'vitest';
import { ConditionFailed, failedCondition, ifConditionFails } from '../../../../lambdas/store/table/conditions.ts';

const item = { pk: 'pk', sk: 'sk' };

describe('ifConditionFails', () => {
  test('gives what the write returns, and asks for nothing else.', async () => {
    const otherwise = () => expect.unreachable();
    expect(await ifConditionFails(Promise.resolve('written'), otherwise)).toBe('written');
  });

  test('gives what is made of the failed condition.', async () => {
    const write = Promise.reject(new ConditionFailed([item], true));
    expect(await ifConditionFails(write, async ({ items, isAmbiguous }) => ({ items, isAmbiguous }))).toEqual({
      items: [item],
      isAmbiguous: true,
    });
  });

  test('throws every other error as it came, and what is thrown about the failed condition.', async () => {
    const [error, refusal] = [new Error('ConditionFailed'), new Error('refused')];
    await expect(ifConditionFails(Promise.reject(error), () => undefined)).rejects.toBe(error);
    const rejected = ifConditionFails(Promise.reject(new ConditionFailed([])), () => {
      throw refusal;
    });
    await expect(rejected).rejects.toBe(refusal);
  });
});

describe('failedCondition', () => {
  test('gives the failed condition itself.', async () => {
    const failed = new ConditionFailed([undefined]);
    expect(await failedCondition(Promise.reject(failed))).toBe(failed);
  });

  test('gives nothing for a write that is done, whatever it returns.', async () => {
    expect(await failedCondition(Promise.resolve(item))).toBeUndefined();
  });

  test('throws every other error as it came.', async () => {
    const error = new Error('lost');
    await expect(failedCondition(Promise.reject(error))).rejects.toBe(error);
  });
});

describe('A failed condition', () => {
  test("gives what the table held in a write's place, an empty item included.", () => {
    const failed = new ConditionFailed([undefined, {}, item]);
    expect(failed.held(1)).toEqual({});
    expect(failed.held(2)).toBe(item);
  });

  test('throws itself if it is asked for an item that it has not.', () => {
    const failed = new ConditionFailed([undefined, item]);
    expect(() => failed.held()).toThrow(failed);
    expect(() => failed.held(2)).toThrow(failed);
  });
});
