import { type Memory, memory } from './memory.ts';

/**
 * Caches what reads have found, and where they have found nothing. The two are apart, so that a flood of keys at which
 * nothing is displaces none of what is there. Of two reads of a key, the one that was sent later counts.
 *
 * @param options see `memory`: so many values of each of the two fit.
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
