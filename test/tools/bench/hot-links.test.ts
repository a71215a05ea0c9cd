import { expect, test } from 'vitest';
import { type HotLink, simulateHotLink } from '../../../tools/bench/simulations/hot-link.ts';
import { lehmer } from '../../../tools/bench/simulations/random.ts';

const busy = { seconds: 3, visitMs: 15 } as const;
const nexts = ['last used', 'longest idle'] as const satisfies readonly HotLink['next'][];

test.for(nexts)(
  '10,000 visits a second of one link take at most 1,000 reads a second, from the first second on, if the function %s serves next.',
  async (next) => {
    const { visits, mostReads } = await simulateHotLink({ ...busy, next, remembers: true }, lehmer());
    expect(visits).toBeGreaterThan(29_000);
    expect(mostReads).toBeLessThanOrEqual(1_000);
  },
);

test('Without the memory, they take more than the 3,000 reads a second that DynamoDB allows for an item.', async () => {
  const { mostReads } = await simulateHotLink({ ...busy, next: 'last used', remembers: false }, lehmer());
  expect(mostReads).toBeGreaterThan(3_000);
});
