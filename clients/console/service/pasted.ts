import { useSyncExternalStore } from 'react';

// Several addresses that somebody has pasted, on their way to the import. They are only in memory.

let pasted: string | undefined;
const listeners = new Set<() => void>();

/** Keeps a pasted text until the import takes it. @param text undefined once it has, or to forget it */
export function setPasted(text: string | undefined): void {
  pasted = text;
  for (const listener of listeners) listener();
}

export const usePasted = (): string | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pasted,
  );
