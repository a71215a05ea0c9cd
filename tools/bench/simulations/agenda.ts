import type { Random } from './random.ts';

/**
 * The events of a simulation, in whole milliseconds from its start. Far quicker than `time.ts`, but only for its own
 * events.
 */
export type Agenda = {
  readonly now: () => number;
  /** Does something after this many milliseconds, at most 8 seconds. */
  readonly after: (ms: number, run: () => void) => void;
  /** Runs until a time. `each` is called at the start of each millisecond. */
  readonly runUntil: (ms: number, each: () => void) => void;
};

/**
 * The events of the coming milliseconds, in a ring.
 *
 * @param random orders the events of a millisecond, so that none is always the first to take a table's remaining units.
 */
export function agenda(random: Random): Agenda {
  const ring = Array.from({ length: 8_192 }, (): (() => void)[] => []);
  let now = 0;
  return {
    now: () => now,
    after: (ms, run) => {
      const whole = Math.max(0, Math.round(ms));
      if (whole >= ring.length) throw new Error(`${ms} ms is too far ahead`);
      (ring[(now + whole) % ring.length] as (() => void)[]).push(run);
    },
    runUntil: (ms, each) => {
      for (; now < ms; now++) {
        each();
        const events = ring[now % ring.length] as (() => void)[];
        // An event may add events to the same millisecond.
        while (events.length > 0) {
          const chosen = Math.floor(random() * events.length);
          const last = events.pop() as () => void;
          const event = chosen < events.length ? (events[chosen] as () => void) : last;
          if (chosen < events.length) events[chosen] = last;
          event();
        }
      }
    },
  };
}
