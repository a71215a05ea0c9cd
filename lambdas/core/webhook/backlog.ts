/**
 * What a URL is behind with: deliveries that have been due for longer than is usual, because more come than can be sent,
 * or because nothing is sent to it. Null if there are none.
 */
export type Backlog = {
  /** When the one that waits longest was due, in ISO 8601. */
  readonly oldestDueAt: string;
} | null;

const minute = 60_000;

/**
 * How long a delivery may be due before its URL is behind, in milliseconds: the schedule comes within a minute, and its
 * run takes up to another.
 */
export const usualWaitMs = 2 * minute;

/** How long a delivery may be due before operators are told, in milliseconds: a day of the 14 after which it is lost. */
const alarmingWaitMs = 24 * 60 * minute;

/** Whether deliveries have waited for so long that operators should know. @param now in milliseconds since 1970 */
export const isAlarming = (dueAt: string, now: number): boolean => now - Date.parse(dueAt) >= alarmingWaitMs;
