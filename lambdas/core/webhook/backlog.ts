/**
 * A URL's backlog: deliveries that have been due for longer than usual, because too many arrive, or because nothing is
 * sent to it. Null if there are none.
 */
export type Backlog = {
  /** When the oldest of them was due, in ISO 8601. */
  readonly oldestDueAt: string;
} | null;

const minute = 60_000;

/**
 * How long a delivery may be due before its URL is behind, in milliseconds: the next scheduled run starts within a
 * minute, and takes up to another.
 */
export const usualWaitMs = 2 * minute;

/** How long a delivery may be due before an alarm, in milliseconds: one of the 14 days after which it is lost. */
const alarmingWaitMs = 24 * 60 * minute;

/** Whether deliveries have waited for so long that operators should know. @param now in milliseconds since 1970 */
export const isAlarming = (dueAt: string, now: number): boolean => now - Date.parse(dueAt) >= alarmingWaitMs;
