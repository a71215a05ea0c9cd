// Clicks are counted by quarters of an hour in UTC, because every time zone's offset is a multiple of 15 minutes.

export const quarterMs = 15 * 60_000;
export const dayMs = 24 * 60 * 60_000;

/** The day (UTC) of a time in ISO 8601. */
export const dayOfTime = (at: string): string => at.slice(0, 10);
