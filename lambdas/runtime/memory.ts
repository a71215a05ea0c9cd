import { type Instant, isWithin } from './instant.ts';

/** A function's in-memory cache of values that it has read. */
export type Memory<T> = {
  /** The cached value, and when it was read; undefined if there is none at that moment. */
  get(key: string, now: Instant): { readonly value: T; readonly readAt: Instant } | undefined;
  /** @param readAt a moment before the read was sent: the value may have changed since. */
  set(key: string, value: T, readAt: Instant): void;
};

/**
 * Caches each value for a while, by the wall clock and by the steady one. A full cache is cleared, so that many
 * different keys cannot exhaust the function's memory.
 *
 * @param forMs how long a value is valid, in milliseconds.
 * @param most how many values fit.
 */
export function memory<T>({ forMs, most }: { readonly forMs: number; readonly most: number }): Memory<T> {
  const entries = new Map<string, { readonly value: T; readonly readAt: Instant }>();
  return {
    get: (key, now) => {
      const entry = entries.get(key);
      return entry && isWithin(forMs, entry.readAt, now) ? entry : undefined;
    },
    set: (key, value, readAt) => {
      const entry = entries.get(key);
      // A read that was sent earlier, but returned later, must not bring an old value back.
      if (entry && entry.readAt.steady > readAt.steady) return;
      if (!entry && entries.size >= most) entries.clear();
      entries.set(key, { value, readAt });
    },
  };
}
