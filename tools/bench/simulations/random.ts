/** Returns random numbers in [0, 1). */
export type Random = () => number;

/** Random numbers that are the same in each run: https://en.wikipedia.org/wiki/Lehmer_random_number_generator */
export function lehmer(seed = 12_345): Random {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
}

/** How often something happens that happens `mean` times on average (Knuth). */
export function poisson(mean: number, random: Random): number {
  const limit = Math.exp(-mean);
  let count = -1;
  for (let product = 1; product > limit; product *= random()) count++;
  return count;
}

/**
 * Chooses one of `count` things: all equally often, or by Zipf's law (the second half as often as the first, the third
 * a third as often, and so on).
 */
export function chooser(count: number, popularity: 'uniform' | 'Zipf', random: Random): () => number {
  if (popularity === 'uniform') return () => Math.floor(random() * count);
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  return () => {
    const chosen = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > chosen) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** A number in [0, 1) from an item's key, like DynamoDB's hash, which determines the item's partition. */
export function hashOf(kind: number, id: number): number {
  let hash = Math.imul(id + 1, 0x9e3779b1) ^ Math.imul(kind + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
