import { expect, test } from 'vitest';
import { turns } from '../../local/turns.ts';

test('no more than so many work at a time, everyone has a turn in the order of coming, and ending twice counts once', async () => {
  const turn = turns(3);
  const order: number[] = [];
  let working = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const end = await turn();
      order.push(index);
      most = Math.max(most, ++working);
      await new Promise((resolve) => setImmediate(resolve));
      working--;
      end();
      end();
    }),
  );
  expect(most).toBe(3);
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
});
