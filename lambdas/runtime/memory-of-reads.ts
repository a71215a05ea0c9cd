import { type Memory, memory } from './memory.ts';

/**
 * Caches what reads have found, and keys without a value. The two have separate caches, so that a flood of unknown keys
 * cannot evict known ones. Of two reads of a key, the one that was sent later wins.
 *
 * @param options see `memory`. Each of the two caches has this size.
 */
export function memoryOfReads<T>(options: Parameters<typeof memory>[0]): Memory<T | undefined> {
  const values = memory<T | undefined>(options);
  const gaps = memory<T | undefined>(options);
  return {
    get: (key, now) => {
      const value = values.get(key, now);
      const gap = gaps.get(key, now);
      return value && !(gap && gap.readAt.steady >= value.readAt.steady) ? value : gap;
    },
    set: (key, value, readAt) => (value ? values : gaps).set(key, value, readAt),
  };
}
