/** A key, and when to replace it, by the monotonic clock. */
export type MadeKey = { readonly key: string; readonly freshUntil: number };

/** Keeps a key, and replaces it before it ends. */
export type Keyring = {
  /**
   * The kept key, or a new one. Concurrent callers share one new key. @throws what `make` throws; the next caller
   * retries
   */
  readonly get: (make: () => Promise<MadeKey>) => Promise<string>;
  /** Drops that key, if it is still the kept one; without an argument, any kept key. */
  readonly drop: (key?: string) => void;
};

/** @param now the clock of `MadeKey.freshUntil` */
export function keyring(now = () => performance.now()): Keyring {
  let kept: MadeKey | undefined;
  let coming: Promise<MadeKey> | undefined;
  const renewed = (key: MadeKey) => {
    kept = key;
    return key;
  };
  return {
    get: async (make) => {
      if (!coming && kept && now() < kept.freshUntil) return kept.key;
      coming ??= make()
        .then(renewed)
        .finally(() => {
          coming = undefined;
        });
      return (await coming).key;
    },
    drop: (key = kept?.key) => {
      if (kept?.key === key) kept = undefined;
    },
  };
}
