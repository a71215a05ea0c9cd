/** What a running function remembers of what it read, by a key. */
export type Memory<T> = {
  /** What was read under the key, wrapped, since it may be undefined; undefined if it is not remembered at that time. */
  get(key: string, now: number): { readonly value: T } | undefined;
  set(key: string, value: T, now: number): void;
};

/**
 * Remembers each value for a while. A full memory forgets everything, so a crowd of different keys cannot fill a function's memory.
 *
 * @param forMs how long a value is good for, in milliseconds.
 * @param most how many values fit.
 */
export function memory<T>({ forMs, most }: { readonly forMs: number; readonly most: number }): Memory<T> {
  const entries = new Map<string, { readonly value: T; readonly readAt: number }>();
  return {
    get: (key, now) => {
      const entry = entries.get(key);
      // A clock that was set back must not make a value last longer.
      return entry && entry.readAt <= now && now < entry.readAt + forMs ? entry : undefined;
    },
    set: (key, value, now) => {
      if (entries.size >= most) entries.clear();
      entries.set(key, { value, readAt: now });
    },
  };
}
