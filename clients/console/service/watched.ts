import { useSyncExternalStore } from 'react';

/** For a value that is kept outside of components: a hook that reads it, and a function to call when it has changed. */
export function watched<T>(read: () => T): { readonly useValue: () => T; readonly emit: () => void } {
  const listeners = new Set<() => void>();
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    useValue: () => useSyncExternalStore(listen, read),
    emit: () => {
      for (const listener of listeners) listener();
    },
  };
}
