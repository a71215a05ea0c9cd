import { useSyncExternalStore } from 'react';

// The clock that updates relative times. It ticks only while something shows them.

const minuteMs = 60_000;
let minute = Math.floor(Date.now() / minuteMs);
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  minute = Math.floor(Date.now() / minuteMs);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, minuteMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

// A tab that was asleep or in the background has missed ticks.
document.addEventListener('visibilitychange', tick);

/** Draws the component again each minute, so that "2 minutes ago" becomes three. */
export const useMinute = (): void => {
  useSyncExternalStore(listen, () => minute);
};
