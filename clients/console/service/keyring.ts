/** A key, and when to replace it, by the clock that only runs forwards. */
export type MadeKey = { readonly key: string; readonly freshUntil: number };

/** Keeps a key that ends, and replaces it before that. */
export type Keyring = {
  /** The key, or a new one. However many ask at once, one is made for all. @throws what making it throws; the next caller tries again */
  readonly get: (make: () => Promise<MadeKey>) => Promise<string>;
  /** Drops that key, if it is still the one that is kept; without one, whichever is kept. */
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
