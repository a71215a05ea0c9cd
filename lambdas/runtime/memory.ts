/** A function's in-memory cache of values that it has read. */
export type Memory<T> = {
  /** The cached value, wrapped because it may be undefined; undefined if there is none at that time. */
  get(key: string, now: number): { readonly value: T } | undefined;
  set(key: string, value: T, now: number): void;
};

/**
 * Caches each value for a while. A full cache is cleared, so that many different keys cannot exhaust the function's
 * memory.
 *
 * @param forMs how long a value is valid, in milliseconds.
 * @param most how many values fit.
 */
export function memory<T>({ forMs, most }: { readonly forMs: number; readonly most: number }): Memory<T> {
  const entries = new Map<string, { readonly value: T; readonly readAt: number }>();
  return {
    get: (key, now) => {
      const entry = entries.get(key);
      // A clock that is set back must not make a value last longer.
      return entry && entry.readAt <= now && now < entry.readAt + forMs ? entry : undefined;
    },
    set: (key, value, now) => {
      if (entries.size >= most) entries.clear();
      entries.set(key, { value, readAt: now });
    },
  };
}
